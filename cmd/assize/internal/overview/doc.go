// Package overview is the picture of a run: what all its records show together, and each in a line. `assize report`
// draws it; nothing here knows how.
//
// Counts and means are those of [report.Summary]. Agreement with people is measured elsewhere, by package accord.
//
// An Overview keeps a few hundred bytes of every dialogue, and whole records only of those whose transcripts are to be
// shown: the worst, and an even spread over all the rest. Which these are depends on what was said alone, so the same
// runs give the same choice, however long they are.
package overview
