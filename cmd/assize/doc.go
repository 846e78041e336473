/*
Assize scores conversations between a SYSTEM (assistant, agent) and a USER (customer), offline and with
evidence.

An Evaluator proposes a score for each of six criteria and quotes what speaks for it. A Critic objects where
it finds counter-evidence. A Referee settles every objection by fixed rules and writes an audit that can be
recomputed by hand. All three are code: there is no server and no model to fetch, and nothing leaves the
machine.

# Scoring one dialogue

A dialogue is read from nearly any file that holds one. It is shown in full: the six criteria with their
weights and bars, what the Evaluator said and what became of it, the words that it rests on with the number of
their turn, the arithmetic, and the signals that the detectors saw.

	$ assize score testdata/transcripts/restaurant.txt
	Dialogue 1 · …/restaurant.txt · 12 turns, 6 by the USER, 6 by the SYSTEM

	  OverallExperience  60   weighted average 77.00   satisfaction 3.24 of 5

	  TaskSuccess    40 %  ████████████████████·····  60 → 80    R3-contradicted
	  Helpfulness    15 %  █████████████████████████  80 → 100   R3-contradicted
	  Accuracy       15 %  ██████████···············  40         R1-agreed
	  Understanding  10 %  ███████████████··········  60         R1-agreed
	  Empathy        10 %  ████████████████████·····  80         R1-agreed
	  Fluency        10 %  █████████████████████████  100        R1-agreed

	TaskSuccess  60 → 80
	  Evaluator 60: The SYSTEM confirms a value that the USER did not give, which
	    speaks against the goal being reached.
	       1 USER   "Hello, I'd like to book a table at the Olive Branch for 4
	                people on Saturday at 7 pm."
	       2 SYSTEM "I can book a table at the Olive Branch for 2 people on Saturday
	                at 7 pm."
	  Critic (rules) 80: The USER is full of praise, which speaks for the goal
	    being reached.
	       7 USER   "Perfect. And can we sit outside?"

	Helpfulness  80 → 100
	  Evaluator 80: The SYSTEM reports that it is done, which speaks for useful
	    help.
	      10 SYSTEM "Your table by the window is booked for 4 people on Saturday at
	                7 pm."
	  Critic (rules) 100: The USER is full of praise, which speaks for useful
	    help.
	       7 USER   "Perfect. And can we sit outside?"

	Accuracy  40
	  The SYSTEM confirms a value that the USER did not give, which speaks against
	    what the SYSTEM says being right.
	       1 USER   "Hello, I'd like to book a table at the Olive Branch for 4
	                people on Saturday at 7 pm."
	       2 SYSTEM "I can book a table at the Olive Branch for 2 people on Saturday
	                at 7 pm."

	Understanding  60
	  The SYSTEM confirms a value that the USER did not give, which speaks against
	    a grasp of what the USER means.
	       1 USER   "Hello, I'd like to book a table at the Olive Branch for 4
	                people on Saturday at 7 pm."
	       2 SYSTEM "I can book a table at the Olive Branch for 2 people on Saturday
	                at 7 pm."

	Empathy  80
	  The SYSTEM is polite, in 4 of the SYSTEM's 6 turns, which speaks for a
	    caring tone.
	      10 SYSTEM "Can I help with anything else?"

	Fluency  100
	  The SYSTEM's sentences are clear and well formed.
	      10 SYSTEM "Your table by the window is booked for 4 people on Saturday at
	                7 pm. The reference number is OB7315. Can I help with…"

	Rulings
	  R3-contradicted: TaskSuccess goes from 60 to 80 as the Critic (rules)
	    suggests, because USER: "Perfect. And can we sit outside?" speaks for a
	    higher score.
	  R3-contradicted: Helpfulness goes from 80 to 100 as the Critic (rules)
	    suggests, because USER: "Perfect. And can we sit outside?" speaks for a
	    higher score.
	  R1-agreed: the Critic has no objection to Accuracy at 40, Understanding at
	    60, Empathy at 80 and Fluency at 100.

	Arithmetic
	  80*0.40 + 100*0.15 + 40*0.15 + 60*0.10 + 80*0.10 + 100*0.10 = 77.00
	  round down 77.00 → 60

	Signals  what each means: assize explain ID
	  courtesy-polite                +2.40  2 8 10 12
	  courtesy-acknowledges          +1.20  2 6
	  substance-concrete             +0.20  2 10
	  contradiction-value            -2.00  2
	  reaction-rejects               -2.50  3
	  reaction-corrects              -0.50  3
	  contradiction-corrected        -2.00  3
	  pairing-elicited               +0.40  4 8
	  pairing-accepted               +0.20  4
	  reaction-praises               +1.25  5
	  reaction-agrees                +0.25  5
	  reaction-asks                  -0.80  5 7
	  reaction-superb                +2.00  7
	  reaction-valence               +0.70  7 9
	  outcome-completed              +0.50  10
	  reaction-thanks                +0.75  11
	  reaction-declines              -1.00  11
	  outcome-closes                 +0.50  12
	  courtesy-exclaims              +0.50  12

What the ids mean, that or any other:

	$ assize explain R3
	R3-contradicted  rulings
	  What was said contradicts the Evaluator: the Critic's score is taken.

	  When
	    The objection cites an utterance that is really in the transcript, and a
	    detector left a signal there that speaks to this criterion and points the
	    objection's way.

	  Then
	    Take the suggested score.

# Scoring many

Files, folders, patterns and standard input (-) may hold any number of dialogues. Each gets a row; an arrow
shows what the Referee lowered or raised. --full shows all in full, --id some.

	$ assize score testdata/transcripts/uss.txt testdata/transcripts/complaint.txt
	     id file           overall average  sat task help accu unde empa flue ruling
	      1 …/uss.txt           80   96.00 3.71 100↑ 100↑ 100  100   60  100  R3
	      2 …/uss.txt           40   51.00 2.91  20↓  80   60↓  60↓  60  100  R5
	      3 …/uss.txt           80   96.00 3.38 100↑ 100↑ 100   60↓ 100↑ 100  R5
	      1 …omplaint.txt       40   46.00 2.70  20↓  20↓ 100   80↓  20↓ 100  R5

	4 dialogues: 4 scored, 0 unscored; the Referee changed scores in 4

	OverallExperience
	  100                                                  0   0.0 %
	   80  ████████████████████                            2  50.0 %
	   60                                                  0   0.0 %
	   40  ████████████████████                            2  50.0 %
	   20                                                  0   0.0 %

	Means
	  weighted average 72.25 · satisfaction 3.18 of 5
	  TaskSuccess    60.00     Helpfulness    75.00     Accuracy       90.00
	  Understanding  75.00     Empathy        60.00     Fluency       100.00

A dialogue that cannot be judged, because one side says nothing or because it is mostly not in English, is
unscored: it is shown with the reason, and never gets a low score for it.

	$ assize score testdata/transcripts/spanish.txt
	Dialogue 1 · …/transcripts/spanish.txt · 7 turns, 3 by the USER, 4 by the SYSTEM

	  unscored: the dialogue is mostly in Spanish; the rule agents read English only

# Reading

The format is detected, and --input-format overrides that. --dry-run shows how each file is read and who was
taken for whom; --role-map "BOT=system,Ann=user" and --system-name "Brightline Mobile" tell who is who where
the names do not.

	$ assize score testdata/transcripts/whatsapp.txt --system-name "Brightline Mobile" --dry-run
	testdata/transcripts/whatsapp.txt
	  format     chat
	  SYSTEM     "Brightline Mobile" 3 turns
	  USER       "Tom Baker" 5 turns
	  dialogues  1 with 9 turns

From a folder, the files are read that end in .txt, .tsv, .csv, .json, .jsonl, .ndjson or .log, or have .gz
behind that.

# Writing

--format says how results are written; -o FILE writes them to a file, whose ending then says it.

  - text: for people, never wider than 80 columns; in colour on a terminal (--color, NO_COLOR)
  - json: the strict document of --protocol debate or single; an object for one dialogue, an array for
    several. Unscored dialogues have none and are named on standard error
  - jsonl: a run, which is a header with the configuration and then a record a line, with everything that led
    to the scores. The lines are written as they come
  - csv: a row a dialogue
  - markdown: for tickets and pull requests

All but jsonl write a file beside FILE and put it in its place when it is complete. --no-transcript keeps only
the turns in a record that are cited, each with its number. --redact masks e-mail addresses, phone, card and
account numbers in all that is written; what is judged is what was said.

	$ assize score testdata/transcripts/complaint.txt --redact --format markdown | head -8
	## Dialogue 1

	testdata/transcripts/complaint.txt, 21 turns

	**OverallExperience 40**, weighted average 46.00, satisfaction 2.70 of 5

	| Criterion | Weight | Score | Ruling | Why |
	|---|--:|--:|---|---|

# Gating

--fail-under makes the exit code answer whether every scored dialogue has at least that OverallExperience.

	$ assize score testdata/transcripts/complaint.txt --fail-under 60 --format csv
	file,dialogue_id,source_id,turns,status,reason,OverallExperience,numeric_weighted_average,satisfaction,TaskSuccess,Helpfulness,Accuracy,Understanding,Empathy,Fluency,changed,level,flagged
	testdata/transcripts/complaint.txt,1,,21,scored,,40,46.00,2.70,20,20,100,80,20,100,TaskSuccess 60>20 R5-majority; Helpfulness 60>20 R5-majority; Understanding 100>80 R5-majority; Empathy 40>20 R5-majority,,false
	assize: 1 of 1 dialogues below --fail-under 60; the lowest is 40
	(exit code 1)

The exit codes are 0 for fine, 1 for an answer of no, 2 for a command line or an input that is wrong. What
could be read is scored all the same. Ctrl-C stops cleanly and keeps what is written.

# Another measure

--rubric FILE replaces weights, level texts, demands and mapping, in YAML; --mapping nearest maps the weighted
average to the nearest level instead of down.

# Settings

A flag can also be given as a variable, --fail-under as ASSIZE_FAIL_UNDER, or stand in the config file, as
fail-under: 60. The command line comes first, then the variable, then the file. `assize score --help` names
the place of the file; --config names another.

# Same input, same bytes

The output depends on the transcripts, the rubric, the lexicon and the flags alone: not on the clock, the
machine, the language of the system or --jobs.
*/
package main
