// Package run is the format of runs: what `assize score --format jsonl` writes and what every later command
// reads.
//
// A run is a file of JSON lines. The first line is the [Header], with what all records share: the program's
// version, the configuration, the digests of what scores depend on, the rubric and the profile themselves, so that a
// run can be settled again from itself alone, and a fingerprint of all that. The last line is the [End], with the
// number of records and the SHA-256 of all lines before it; a run without it is unfinished. Every line between them is
// a [Record]: the document of the three-agent protocol (003), followed by where the dialogue came from, what each agent
// and detector said, the turns, and how people rated them. The tags of the structs in wire.go are this schema.
//
// The same record always has the same bytes, and a line that this package wrote reads back into a record that is
// written as the same line. Reading takes what a line says, within bounds in which all of it can be computed and
// shown; whether it follows from its evidence is for package replay to say.
package run
