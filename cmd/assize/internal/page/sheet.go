package page

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/report"
)

// sheet is what the template lays out: all that can be read without a script.
type sheet struct {
	Title     string
	Runs      string   // which, how many dialogues, judged by whom
	Sentences []string // the state in words
	Cards     []card
	Notes     []string
	Figures   []figure
	Dialogues section
	Worst     []transcript // shown where no script runs
	Made      []maker
}

// card is a headline figure.
type card struct{ Name, Value, Unit, Below string }

// section is a heading with what stands under it.
type section struct {
	ID, Title, Lead string
	Short           string // its name in the list of sections; empty where it is not listed
}

// figure is a section with a chart, and the same as tables.
type figure struct {
	section
	Charts    []chart
	Tables    []table
	Notes     []string
	Explained []string // ids and what they mean
	Half      bool     // it shares a line with another on a wide screen
}

// chart is the place of a drawing, which the script makes.
type chart struct {
	ID    string
	Title string // shown above it, where a figure has several
	Label string // for who does not see it
}

// table is a table of figures. The first cell of a row is its heading.
type table struct {
	Caption string
	Head    []string
	Rows    [][]string
}

// mostStatic is how many of the worst dialogues are shown where no script runs.
const mostStatic = 20

func (p *Page) sheet(kept []transcript) *sheet {
	o := p.Overview
	s := &sheet{
		Title: report.Visible(p.Title),
		Runs:  p.runs(),
		Notes: p.Notes,
		Cards: p.cards(),
		Made:  p.makers(),
	}
	s.Sentences = p.sentences()
	s.Figures = p.figures()
	s.Dialogues = section{"dialogues", "Dialogues, the worst first", p.sampled(kept), "Dialogues"}
	for _, t := range kept[:min(len(kept), mostStatic)] {
		if t.Scored() || o.Scored == 0 {
			s.Worst = append(s.Worst, t)
		}
	}
	return s
}

// runs says what the page is of.
func (p *Page) runs() string {
	o := p.Overview
	var names []string
	for _, m := range o.Made {
		names = append(names, runNames(&m)...)
	}
	const most = 3
	what := strings.Join(names[:min(len(names), most)], ", ")
	if rest := len(names) - most; rest > 0 {
		what += fmt.Sprintf(" and %d more", rest)
	}
	what += " · " + counted(len(o.Cases), "dialogue")
	if o.Duplicates > 0 {
		what += fmt.Sprintf(", %s of them said before", count(o.Duplicates))
	}
	return what + " · " + p.judges()
}

// judges says who judged.
func (p *Page) judges() string {
	var by []string
	for _, m := range p.Overview.Made {
		who := "judged by an unnamed panel"
		if h := m.Header; h != nil {
			c := h.Configuration
			switch {
			case h.Model == nil:
				who = "judged by rules"
			case c.Evaluator == "model":
				who = "judged by " + report.Visible(h.Model.Name) + ", with " + report.Visible(c.Critic) + " as the Critic"
				if c.Critic == "both" {
					who = "judged by " + report.Visible(h.Model.Name) + " and rules"
				}
			default:
				who = "judged by rules, with " + report.Visible(h.Model.Name) + " as the Critic"
			}
		}
		if len(by) == 0 || by[len(by)-1] != who {
			by = append(by, who)
		}
	}
	return strings.Join(by, "; ")
}

// sampled says of which dialogues there are transcripts.
func (p *Page) sampled(kept []transcript) string {
	all := len(p.Overview.Cases)
	switch {
	case len(kept) == 0:
		return "The numbers of all " + counted(all, "dialogue") + " are here; there are no transcripts in this page."
	case len(kept) == all:
		return "Every dialogue opens with its transcript, and the evidence marked in it."
	}
	worst := 0
	for _, t := range kept {
		if t.Low {
			worst++
		}
	}
	return fmt.Sprintf("The numbers of all %s are here. To keep the page small, %s open with a transcript: the %s worst by satisfaction, and %s of the others, spread evenly from the worst to the best.",
		counted(all, "dialogue"), count(len(kept)), count(worst), count(len(kept)-worst))
}
