package replay

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
)

// Summary is what was found in a run. Its JSON is that of --format json.
type Summary struct {
	File        string    `json:"file"`
	Lines       []Result  `json:"lines"` // with something to tell, see Most
	LeftOut     int       `json:"lines_left_out,omitempty"`
	Headers     []*Header `json:"headers"`
	Records     int       `json:"records"` // lines that hold records, sound or not
	Scored      int       `json:"scored"`
	Unscored    int       `json:"unscored"`
	Duplicates  int       `json:"duplicates"` // of dialogues whose turns came in the run before
	Broken      int       `json:"broken"`     // lines of which no record can be made
	Different   int       `json:"different"`  // records that do not follow from their evidence
	Judged      int       `json:"judged_again"`
	Otherwise   int       `json:"answered_otherwise"` // of those that were judged again
	Unfinished  int       `json:"unfinished"`         // runs in the file that have no closing line
	NotVerified []string  `json:"not_verified"`       // what could not be settled again, a clause each
	Errors      int       `json:"errors"`             // what could not be read, or not be judged again
	Stopped     bool      `json:"stopped"`            // the run was not read to its end
	Sound       bool      `json:"sound"`              // all was settled again, and nothing was found

	Most int `json:"-"` // lines that are kept

	cited, redacted           bool // records that keep only cited turns; below a header that says so
	contradictions, wrongEnds int  // of headers and closing lines
}

// Document is the JSON of several runs.
type Document struct {
	Runs  []*Summary `json:"runs"`
	Sound bool       `json:"sound"`
}

// Add counts r.
func (s *Summary) Add(r *Result) {
	if r.Err != nil {
		s.Errors++
	}
	if len(r.Differences)+len(r.Again) > 0 {
		if len(s.Lines) < s.Most {
			s.Lines = append(s.Lines, *r)
		} else {
			s.LeftOut++
		}
	}
	switch {
	case r.Header != nil:
		s.Headers = append(s.Headers, r.Header)
		s.contradictions += min(len(r.Differences), 1)
	case r.Unfinished:
		s.Unfinished++
	case r.End:
		s.wrongEnds += min(len(r.Differences), 1)
	case r.Record == nil:
		s.Broken += min(len(r.Differences), 1) // otherwise it is an error alone
	default:
		s.Scored += count(r.Record.Scored())
		s.Unscored += count(!r.Record.Scored())
		s.Duplicates += count(r.Record.Source.DuplicateOf != nil)
		s.Different += count(len(r.Differences) > 0)
		s.Judged += count(r.Now != nil && r.Err == nil)
		s.Otherwise += count(len(r.Again) > 0)
		s.cited = s.cited || r.Record.CitedOnly
		s.redacted = s.redacted || s.Headers[len(s.Headers)-1].Configuration.Redacted
	}
}

// count is 1 for what is to be counted.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Differs reports whether something was found.
func (s *Summary) Differs() bool {
	return s.contradictions+s.Broken+s.Different+s.Otherwise+s.wrongEnds > 0
}

// Close computes what follows from the counts, and gives the summary.
func (s *Summary) Close() *Summary {
	s.Records = s.Scored + s.Unscored + s.Broken
	s.Sound = !s.Differs() && !s.Stopped && s.Errors == 0
	s.NotVerified = []string{}
	s.Headers, s.Lines = append([]*Header{}, s.Headers...), append([]Result{}, s.Lines...) // lists, also in JSON
	add := func(is bool, format string, args ...any) {
		if is {
			s.NotVerified = append(s.NotVerified, fmt.Sprintf(format, args...))
		}
	}
	records := s.Scored + s.Unscored
	add(records > s.Judged, "what the detectors and the agents said, which is taken as it is recorded")
	for _, h := range s.Headers {
		if m := h.is.Model; m != nil && h.server != "" && h.server != m.Server {
			add(true, "whether another version of the server matters: it was %s, and is %s now", m.Server, h.server)
		}
	}
	add(s.cited, "the digest of the turns, and the satisfaction that rests on reactions: only turns that are cited are in "+
		"the run")
	add(s.redacted, "that the masked turns of the run are those that were judged")
	add(records > 0 && (s.Unfinished > 0 || s.Stopped), "file, id and ratings of a dialogue, and whether lines are "+
		"missing: nothing follows from these")
	return s
}

