// Package segment compares groups of a run's dialogues that a column of the source tells apart: agents, queues,
// channels, versions of a bot, or else the files. See [dialogue.Meta] for what the columns are.
//
// [Segments] gathers records one by one and keeps four bytes of each scored dialogue, so a hundred thousand of them
// take less than half a megabyte; [Segments.Table] makes the figures of it. The same records in any order give the
// same table.
package segment
