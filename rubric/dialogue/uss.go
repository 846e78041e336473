package dialogue

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The rows of the User Satisfaction Simulation sets: ROLE, text, ACTION and ratings between tabs, a row a
// turn, sessions between blank lines, numbered from 1. The row of the USER whose text is OVERALL is no turn;
// it holds what the raters gave the whole session. ACTION and ratings may be left out.

// readUSS reads sessions. The rows of one are gathered as they stand and taken apart together, so that one
// string holds all its texts.
func (f *file) readUSS() error {
	l := f.lines()
	var session []byte
	start, rows, bad := 0, 0, ""
	flush := func() error {
		if rows == 0 {
			return nil
		}
		text, n := string(session), rows
		session, rows = session[:0], 0
		if bad != "" {
			msg := bad
			bad = ""
			return f.fail(start, msg, "put a blank line after every session")
		}
		return f.parseUSS(text, start, n)
	}
	for l.next() {
		if !l.tooLong && blank(l.text) {
			if err := flush(); err != nil {
				return err
			}
			continue
		}
		if rows == 0 {
			start = l.number
		}
		rows++
		if l.tooLong || len(session)+len(l.text) > f.most.text || rows > f.most.turns {
			bad = cmp.Or(bad, tooLong)
			session = session[:0]
		}
		if bad == "" {
			session = append(append(session, l.text...), '\n')
		}
	}
	if l.err != nil {
		return l.err
	}
	return flush()
}

// parseUSS takes one session apart and yields it.
func (f *file) parseUSS(text string, start, rows int) error {
	d := f.draft(start, "")
	d.dialogue.Turns = make([]Turn, 0, rows)
	truth := Truth{Turns: make([][]float64, 0, rows), Labels: make([]string, 0, rows)}
	ratings := make([]float64, 0, 3*rows)
	rated, labelled, over := false, false, false
	line := start - 1
	for row := range strings.Lines(clean(text)) {
		line++
		name, words, label, marks, err := splitUSS(strings.TrimSuffix(row, "\n"))
		if err == nil && over {
			err = &SyntaxError{Msg: "a row after OVERALL", Hint: "put a blank line before the next session"}
		}
		from := len(ratings)
		if err == nil {
			ratings, err = appendRatings(ratings, marks)
		}
		if err != nil {
			d.wrong(line, err.Msg, err.Hint)
			break
		}
		given := ratings[from:len(ratings):len(ratings)]
		if strings.TrimSpace(words) == "OVERALL" {
			over = true
			if len(given) > 0 {
				truth.Overall = given
			}
			continue
		}
		if len(given) == 0 {
			given = nil
		}
		d.say(line, name, words)
		truth.Turns = append(truth.Turns, given)
		truth.Labels = append(truth.Labels, label)
		rated, labelled = rated || given != nil, labelled || label != ""
	}
	if !rated {
		truth.Turns = nil
	}
	if !labelled {
		truth.Labels = nil
	}
	d.truth = truth
	return d.emit()
}

// splitUSS cuts a row at its tabs.
func splitUSS(row string) (name, words, label, marks string, err *SyntaxError) {
	name, rest, ok := strings.Cut(row, "\t")
	if !ok {
		return "", "", "", "", &SyntaxError{Msg: "a row without a tab", Hint: ussHint}
	}
	words, rest, _ = strings.Cut(rest, "\t")
	label, marks, _ = strings.Cut(rest, "\t")
	if n := strings.Count(marks, "\t"); n > 0 {
		return "", "", "", "", &SyntaxError{Msg: fmt.Sprintf("%d fields between tabs", n+4), Hint: ussHint}
	}
	return name, words, strings.TrimSpace(label), marks, nil
}

const ussHint = "want SYSTEM or USER, the text, the ACTION and the ratings, with a tab between them"

// isUSS reports whether a line is a row of this format.
func (f *file) isUSS(line string) bool {
	name, _, ok := strings.Cut(line, "\t")
	return ok && name != "" && f.who.knows(name)
}

// appendRatings adds the numbers of s, which stand between commas, to list.
func appendRatings(list []float64, s string) ([]float64, *SyntaxError) {
	s = strings.TrimSpace(s)
	if s == "" {
		return list, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		v, ok := parseRating(strings.TrimSpace(part))
		if !ok {
			return list, &SyntaxError{Msg: "a rating is " + quote(part), Hint: "want numbers with commas between them, such as 3,4,3"}
		}
		list = append(list, v)
	}
	return list, nil
}

// parseRating reads a plain decimal number; ParseFloat alone would also take "inf" and "0x1p-2".
func parseRating(s string) (float64, bool) {
	if len(s) == 1 && '0' <= s[0] && s[0] <= '9' {
		return float64(s[0] - '0'), true
	}
	if strings.Trim(s, "0123456789.-+") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}
