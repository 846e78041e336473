// Package compare tells what changed between two runs.
//
// Where they judge the same dialogues, which the digest of the turns tells, every dialogue is compared with itself:
// by how much each measure moved on average, with a bootstrap interval (Efron 1979), how many dialogues rose and fell,
// and how likely so uneven a count (sign test) or so uneven ranks (Wilcoxon 1945) are where nothing changed. The six
// criteria are tested at once, so their chances are corrected for that (Holm 1979). Where the runs hold different
// dialogues, the means of the two sets are compared, each side being resampled by itself, and the effect is the chance
// that a dialogue of B has the higher value than one of A (Mann and Whitney 1947).
//
// What cannot be had is NaN and never a false digit. The same runs, options and seed give the same bits.
package compare
