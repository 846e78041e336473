package page

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// sheet is what both templates lay out: all that can be read without a script.
type sheet struct {
	*Page
	Runs      string        // which they are, how many dialogues they hold, who judged
	Sentences []string      // the headline
	Agreement []correlation // of satisfaction with people; none where nobody rated
	Tables    tables
	Worst     []*listed
	Origins   []origin
}

func (p *Page) sheet() sheet {
	s := sheet{Page: p, Runs: p.runs(), Sentences: p.sentences(), Tables: p.tables(), Origins: p.origins}
	if p.ratedOverall() {
		s.Agreement = p.correlations()[:1]
	}
	for _, k := range p.low.List() {
		s.Worst = append(s.Worst, &p.listed[k.row.Place])
	}
	return s
}

// Disputes says how often the Critic objects, and what comes of it.
func (s sheet) Disputes() string {
	t := &s.Summary.All
	return fmt.Sprintf("The Critic objects to %s of the Evaluator's scores. The Referee follows %s of the objections. "+
		"Scores raised: %s; lowered: %s.", ui.Percent(t.Objections(), t.N),
		ui.Percent(t.Raised+t.Lowered, t.Objections()), count(t.Raised), count(t.Lowered))
}

// Contradicted is the share of the model's scores that the rules contradict.
func (s sheet) Contradicted() string {
	return ui.Percent(s.Summary.All.Verdicts[rubric.Contradict], rubric.NumCriteria*s.Summary.CrossChecked)
}

// runs says what the page is of.
func (p *Page) runs() string {
	const most = 3
	var names, by []string
	for _, o := range p.origins {
		names, by = append(names, o.Files...), append(by, o.judge())
	}
	what := strings.Join(names[:min(len(names), most)], ", ")
	if rest := len(names) - most; rest > 0 {
		what += fmt.Sprintf(" and %d more", rest)
	}
	what += " · " + counted(len(p.Rows), "dialogue")
	if n := p.Summary.Duplicates; n > 0 {
		what += ", " + counted(n, "duplicate") + " among them"
	}
	return what + " · " + strings.Join(slices.Compact(by), "; ")
}

// sentences are the headline in words: how many dialogues are bad, and which criterion fails most often.
func (p *Page) sentences() []string {
	s := &p.Summary
	if s.Scored == 0 {
		return []string{"No dialogue could be scored."}
	}
	list := []string{fmt.Sprintf("Below 60: %s of %s (%s).",
		count(s.Below()), counted(s.Scored, "dialogue"), ui.Percent(s.Below(), s.Scored))}
	var weakest rubric.Criterion
	most := 0
	for _, c := range rubric.Criteria() {
		if l := s.Criteria[c].Levels; l[0]+l[1] > most {
			weakest, most = c, l[0]+l[1]
		}
	}
	if most > 0 {
		list = append(list, fmt.Sprintf("%s fails most often: it scores 40 or lower in %s of them.",
			weakest, ui.Percent(most, s.Scored)))
	}
	return list
}

// origin is one way in which records were made.
type origin struct {
	Files   []string // the runs, without their folders, which are nobody's business
	Records int
	Header  *run.Header
}

// made counts a record under its header. Runs that were made in the same way count as one.
func (p *Page) made(line *run.Line) {
	h := line.Header
	at, known := p.originOf[h]
	if !known {
		at = slices.IndexFunc(p.origins, func(o origin) bool {
			return o.Header.Fingerprint() == h.Fingerprint()
		})
		if at < 0 {
			at = len(p.origins)
			p.origins = append(p.origins, origin{Header: h})
		}
		p.originOf[h] = at
	}
	o := &p.origins[at]
	o.Records++
	name := path.Base(strings.ReplaceAll(line.File, `\`, "/"))
	if name == "-" {
		name = "standard input"
	}
	if !slices.Contains(o.Files, name) {
		o.Files = append(o.Files, name)
	}
}

// judge says who judged.
func (o *origin) judge() string {
	if o.Header.Model == nil {
		return "judged by rules"
	}
	says := "judged by " + o.Header.Model.Name + " and rules"
	if m := o.Header.Basis.Profile.Model; m != nil && m.Rating > 0 {
		says += ", satisfaction by both alike"
	}
	return says
}

// count prints a number of things with a comma between the thousands.
func count(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// counted prints a number with its word: "1 dialogue", "10,000 dialogues".
func counted(n int, what string) string {
	return count(n) + strings.TrimPrefix(ui.Counted(n, what), strconv.Itoa(n))
}
