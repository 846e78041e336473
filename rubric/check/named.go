package check

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namedScores gives the whole numbers from 10 to 100 that a sentence gives as its score: "a score of 80", "80/100", "rated
// 60", "maps to 100", "→ 80". Numbers of other things, averages, ranges, other people's scores and scores that the
// sentence says are not given do not count, nor do those in quotes.
func namedScores(s string) []int {
	s = inDigits(s)
	if strings.IndexFunc(s, isDigit) < 0 {
		return nil
	}
	var scores []int
	text := unquoted(s)
	for i := 0; i < len(text); {
		if !isDigit(rune(text[i])) {
			i++
			continue
		}
		end := i
		for end < len(text) && isDigit(rune(text[end])) {
			end++
		}
		if n, err := strconv.Atoi(text[i:end]); err == nil && n >= 10 && n <= 100 && isScore(text, i, end) && !slices.Contains(scores, n) {
			scores = append(scores, n)
		}
		i = end
	}
	return scores
}

// inDigits writes the scores that a sentence names in words in digits.
func inDigits(s string) string {
	if !strings.Contains(s, "ty") && !strings.Contains(s, "undred") {
		return s
	}
	return scoreWords.ReplaceAllStringFunc(s, func(word string) string {
		switch strings.ToLower(word)[:2] {
		case "tw":
			return "20"
		case "fo":
			return "40"
		case "si":
			return "60"
		case "ei":
			return "80"
		}
		return "100"
	})
}

var scoreWords = regexp.MustCompile(`(?i)\b(?:twenty|forty|sixty|eighty|(?:one|a) hundred)\b`)

// isScore reports whether the number from start to end of a text is given as a score.
func isScore(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	if isLetter(before) || strings.ContainsRune(".,-–—/*#$€£¥+~<>≥≤", before) && !endsArrow(text[:start]) {
		return false
	}
	rest, outOf := cutHundred(text[end:])
	if !endsScore(rest) {
		return false
	}
	front := strings.TrimRight(text[:start], " ")
	tokens := leadTokens(front)
	if strings.Contains(front[max(0, len(front)-24):], "e.g") {
		return false
	}
	switch {
	case outOf:
		return !isQualified(tokens)
	case endsArrow(front):
		return !isExample(tokens)
	}
	if n := mapped(tokens); n > 0 {
		return !isExample(tokens[:len(tokens)-n]) && !isDenied(tokens[:len(tokens)-n])
	}
	n := scored(tokens)
	return n > 0 && !isQualified(tokens[:len(tokens)-n])
}

// cutHundred cuts "/100" or "out of 100".
func cutHundred(rest string) (after string, ok bool) {
	s := strings.TrimLeft(rest, " ")
	for _, of := range []string{"/", "out of"} {
		if t, ok := strings.CutPrefix(s, of); ok {
			t = strings.TrimLeft(t, " ")
			if t, ok = strings.CutPrefix(t, "100"); ok && (t == "" || !isDigit(rune(t[0]))) {
				return t, true
			}
		}
	}
	return rest, false
}

// endsArrow reports whether a text ends in an arrow.
func endsArrow(s string) bool {
	s = strings.TrimRight(s, " ")
	for _, arrow := range []string{"→", "->", "=>", "⇒", "➔", "⟶"} {
		if strings.HasSuffix(s, arrow) {
			return true
		}
	}
	return false
}

// endsScore reports whether what follows a number lets it be a score: no unit, no thing that is counted, no second number.
func endsScore(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case size == 0:
		return true
	case strings.ContainsRune(".,:/", r):
		next, _ := utf8.DecodeRuneInString(rest[size:])
		return r != '/' && !isDigit(next)
	case isLetter(r) || strings.ContainsRune("%°-–—*$€£'’+", r):
		return false
	}
	rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	r, size = utf8.DecodeRuneInString(rest)
	if !isLetter(r) {
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest[size:], " "))
		return !strings.ContainsRune("%°/→⇒➔⟶*+=", r) && !strings.HasPrefix(rest, "->") && !(strings.ContainsRune("-–—", r) && isDigit(next))
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !isLetter(r) })
	if end < 0 {
		end = len(rest)
	}
	next := strings.TrimLeft(rest[end:], " ")
	switch strings.ToLower(rest[:end]) {
	case "or", "to", "and":
		return next == "" || !isDigit(rune(next[0]))
	case "point", "points", "because", "since", "as", "for", "but", "due", "given", "using", "under", "with", "by", "per", "on", "in", "after",
		"from", "not", "rather", "instead", "is", "was", "based", "according", "overall", "here", "only", "while", "when", "where", "which", "that",
		"would", "fits", "suits", "though", "although", "despite", "without", "level", "bucket", "seems", "reflects", "it", "this", "the", "even", "if", "so", "then", "via", "through":
		return true
	}
	return false
}

// mapped counts the words at the end of a text that map an average to the number behind it: maps to, rounded down to the
// bucket. It gives 0 for none.
func mapped(tokens []leadToken) int {
	to := false
	for n := range min(len(tokens), 7) {
		switch tokens[len(tokens)-1-n].text {
		case "to", "into":
			to = true
		case "the", "bucket", "level", "score", "of", "a", "nearest", "discrete", "down", "up", "value":
		case "map", "maps", "mapped", "mapping", "round", "rounds", "rounded", "rounding", "floored", "floors":
			if to {
				return n + 1
			}
			return 0
		default:
			return 0
		}
	}
	return 0
}

// scored counts the words at the end of a text that give the number behind it as a score: a score of, rated, deserves. It
// gives 0 for none.
func scored(tokens []leadToken) int {
	for n := range min(len(tokens), 5) {
		switch tokens[len(tokens)-1-n].text {
		case "of", "is", "was", "be", "at", "a", "an", "the", "as", ":", "=", "only", "just", "full", "perfect", "clear", "solid", "stays", "remains", "kept", "should", "(":
		case "score", "scores", "scored", "scoring", "rating", "rated", "graded",
			"deserve", "deserves", "deserved", "deserving", "merit", "merits", "merited", "warrant", "warrants", "warranted", "earn", "earns", "earned":
			return n + 1
		default:
			return 0
		}
	}
	return 0
}

// isQualified reports whether the words before a score make it another's, an average, a bound, an example or one that is not
// given.
func isQualified(tokens []leadToken) bool {
	const most = 6
	for _, t := range tokens[max(0, len(tokens)-most):] {
		switch t.text {
		case "than", "below", "above", "beyond", "under", "over", "short", "almost", "nearly", "from", "between", "least", "most", "if",
			"prevent", "prevents", "prevented", "preventing", "avoid", "avoids", "reach", "rules", "ruling", "unlike", "versus",
			"average", "averages", "averaged", "weighted", "mean", "numeric", "raw",
			"critic", "critic's", "evaluator", "evaluator's", "suggested", "suggests", "proposed", "proposes", "original", "initial", "previous", "former", "earlier":
			return true
		}
	}
	return isExample(tokens) || isDenied(tokens)
}

// isExample reports whether what follows is an example.
func isExample(tokens []leadToken) bool {
	const most = 8
	return slices.ContainsFunc(tokens[max(0, len(tokens)-most):], func(t leadToken) bool { return t.text == "example" || t.text == "such" })
}
