package replay

import "assize/cmd/assize/internal/record"

// ending watches for the end of a run. The zero ending is that of one without a header.
type ending struct {
	closing *record.Closing
	line    int // the last that was seen
	closed  bool
}

// opened begins with a header.
func opened(header record.Line) ending {
	return ending{closing: record.NewClosing(header.Text), line: header.Number}
}

// next goes to a line. Empty ones before it count: the digest is of every byte.
func (e *ending) next(l record.Line) {
	if e.closing == nil {
		*e = ending{closing: record.NewClosing(nil), line: l.Number - 1}
	}
	for e.line++; e.line < l.Number; e.line++ {
		e.closing.Text(nil)
	}
}

// add goes over a record, and reports whether it stands behind the closing line.
func (e *ending) add(l record.Line) (behind bool) {
	e.next(l)
	g, _ := l.Glance()
	e.closing.Add(l.Text, g.Scored, g.Source.DuplicateOf != nil)
	return e.closed
}

// close holds a closing line against the lines before it.
func (e *ending) close(l record.Line) *Result {
	e.next(l)
	e.closed = true
	res := &Result{Line: l.Number, End: true}
	end := e.closing.End().Append(nil)
	switch _, err := record.ParseEnd(l.Text); {
	case string(end) == string(l.Text):
	case err != nil && l.Torn:
		res.Differences, _ = unreadable(l, err)
	default:
		res.Differences, _ = differ(l.Text, end, func(pointer string) string {
			if pointer == "/digest" {
				return "the lines before it were changed, or removed, added or moved: they have"
			}
			return "the lines before it give"
		})
	}
	return res
}

// finished yields that a section has no closing line, where that is so, and reports whether to go on.
func (s *section) finished(yield func(item) bool) bool {
	return s == nil || s.closed || s.closing == nil || yield(item{result: &Result{Unfinished: true}})
}
