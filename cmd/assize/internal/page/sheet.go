package page

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// sheet is what the template lays out: all that can be read without a script.
type sheet struct {
	Title     string
	Runs      string   // which they are, how many dialogues they hold, who judged
	Sentences []string // the headline
	Cards     []card
	Notes     []string
	Figures   []figure
	Lead      string       // of the list of dialogues
	Worst     []transcript // shown where no script runs
	Makers    []maker
}

// card is a headline figure.
type card struct{ Name, Value, Unit, Below string }

func (p *Page) sheet(shown []transcript) sheet {
	const mostStatic = 20
	s := sheet{Title: p.Title, Runs: p.runs(), Sentences: p.sentences(), Cards: p.cards(), Notes: p.Notes,
		Figures: p.figures(), Makers: p.makers}
	for _, t := range shown[:min(len(shown), mostStatic)] {
		if t.scored || p.Summary.Scored == 0 {
			s.Worst = append(s.Worst, t)
		}
	}
	all, worst := counted(len(p.Rows), "dialogue"), 0
	for _, t := range shown {
		if t.low {
			worst++
		}
	}
	switch len(shown) {
	case 0:
		s.Lead = "The numbers of all " + all + " are here; there are no transcripts in this page."
	case len(p.Rows):
		s.Lead = "Every dialogue opens with its transcript, and the evidence marked in it."
	default:
		s.Lead = fmt.Sprintf("The numbers of all %s are here. To keep the page small, %s open with a transcript: "+
			"the %s worst by satisfaction, and %s of the others, spread evenly from the worst to the best.",
			all, count(len(shown)), count(worst), count(len(shown)-worst))
	}
	return s
}

// runs says what the page is of.
func (p *Page) runs() string {
	const most = 3
	var names, by []string
	for i := range p.makers {
		names = append(names, p.makers[i].runNames()...)
		by = append(by, p.makers[i].judge())
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

// cards are the headline figures.
func (p *Page) cards() []card {
	s := &p.Summary
	all := "of " + counted(len(p.Rows), "dialogue")
	if s.Scored == 0 {
		return []card{{"Unscored", count(s.Unscored), "", all}}
	}
	list := []card{
		{"Satisfaction", s.Satisfaction().String(), "of 5", "estimated"},
		{"Below 60", ui.Percent(s.Below(), s.Scored), "", counted(s.Below(), "dialogue") + " of " + count(s.Scored)},
		{"Weighted average", s.Average().String(), "of 100", "of the six criteria"},
		{"Unscored", count(s.Unscored), "", all},
		{"Changed by the Referee", ui.Percent(s.Changed, s.Scored), "", "of the dialogues, in at least one score"},
	}
	if s.CrossChecked > 0 {
		v := s.Total().Verdicts
		share := ui.Percent(v[rubric.Contradict], v[rubric.Agree]+v[rubric.Doubt]+v[rubric.Contradict])
		list = append(list, card{"Rules contradict the model", share, "", "of its scores, by two levels or more"})
	}
	if p.People != nil {
		mean := func(measure string, s agree.Statistic) string {
			key := agree.Key{Rated: agree.OverallRating, Measure: measure, Statistic: s}
			return agree.Short(p.People.Of(p.People.Mean, key).Value, 2)
		}
		list = append(list, card{"Agreement with people", mean(agree.Satisfaction, agree.Spearman), "Spearman",
			"one person " + mean(agree.OneAnnotator, agree.Spearman) + ", limit " + mean(agree.Raters, agree.Ceiling)})
	}
	return list
}

// maker is one way in which records were made.
type maker struct {
	header *run.Header // nil where a run has none
	files  []string    // the runs
	n      int         // records
}

// made counts a record under its header. Runs that were made in the same way count as one.
func (p *Page) made(line *run.Line) {
	if h := line.Header; len(p.makers) == 0 || h != p.header {
		p.header = h
		p.at = slices.IndexFunc(p.makers, func(m maker) bool {
			return m.header == h || m.header != nil && h != nil && m.header.Fingerprint() == h.Fingerprint()
		})
		if p.at < 0 {
			p.at = len(p.makers)
			p.makers = append(p.makers, maker{header: h})
		}
	}
	m := &p.makers[p.at]
	m.n++
	if !slices.Contains(m.files, line.File) {
		m.files = append(m.files, line.File)
	}
}

// runNames gives the names of the runs without their folders, which are nobody's business.
func (m *maker) runNames() (names []string) {
	for _, f := range m.files {
		if f == "-" {
			f = "standard input"
		}
		names = append(names, path.Base(strings.ReplaceAll(f, `\`, "/")))
	}
	return names
}

// judge says who judged.
func (m *maker) judge() string {
	switch h := m.header; {
	case h == nil:
		return "judged by an unknown panel"
	case h.Model == nil:
		return "judged by rules"
	case h.Configuration.Evaluator != "model":
		return "judged by rules, with " + h.Model.Name + " as the Critic"
	case h.Configuration.Critic == "both":
		return "judged by " + h.Model.Name + " and rules"
	default:
		return "judged by " + h.Model.Name + ", with " + h.Configuration.Critic + " as the Critic"
	}
}

// Name heads the facts.
func (m maker) Name() string {
	return counted(m.n, "record") + " of " + strings.Join(m.runNames(), ", ")
}

// Facts say how the records were made, each a name and a value.
func (m maker) Facts() [][2]string {
	h := m.header
	if h == nil {
		return [][2]string{{"Made by", "unknown: the run has no header"}}
	}
	c, is, transcripts := h.Configuration, h.Provenance(), h.Configuration.Transcript
	if c.Redacted {
		transcripts += ", masked"
	}
	list := [][2]string{{"Made by", "assize " + h.Program}, {"Evaluator", c.Evaluator}, {"Critic", c.Critic},
		{"Mapping", c.Mapping}, {"Transcripts", transcripts},
		{"Rubric", is.Rubric}, {"Lexicon", is.Lexicon}, {"Profile", is.Profile}}
	if c.Fallback != "" {
		list = append(list, [2]string{"Fallback", c.Fallback})
	}
	if l := h.Basis.Profile.Learned; l != nil {
		list = append(list, [2]string{"Profile learnt from", counted(l.Dialogues, "rated dialogue")})
	}
	if id := h.Model; id != nil {
		list = append(list,
			[2]string{"Model", fmt.Sprintf("%s, %s %s, %s", id.Name, id.Family, id.Parameters, id.Quantization)},
			[2]string{"Model's digest", id.Digest},
			[2]string{"Server", id.Server},
			[2]string{"Options", fmt.Sprintf("%+v", id.Options)})
	}
	return append(list, [2]string{"Fingerprint", h.Fingerprint()})
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

// fixed prints a number with a fixed count of decimals.
func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
