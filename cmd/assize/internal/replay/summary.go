package replay

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"assize/cmd/assize/internal/record"
)

// Summary counts what became of a run.
type Summary struct {
	File      string
	Headings  []*Heading
	Scored    int // records that are
	Unscored  int
	Broken    int   // lines of which no record can be made
	Different int   // records that do not follow from their evidence
	Unchecked int   // records that there is nothing to hold against
	Cited     int   // records that keep only the turns that are cited
	Redacted  int   // records under a header that says so
	Headless  int   // records under none
	Judged    int   // records that were judged again
	Otherwise int   // those of them to which the answers are other ones
	Duplicate int   // records of dialogues whose turns stand in the run before
	Misclosed int   // closing lines that are not those of the lines before them
	Loose     int   // runs in the file that have no closing line
	Twice     []int // lines whose dialogue has stood in the run before
	Errors    int   // what could not be read, or not be judged again
	Stopped   bool  // the run was not read to its end

	seen map[[16]byte]bool
}

// Records is how many lines hold records, sound or not.
func (s *Summary) Records() int { return s.Scored + s.Unscored + s.Broken + s.Unchecked }

// Changed is how many headers contradict themselves.
func (s *Summary) Changed() int {
	n := 0
	for _, h := range s.Headings {
		if len(h.Differences) > 0 {
			n++
		}
	}
	return n
}

// Differs reports whether something was found.
func (s *Summary) Differs() bool { return s.Changed()+s.Broken+s.Different+s.Otherwise+s.Misclosed > 0 }

// Sound reports whether everything was worked out, and nothing was found.
func (s *Summary) Sound() bool { return !s.Differs() && !s.Stopped && s.Errors+s.Unchecked == 0 }

// Add counts r.
func (s *Summary) Add(r *Result) {
	if r.Err != nil {
		s.Errors++
	}
	switch {
	case r.Heading != nil:
		s.Headings = append(s.Headings, r.Heading)
		return
	case r.Unfinished:
		s.Loose++
		return
	case r.End:
		if len(r.Differences) > 0 {
			s.Misclosed++
		}
		return
	case r.Unchecked:
		s.Unchecked++
		return
	case r.Record == nil && r.Differences == nil: // an error alone
		return
	case r.Record == nil:
		s.Broken++
		return
	}
	s.record(r)
	if len(r.Differences) > 0 {
		s.Different++
	}
	if r.Judged {
		s.Judged++
	}
	if r.Again != nil {
		s.Otherwise++
	}
	if s.again(r.Record) {
		s.Twice = append(s.Twice, r.Line)
	}
}

func (s *Summary) record(r *Result) {
	if r.Record.Scored() {
		s.Scored++
	} else {
		s.Unscored++
	}
	if r.Record.Source.DuplicateOf != nil {
		s.Duplicate++
	}
	if r.Record.CitedOnly {
		s.Cited++
	}
	switch n := len(s.Headings); {
	case n == 0:
		s.Headless++
	case s.Headings[n-1].Header.Configuration.Redacted:
		s.Redacted++
	}
}

// again reports whether the same dialogue of the same file has stood under the same header before. It keeps some
// forty bytes a record.
func (s *Summary) again(r *record.Record) bool {
	name := fmt.Appendf(nil, "%d %d %q %q %q", len(s.Headings), r.Dialogue.ID, r.Source.File, r.Source.ID, r.Source.Digest)
	sum := sha256.Sum256(name)
	key := [16]byte(sum[:])
	if s.seen == nil {
		s.seen = map[[16]byte]bool{}
	}
	was := s.seen[key]
	s.seen[key] = true
	return was
}

// String tells what became of the run.
func (s *Summary) String() string {
	counts := counted(s.Records(), "record")
	if s.Scored+s.Unscored > 0 {
		counts += fmt.Sprintf(", %d scored", s.Scored)
	}
	if s.Unscored > 0 {
		counts += fmt.Sprintf(", %d unscored", s.Unscored)
	}
	if s.Duplicate > 0 {
		counts += ", " + counted(s.Duplicate, "duplicate")
	}
	switch {
	case s.Stopped && s.Records() == 0:
		return "stopped before a record was worked out"
	case s.Stopped:
		return "stopped after " + counts + ": " + s.verdict() + "; the rest was not read"
	}
	return counts + ": " + s.verdict()
}

func (s *Summary) verdict() string {
	if s.Records() == 0 {
		return "there is nothing to work out"
	}
	var said []string
	if s.Different+s.Broken+s.Unchecked == 0 {
		said = append(said, "every decision, average, level and audit follows from its evidence")
	}
	if s.Judged > 0 && s.Otherwise == 0 {
		said = append(said, "all answers are the same when they are given again")
	}
	for _, wrong := range []struct {
		n         int
		one, many string
	}{
		{s.Different, "does not follow from its evidence", "do not follow from their evidence"},
		{s.Broken, "cannot be read", "cannot be read"},
		{s.Unchecked, "has no header to go by", "have no header to go by"},
		{s.Otherwise, "is answered otherwise now", "are answered otherwise now"},
		{s.Changed(), "header was changed", "headers were changed"},
		{s.Misclosed, "closing line does not fit", "closing lines do not fit"},
		{len(s.Twice), "dialogue stands there again", "dialogues stand there again"},
	} {
		switch wrong.n {
		case 0:
		case 1:
			said = append(said, "1 "+wrong.one)
		default:
			said = append(said, fmt.Sprintf("%d %s", wrong.n, wrong.many))
		}
	}
	return strings.Join(said, "; ")
}

// Unverified lists in words what could not be worked out, a clause each.
func (s *Summary) Unverified() []string {
	var list []string
	add := func(n int, format string, args ...any) {
		if n > 0 {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	records := s.Scored + s.Unscored
	add(records-s.Judged, "what the detectors and the agents said, which is taken as it is recorded")
	for _, h := range s.Headings {
		if m := h.Header.Model; m != nil && h.Server != "" && h.Server != m.Server {
			add(s.Judged, "whether another version of the server matters: it was %s, and is %s now", m.Server, h.Server)
		}
	}
	add(s.Cited, "the digest of the turns, and the satisfaction that rests on reactions: only turns that are cited are in %s", of(s.Cited, records))
	add(s.Redacted, "that the masked turns of %s are those that were judged", of(s.Redacted, records))
	add(s.Headless, "by which rubric, profile and options %s came about: no header stands above, so the embedded ones were taken", of(s.Headless, records))
	add(s.Unchecked, "%s under a header that cannot be read", counted(s.Unchecked, "record"))
	if s.Loose > 0 || s.Stopped {
		add(records, "file, id and ratings of a dialogue, and whether lines are missing: nothing follows from these")
	}
	return list
}

// of tells how many records of all are meant.
func of(n, all int) string {
	if n == all {
		return "the run"
	}
	return fmt.Sprintf("%d of %d records", n, all)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
