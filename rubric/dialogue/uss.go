package dialogue

import (
	"fmt"
	"strings"
)

// The rows of the User Satisfaction Simulation sets: ROLE, text, ACTION and ratings between tabs, one row per
// turn, sessions between blank lines, numbered from 1. The row of the USER whose text is OVERALL is no turn;
// it holds the raters' ratings of the whole session. ACTION and ratings may be left out.

const ussHint = "want SYSTEM or USER, the text, the ACTION and the ratings, with a tab between them"

// ussBreak finds the blank lines between sessions.
func ussBreak(line string) (isBar, isRule bool, id string) { return line == "", false, "" }

// parseUSS takes one session apart.
func parseUSS(d *draft, text string) {
	var truth Truth
	isRated, isLabelled, isOver := false, false, false
	line := d.line - 1
	for row := range strings.Lines(clean(text)) {
		line++
		name, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		words, rest, _ := strings.Cut(rest, "\t")
		label, given, _ := strings.Cut(rest, "\t")
		given, _, more := strings.Cut(given, "\t")
		ratings, isRating := ParseRatings(given)
		switch {
		case !ok || more:
			d.wrong(line, fmt.Sprintf("%d tabs", strings.Count(row, "\t")), ussHint)
		case isOver:
			d.wrong(line, "a row after OVERALL", "put a blank line before the next session")
		case !isRating:
			d.misrated(line, given)
		}
		if d.err != nil {
			return
		}
		if strings.TrimSpace(words) == "OVERALL" {
			isOver, truth.Overall = true, ratings
			continue
		}
		d.say(line, name, words)
		label = strings.TrimSpace(label)
		truth.Turns = append(truth.Turns, ratings)
		truth.Labels = append(truth.Labels, label)
		isRated, isLabelled = isRated || ratings != nil, isLabelled || label != ""
	}
	if !isRated {
		truth.Turns = nil
	}
	if !isLabelled {
		truth.Labels = nil
	}
	d.truth = truth
}
