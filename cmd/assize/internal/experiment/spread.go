package experiment

// Spread picks limit of n things, evenly from the first on, by their places from 0; all where limit is 0 or no less
// than n. The same n and limit always give the same places.
func Spread(n, limit int) []int {
	if limit == 0 || limit > n {
		limit = n
	}
	places := make([]int, limit)
	for i := range places {
		places[i] = i * n / limit
	}
	return places
}
