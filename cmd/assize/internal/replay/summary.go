package replay

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// Summary counts what was found in a run.
type Summary struct {
	File        string    `json:"-"`
	Headers     []*Header `json:"headers"`
	Records     int       `json:"records"` // lines that hold records, sound or not
	Scored      int       `json:"scored"`
	Unscored    int       `json:"unscored"`
	Duplicates  int       `json:"duplicates"` // of dialogues whose turns came in the run before
	Broken      int       `json:"broken"`     // lines of which no record can be made
	Unchecked   int       `json:"unchecked"`  // records below a header that cannot be read
	Different   int       `json:"different"`  // records that do not follow from their evidence
	Judged      int       `json:"judged_again"`
	Otherwise   int       `json:"answered_otherwise"` // of those that were judged again
	Unfinished  int       `json:"unfinished"`         // runs in the file that have no closing line
	NotVerified []string  `json:"not_verified"`       // what could not be settled again, a clause each
	Errors      int       `json:"errors"`             // what could not be read, or not be judged again
	Stopped     bool      `json:"stopped"`            // the run was not read to its end
	Sound       bool      `json:"sound"`              // all was settled again, and nothing was found

	cited, redacted, headless int // records that keep only cited turns; below a header that says so; below none
	contradictions, wrongEnds int // of headers and closing lines
}

// Add counts r.
func (s *Summary) Add(r *Result) {
	if r.Err != nil {
		s.Errors++
	}
	switch {
	case r.Header != nil:
		if !r.Header.noBasis || r.Header.contradicts {
			s.Headers = append(s.Headers, r.Header)
		}
		if r.Header.contradicts {
			s.contradictions++
		}
		return
	case r.Unfinished:
		s.Unfinished++
		return
	case r.End:
		s.wrongEnds += min(len(r.Differences), 1)
		return
	case r.Unchecked:
		s.Unchecked++
		return
	case r.Record == nil:
		s.Broken += min(len(r.Differences), 1) // otherwise it is an error alone
		return
	}
	rec, headers := r.Record, len(s.Headers)
	for n, is := range map[*int]bool{
		&s.Scored: rec.Scored(), &s.Unscored: !rec.Scored(), &s.Duplicates: rec.Source.DuplicateOf != nil, &s.cited: rec.CitedOnly,
		&s.headless: headers == 0, &s.redacted: headers > 0 && s.Headers[headers-1].Configuration.Redacted,
		&s.Different: len(r.Differences) > 0, &s.Judged: r.Now != nil && r.Err == nil, &s.Otherwise: len(r.Again) > 0,
	} {
		if is {
			*n++
		}
	}
}

// Differs reports whether something was found.
func (s *Summary) Differs() bool {
	return s.contradictions+s.Broken+s.Different+s.Otherwise+s.wrongEnds > 0
}

// Close computes what follows from the counts, and gives the summary.
func (s *Summary) Close() *Summary {
	s.Records = s.Scored + s.Unscored + s.Broken + s.Unchecked
	s.Sound = !s.Differs() && !s.Stopped && s.Errors+s.Unchecked == 0
	s.NotVerified = []string{}
	s.Headers = append([]*Header{}, s.Headers...) // a list, also in JSON
	records := s.Scored + s.Unscored
	add := func(n int, format string, args ...any) {
		in := fmt.Sprintf("%d of %d records", n, records)
		if n == records {
			in = "the run"
		}
		if n > 0 {
			s.NotVerified = append(s.NotVerified, strings.ReplaceAll(fmt.Sprintf(format, args...), "(n)", in))
		}
	}
	add(records-s.Judged, "what the detectors and the agents said, which is taken as it is recorded")
	for _, h := range s.Headers {
		if m := h.is.Model; m != nil && h.server != "" && h.server != m.Server {
			add(s.Judged, "whether another version of the server matters: it was %s, and is %s now", m.Server, h.server)
		}
	}
	add(s.cited, "the digest of the turns, and the satisfaction that rests on reactions: only turns that are cited are in (n)")
	add(s.redacted, "that the masked turns of (n) are those that were judged")
	add(s.headless, "by which rubric, profile and options (n) came about: no header stands above, so the embedded ones were taken")
	add(s.Unchecked, "%s under a header that cannot be read", ui.Counted(s.Unchecked, "record"))
	if s.Unfinished > 0 || s.Stopped {
		add(records, "file, id and ratings of a dialogue, and whether lines are missing: nothing follows from these")
	}
	return s
}

// String sums up in a sentence what was found.
func (s *Summary) String() string {
	text := ui.Counted(s.Records, "record")
	said := []string{}
	if s.Different+s.Broken+s.Unchecked == 0 {
		said = append(said, "every decision, average, level and audit follows from its evidence")
	}
	if s.Judged > 0 && s.Otherwise == 0 {
		said = append(said, "all answers are the same when they are given again")
	}
	for _, c := range []struct {
		n    int
		one  string // empty for what says nothing of whether the run is sound
		many string
	}{
		{s.Scored, "", "scored"},
		{s.Unscored, "", "unscored"},
		{s.Duplicates, "", "duplicates"},
		{s.Different, "does not follow from its evidence", "do not follow from their evidence"},
		{s.Broken, "cannot be read", "cannot be read"},
		{s.Unchecked, "has no header to go by", "have no header to go by"},
		{s.Otherwise, "is answered otherwise now", "are answered otherwise now"},
		{s.contradictions, "header was changed", "headers were changed"},
		{s.wrongEnds, "closing line does not fit", "closing lines do not fit"},
	} {
		switch {
		case c.n == 0:
		case c.one == "":
			text += fmt.Sprintf(", %d %s", c.n, c.many)
		case c.n == 1:
			said = append(said, "1 "+c.one)
		default:
			said = append(said, fmt.Sprintf("%d %s", c.n, c.many))
		}
	}
	if s.Records == 0 {
		said = []string{"there is nothing to settle"}
	}
	text += ": " + strings.Join(said, "; ")
	if s.Stopped {
		return "stopped after " + text + "; the rest was not read"
	}
	return text
}
