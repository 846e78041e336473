package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"assize/rubric"
)

// JSON writes one object for programs. The keys always stand in this order, and those with a question mark are left out
// where there is nothing to say:
//
//	{"runs": [
//	   {"file",
//	    "lines": [
//	      {"line", "dialogue_id"?,
//	       "differences"?: [{"path", "follows", "recorded"?, "recomputed"?, "message"}],
//	       "status"?: {"recorded", "now"},
//	       "answers"?: [{"agent", "criterion", "recorded", "now"}],
//	       "signals"?: {"recorded": […], "now": […]},
//	       "rest"?: [differences]}],
//	    "headers": [{"line", "program", "configuration", "provenance", "fingerprint"}],
//	    "records", "scored", "unscored", "duplicates", "broken", "unchecked", "different", "judged_again", "answered_otherwise",
//	    "twice": [lines], "unfinished", "not_verified": [sentences], "errors", "stopped", "sound"}],
//	 "sound"}
//
// Only lines with something to tell are listed. A path is a JSON pointer (RFC 6901) into the line, "" for the line as a
// whole; recorded and recomputed are the values there, as JSON. A run is sound where all of it was worked out and
// nothing was found; the errors are on standard error. What an agent answered is {"score", "by"?, "kind"?,
// "justification", "turns"}, or null for a Critic who does not object. The signals are those that are only recorded
// and those that are only seen now, each as records have it.
type JSON struct {
	w     io.Writer
	page  bytes.Buffer
	runs  int
	lines int // of the run
	sound bool
}

// NewJSON makes a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w, sound: true} }

// safe is a string that is escaped as records are: nothing in it acts on a terminal.
type safe string

// MarshalJSON implements [json.Marshaler].
func (s safe) MarshalJSON() ([]byte, error) { return rubric.AppendString(nil, []byte(s)), nil }

type jsonLine struct {
	Line        int              `json:"line"`
	DialogueID  *int             `json:"dialogue_id,omitempty"`
	Differences []jsonDifference `json:"differences,omitempty"`
	Status      *jsonStatus      `json:"status,omitempty"`
	Answers     []jsonAnswer     `json:"answers,omitempty"`
	Signals     *jsonSignals     `json:"signals,omitempty"`
	Rest        []jsonDifference `json:"rest,omitempty"`
}

type jsonDifference struct {
	Path       safe            `json:"path"`
	Follows    bool            `json:"follows"`
	Recorded   json.RawMessage `json:"recorded,omitempty"`
	Recomputed json.RawMessage `json:"recomputed,omitempty"`
	Message    safe            `json:"message"`
}

type jsonStatus struct {
	Recorded safe `json:"recorded"`
	Now      safe `json:"now"`
}

type jsonAnswer struct {
	Agent     string       `json:"agent"`
	Criterion string       `json:"criterion"`
	Recorded  *jsonOpinion `json:"recorded"`
	Now       *jsonOpinion `json:"now"`
}

type jsonOpinion struct {
	Score         int    `json:"score"`
	By            safe   `json:"by,omitempty"`
	Kind          string `json:"kind,omitempty"`
	Justification safe   `json:"justification"`
	Turns         []int  `json:"turns"`
}

type jsonSignals struct {
	Recorded []jsonSignal `json:"recorded"`
	Now      []jsonSignal `json:"now"`
}

type jsonSignal struct {
	ID       safe              `json:"id"`
	Criteria []string          `json:"criteria"`
	Turn     int               `json:"turn"`
	About    int               `json:"about,omitempty"`
	Points   rubric.Hundredths `json:"points"`
}

// Begin begins a run.
func (j *JSON) Begin(file string) error {
	if j.runs++; j.runs == 1 {
		j.page.WriteString("{\n  \"runs\": [")
	} else {
		j.page.WriteByte(',')
	}
	j.lines = 0
	j.page.WriteString("\n    {\n      \"file\": ")
	j.page.Write(rubric.AppendString(nil, []byte(file)))
	j.page.WriteString(",\n      \"lines\": [")
	return j.flush()
}

// Line writes what is different in a line.
func (j *JSON) Line(r *Result) error {
	if len(r.Differences) == 0 && r.Again == nil {
		return nil
	}
	if j.lines++; j.lines > 1 {
		j.page.WriteByte(',')
	}
	line := jsonLine{Line: r.Line, DialogueID: r.DialogueID, Differences: jsonDifferences(r.Differences)}
	if a := r.Again; a != nil {
		line.again(a)
	}
	j.page.WriteString("\n        ")
	if err := j.indented("        ", line); err != nil {
		return err
	}
	return j.flush()
}

