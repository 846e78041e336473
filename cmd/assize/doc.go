// Assize scores conversations between a SYSTEM (assistant, agent) and a USER (customer), offline
// and with evidence.
//
// An Evaluator proposes a score for each of six criteria and quotes evidence. A Critic objects if
// it finds counter-evidence. A Referee, which is plain code, decides every objection by fixed rules
// and writes an audit that can be recomputed by hand.
//
// Data flows in one direction. Files are read as dialogues (packages source and importer) and
// judged (package judge, and package batch for many at once). The results are records of a run
// (package run), which every other command reads as they are or reduced to rows. Each command is a
// file of this package with its flags, its main call and its output; the computation is in a
// package below internal. The folder help has the texts of commands and topics.
//
// Where some things are decided: what is personal data in package redact; which dialogues repeat
// others in run.Row.Copy; gates in summary.Thresholds, and how sure one is in package stats.
package main
