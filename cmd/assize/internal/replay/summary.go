package replay

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
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
	Duplicates  int       `json:"duplicates"`   // of dialogues whose turns came in the run before
	Broken      int       `json:"broken"`       // lines of which no record can be made
	Different   int       `json:"different"`    // records that do not follow from their evidence
	Unfinished  int       `json:"unfinished"`   // runs in the file that have no closing line
	NotVerified []string  `json:"not_verified"` // what could not be settled again, a clause each
	Errors      int       `json:"errors"`       // what could not be read
	Stopped     bool      `json:"stopped"`      // the run was not read to its end
	Sound       bool      `json:"sound"`        // all was settled again, and nothing was found

	Most int `json:"-"` // lines that are kept

	redacted                  bool // the header above a record says so
	contradictions, wrongEnds int  // of headers and closing lines
}

// Document is the JSON of several runs.
type Document struct {
	Runs  []*Summary `json:"runs"`
	Sound bool       `json:"sound"`
}

// Add counts r.
func (s *Summary) Add(r *Result) {
	differs := min(len(r.Differences), 1)
	if differs > 0 && len(s.Lines) < s.Most {
		s.Lines = append(s.Lines, *r)
	} else {
		s.LeftOut += differs
	}
	switch {
	case r.Err != nil:
		s.Errors++
	case r.Header != nil:
		s.Headers = append(s.Headers, r.Header)
		s.contradictions += differs
	case r.Unfinished:
		s.Unfinished++
	case r.End:
		s.wrongEnds += differs
	case r.Record == nil:
		s.Broken++
	default:
		if r.Record.Scored() {
			s.Scored++
		} else {
			s.Unscored++
		}
		if r.Record.Source.DuplicateOf != nil {
			s.Duplicates++
		}
		s.Different += differs
		s.redacted = s.redacted || s.Headers[len(s.Headers)-1].Configuration.Redacted
	}
}

// Differs reports whether something was found.
func (s *Summary) Differs() bool { return s.contradictions+s.Broken+s.Different+s.wrongEnds > 0 }

// Close computes what follows from the counts, and gives the summary.
func (s *Summary) Close() *Summary {
	s.Records = s.Scored + s.Unscored + s.Broken
	s.Sound = !s.Differs() && !s.Stopped && s.Errors == 0
	s.NotVerified = []string{}
	s.Headers, s.Lines = append([]*Header{}, s.Headers...), append([]Result{}, s.Lines...) // lists, also in JSON
	add := func(is bool, clause string) {
		if is {
			s.NotVerified = append(s.NotVerified, clause)
		}
	}
	records := s.Scored + s.Unscored
	add(records > 0, "what the detectors and the agents said, which is taken as it is recorded")
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
	for i, n := range []int{s.Different, s.Broken, s.contradictions, s.wrongEnds} {
		if n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, []string{"not as the evidence gives", "unreadable",
				"changed in the header", "wrong in the closing line"}[i]))
		}
	}
	text += ": " + strings.Join(said, "; ")
	if s.Stopped {
		return "stopped after " + text + "; the rest was not read"
	}
	return text
}

// Text writes for people: the lines with differences, and what was found. No line is wider than 80 columns. The lexicon
// is the digest of this program's.
func (s *Summary) Text(p *ui.Page, lexicon string) {
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
		h.fields(field, lexicon)
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
func (h *Header) fields(field func(name, says string), lexicon string) {
	conf, is := h.Configuration, h.Provenance
	embedded := run.Header{Basis: run.DefaultBasis()}
	embedded.Basis.Rubric.Mapping, _ = rubric.ParseMapping(conf.Mapping) // which the header's rubric has
	known := embedded.Provenance()
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
	digest("lexicon", is.Lexicon, lexicon, "the one of this program", "another than in this program")
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
	for _, d := range r.Differences[:min(len(r.Differences), most)] {
		text := place + d.Error()
		text = text[:min(len(text), 16*columns)] // enough bytes for any signs of that many columns
		p.Paragraph(ui.Plain, "", "  ", ui.Clip(ui.Visible(text), columns))
	}
	if rest := len(r.Differences) - most; rest > 0 {
		p.Line(ui.Dim, fmt.Sprintf("  and %d more", rest))
	}
}
