// Package accord lays what a judge says of dialogues beside what people say of them, and one judge beside another.
//
// Every figure stands beside what it must be compared with, measured in the same way on the same dialogues: a
// constant, one person against the others, and the ceiling √ICC(k) that nobody can pass, since the ratings themselves
// are only so reliable.
//
// Figures are taken within groups, by default the files that the dialogues come from, and the headline is their mean,
// every group counting the same. A figure over all dialogues at once would give a judge credit for telling one file
// from another.
//
// # How each figure is taken
//
// People's value of a dialogue is the mean of its ratings, on the scale from 1 to 5. Correlations, AUC and precision
// compare it with the judge's value as it stands. The worst are the dialogues strictly below a quantile of people's
// values in the group.
//
// Errors are in points of 100, of which a rating from 1 to 5 has 20 to 100. Satisfaction is on people's scale by the
// run's profile, which is the only map; the overall score, the average and the criteria go from 20 to 100 as the
// rubric has them, and are held against people's points as they stand.
//
// People's level is their value rounded to 1 … 5, halves up. The level of a score is a fifth of a hundred each. That of
// satisfaction is the profile's, if it has cuts; without cuts, and for the average, levels are given so that each is
// as frequent as people's: the lowest values get the lowest level. That map is made on the very dialogues it is
// measured on, so kappa and recall by it are a little too good.
//
// As one more rater a judge gives its points over 20, rounded to what people could choose; satisfaction by a profile
// with cuts gives its level.
//
// One annotator is each place among the raters in turn, held against the mean of the others: every figure is the mean
// over the places, each counting as many times as it has dialogues. The judge in an annotator's seat is held
// against those same others; its lead is its correlation less the annotator's. A judge is said to do as well as one more
// annotator or better only where the whole 95 % interval of the lead is above zero, and less well only where it is
// below.
//
// Intervals are 95 % bootstrap intervals: dialogues are drawn anew within each group (Efron 1979), with levels, cuts
// and the worst as they are in all.
package accord
