package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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
	enc     *jsontext.Encoder
	begun   bool
	unsound bool
}

// NewJSON makes a JSON that writes to w.
func NewJSON(w io.Writer) *JSON {
	return &JSON{enc: jsontext.NewEncoder(escaping{w}, jsontext.WithIndent("  "), jsontext.EscapeForHTML(true),
		jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))}
}

// escaping escapes what acts on a terminal. It is given whole tokens.
type escaping struct{ w io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	_, err := e.w.Write(rubric.AppendEscaped(nil, b))
	return len(b), err
}

// put writes tokens, and other values as their tags say.
func (j *JSON) put(values ...any) error {
	for _, v := range values {
		if token, ok := v.(jsontext.Token); ok {
			if err := j.enc.WriteToken(token); err != nil {
				return err
			}
			continue
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := j.enc.WriteValue(data); err != nil {
			return err
		}
	}
	return nil
}

// open begins the output, once.
func (j *JSON) open() error {
	if j.begun {
		return nil
	}
	j.begun = true
	return j.put(jsontext.BeginObject, "runs", jsontext.BeginArray)
}

// Begin begins a run.
func (j *JSON) Begin(file string) error {
	if err := j.open(); err != nil {
		return err
	}
	return j.put(jsontext.BeginObject, "file", file, "lines", jsontext.BeginArray)
}

// Line writes what is different in a line.
func (j *JSON) Line(r *Result) error {
	if !r.tells() {
		return nil
	}
	return j.put(r)
}

// End writes the summary of the run, whose members join the object that is open.
func (j *JSON) End(s *Summary) error {
	j.unsound = j.unsound || !s.Sound
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	tokens := []any{jsontext.EndArray}
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	for _, err = dec.ReadToken(); err == nil && dec.PeekKind() != '}'; { // names and values in turn
		var value jsontext.Value
		value, err = dec.ReadValue()
		tokens = append(tokens, value.Clone())
	}
	if err != nil {
		return err
	}
	return j.put(append(tokens, jsontext.EndObject)...)
}

// Flush ends the output.
func (j *JSON) Flush() error {
	if err := j.open(); err != nil {
		return err
	}
	return j.put(jsontext.EndArray, "sound", !j.unsound, jsontext.EndObject)
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

// tell writes a text with a lead in front of it. A long one is cut after ten lines.
func (t *Text) tell(lead, text string) {
	const most = 800 // columns
	indent := "  "
	if strings.HasPrefix(lead, " ") {
		indent = strings.Repeat(" ", len(lead))
	}
	text = ui.Clip(ui.Visible(text[:min(len(text), 16*most)]), most) // enough bytes for any signs of that many columns
	t.page.Paragraph(ui.Plain, lead, indent, text)
}

// Line writes what is different in a line.
func (t *Text) Line(r *Result) error {
	if !r.tells() {
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
	const most = 3 // differences of one line
	for _, d := range r.Differences[:min(len(r.Differences), most)] {
		t.tell("", place+d.String())
	}
	if rest := len(r.Differences) - most; rest > 0 {
		t.page.Line(ui.Dim, fmt.Sprintf("  and %d more", rest))
	}
	if r.Again != nil {
		t.again(place, r.Again)
	}
	return t.page.Send(t.w)
}

// again writes what is answered otherwise now.
func (t *Text) again(place string, a *Again) {
	both := func(was, is string) {
		t.tell("    recorded  ", was)
		t.tell("    now       ", is)
	}
	t.tell("", place+"judged again, it comes out otherwise")
	if a.Status != nil {
		both(a.Status.Recorded, a.Status.Now)
	}
	for _, answer := range a.Answers {
		t.page.Line(ui.Bold, "  "+answer.Agent+" "+answer.Criterion.String())
		both(answer.Recorded.String(), answer.Now.String())
	}
	if a.Signals != nil {
		t.page.Line(ui.Bold, "  Signals")
		both(signals(a.Signals.Recorded), signals(a.Signals.Now))
	}
	for i := range a.Rest {
		t.tell("  ", a.Rest[i].String())
	}
}

// String gives an opinion in a line or two.
func (o *Opinion) String() string {
	if o == nil {
		return "no objection"
	}
	turns := strings.Trim(strings.ReplaceAll(fmt.Sprint(o.Turns), " ", ", "), "[]")
	return fmt.Sprintf("%d (turns %s) %s", o.Score, turns, o.Justification)
}

// signals lists signals, each with its turn and its points.
func signals(list []Signal) string {
	if len(list) == 0 {
		return "no others"
	}
	var words []string
	for _, s := range list {
		words = append(words, fmt.Sprintf("%s at turn %d (%s)", s.ID, s.Turn, s.Points))
	}
	return strings.Join(words, ", ")
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
		digest := func(is, known, same, other string) string {
			if is != known {
				same = other
			}
			return fmt.Sprintf("%.12s… %s", is, same)
		}
		conf, is, known := h.Configuration, h.Provenance, embedded.Provenance()
		field("made by", fmt.Sprintf("assize %s, %s against %s, mapping %s", h.Program, conf.Evaluator, conf.Critic, conf.Mapping))
		if m := is.Model; m != nil {
			field("model", fmt.Sprintf("%s %.12s…, %s", m.Name, m.Digest, m.Quantization))
		}
		field("rubric", digest(is.Rubric, known.Rubric, "the embedded one", "the run's own"))
		field("profile", digest(is.Profile, known.Profile, "the embedded one", "the run's own"))
		field("lexicon", digest(is.Lexicon, h.lexicon, "the one of this program", "another than in this program"))
		field("fingerprint", fmt.Sprintf("%.12s…", h.Fingerprint))
	}
	if s.Unfinished > 0 {
		field("unfinished", "there is no closing line: the run was stopped, or lines are missing at its end")
	}
	for i, clause := range s.NotVerified {
		field([]string{"not verified", ""}[min(i, 1)], clause)
	}
	return p.Send(t.w)
}

// Flush does nothing: every run is out already.
func (t *Text) Flush() error { return nil }
