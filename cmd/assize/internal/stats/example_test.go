package stats_test

import (
	"fmt"

	"assize/cmd/assize/internal/stats"
)

// A judge's scores of eight dialogues, people's ratings, and the uncertainty of the agreement.
func ExampleBootstrap() {
	pairs := stats.NewPairs([]float64{62, 88, 45, 91, 70, 88, 52, 79},
		[]float64{3, 4, 2.5, 4, 3, 3.5, 3, 4.5})
	spearman := stats.Bootstrap(8, 1000, 1, func(times []int) []float64 {
		return []float64{pairs.Spearman(times)}
	})[0]
	fmt.Printf("Spearman %.2f, from %.2f to %.2f\n", spearman.Value, spearman.Low, spearman.High)
	// Output: Spearman 0.81, from 0.27 to 0.98
}

// The mean over groups has its own interval: each draw resamples every group.
func ExampleBootstrapWithin() {
	north := stats.NewPairs([]float64{1, 2, 3, 4, 5, 6}, []float64{1, 3, 2, 4, 6, 5})
	south := stats.NewPairs([]float64{1, 2, 3, 4, 5, 6, 7}, []float64{2, 1, 5, 4, 3, 7, 6})
	mean := stats.BootstrapWithin([]int{6, 7}, 1000, 1, func(times [][]int) []float64 {
		return []float64{(north.Spearman(times[0]) + south.Spearman(times[1])) / 2}
	})[0]
	fmt.Printf("Spearman %.2f, from %.2f to %.2f\n", mean.Value, mean.Low, mean.High)
	// Output: Spearman 0.84, from 0.32 to 0.96
}

// Three to four people rated each dialogue; NaN would mark a missing rating.
func ExampleReliability() {
	raters := stats.NewReliability([][]float64{{3, 3, 4}, {2, 3, 2, 2}, {4, 5, 4}, {3, 2, 3},
		{5, 4, 4, 5}})
	single, mean := raters.ICC(nil)
	fmt.Printf("alpha %.2f, one rating %.2f, the mean of a dialogue's %.2f\n",
		raters.Alpha(stats.Ordinal, nil), single, mean)
	fmt.Printf("no judge can expect to agree better than %.2f\n", stats.Ceiling(mean))
	// Output:
	// alpha 0.75, one rating 0.76, the mean of a dialogue's 0.91
	// no judge can expect to agree better than 0.96
}

// Levels of satisfaction, with people's as the truth.
func ExampleKappa() {
	fmt.Printf("%.2f\n", stats.Kappa([]int{0, 1, 1, 2, 2, 1}, []int{0, 1, 2, 2, 2, 1}, nil))
	// Output: 0.84
}
