/*
Assize scores conversations between a SYSTEM (assistant, agent) and a USER (customer), offline and with
evidence.

An Evaluator proposes a score for each of six criteria and quotes what speaks for it. A Critic objects where
it finds counter-evidence. A Referee settles every objection by fixed rules and writes an audit that can be
recomputed by hand. All three are code: there is no server and no model to fetch, and nothing leaves the
machine. A local model can play the first two, where one is asked for; see below.

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

# Groups

--by NAME sums up by a column of the source as well: an agent, a queue, a channel, the version of a bot; --dry-run names
the columns that there are, and file is the file. A group has its means with 95 % intervals (a bootstrap with a fixed
seed, so the same input gives the same figures) and the share of its dialogues whose OverallExperience is below 60. The
lowest satisfaction comes first; groups of fewer than 20 scored dialogues stand behind the others and are marked, since
their figures tell little; dialogues without the column come last. More than 1000 groups are refused.

	$ assize score testdata/teams/week.csv --by agent | tail -7
	By agent  means with 95 % intervals, lowest satisfaction first
	                  scored  unsc.  average               satisfaction    below 60
	  Marek               22      0   78.86 71.09–86.96    3.39 3.17–3.61   27.3 %
	  Ines                24      0   91.96 85.46–97.75    3.82 3.67–3.97   12.5 %
	  Sofia                6      0   82.33 66.50–97.67    3.44 2.86–3.93   33.3 % *
	  (none)               0      1       –                   –                  – *
	  * fewer than 20 scored: too few to tell much

--format csv with --by has a row a group, and markdown a table.

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

What a file says of a dialogue besides its words (the agent, the queue, the channel, the version of a bot) is carried
into records, is named by --dry-run as metadata, and changes no score. In a table or a file with a turn a line, that
is every other column whose rows agree, within one dialogue; in an export, the plain members of the conversation and
its attributes. Ratings and labels never are: they stay set aside. At most 32 are kept, names of 64 and values of 256
bytes.

From a folder, the files are read that end in .txt, .tsv, .csv, .json, .jsonl, .ndjson or .log, or have .gz
behind that. A file that comes twice, under the same name or another, is told of and read once.

# Writing

--format says how results are written; -o FILE writes them to a file, whose ending then says it.

  - text: for people, never wider than 80 columns; in colour on a terminal (--color, NO_COLOR)
  - json: the strict document of --protocol debate or single; an object for one dialogue, an array for
    several. Unscored dialogues have none and are named on standard error
  - jsonl: a run, which is a header with the configuration, then a record a line, with everything that led
    to the scores, and a closing line. The lines are written as they come
  - csv: a row a dialogue; a cell that a spreadsheet would run as a formula has an apostrophe before it
  - markdown: for tickets and pull requests
  - junit: for build servers; see Gating

All but jsonl write a file beside FILE and put it in its place when it is complete, unless a run stands there.
--no-transcript keeps only the turns in a record that are cited, each with its number. --redact masks e-mail
addresses, phone, card and account numbers in all that is written; what is judged is what was said.

	$ assize score testdata/transcripts/complaint.txt --redact --format markdown | head -8
	## Dialogue 1

	testdata/transcripts/complaint.txt, 21 turns

	**OverallExperience 40**, weighted average 46.00, satisfaction 2.70 of 5

	| Criterion | Weight | Score | Ruling | Why |
	|---|--:|--:|---|---|

# Runs

With -o run.jsonl every record is in the file as soon as its dialogue is judged, in the order of the input. Whatever
stops a run, the same command goes on where it was stopped: the records that stand there are verified and not judged
again, a line that was not written to its end is cut off, and in the end the file has the same bytes as if nothing
had happened. It also goes on where more dialogues have come behind those that are judged. One process at a time
writes a run. Standard error tells now and then how far it is, and at its end what it holds, unless --quiet is given.

	$ assize score testdata/rated/rooms.txt -o chats.jsonl
	assize: chats.jsonl: 40 records in 0.1 s: 40 scored, 0 unscored
	assize:   OverallExperience 100: 8 (20.0 %), 80: 10 (25.0 %), 60: 7 (17.5 %), 40: 15 (37.5 %), 20: 0 (0.0 %)
	$ assize score testdata/rated/rooms.txt -o chats.jsonl --mapping nearest
	assize: -o chats.jsonl: holds a run of another configuration
	assize:   mapping: down in the run, nearest now
	hint: --restart begins anew and keeps the old file
	(exit code 2)

A run is refused, and left as it is, where it was made with another configuration, where a line in it is garbled, or
where the input is no longer the one that its records are of; a file is known by its path as it is given. --restart
begins anew and keeps the old file as run.old.jsonl; --reuse RUN takes over what that run has judged of the same turns,
if it was made with the same configuration, so that --restart --reuse run.jsonl judges only what is missing or broken.
What is unscored there is judged again.

Dialogues with the same turns are judged once. The record of each later one has the judgement of the first, with its
own id, file, ratings and metadata, and says in source.duplicate_of which that is.

The closing line has the number of records and the SHA-256 of all lines before it, against which replay holds them. A run
without it, or one that ends within a line, is unfinished: what stands in it is used, and every command that reads it
says so, as do the tables and pages that are made of it.

Several runs can be read as one. A dialogue that stands in two of them (the pattern run*.jsonl matches run.old.jsonl,
too) counts once in triage and report, as the run that is read first has it. Two dialogues are the same if they have the
same file, id and turns, and did not come from standard input. How many were left out, and of which run, stands beside
the figures. agree and fit count such a dialogue once as well, and refuse runs that judge it differently.

Where one dialogue takes long, up to four more for each of --jobs are judged and wait for it in memory. --strict makes
the exit code 1 where a dialogue is unscored.

# A model on the bench

With --model NAME a local Ollama model is the Evaluator, and the Critic together with the rules; the Referee stays
code. Without it no server is contacted. The model only chooses a level and a turn for each criterion: the words in
its justifications are quoted by code, so they are always in the transcript.

	assize score calls/ --model qwen2.5:1.5b -o run.jsonl
	assize score calls/ --model qwen2.5:1.5b --critic rules     one question a dialogue
	assize score calls/ --evaluator rules --critic model --model qwen2.5:1.5b

The rules judge as well, and the cross-check holds the two against each other: both scores for each criterion, whether
they agree, doubt (one level) or contradict each other (more), and one weighted figure, the disagreement, from 0.00 to
4.00. Begin reading where it is highest. The satisfaction stays the rules' estimate, unless --profile gives that very
model weight, as fit learns it.

A model's failures have names, and assize explain tells of each. Bounded retries change something; what they cannot
mend leaves the dialogue unscored with its reason, the answer kept in the record, or lets the rules take over with
--fallback rules, which the record and the audit then say. A turn that speaks to whoever judges is not shown to the
model. A dialogue that is too long is judged in overlapping parts, unless --on-overflow is refuse.

The address is --ollama, else OLLAMA_HOST, else this machine; transcripts go to another only with --allow-remote. The
header of a run has the model's digest, quantization and template, the server's version and every option that was
sent, and NAME@sha256:… refuses any other model. The same run on the same machine has the same bytes as long as one
dialogue is judged at a time, which is the default. --cache DIR keeps answers, so that repeating a run is free.

# Whether a model can judge

doctor looks whether the server answers and which models it has, and says what to do where something is missing. With
--model it tries one on ten dialogues whose quality is known, or with --all every one: are its answers valid, do its
scores part good from bad, does it look at what it cites, are its answers the same again, does it obey a turn that tells
it what to score, and how long does it take? The verdict is a plain one, from good enough for triage to not usable; what
each check is and where it fails tells assize explain. The exit code is 1 where nothing is good enough to judge.

	$ assize doctor --ollama http://127.0.0.1:9
	Server   server-down: no server answers at http://127.0.0.1:9

	Use      Start it with: ollama serve.
	assize: the server cannot be used: no server answers at http://127.0.0.1:9
	(exit code 1)
	$ assize explain looks
	looks  checks of a model by the doctor
	  Does the model look for the turns that it cites?

	  What is tried
	    Six turns in strictly rising order come by chance once in 720 answers; a
	    model that counts upwards did not look.

	  no
	    30 % of the answers or more count upwards

# Experiments

Which model, and asked how? experiment judges the same dialogues by every model, panel and prompt that a YAML file
names, each in a run of its own, and prints one table. The cell rules is the rules alone, the baseline that every
model is held against. A panel and the options hold flags of score by their names; prompts are folders of templates as
--prompts takes them; repeats are runs of the same cell, each asked anew. `assize experiment --help` shows a whole file.

	$ assize experiment testdata/experiment.yaml -o runs --dry-run
	testdata/experiment.yaml: 40 dialogues, 5 runs in runs

	  testdata/rated/parcels.txt                          20 of 30
	  testdata/rated/rooms.txt                            20 of 40

	  to do  no calls                    rules.jsonl
	  to do  40 calls, some 80 short     qwen2.5-1.5b.full.default.1.jsonl
	  to do  40 calls, some 80 short     qwen2.5-1.5b.full.default.2.jsonl
	  to do  40 calls                    qwen2.5-1.5b.one-call.default.1.jsonl
	  to do  40 calls                    qwen2.5-1.5b.one-call.default.2.jsonl

Without --dry-run the cells are run one after the other, as score -o runs them: what was stopped goes on where it
stopped, what is complete is left alone and needs no server, and what was made with other settings is refused. A cell
that fails is told, and the others go on; so is a model whose server is gone, and what it would have left unscored is
left to be judged later. Only the file counts: no setting of score from a variable or the config file reaches a cell.

The table tells how each row agrees with people, where they rated, and by how much better than the rules; how much is
unscored; at how many of the turns that are cited for low scores the rules see a fault, beside turns picked at random;
how many scores another repeat changes; how far the model is from the rules; and the tokens and seconds of a dialogue.
Seconds are kept beside the runs in files that end in .mark.json, since no run holds a time. --format markdown, csv and
json are for others to read.

	assize experiment models.yaml
	assize experiment models.yaml --format csv > table.csv

# Triage

Triage ranks dialogues worst first, so that a person can read where it matters: those of transcripts, which the rules
judge now, or those of a run, as they were judged. A run is known by how it begins. The order is that of satisfaction,
which keeps the rank that the coarse scores lose; --sort average and, for runs with a model, --sort disagreement choose
another. Ties go by the average, then the id, then what was read first. Unscored dialogues are counted, and never ranked.
Of several dialogues with the same turns the first is ranked for all, with the number of the others behind it, so that
one chat cannot fill the top; --duplicates ranks each.

	$ assize triage testdata/rated --top 3
	rank  id   sat overall avg  failed most       friction
	   1  8   2.27   40  42.00  TaskSuccess    20 ▄▁▁▁
	          7 USER   "No, I said Friday, can you look again?"
	          9 USER   "I don't want that. Anything else?"

	   2  27  2.39   40  42.00  TaskSuccess    20 ▄▁▁
	          6 SYSTEM "Unfortunately there is nothing free."
	          7 USER   "No, I said Friday, can you look again?"

	   3  25  2.39   40  45.00  TaskSuccess    20 ▄▁▁
	          4 SYSTEM "I am sorry, I could not find that."
	          7 USER   "I don't want that."

	All are from testdata/rated/parcels.txt.
	3 of 70 scored dialogues, worst first by satisfaction.
	Friction has a cell for each turn of the SYSTEM, low where it went wrong;
	  assize explain friction.

Each row has the criterion that failed most, the one that cost the weighted average most points; one or two utterances
that say why, taken from the turns that weigh most against it; and the friction, a cell for each turn of the SYSTEM,
low where it went wrong. --format csv, jsonl and markdown say the same, and the JSON lines the points of every turn. Only
the rows that are shown are kept, so a hundred thousand dialogues need no more memory than a hundred.

With --budget, a share or a number of dialogues, and --model it is a cascade. The rules judge everything. The model is
asked only where it can matter: half of the budget goes to the worst, the other half to those whose satisfaction is
nearest to the cut, which is that of the profile or, where it has none, the last dialogue that --top shows. There the
rules are most often wrong about who belongs on which side; nothing else that they see tells where they are wrong. Every
dialogue that was picked says why, worst or unsure, and what the model makes of it. The ranking stays that of the rules;
beside it stand the other dialogues that the model was asked about, first those where it contradicts the rules most. The
last line tells what was saved.

	assize triage run.jsonl --top 500 --budget 1000 --model qwen2.5:1.5b --cache answers

Transcripts or runs are read twice then, so they must be files; a run must hold all turns as they were judged.

# Gating

--fail-under makes the exit code answer whether the scored dialogues are good enough: 60 asks it of the
OverallExperience, Empathy=40 of a criterion; it can be given several times. --max-below allows so many below any of
these gates, as a share of the scored dialogues or as a number. Standard error names each gate that is shut, and the
worst dialogues. An unscored dialogue is below nothing; where none is scored there is no answer, which is exit code 2.

	$ assize score testdata/transcripts/complaint.txt --fail-under 60 --format csv
	file,dialogue_id,source_id,turns,status,reason,OverallExperience,numeric_weighted_average,satisfaction,TaskSuccess,Helpfulness,Accuracy,Understanding,Empathy,Fluency,changed,level,flagged,disagreement
	testdata/transcripts/complaint.txt,1,,21,scored,,40,46.00,2.70,20,20,100,80,20,100,TaskSuccess 60>20 R5-majority; Helpfulness 60>20 R5-majority; Understanding 100>80 R5-majority; Empathy 40>20 R5-majority,,false,
	assize: 1 of 1 dialogue below --fail-under 60; the lowest: 1 (40)
	(exit code 1)

--format junit, or -o with a name that ends in .xml, writes for build servers: a test case for every dialogue, with a
failure for every gate that is shut for it, which has the scores and the words that they rest on. Unscored dialogues
are skipped, with the reason, and what could not be read is an error. A failure stands there however many --max-below
allows; the exit code is the answer.

A bot's release is gated with a set of regression dialogues. Let the new bot answer the questions of the old one,
score the answers, and keep the release back where they have become worse:

	my-bot --replay regression/ > answers.jsonl
	assize score answers.jsonl --fail-under 60 --fail-under Empathy=40 -o gate.xml || exit 1

	$ assize score testdata/release/bot-2.4.jsonl --fail-under 60 --fail-under Empathy=40 -o gate.xml
	$ assize score testdata/release/bot-2.5.jsonl --fail-under 60 --fail-under Empathy=40 --format junit | head -28
	<?xml version="1.0" encoding="UTF-8"?>
	<testsuites name="assize score">
	  <testsuite name="testdata/release/bot-2.5.jsonl" tests="8" failures="2" errors="0" skipped="0">
	    <testcase classname="testdata/release/bot-2.5.jsonl" name="dialogue late-parcel">
	    </testcase>
	    <testcase classname="testdata/release/bot-2.5.jsonl" name="dialogue gift-wrap">
	    </testcase>
	    <testcase classname="testdata/release/bot-2.5.jsonl" name="dialogue size-change">
	    </testcase>
	    <testcase classname="testdata/release/bot-2.5.jsonl" name="dialogue opening-hours">
	    </testcase>
	    <testcase classname="testdata/release/bot-2.5.jsonl" name="dialogue invoice-copy">
	    </testcase>
	    <testcase classname="testdata/release/bot-2.5.jsonl" name="dialogue refund-status">
	      <failure type="OverallExperience" message="OverallExperience is 40; want 60 or more">
	OverallExperience 40, weighted average 43.00, satisfaction 2.60 of 5
	TaskSuccess 20, 40 % of the average, R5-majority
	  The USER turns the SYSTEM&#39;s offer, guess or answer down, which speaks
	    against the goal being reached.
	       3 USER   &#34;No, I have read that.&#34;
	Helpfulness 40, 15 % of the average, R5-majority
	  The USER wants out: a manager, a human, an end, which speaks against useful
	    help.
	       5 USER   &#34;Let me talk to a person!&#34;
	Understanding 40, 10 % of the average, R5-majority
	  The USER turns the SYSTEM&#39;s offer, guess or answer down, which speaks
	    against a grasp of what the USER means.
	       3 USER   &#34;No, I have read that.&#34;
	$ assize score testdata/release/bot-2.5.jsonl --fail-under 60 --fail-under Empathy=40 --max-below 10% -o gate.xml
	assize: 2 of 8 dialogues below --fail-under 60; the lowest: refund-status (40), broken-mug (40)
	assize: 2 of 8 dialogues below --fail-under Empathy=40; the lowest: refund-status (20), broken-mug (20)
	assize: 2 of 8 dialogues below a gate (25.0 %); --max-below 10% allows 0
	(exit code 1)

--by shows both releases side by side:

	$ assize score testdata/release/ --by bot | tail -5
	By bot  means with 95 % intervals, lowest satisfaction first
	                  scored  unsc.  average               satisfaction    below 60
	  2.5                  8      0   79.13 65.25–91.38    3.37 3.07–3.68   25.0 % *
	  2.4                  8      0   92.13 86.63–97.38    3.65 3.44–3.87    0.0 % *
	  * fewer than 20 scored: too few to tell much

The exit codes are 0 for fine, 1 for an answer of no, 2 for a command line or an input that is wrong. What
could be read is scored all the same. Ctrl-C stops cleanly: a run keeps what is written, and so does standard output;
any other file behind -o is as it was before.

# Checking an evaluation

check takes evaluations in the debate or the single document, whoever made them, and finds what is wrong:
structure, figures, mapping, rulings, quotes. With --transcript every quote is looked up, and the rulings that
rest on what was said are tried again; without, check says that it could not. Exit code 1 means an error;
--fail-on warning is stricter. --format sarif and junit are for other programs, and --fix writes the
evaluation with what can be computed put right. What a finding means tells assize explain.

	$ assize check testdata/evaluations/complaint.md
	testdata/evaluations/complaint.md:4 · single · 1 error, 1 note

	testdata/evaluations/complaint.md:4:1: note text-around
	    There is text around the JSON.

	testdata/evaluations/complaint.md:11:34: error overall-wrong
	    /OverallExperience/score
	    The weighted average 31.00 maps to 20 under down, not to 40, which nearest
	    gives.
	      got 40, want 20

	quotes not verified: --transcript FILE holds them against what was said
	--fix mends 1 finding
	assize: 1 of 1 evaluation has errors
	(exit code 1)
	$ assize check testdata/evaluations/complaint.md --fix | head -12
	Here is my evaluation of the call, following the six criteria:

	```json
	{
	  "TaskSuccess": {"score": 20, "justification": "The line is still down at the end: USER: \"You haven't helped me at all.\""},
	  "Helpfulness": {"score": 20, "justification": "It sells instead of helping, SYSTEM: \"Our premium package includes faster speeds\"."},
	  "Accuracy": {"score": 40, "justification": "It cannot name the day: SYSTEM: \"it may be Wednesday, I am not sure\"."},
	  "Understanding": {"score": 20, "justification": "It asks for the same thing again, SYSTEM: \"Please turn the router off and on again.\""},
	  "Empathy": {"score": 20, "justification": "There is no word of regret, SYSTEM: \"We value your patience.\""},
	  "Fluency": {"score": 100, "justification": "The sentences are short and correct, SYSTEM: \"An engineer was booked for Tuesday.\""},
	  "OverallExperience": {"score": 20, "justification": "The weighted average of the six criteria is 31.00."}
	}
	$ assize explain average-wrong
	average-wrong  findings
	  A numeric_weighted_average is not that of the scores.

	  Severity
	    error

	  Why it matters
	    The average is the sum of the six scores, each times its weight (003,
	    "OverallExperience Rule"). It is computed in whole hundredths; a figure that
	    rounds to the right one is right, however many decimals it has. 003's own
	    example B prints 86.00 for scores that give 88.00.

	  Bad
	    scores 100, 60, 100, 100, 40, 100 … "numeric_weighted_average": 86.00

	  Good
	    scores 100, 60, 100, 100, 40, 100 … "numeric_weighted_average": 88.00

# Replaying a run

A run holds the rubric, the profile and what detectors and agents said. replay works out all the rest again and
compares bytes, so that a changed score, quote, digest or option is found and named; without a model, and
whatever lexicon this program has. --rejudge asks the agents again, which needs the lexicon of the run. Where a
model judged, it is asked again too, at --ollama and one dialogue after the other: the one of the same digest, with the
prompts and options of the run. If anything of these is another, all that differs is listed and nobody is asked; and a
server that fails is an error (exit code 2), never an answer that is another one.

	$ assize score testdata/rated -o run.jsonl
	assize: run.jsonl: 70 records in 0.1 s: 70 scored, 0 unscored
	assize:   OverallExperience 100: 12 (17.1 %), 80: 18 (25.7 %), 60: 12 (17.1 %), 40: 28 (40.0 %), 20: 0 (0.0 %)
	$ assize replay run.jsonl
	run.jsonl: 70 records, 70 scored: every decision, average, level and audit
	  follows from its evidence
	  made by       assize (devel), rules against rules, mapping down
	  rubric        0d767f8f8411… the embedded one
	  profile       47432d028800… the embedded one
	  lexicon       54398fbce208… the one of this program
	  fingerprint   a21a0a93202f…
	  not verified  what the detectors and the agents said, which is taken as it
	                  is recorded
	$ assize replay run.jsonl --rejudge
	run.jsonl: 70 records, 70 scored: every decision, average, level and audit
	  follows from its evidence; all answers are the same when they are given again
	  made by       assize (devel), rules against rules, mapping down
	  rubric        0d767f8f8411… the embedded one
	  profile       47432d028800… the embedded one
	  lexicon       54398fbce208… the one of this program
	  fingerprint   a21a0a93202f…

# Agreement with people

agree measures a run against ratings: those that the transcripts carried, or --ratings FILE, a table with the
columns dialogue_id, rater and rating, and perhaps criterion and file. Figures are taken within files, and the
headline is their mean. Beside each stand a constant, one annotator against the others, and the limit that the
raters' own agreement sets. Where there is too little to tell, a dash stands instead of a digit.

	$ assize agree run.jsonl
	Agreement with people
	70 rated dialogues in 2 files; ratings of the run itself, scale 1-5

	Satisfaction ranks these dialogues as one more annotator would, or better: .81
	against .55 in an annotator's seat, ahead by .12 to .37. How far any scorer
	could go cannot be told: satisfaction stands at the limit that the ratings set,
	.86 (.72 to .90), or beyond it.

	Mean of 2      satisfaction    average   overall  annotator  constant    limit
	  Spearman              .86        .85       .84        .55       .00      .86
	                    .76–.90    .74–.90   .75–.89    .40–.68            .72–.90
	  in a seat             .81        .79       .78        .55       .00
	                    .71–.86    .69–.84   .69–.84    .40–.68
	  kappa                 .75        .67       .70        .46       .00
	                    .62–.83    .53–.77   .59–.79    .30–.57
	  AUC                   .88        .88       .86        .78       .50
	                    .79–.95    .79–.96   .80–.92    .67–.87
	  precision             .33        .45       .43        .50       .17
	                    .00–.75    .13–.88   .24–.62    .23–.71
	  MAE                   8.4       17.1      11.9       13.7      13.1
	                   6.8–10.0  14.6–19.7  9.9–14.3  11.9–15.6

	Spearman by file       n  satisfaction       average overall annotator limit
	  parcels.txt         30  .86  .70–.93           .84     .84       .42   .80
	  rooms.txt           40  .87  .73–.93           .85     .83       .68   .91
	  mean                70  .86  .76–.90           .85     .84       .55   .86

	Raters             α nominal  α ordinal  α interval   ICC(1)   ICC(k)  ratings
	  people                 .20        .46         .45      .47      .73      3.4
	                     .11–.28    .30–.58     .30–.57  .31–.58  .54–.82  3.3–3.5
	  + satisfaction         .19        .47         .45
	                     .11–.25    .35–.57     .34–.54

	Levels by satisfaction:       1      2      3      4      5
	  people's mean near 1         0      2      0      0      0
	  people's mean near 2         2     11      5      0      0
	  people's mean near 3         0      5     25      3      0
	  people's mean near 4         0      0      4     11      0
	  people's mean near 5         0      0      0      1      1

	In a seat: held against the same people as the annotator whose seat it takes.
	Limit: √ICC(k). AUC: of the worst 20 % by people's means; precision: their part
	among the 10 % ranked lowest. Errors are in points of 100; average and overall
	have no map to people's scale. Levels that a profile does not cut, and those of
	the average, are made as frequent as people's in these dialogues, which flatters
	kappa and UAR a little.
	Below each figure stands its 95 % interval (bootstrap, 1000 draws, seed 1).

--against B.jsonl holds a run against another judge's run of the same dialogues; given several times, it tells how
stable the judges are among themselves.

# Learning a profile

fit learns how people use their scale, from rated dialogues: the map from reactions to ratings, the cuts between
levels, and whom to flag. It says what that is worth on dialogues that were not used for fitting, beside a
constant and the default profile. score --profile FILE applies it to satisfaction, and to nothing else.
--points suggests other points for the detectors of reactions, and --weights other weights; neither is ever
applied silently.

From a run that a model judged, fit also learns how much the model's average adds to the rules' estimate, from 50 rated
dialogues on. It gets weight only if satisfaction then ranks better on folds, with the whole interval of the gain; else
the report says that the model adds nothing, and how it was measured. The weight holds for the model with the digest in
the profile: score refuses another, and without --model the profile does without it and says so.

	$ assize fit run.jsonl -o profile.json
	Profile learnt from 70 rated dialogues: 234 ratings, scale 1-5

	Error on dialogues not used for fitting, in points of 100 (a rating × 20)
	                        mean absolute    root mean square
	  the mean rating alone         13.37               16.47
	  the default profile            8.41               10.57
	  this profile                   7.32                9.14
	  gain over the mean             6.05   4.02 to 8.25
	  gain over the default          1.09   -0.17 to 2.29, within noise
	  10 folds by dialogue, seed 1; intervals of 95 % from 1000 resamples

	Rank    Spearman 0.86 (0.76 to 0.91) within files, the mean of 2, before and
	        after. Against the default profile the error is the same within noise. A
	        map that never falls leaves the order as it is: ranking is not gained.
	Noise   3.3 ratings a dialogue, Krippendorff's alpha 0.48 (interval; 1 is
	        agreement, 0 chance). Much of the error above is noise of the ratings,
	        which no map can lower; more raters would.

	Level           1      2      3      4      5
	  by people    2.9%  25.7%  47.1%  21.4%   2.9%
	  by profile   4.3%  24.3%  48.6%  20.0%   2.9%
	  On folds the levels agree with kappa 0.71 (quadratic weights).

	Flagged On folds 10.0 % are flagged. People rate these 2.18 on average, and the
	        rest 2.99.

	Decisions
	  - The slope is learnt: 0.3948 a point of reaction, 95 % interval 0.3327 to
	    0.4569, which lies above 0.
	  - The map is a line: a curve competes with it from 300 rated dialogues on.
	  - Levels 2 to 5 begin at 1.93, 2.37, 3.49 and 4.03, so that each is as
	    frequent as among people's mean ratings, rounded with halves up.
	  - Flagged is a satisfaction of 2.06 or less: 8 of 70 dialogues, 11.4 %, where
	    10 % are wanted.

	Use it: assize score --profile profile.json …
	$ assize score testdata/transcripts/complaint.txt --profile profile.json | head -3
	Dialogue 1 · …/complaint.txt · 21 turns, 11 by the USER, 10 by the SYSTEM

	  OverallExperience  40   weighted average 46.00   satisfaction 2.31 of 5 (level 2)

# Comparing two runs

compare pairs the dialogues of two runs and tells what changed, by how much, and whether by chance, then which
dialogues changed most and why. Different sets of dialogues, such as last week's and this week's, are compared
by their means. --fail-on-drop X exits with 1 if the weighted average fell by X points or more.

	$ assize score testdata/rated --profile profile.json -o tuned.jsonl
	assize: tuned.jsonl: 70 records in 0.1 s: 70 scored, 0 unscored
	assize:   OverallExperience 100: 12 (17.1 %), 80: 18 (25.7 %), 60: 12 (17.1 %), 40: 28 (40.0 %), 20: 0 (0.0 %)
	$ assize compare run.jsonl tuned.jsonl
	A  run.jsonl  70 dialogues, 70 scored
	B  tuned.jsonl  70 dialogues, 70 scored
	70 dialogues are the same in both runs, 70 scored in both; each is compared with
	itself.

	No change on the weighted average: it is the same in all 70 dialogues.
	No criterion changed; what did: satisfaction.

	! The profiles differ, so satisfaction cannot be compared.

	Means                      A       B    B - A   95 % interval
	  weighted average     72.94   72.94     0.00   0.00 to 0.00
	  OverallExperience    64.00   64.00     0.00   0.00 to 0.00
	  satisfaction         3.155   2.914   -0.242   -0.280 to -0.205
	  % below 60           40.00   40.00     0.00   0.00 to 0.00
	  TaskSuccess          59.14   59.14     0.00   0.00 to 0.00
	  Helpfulness          70.86   70.86     0.00   0.00 to 0.00
	  Accuracy             89.14   89.14     0.00   0.00 to 0.00
	  Understanding        86.86   86.86     0.00   0.00 to 0.00
	  Empathy              66.00   66.00     0.00   0.00 to 0.00
	  Fluency             100.00  100.00     0.00   0.00 to 0.00
	  intervals: bootstrap, 1000 draws, seed 1

	Dialogues that          rose    fell   stayed     p (sign)    p (ranks)
	  satisfaction             9      61        0       <.0001       <.0001
	  unchanged in every dialogue: weighted average, OverallExperience, % below 60,
	  TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy, Fluency
	  sign test and Wilcoxon's signed-rank test; those of the criteria are corrected
	  for their number (Holm)

	Made differently
	  profile.cuts                    none → [1.93,2.37,3.49,4.03]
	  profile.learned                 none →
	                                  {"dialogues":70,"ratings":234,"scale":[1,5],"m
	                                  ean":2.9131,"deviation":0.8136,"mae_before":8.
	                                  4105,"mae_after":7.32,"mae_constant":13.3741,"
	                                  spearman":{"value":0.…
	  profile.line                    {"intercept":3.15,"slope":0.3} →
	                                  {"intercept":2.906567,"slope":0.394827}
	  profile.triage                  none → {"rate":0.1,"cut":2.06}

	Changed most (10 of 70 that changed)

	  dialogue 8 · …/rated/parcels.txt  average 42.00 → 42.00
	    OverallExperience 40 · satisfaction 2.27 → 1.74

	  dialogue 25 · …/rated/parcels.txt  average 45.00 → 45.00
	    OverallExperience 40 · satisfaction 2.39 → 1.91

	  dialogue 27 · …/rated/parcels.txt  average 42.00 → 42.00
	    OverallExperience 40 · satisfaction 2.39 → 1.91

	  dialogue 2 · testdata/rated/rooms.txt  average 42.00 → 42.00
	    OverallExperience 40 · satisfaction 2.42 → 1.94

	  dialogue 23 · testdata/rated/rooms.txt  average 40.00 → 40.00
	    OverallExperience 40 · satisfaction 2.46 → 2.00

	  dialogue 5 · …/rated/parcels.txt  average 40.00 → 40.00
	    OverallExperience 40 · satisfaction 2.48 → 2.03

	  dialogue 12 · …/rated/parcels.txt  average 45.00 → 45.00
	    OverallExperience 40 · satisfaction 2.51 → 2.06

	  dialogue 40 · testdata/rated/rooms.txt  average 45.00 → 45.00
	    OverallExperience 40 · satisfaction 2.51 → 2.06

	  dialogue 24 · …/rated/parcels.txt  average 43.00 → 43.00
	    OverallExperience 40 · satisfaction 2.56 → 2.13

	  dialogue 5 · testdata/rated/rooms.txt  average 51.00 → 51.00
	    OverallExperience 40 · satisfaction 2.55 → 2.12

# The picture of a run

report draws a run as one HTML file, for whoever has to decide and has ten seconds: headline figures, how scores
lie, where in a conversation it goes wrong, what Critic and Referee changed, agreement with people where the run
carries ratings, provenance, and a list of all dialogues to search, filter and sort. The 200 worst and 100 others
open with their transcripts, the evidence marked in them; --top wants more or fewer, --no-transcript none, and
--redact masks them. The file opens offline, asks nothing of any server and forbids itself to; it works without a
script, too, and on paper. Of more than 3,000 rated dialogues the intervals are drawn less often than by agree.

	$ assize report run.jsonl -o report.html

--format markdown is a summary for a merge request, --format csv a row a dialogue, with --long a row a criterion:

	$ assize report run.jsonl --format markdown --top 1 | head -20
	## run

	run.jsonl · 70 dialogues · judged by rules

	**28 of 70 dialogues (40.0 %) fall below 60. TaskSuccess fails most often: it stands at 40 or lower in 44.3 % of them.**

	|  |  |  |
	|---|---|---|
	| Satisfaction | 3.16 of 5 | estimated; a tenth is below 2.51 |
	| Below 60 | 40.0 % | 28 dialogues of 70 |
	| Weighted average | 72.94 of 100 | the mean of the six, by weight |
	| Unscored | 0 | of 70 dialogues |
	| Changed by the Referee | 88.6 % | of the dialogues, in one score or more |
	| Agreement with people | .86 Spearman | one person .55, limit .86 |

	### The worst dialogues

	| Dialogue | File | Satisfaction | Overall | Friction | Failed most | Why |
	|---|---|--:|--:|---|---|---|
	| 8 | testdata/rated/parcels.txt | 2.27 | 40 | ▄▁▁▁ | TaskSuccess 20 | “No, I said Friday, can you look again?” (turn 7) “I don't want that. Anything else?” (turn 9) |
	$ assize report run.jsonl --format csv --long | head -2
	file,dialogue_id,source_id,turns,status,reason,criterion,weight,evaluator,critic,critic_by,ruling,score,claim,evidence_turns,evidence
	testdata/rated/parcels.txt,1,,5,scored,,TaskSuccess,40,40,20,rules,R5-majority,20,"The USER says that the SYSTEM is wrong, which speaks against the goal being reached",5,"USER: ""That is not what I asked for."""

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
