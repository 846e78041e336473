package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Sink takes the results of runs, one run after the other: Begin, its lines, End with a summary that is closed. Flush
// ends the output.
type Sink interface {
	Begin(file string) error
	Line(*Result) error
	End(*Summary) error
	Flush() error
}

// JSON writes one object for programs: {"runs": [{"file", "lines": [Result…], …Summary}…], "sound"}. Only lines with
// something to tell are listed.
type JSON struct {
	w           io.Writer
	runs, lines int
	unsound     bool
}

// NewJSON makes a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

// write writes text and a value behind it, which is indented as what stands so deep.
func (j *JSON) write(text string, v any, depth int) error {
	data, err := json.MarshalIndent(v, strings.Repeat("  ", depth), "  ")
	if err != nil {
		return err
	}
	if _, ok := v.(*Summary); ok {
		data = data[1:] // its members join the object of the run
	}
	_, err = j.w.Write(rubric.AppendEscaped([]byte(text), data))
	return err
}

// Begin begins a run.
func (j *JSON) Begin(file string) error {
	lead := ","
	if j.runs++; j.runs == 1 {
		lead = "{\n  \"runs\": ["
	}
	j.lines = 0
	return j.write(lead+"\n    {\n      \"file\": ", file, 0)
}

// Line writes what is different in a line.
func (j *JSON) Line(r *Result) error {
	if len(r.Differences)+len(r.Again) == 0 {
		return nil
	}
	lead := ","
	if j.lines++; j.lines == 1 {
		lead = ",\n      \"lines\": ["
	}
	return j.write(lead+"\n        ", r, 4)
}

// End writes the summary of the run.
func (j *JSON) End(s *Summary) error {
	j.unsound = j.unsound || !s.Sound
	lead := ",\n      \"lines\": [],"
	if j.lines > 0 {
		lead = "\n      ],"
	}
	return j.write(lead, s, 2)
}

// Flush ends the output.
func (j *JSON) Flush() error {
	err := j.write("\n  ],\n  \"sound\": ", !j.unsound, 0)
	if err == nil {
		_, err = io.WriteString(j.w, "\n}\n")
	}
	return err
}

// Text writes for people: the lines with differences, up to a limit, and a summary of each run. No line is wider than
// 80 columns.
type Text struct {
	w                    io.Writer
	page                 ui.Page
	file                 string
	limit, shown, hidden int // lines with differences
	runs                 int
}

// NewText makes a Text that writes to w and shows at most limit lines of each run; 0 shows all.
func NewText(w io.Writer, limit int, color bool) *Text {
	return &Text{w: w, limit: limit, page: ui.Page{Color: color}}
}

// Begin begins a run.
func (t *Text) Begin(file string) error {
	if t.runs++; t.runs > 1 {
		t.page.WriteByte('\n')
	}
	t.file, t.shown, t.hidden = ui.Visible(file), 0, 0
	return nil
}

// Line writes what is different in a line.
func (t *Text) Line(r *Result) error {
	if len(r.Differences)+len(r.Again) == 0 {
		return nil
	}
	if t.shown++; t.limit > 0 && t.shown > t.limit {
		t.hidden++
		return nil
	}
	place := fmt.Sprintf("%s:%d: ", t.file, r.Line)
	switch {
	case r.DialogueID != nil:
		place += fmt.Sprintf("dialogue %d: ", *r.DialogueID)
	case r.Header != nil:
		place += "header: "
	case r.End:
		place += "closing line: "
	}
	const most, columns = 3, 800 // differences of one line, and how long the text of one may be
	for _, list := range [][]run.Difference{r.Differences, r.Again} {
		for _, d := range list[:min(len(list), most)] {
			text := place + d.Error()
			text = text[:min(len(text), 16*columns)] // enough bytes for any signs of that many columns
			t.page.Paragraph(ui.Plain, "", "  ", ui.Clip(ui.Visible(text), columns))
		}
		if rest := len(list) - most; rest > 0 {
			t.page.Line(ui.Dim, fmt.Sprintf("  and %d more", rest))
		}
	}
	return t.page.Send(t.w)
}

// End writes the summary of a run.
func (t *Text) End(s *Summary) error {
	p := &t.page
	if t.hidden > 0 {
		p.Line(ui.Dim, fmt.Sprintf("and %s more; --limit 0 shows all, --format json all of each", ui.Counted(t.hidden, "line")))
	}
	if s.Records == 0 && len(s.Headers) == 0 && !s.Stopped {
		return p.Send(t.w)
	}
	if t.shown > 0 {
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
		if h.noBasis {
			continue
		}
		embedded := run.Header{Basis: run.DefaultBasis()}
		embedded.Basis.Rubric.Mapping = h.is.Basis.Rubric.Mapping
		digest := func(name, is, known, same, other string) {
			if is != known {
				same = other
			}
			field(name, fmt.Sprintf("%.12s… %s", is, same))
		}
		conf, is, known := h.Configuration, h.Provenance, embedded.Provenance()
		field("made by", fmt.Sprintf("assize %s, %s against %s, mapping %s", h.Program, conf.Evaluator, conf.Critic, conf.Mapping))
		if m := is.Model; m != nil {
			field("model", fmt.Sprintf("%s %.12s…, %s", m.Name, m.Digest, m.Quantization))
		}
		digest("rubric", is.Rubric, known.Rubric, "the embedded one", "the run's own")
		digest("profile", is.Profile, known.Profile, "the embedded one", "the run's own")
		digest("lexicon", is.Lexicon, h.lexicon, "the one of this program", "another than in this program")
		field("fingerprint", fmt.Sprintf("%.12s…", h.Fingerprint))
	}
	if s.Unfinished > 0 {
		field("unfinished", "there is no closing line: the run was stopped, or lines are missing at its end")
	}
	name := "not verified"
	for _, clause := range s.NotVerified {
		field(name, clause)
		name = ""
	}
	return p.Send(t.w)
}

// Flush does nothing: every run is out already.
func (t *Text) Flush() error { return nil }
