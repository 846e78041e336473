package importer

import (
	"strconv"
	"strings"
)

// Ratings are numbers on the source's scale; ratings.txt maps words and faces to 1 to 5.

// ParseRatings parses the ratings of people, separated by commas: numbers, stars, 4/5, or entries
// of ratings.txt. The list is empty if nobody rated. It reports whether all of s could be parsed.
func ParseRatings(s string) (list []float64, ok bool) {
	if several := strings.Count(s, ",") > 1 && strings.Trim(s, "0123456789, ") == ""; !several {
		if v, isRated, ok := parseRating(s); ok && !isRated {
			return nil, true
		} else if ok {
			return []float64{v}, true
		}
	}
	for part := range strings.SplitSeq(s, ",") {
		v, isRated, ok := parseRating(part)
		if !ok || !isRated {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

// parseRating parses the rating of one person, if it has one.
func parseRating(s string) (v float64, isRated, ok bool) {
	const longest = 80 // bytes
	if s = strings.TrimSpace(s); len(s) > longest {
		return 0, false, false
	}
	if len(s) == 1 && '0' <= s[0] && s[0] <= '9' { // the common case
		return float64(s[0] - '0'), true, true
	}
	if m := expr("rated-number").FindStringSubmatch(s); m != nil {
		v, err := strconv.ParseFloat(m[1], 64)
		return v, err == nil, err == nil
	}
	if s = expr("skins").ReplaceAllString(s, ""); strings.Trim(s, "-–—☆✩ ") == "" {
		return 0, false, true
	}
	if stars := strings.ReplaceAll(s, " ", ""); expr("rated-stars").MatchString(stars) {
		return float64(strings.Count(stars, "★") + strings.Count(stars, "⭐") +
			strings.Count(stars, "🌟")), true, true
	}
	words := []string{s}
	if m := expr("rated-word").FindStringSubmatch(s); m != nil {
		words = append(words, m[1]+m[2]) // one of the two is empty
	}
	for _, word := range words {
		value := kindOf("ratings", strings.Trim(FoldName(word), ".!"))
		if v, err := strconv.ParseFloat(value, 64); err == nil || value == "none" {
			return v, err == nil, true
		}
	}
	return 0, false, false
}

// scaled maps a share from 0 to 1 to the scale from 1 to 5. A text that is not a number is returned
// unchanged; a number outside the range becomes one that cannot be parsed.
func scaled(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return s
	case v >= 0 && v <= 1:
		return strconv.FormatFloat(1+4*v, 'g', 6, 64)
	}
	return "no share: " + s
}
