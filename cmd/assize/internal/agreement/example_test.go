package agreement_test

import (
	"fmt"

	"assize/cmd/assize/internal/agreement"
)

// A judge's scores of eight dialogues, people's beside them, and how sure one can be of the agreement.
func ExampleBootstrap() {
	pairs := agreement.NewPairs([]float64{62, 88, 45, 91, 70, 88, 52, 79}, []float64{3, 4, 2.5, 4, 3, 3.5, 3, 4.5})
	spearman := agreement.Bootstrap(pairs.N(), 1000, 1, func(times []int) []float64 {
		return []float64{pairs.Spearman(times)}
	})[0]
	fmt.Printf("Spearman %.2f, from %.2f to %.2f\n", pairs.Spearman(nil), spearman.Low, spearman.High)
	// Output: Spearman 0.81, from 0.27 to 0.98
}

// The mean over groups has an interval of its own: each draw draws every group anew.
func ExampleBootstrapWithin() {
	north := agreement.NewPairs([]float64{1, 2, 3, 4, 5, 6}, []float64{1, 3, 2, 4, 6, 5})
	south := agreement.NewPairs([]float64{1, 2, 3, 4, 5, 6, 7}, []float64{2, 1, 5, 4, 3, 7, 6})
	mean := agreement.BootstrapWithin([]int{north.N(), south.N()}, 1000, 1, func(times [][]int) []float64 {
		return []float64{(north.Kendall(times[0]) + south.Kendall(times[1])) / 2}
	})[0]
	fmt.Printf("tau %.2f, from %.2f to %.2f\n", (north.Kendall(nil)+south.Kendall(nil))/2, mean.Low, mean.High)
	// Output: tau 0.63, from 0.20 to 0.89
}

// Three to four people rated each dialogue; NaN would stand for a rater who left one out.
func ExampleReliability() {
	raters := agreement.NewReliability([][]float64{{3, 3, 4}, {2, 3, 2, 2}, {4, 5, 4}, {3, 2, 3}, {5, 4, 4, 5}})
	single, mean := raters.ICC(nil)
	fmt.Printf("alpha %.2f, one rating %.2f, the mean of a dialogue's %.2f\n", raters.Alpha(agreement.Ordinal, nil), single, mean)
	fmt.Printf("no judge can expect to agree better than %.2f; one more person agrees by %.2f\n", agreement.Ceiling(mean), raters.OneAgainstOthers(nil))
	// Output:
	// alpha 0.75, one rating 0.76, the mean of a dialogue's 0.91
	// no judge can expect to agree better than 0.96; one more person agrees by 0.85
}

// Levels of satisfaction, people's as the truth.
func ExampleLevels() {
	levels := agreement.NewLevels([]int{0, 1, 1, 2, 2, 1}, []int{0, 1, 2, 2, 2, 1}, 3)
	fmt.Printf("kappa %.2f, recall %.2f, table %v\n", levels.Kappa(nil), levels.UAR(nil), levels.Confusion())
	// Output: kappa 0.84, recall 0.89, table [[1 0 0] [0 2 0] [0 1 2]]
}

// A judge's scale, bent to people's without turning any two dialogues round.
func ExampleIsotonic() {
	xs, ys := agreement.Isotonic([]float64{20, 40, 60, 80, 100}, []float64{2.5, 3.1, 2.9, 3.4, 4.2}, nil)
	fmt.Println(xs, ys)
	fmt.Printf("%.2f\n", agreement.Interpolate(xs, ys, 70))
	// Output:
	// [20 40 60 80 100] [2.5 3 3 3.4 4.2]
	// 3.20
}

func ExampleWilcoxon() {
	differences := []float64{2, -1, 3, 4, 1.5, 6, 0, 2.5}
	statistic, p := agreement.Wilcoxon(differences)
	positive, negative, even := agreement.SignTest(differences)
	fmt.Printf("rank sum %g, p %.3f; %d up, %d down, p %.3f\n", statistic, p, positive, negative, even)
	// Output: rank sum 1, p 0.031; 6 up, 1 down, p 0.125
}
