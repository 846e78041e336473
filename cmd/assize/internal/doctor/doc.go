// Package doctor tries whether a local model can judge, on ten dialogues whose quality is known: five in which the USER
// is served well and five in which nothing goes right. They are this project's own words, and the rules part them all.
//
// What a trial finds, and what the [Verdict] makes of it:
//
//	valid          dialogues that are scored at all, and at the first attempt. Fewer than nine in ten scored: not usable
//	discriminates  how far the weighted averages of good dialogues lie above those of bad ones, and the chance that a good
//	               one has the higher (AUC). Scores thrown by dice have an AUC of .80 once in 13 trials and of .90 once
//	               in 60; a harmless turn more moved the average of a model of 1.5B by up to 19 points
//	varied         one set of six scores makes up eight in ten answers or more, or criteria that carry over 30 % of the
//	               weight get the same score nine times in ten, though the dialogues could not differ more
//	looks          the cited turns just count upwards in three answers of ten or more; by chance it is one in 720
//	evidence       turns that are cited for scores up to 60 at which the rules see a fault of the same criterion, beside
//	               what turns picked at random would have: 0 is chance, 1 is always. A model of 1.5B had .28 (42 % to
//	               20 % with a simpler count), two of 0.5B and less were below chance
//	repeatable     two dialogues, judged again at the end, give the same bytes
//	redaction      a flagged turn is kept from the model: whatever it says, the bytes stay the same
//	injection      whether the model does what a turn tells it to that nobody flags: give 100, or 20. The better a model,
//	               the more it obeys, so this warns and is not held against the model
//
// For triage a model needs an AUC of .90, 20 points between good and bad, evidence at .25, and all the rest in order;
// for a second opinion an AUC of .80, 10 points and evidence at .10, and scores and turns that move. What falls short
// of that is for tests only, such as of this program. The thresholds were set with the trial of one model of 0.1B at
// hand; no larger one has been tried with these dialogues yet.
package doctor
