package account

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/fit"
	"assize/heuristics"
	"assize/rubric"
)

// Diff gives the suggestion as a unified diff of the lexicon files, from the root of the module, as patch -p1 and git
// apply read it. Above it stands what the new points gain, which both pass over. It is empty where nothing is
// suggested.
func Diff(s *fit.Suggestion) (string, error) {
	if len(s.Changes) == 0 {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.Verdict())
	for _, c := range s.Changes {
		path, text, err := heuristics.LexiconFile(c.ID)
		if err != nil {
			return "", err
		}
		before := strings.SplitAfter(text, "\n")
		after := make([]string, len(before))
		for i, line := range before {
			after[i] = revalue(line, c)
		}
		fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", path, path)
		hunks(&b, before, after)
	}
	return b.String(), nil
}

// revalue gives a line of a lexicon file with the points that a change makes of its own: those of the class, or those
// of a single phrase, which stand behind a tab.
func revalue(line string, c fit.Change) string {
	text := strings.TrimSuffix(line, "\n")
	end := line[len(text):]
	if _, ok := strings.CutPrefix(text, "@points "); ok {
		return "@points " + c.To.String() + end
	}
	phrase, own, ok := strings.Cut(text, "\t")
	if points, err := rubric.ParseHundredths(strings.TrimSpace(own)); ok && err == nil {
		return phrase + "\t" + c.Scale(points).String() + end
	}
	return line
}

// context is how many lines stand around what changes.
const context = 3

// hunks writes the parts in which the lines differ. No line comes or goes.
func hunks(b *strings.Builder, before, after []string) {
	n := len(before)
	if n > 0 && before[n-1] == "" {
		n-- // the file ends in a newline
	}
	for i := 0; i < n; {
		if before[i] == after[i] {
			i++
			continue
		}
		last := i
		for j := i; j < n && j <= last+2*context+1; j++ {
			if before[j] != after[j] {
				last = j
			}
		}
		from, to := max(0, i-context), min(n, last+context+1)
		fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", from+1, to-from, from+1, to-from)
		hunk(b, before[from:to], after[from:to])
		i = to
	}
}

// hunk writes lines of one part; what changes together stands together.
func hunk(b *strings.Builder, before, after []string) {
	for i := 0; i < len(before); {
		j := i
		for j < len(before) && before[j] != after[j] {
			j++
		}
		for _, line := range before[i:j] {
			b.WriteString("-" + line)
		}
		for _, line := range after[i:j] {
			b.WriteString("+" + line)
		}
		if j < len(before) {
			b.WriteString(" " + before[j])
			j++
		}
		i = j
	}
}
