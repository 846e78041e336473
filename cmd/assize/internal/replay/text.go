package replay

import (
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
)

// Sink takes the results of runs, one run after the other: Begin, its lines, End. Flush ends the output; nothing may
// be written after it.
type Sink interface {
	Begin(file string) error
	Line(*Result) error
	End(*Summary) error
	Flush() error
}

// Formats lists the names of the forms, as --format takes them.
func Formats() []string { return []string{"text", "json"} }

// Text writes for people: the lines with differences, up to a limit, and a summary of each run. No line is wider than
// 80 columns.
type Text struct {
	w      io.Writer
	page   report.Page
	limit  int
	file   string
	shown  int
	hidden int // lines with differences that are not shown
	runs   int
}

// NewText makes a Text that writes to w and shows at most limit lines of each run; 0 shows all.
func NewText(w io.Writer, limit int, color bool) *Text {
	return &Text{w: w, limit: limit, page: report.Page{Color: color}}
}

// Begin begins a run.
func (t *Text) Begin(file string) error {
	if t.runs++; t.runs > 1 {
		t.page.WriteByte('\n')
	}
	t.file, t.shown, t.hidden = report.Visible(file), 0, 0
	return nil
}

// Line writes what is different in a line.
func (t *Text) Line(r *Result) error {
	if len(r.Differences) == 0 && r.Again == nil {
		return nil
	}
	if t.shown++; t.limit > 0 && t.shown > t.limit {
		t.hidden++
		return nil
	}
	place := fmt.Sprintf("%s:%d: ", t.file, r.Line)
	if r.DialogueID != nil {
		place += fmt.Sprintf("dialogue %d: ", *r.DialogueID)
	} else if r.Heading != nil {
		place += "header: "
	} else if r.End {
		place += "closing line: "
	}
	t.differences(place, r.Differences)
	if r.Again != nil {
		t.again(place, r.Again)
	}
	return t.page.Send(t.w)
}

// mostCells is how much of one text is shown: ten lines.
const mostCells = 800

// short makes a text harmless, and keeps it from filling the screen.
func short(s string) string {
	if len(s) > 16*mostCells { // enough for any signs of that many columns
		s = s[:16*mostCells]
	}
	return report.Clip(report.Visible(s), mostCells)
}

// mostCauses is how many causes of one line are told.
const mostCauses = 3

// differences writes the causes, and how many more there are.
func (t *Text) differences(place string, list []Difference) {
	causes := 0
	for causes < len(list) && !list[causes].Follows {
		causes++
	}
	shown := list[:min(causes, mostCauses)]
	for i := range shown {
		t.page.Paragraph(report.Plain, "", "  ", place+short(shown[i].String()))
	}
	if rest := causes - len(shown); rest > 0 {
		t.page.Line(report.Dim, fmt.Sprintf("  and %d more", rest))
	}
	if rest := len(list) - causes; rest == 1 {
		t.page.Line(report.Dim, "  and 1 more that follows")
	} else if rest > 1 {
		t.page.Line(report.Dim, fmt.Sprintf("  and %d more that follow", rest))
	}
}

// again writes what is answered otherwise now.
func (t *Text) again(place string, a *Again) {
	p := &t.page
	p.Paragraph(report.Plain, "", "  ", place+"judged again, it comes out otherwise")
	if a.Status != nil {
		p.Paragraph(report.Plain, "    recorded  ", strings.Repeat(" ", 14), short(a.Status.Recorded))
		p.Paragraph(report.Plain, "    now       ", strings.Repeat(" ", 14), short(a.Status.Now))
	}
	for _, answer := range a.Answers {
		p.Put(report.Bold, "  "+answer.Agent+" "+answer.Criterion.String())
		p.WriteByte('\n')
		p.Paragraph(report.Plain, "    recorded  ", strings.Repeat(" ", 14), answer.Recorded.String())
		p.Paragraph(report.Plain, "    now       ", strings.Repeat(" ", 14), answer.Now.String())
	}
	t.signals("recorded, and not seen now", a.Lost)
	t.signals("seen now, and not recorded", a.New)
	for i := range a.Rest {
		p.Paragraph(report.Plain, "  ", "    ", short(a.Rest[i].String()))
	}
}

