package importer

import (
	"fmt"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The files of the User Satisfaction Simulation sets have one row per turn: ROLE, text, ACTION and
// ratings, separated by tabs, with sessions separated by blank lines and numbered from 1. The row
// of the USER whose text is OVERALL is not a turn; it holds the raters' ratings of the whole
// session. ACTION and ratings may be missing.

const ussHint = "want SYSTEM or USER, the text, the ACTION and the ratings, with a tab between them"

func ussBreak(line string) (isBar, isRule bool, id string) { return line == "", false, "" }

func parseUSS(f *file, p *part, text string) {
	truth := &p.truth
	isOver, line := false, p.Line-1
	turns := min(strings.Count(text, "\n"), usualTurns)
	p.Messages = make([]message, 0, turns)
	truth.Turns, truth.Labels = make([][]float64, 0, turns), make([]string, 0, turns)
	for row := range strings.Lines(dialogue.Clean(text)) {
		line++
		name, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		words, rest, _ := strings.Cut(rest, "\t")
		label, scores, _ := strings.Cut(rest, "\t")
		scores, _, more := strings.Cut(scores, "\t")
		if !ok || more {
			p.wrong(fmt.Sprintf("%d tabs", strings.Count(row, "\t")), ussHint, line)
		} else if isOver {
			p.wrong("a row after OVERALL", "put a blank line before the next session", line)
		}
		if p.Err != nil {
			return
		}
		ratings, ok := ParseRatings(scores)
		if !ok {
			misrated(f, line, scores)
		}
		if strings.TrimSpace(words) == "OVERALL" {
			isOver, truth.Overall = true, ratings
			continue
		}
		p.Messages = append(p.Messages, message{Name: name, Text: words, Line: line})
		truth.Turns = append(truth.Turns, ratings)
		truth.Labels = append(truth.Labels, strings.TrimSpace(label))
	}
	if !slices.ContainsFunc(truth.Turns, func(ratings []float64) bool { return ratings != nil }) {
		truth.Turns = nil
	}
	if !slices.ContainsFunc(truth.Labels, func(label string) bool { return label != "" }) {
		truth.Labels = nil
	}
}
