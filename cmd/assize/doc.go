// Assize scores conversations between a SYSTEM (assistant, agent) and a USER (customer), offline and with evidence.
//
// An Evaluator proposes a score for each of six criteria and quotes evidence. A Critic objects where it finds
// counter-evidence. A Referee, which is plain code, settles every objection by fixed rules and writes an audit that
// can be recomputed by hand.
//
// The data flow in one direction: files are read as dialogues (package source, rubric/dialogue), judged (package
// judge, in package batch many at once) into records of a run (package run), which every other command reads as
// records or reduced to rows. Each command is a file of this package with its flags, its call and its output; what it
// computes is a package below internal. `assize help` lists the commands and topics, whose texts are the files below
// help.
package main
