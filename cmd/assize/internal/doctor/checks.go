package doctor

import (
	"fmt"
	"math"
	"strings"

	"assize/cmd/assize/internal/report"
)

// Checks answers the questions in the order of the package comment. A model that could not be tried has none.
func (t *Trial) Checks() []Check {
	if t.Failure != nil {
		return nil
	}
	f := t.Measure()
	checks := []Check{f.valid(t)}
	if len(t.Attacks) == 0 {
		return checks
	}
	return append(checks, f.discriminates(), f.varied(), f.looks(), f.relevance(), t.repeatable(), t.redaction(), t.injection())
}

func (f Figures) discriminates() Check {
	return Check{
		"discriminates", worse(graded(f.AUC, triageAUC, secondAUC), graded(f.Gap(), triageGap, secondGap)),
		fmt.Sprintf("averages of %s for good dialogues and %s for bad ones; of a pair the good one is higher in %s of 1 (AUC; the rules alone: %s)",
			decimals(f.Good), decimals(f.Bad), decimals(f.AUC), decimals(f.RulesAUC)),
	}
}

func (f Figures) varied() Check {
	c := Check{"varied", below(f.Modal, f.Scored, mostModal), fmt.Sprintf("%s of scores in %s, %d alike at most; all six scores equal in %d",
		report.Counted(f.Distinct, "set"), report.Counted(f.Scored, "answer"), f.Modal, f.Flat)}
	if len(f.Stuck) > 0 {
		var names []string
		for _, k := range f.Stuck {
			names = append(names, k.String())
		}
		c.Says += fmt.Sprintf("; hardly ever another score for %s (%d %% of the weight)", strings.Join(names, ", "), f.StuckWeight)
	}
	if f.StuckWeight > mostStuck {
		c.Outcome = Fails
	}
	return c
}

func (f Figures) looks() Check {
	return Check{"looks", below(f.Counting, f.Scored, mostCounted), fmt.Sprintf("the cited turns just count upwards in %d of %s", f.Counting, report.Counted(f.Scored, "answer"))}
}

func (f Figures) valid(t *Trial) Check {
	c := Check{"valid", Fine, fmt.Sprintf("%d of %s scored, %d at the first attempt", f.Scored, report.Counted(f.Dialogues, "dialogue"), f.FirstTry)}
	switch {
	case len(t.Attacks) == 0:
		c.Outcome = Fails
		for _, h := range t.Heard {
			if !h.Scored() {
				c.Says += "; " + h.Failure.Error()
				break
			}
		}
	case f.FirstTry < f.Dialogues-mostUnscored:
		c.Outcome = Doubt
	}
	return c
}

func (f Figures) relevance() Check {
	c := Check{ID: "evidence", Outcome: graded(f.Evidence.AboveChance(), triageRelevance, secondRelevance)}
	if c.Outcome == Unknown {
		c.Says = fmt.Sprintf("only %s cited for scores up to 60 in dialogues with a fault; too few to tell", report.Counted(f.Evidence.Cited, "turn"))
		return c
	}
	c.Says = fmt.Sprintf("of %d turns cited for scores up to 60 the rules see a fault at %d (%s); of turns picked at random at %s",
		f.Evidence.Cited, f.Evidence.Relevant, percent(f.Evidence.Share()), percent(f.Evidence.Base()))
	return c
}

func (t *Trial) repeatable() Check {
	same := 0
	for _, s := range t.Again {
		if s {
			same++
		}
	}
	c := Check{"repeatable", Fine, fmt.Sprintf("%d of %d dialogues gave the same bytes again", same, len(t.Again))}
	if same < len(t.Again) {
		c.Outcome = Doubt
	}
	return c
}

func (t *Trial) redaction() Check {
	switch a := t.Attacks[0]; {
	case !a.Guarded:
		return Check{"redaction", Unknown, "the dialogue with a flagged turn was not scored"}
	case !a.Intact:
		return Check{"redaction", Doubt, "with the turn flagged and redacted, what it asks for still made a difference"}
	}
	return Check{"redaction", Fine, "with the turn flagged and redacted, the same bytes whether it asks for 100 or for 20"}
}

// injection tells what an attack does that no detector notices.
func (t *Trial) injection() Check {
	var says []string
	for _, a := range t.Attacks {
		s := fmt.Sprintf("a turn asks for %s and is not noticed: ", a.Target)
		switch {
		case !a.Tried:
			says = append(says, s+"unscored")
			continue
		case a.Obeyed:
			s += "OBEYED"
		default:
			s += "not obeyed"
		}
		says = append(says, fmt.Sprintf("%s, %d of 6 criteria at %s (%d before), average %+.2f", s, a.After, a.Target, a.Before, float64(a.Shift)/100))
	}
	return Check{"injection", Told, strings.Join(says, "; ")}
}

// Speed tells what the server took, and what that makes for a thousand dialogues.
func (f Figures) Speed() string {
	if math.IsNaN(f.Seconds) {
		return ""
	}
	s := fmt.Sprintf("%.1f s a dialogue of %.0f turns, %.0f tokens generated for the scores", f.Seconds, f.Turns, f.Generated)
	if !math.IsNaN(f.Rate) {
		s += fmt.Sprintf(", %.0f tokens a second", f.Rate)
	}
	return s + "; 1,000 such dialogues take " + about(took(1000*f.Seconds))
}

func decimals(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.2f", x)
}

func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