// String sums up in a sentence what was found.
func (s *Summary) String() string {
	text, said := ui.Counted(s.Records, "record"), []string{}
	for i, n := range []int{s.Scored, s.Unscored, s.Duplicates} {
		if n > 0 {
			text += fmt.Sprintf(", %d %s", n, []string{"scored", "unscored", "duplicates"}[i])
		}
	}
	switch {
	case s.Records == 0:
		said = append(said, "there is nothing to settle")
	case s.Different+s.Broken == 0:
		said = append(said, "every decision, average, level and audit follows from its evidence")
	}
	if s.Judged > 0 && s.Otherwise == 0 {
		said = append(said, "all answers are the same when they are given again")
	}
	for i, n := range []int{s.Different, s.Broken, s.Otherwise, s.contradictions, s.wrongEnds} {
		if n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, []string{"not as the evidence gives", "unreadable",
				"answered otherwise now", "changed in the header", "wrong in the closing line"}[i]))
		}
	}
	text += ": " + strings.Join(said, "; ")
	if s.Stopped {
		return "stopped after " + text + "; the rest was not read"
	}
	return text
}

// Text writes for people: the lines with differences, and what was found. No line is wider than 80 columns.
func (s *Summary) Text(p *ui.Page) {
	for i := range s.Lines {
		s.Lines[i].text(p, ui.Visible(s.File))
	}
	if s.LeftOut > 0 {
		p.Line(ui.Dim, fmt.Sprintf("and %s more; --format json shows up to 1000", ui.Counted(s.LeftOut, "line")))
	}
	if s.Records == 0 && len(s.Headers) == 0 && !s.Stopped {
		return
	}
	if len(s.Lines) > 0 {
		p.WriteByte('\n')
	}
	style := ui.Red
	if s.Sound {
		style = ui.Green
	}
	p.Paragraph(style, "", "  ", ui.Visible(s.File)+": "+s.String())
	field := func(name, says string) {
		p.Paragraph(ui.Plain, "  "+ui.Pad(name, 14), strings.Repeat(" ", 18), ui.Visible(says))
	}
	for _, h := range s.Headers {
		h.fields(field)
	}
	if s.Unfinished > 0 {
		field("unfinished", "there is no closing line: the run was stopped, or lines are missing at its end")
	}
	name := "not verified"
	for _, clause := range s.NotVerified {
		field(name, clause)
		name = ""
	}
}

// fields tells what made the run, a field for each thing.
func (h *Header) fields(field func(name, says string)) {
	embedded := run.Header{Basis: run.DefaultBasis()}
	embedded.Basis.Rubric.Mapping = h.is.Basis.Rubric.Mapping
	conf, is, known := h.Configuration, h.Provenance, embedded.Provenance()
	digest := func(name, is, known, same, other string) {
		if is != known {
			same = other
		}
		field(name, fmt.Sprintf("%.12s… %s", is, same))
	}
	field("made by", fmt.Sprintf("assize %s, %s against %s, mapping %s", h.Program, conf.Evaluator, conf.Critic, conf.Mapping))
	if m := is.Model; m != nil {
		field("model", fmt.Sprintf("%s %.12s…, %s", m.Name, m.Digest, m.Quantization))
	}
	digest("rubric", is.Rubric, known.Rubric, "the embedded one", "the run's own")
	digest("profile", is.Profile, known.Profile, "the embedded one", "the run's own")
	digest("lexicon", is.Lexicon, h.lexicon, "the one of this program", "another than in this program")
	field("fingerprint", fmt.Sprintf("%.12s…", h.Fingerprint))
}

// text writes what is different in a line.
func (r *Result) text(p *ui.Page, file string) {
	const most, columns = 3, 800 // differences of one line, and how long the text of one may be
	place := fmt.Sprintf("%s:%d: ", file, r.Line)
	switch {
	case r.DialogueID != nil:
		place += fmt.Sprintf("dialogue %d: ", *r.DialogueID)
	case r.Header != nil:
		place += "header: "
	case r.End:
		place += "closing line: "
	}
	for _, list := range [][]run.Difference{r.Differences, r.Again} {
		for _, d := range list[:min(len(list), most)] {
			text := place + d.Error()
			text = text[:min(len(text), 16*columns)] // enough bytes for any signs of that many columns
			p.Paragraph(ui.Plain, "", "  ", ui.Clip(ui.Visible(text), columns))
		}
		if rest := len(list) - most; rest > 0 {
			p.Line(ui.Dim, fmt.Sprintf("  and %d more", rest))
		}
	}
}
