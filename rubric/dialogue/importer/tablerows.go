package importer

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// This file reads the rows of a table whose columns are known.

// The columns are identified from at most this many rows and bytes at the beginning of a table.
const maxSampled, maxBytes = 2000, 8 << 20

// settleBy identifies the columns from the first records, those in list and up to most in total,
// and returns a function that reads all of them. If the table cannot be read, it returns the reason
// and a hint.
func (h *header) settleBy(f *file, list []record, most int, next func() (record, error)) (
	all func() (record, error), msg, hint string) {
	var sample [][]string
	var parts []int
	var err error
	for size := 0; len(sample) < most && size < maxBytes; {
		var r record
		if r, err = next(); err != nil {
			break
		}
		list = append(list, r)
		for _, cell := range r.cells {
			size += len(cell) + 1
		}
		// A record like the header belongs to another table below the first.
		if len(r.cells) == len(h.names) && !slices.Equal(r.cells, h.names) {
			sample, parts = append(sample, r.cells), append(parts, r.part)
		}
	}
	isWhole := func(row []string, v string) bool {
		return isTranscript(withNames(f.opt, row), v)
	}
	msg, hint = h.settle(f, isWhole, sample, parts)
	return func() (r record, e error) {
		if len(list) > 0 {
			r, list = list[0], list[1:]
			return r, nil
		} else if err == nil {
			r, err = next()
		}
		return r, err
	}, msg, hint
}

// readRows yields the dialogues of a table. A row is a turn, a question and its answer, or a whole
// dialogue.
func readRows(f *file, h *header, next func() (record, error)) {
	if len(h.unread) > 0 {
		f.note("no times can be read in " + described(h.unread) +
			", so the turns are in the order of the file")
	}
	f.note(h.ratingGuess)
	g, left, notes := rows{file: f, guesses: h.guesses(f), merged: h.merged, pairs: h.pairs,
		byThread: h.byThread, isTree: h.isTree}, 0, 0
	unmet := 0 // rows that do not meet the condition of --columns
	if h.transcripts && len(g.guesses) > 0 {
		f.note(strings.Join(g.guesses, ", ") + ": one dialogue per row")
	}
	for f.err == nil {
		rec, err := next()
		if err != nil { // a dialogue cut off by an error of the stream is dropped
			f.leftOut(left, "row", " without a turn")
			f.leftOut(unmet, "row", " that --columns where= excludes")
			f.leftOut(notes, "row", " of notes and events")
			g.finish(err != io.EOF)
			f.fail(err)
			return
		}
		r := h.row(rec)
		if i := h.place[whereColumn]; i >= 0 && (i >= len(rec.cells) ||
			!isOneOf(h.where, strings.TrimSpace(rec.cells[i]))) {
			unmet++
			continue
		}
		switch {
		case h.transcripts && len(h.wide) > 0:
			assemble(f, []part{*r}, true)
			continue
		case h.transcripts:
			for _, s := range h.replies {
				if s.at < len(rec.cells) {
					r.reply = strings.TrimSpace(rec.cells[s.at])
				}
			}
			readTranscript(f, r)
			continue
		}
		if rec.raw != nil && !h.pairs && !r.Messages[0].IsNote {
			o := members(rec.raw)
			if r.Messages = withTools(r, r.Messages[0], o); len(r.Messages) == 1 &&
				r.Messages[0].Text == "" {
				f.miss(f.who.side(&r.Messages[0]), 1, rec.line)
				f.omissions.lookElsewhere(o)
				continue
			}
		}
		s := &r.Messages[0]
		isHeader := !h.pairs && s.Name == h.names[h.place[speakerColumn]] &&
			s.Text == h.names[h.place[textColumn]]
		// The row is something else, such as the sums below a table, or a second table.
		if isHeader || s.Name == "" && s.Text == "" && r.Err == nil {
			left++
			continue
		}
		if s.IsNote {
			notes++
		}
		if h.byBlank {
			r.ID = strconv.Itoa(rec.part + 1)
		}
		g.put(r)
	}
}

// row returns the row of a record, some of whose cells may be missing.
func (h *header) row(rec record) *part {
	cells, line := rec.cells, rec.line
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	r := &part{Line: line, ID: pointZero().ReplaceAllString(cell(h.place[idColumn]), "$1")}
	s := message{Name: cell(h.place[speakerColumn]), Text: cell(h.place[textColumn]),
		Time: cell(h.place[timeColumn])}
	s.Role = h.kinds[s.Name]
	s.IsKnown = s.Role != dialogue.Other
	for _, i := range h.notes {
		is, isFlag := isTrue(cell(i))
		words, kind := nameWords(h.names[i]), nameWords(cell(i))
		s.IsNote = s.IsNote || anyIn([]string{foldColumn(cell(i))}, "note") ||
			isFlag && is != anyIn(words, "shown") && anyIn(words, "aside") ||
			h.hasEvents && anyIn(kind, "event") && !anyIn(kind, "said")
	}
	if strings.HasPrefix(s.Text, "<") && blockTag().MatchString(s.Text) && !h.transcripts {
		s.Text = htmlText(s.Text)
	}
	if h.place[dateColumn] >= 0 && s.Time != "" {
		s.Time = cell(h.place[dateColumn]) + " " + s.Time
	}
	if r.Messages = []message{s}; len(h.wide) > 0 {
		r.Messages = h.turns(cell, s.Time)
	}
	r.Rating = cell(h.place[ratingColumn])
	if whole, part, ok := strings.Cut(r.Rating, ","); ok && h.decimals &&
		strings.Trim(whole+part, "0123456789") == "" {
		r.Rating = whole + "." + part
	}
	if h.place[threadColumn] >= 0 {
		r.link.message = pointZero().ReplaceAllString(cell(h.place[threadColumn]), "$1")
		if h.byThread {
			r.ID = r.link.message
		}
		for _, i := range h.links {
			r.link.others = append(r.link.others, linked(cell(i))...)
		}
	}
	if h.place[messageColumn] >= 0 {
		r.version = newVersion(cell(h.place[messageColumn]), cell(h.place[versionColumn]))
	}
	r.Agent, r.Customer = people(cell(h.place[agentColumn])), people(cell(h.place[customerColumn]))
	var err error
	if r.Turn, err = strconv.ParseFloat(cell(h.place[turnColumn]), 64); err != nil {
		r.Turn = math.NaN()
	}
	for _, i := range h.other {
		r.Meta = append(r.Meta, dialogue.Field{Name: h.names[i], Value: cell(i)})
	}
	if r.Err = rec.err; r.Err == nil && len(cells) != len(h.names) {
		r.Err = &SyntaxError{Line: line,
			Msg:  fmt.Sprintf("%d fields where the header names %d", len(cells), len(h.names)),
			Hint: fmt.Sprintf("put texts that hold %q into double quotes", string(h.delimiter))}
	}
	return r
}