func (l *jsonLine) again(a *Again) {
	if a.Status != nil {
		l.Status = &jsonStatus{safe(a.Status.Recorded), safe(a.Status.Now)}
	}
	for _, answer := range a.Answers {
		l.Answers = append(l.Answers, jsonAnswer{answer.Agent, answer.Criterion.String(), answer.Recorded.json(), answer.Now.json()})
	}
	if len(a.Lost)+len(a.New) > 0 {
		l.Signals = &jsonSignals{signalsOf(a.Lost), signalsOf(a.New)}
	}
	l.Rest = jsonDifferences(a.Rest)
}

func jsonDifferences(list []Difference) (out []jsonDifference) {
	for _, d := range list {
		out = append(out, jsonDifference{safe(d.Pointer), d.Follows, harmless(d.Recorded), harmless(d.Recomputed), safe(d.Says)})
	}
	return out
}

func (o *Opinion) json() *jsonOpinion {
	if o == nil {
		return nil
	}
	turns := []int{}
	for _, q := range o.Quotes {
		turns = append(turns, q.Turn)
	}
	return &jsonOpinion{int(o.Score), safe(o.By), o.Kind, safe(o.Sentence), turns}
}

func signalsOf(list []rubric.Signal) []jsonSignal {
	out := []jsonSignal{}
	for _, s := range list {
		var criteria []string
		for _, k := range s.Criteria.List() {
			criteria = append(criteria, k.String())
		}
		out = append(out, jsonSignal{safe(s.ID), criteria, s.Turn, s.About, s.Points})
	}
	return out
}

// harmless gives JSON with everything in its strings escaped that acts on a terminal.
func harmless(text string) json.RawMessage {
	var b []byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(b, `\ufffd`...)
		case r >= 0x7f && r < 0xa0:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, text[i:i+size]...)
		}
		i += size
	}
	return b
}

// End writes what the run is as a whole.
func (j *JSON) End(s *Summary) error {
	if j.lines > 0 {
		j.page.WriteString("\n      ")
	}
	j.page.WriteString("],\n      ")
	j.sound = j.sound && s.Sound()
	var whole bytes.Buffer
	if err := indented(&whole, "    ", s.json()); err != nil {
		return err
	}
	j.page.Write(bytes.TrimLeft(whole.Bytes(), "{\n "))
	return j.flush()
}

type jsonRun struct {
	Headers     []jsonHeader `json:"headers"`
	Records     int          `json:"records"`
	Scored      int          `json:"scored"`
	Unscored    int          `json:"unscored"`
	Duplicates  int          `json:"duplicates"`
	Broken      int          `json:"broken"`
	Unchecked   int          `json:"unchecked"`
	Different   int          `json:"different"`
	Judged      int          `json:"judged_again"`
	Otherwise   int          `json:"answered_otherwise"`
	Twice       []int        `json:"twice"`
	Unfinished  int          `json:"unfinished"`
	NotVerified []string     `json:"not_verified"`
	Errors      int          `json:"errors"`
	Stopped     bool         `json:"stopped"`
	Sound       bool         `json:"sound"`
}

type jsonHeader struct {
	Line          int             `json:"line"`
	Program       safe            `json:"program"`
	Configuration json.RawMessage `json:"configuration"`
	Provenance    json.RawMessage `json:"provenance"`
	Fingerprint   string          `json:"fingerprint"`
}

func (s *Summary) json() jsonRun {
	run := jsonRun{
		Headers: []jsonHeader{}, Records: s.Records(), Scored: s.Scored, Unscored: s.Unscored, Duplicates: s.Duplicate, Broken: s.Broken,
		Unchecked: s.Unchecked, Different: s.Different, Judged: s.Judged, Otherwise: s.Otherwise,
		Twice: append([]int{}, s.Twice...), Unfinished: s.Loose, NotVerified: append([]string{}, s.Unverified()...), Errors: s.Errors, Stopped: s.Stopped, Sound: s.Sound(),
	}
	for _, h := range s.Headings {
		conf, _ := json.Marshal(h.Header.Configuration) // strings, booleans and maps of strings always encode
		provenance, _ := json.Marshal(h.Header.Provenance())
		run.Headers = append(run.Headers, jsonHeader{h.Line, safe(h.Header.Program), harmless(string(conf)), harmless(string(provenance)), h.Header.Fingerprint()})
	}
	return run
}

// Flush ends the output.
func (j *JSON) Flush() error {
	if j.runs == 0 {
		j.page.WriteString("{\n  \"runs\": [")
	} else {
		j.page.WriteString("\n  ")
	}
	fmt.Fprintf(&j.page, "],\n  \"sound\": %t\n}\n", j.sound)
	return j.flush()
}

func (j *JSON) flush() error {
	_, err := j.w.Write(j.page.Bytes())
	j.page.Reset()
	return err
}

func (j *JSON) indented(prefix string, v any) error { return indented(&j.page, prefix, v) }

// indented adds v as JSON, two spaces deeper at each level; the lines after the first begin with prefix.
func indented(b *bytes.Buffer, prefix string, v any) error {
	compact, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Indent(b, compact, prefix, "  ")
}