// String gives an opinion in a line or two, harmless to show.
func (o *Opinion) String() string {
	if o == nil {
		return "no objection"
	}
	var turns []string
	for _, q := range o.Quotes {
		turns = append(turns, fmt.Sprint(q.Turn))
	}
	return short(fmt.Sprintf("%d (turns %s) %s", o.Score, strings.Join(turns, ", "), o.Sentence))
}

// signals writes signals, each with its turn and its points.
func (t *Text) signals(heading string, list []rubric.Signal) {
	if len(list) == 0 {
		return
	}
	var words []string
	for _, s := range list {
		words = append(words, fmt.Sprintf("%s at turn %d (%s)", s.ID, s.Turn, s.Points))
	}
	t.page.Put(report.Bold, "  Signals")
	t.page.Line(report.Plain, " "+heading)
	t.page.Paragraph(report.Plain, "    ", "    ", short(strings.Join(words, ", ")))
}

// End writes the summary of a run.
func (t *Text) End(s *Summary) error {
	p := &t.page
	if t.hidden > 0 {
		p.Line(report.Dim, fmt.Sprintf("and %s more; --limit 0 shows all, --format json all of each", counted(t.hidden, "line")))
	}
	if s.Records() == 0 && len(s.Headings) == 0 && !s.Stopped {
		return p.Send(t.w)
	}
	if t.shown > 0 {
		p.WriteByte('\n')
	}
	style := report.Red
	if s.Sound() {
		style = report.Green
	}
	p.Paragraph(style, "", "  ", report.Visible(s.File)+": "+s.String())
	for _, h := range s.Headings {
		t.heading(h)
	}
	if s.Loose > 0 {
		p.Paragraph(report.Plain, "  unfinished    ", "                  ", "there is no closing line: the run was stopped, or lines are missing at its end")
	}
	for i, clause := range s.Unverified() {
		lead := "  not verified  "
		if i > 0 {
			lead = "                "
		}
		p.Paragraph(report.Dim, lead, "                  ", clause)
	}
	return p.Send(t.w)
}

// heading writes what a run says of itself.
func (t *Text) heading(h *Heading) {
	if h.NoBasis {
		return
	}
	conf, basis, embedded := h.Header.Configuration, h.Header.Basis, record.DefaultBasis()
	embedded.Rubric.Mapping = basis.Rubric.Mapping
	is, lexicon := h.Header.Provenance(), "the one of this program"
	if !h.SameLexicon {
		lexicon = "another than in this program"
	}
	model := ""
	if m := is.Model; m != nil {
		model = fmt.Sprintf("%s %.12s…, %s", m.Name, m.Digest, m.Quantization)
	}
	for _, line := range [][2]string{
		{"made by", fmt.Sprintf("assize %s, %s against %s, mapping %s", h.Header.Program, conf.Evaluator, conf.Critic, conf.Mapping)},
		{"model", model},
		{"rubric", digested(is.Rubric, is.Rubric == embedded.Rubric.Digest())},
		{"profile", digested(is.Profile, is.Profile == embedded.Profile.Digest())},
		{"lexicon", fmt.Sprintf("%.12s… %s", is.Lexicon, lexicon)},
		{"fingerprint", fmt.Sprintf("%.12s…", h.Header.Fingerprint())},
	} {
		if line[1] == "" {
			continue
		}
		t.page.Paragraph(report.Plain, "  "+report.Pad(line[0], 14), "                  ", report.Visible(line[1]))
	}
}

func digested(digest string, embedded bool) string {
	if embedded {
		return fmt.Sprintf("%.12s… the embedded one", digest)
	}
	return fmt.Sprintf("%.12s… the run's own", digest)
}

// Flush does nothing: every run is out already.
func (t *Text) Flush() error { return nil }
