package rubric

import (
	"slices"

	"assize/rubric/dialogue"
)

// RulingID names the rule that settled a criterion.
type RulingID uint8

// The rulings of decisions.md, "The Referee's rulings, made decidable".
const (
	Agreed       RulingID = iota + 1 // R1: nobody objects
	Ambiguous                        // R2: the objection does not carry
	Contradicted                     // R3: the objection cites a turn whose signal speaks for it
	Unsupported                      // R4: what the score needs is verifiably absent
	Majority                         // R5: three or more objections, all with evidence that code can see
)

var rulingNames = [...]string{"R?", "R1-agreed", "R2-ambiguous", "R3-contradicted", "R4-unsupported", "R5-majority"}

// String gives the id that the audit prints, such as "R3-contradicted".
func (id RulingID) String() string { return rulingNames[id] }

// Ground says why a ruling fell as it did.
type Ground uint8

// The grounds, by the ruling that rests on them.
const (
	NoObjection Ground = iota + 1 // R1
	OffScale                      // R2: the suggested score is not on the scale
	TooFar                        // R2: it is more than two levels away
	NotSaid                       // R2: nothing that the objection cites is in the transcript
	NotBorneOut                   // R2: what it cites is, but no signal there speaks for it, and nothing is verifiably absent
	Signalled                     // R3, R5: a signal at a turn that it cites speaks for it
	NotQuoted                     // R4, R5: none of the rating's quotes is in the transcript
	NotShown                      // R4, R5: no detector that the rubric demands for the score fired
)

var groundNames = [...]string{
	"", "no-objection", "off-scale", "too-far", "not-said", "not-borne-out", "signalled", "not-quoted", "not-shown",
}

// String gives the name that records use.
func (g Ground) String() string { return groundNames[g] }

// Ruling is what the Referee decided on one criterion.
type Ruling struct {
	ID            RulingID
	Ground        Ground
	Before, After Score
	Quotes        []Quote // the verified quotes that carried a change, at least one; nil where nothing changed
}

// Decide settles every objection by the rulings R1 to R5 and gives the final scorecard. It looks at nothing
// but its arguments, and a score that it changes is always the Critic's, with the Critic's claim and at
// least one verified quote.
func (r Rubric) Decide(c Case, card Scorecard, critique Critique) (Scorecard, [NumCriteria]Ruling) {
	var rulings [NumCriteria]Ruling
	var reviews [NumCriteria]review
	for i, o := range critique {
		if o.Against(card[i].Score) {
			reviews[i] = r.review(c, Criterion(i), card[i], o)
		}
	}
	majority := isMajority(reviews)
	for i, h := range reviews {
		rulings[i] = h.rule(majority, card[i].Score)
		if id := rulings[i].ID; id != Agreed && id != Ambiguous {
			rulings[i].After = critique[i].Suggested
			card[i] = Rating{Score: critique[i].Suggested, Claim: critique[i].Claim, Quotes: h.final()}
		}
	}
	return card, rulings
}

// review is what the Referee finds out about one objection. The zero review means that there is none.
type review struct {
	objects bool
	bars    Ground  // OffScale or TooFar: what keeps the objection from carrying by itself
	missing bool    // the objection's kind is missing-evidence
	said    []Quote // the objection's quotes that are in the transcript
	own     []Quote // of those, the ones with a signal of this criterion that points its way
	borne   []Quote // of those, the ones with a signal of any criterion that points its way
	absent  Ground  // NotQuoted or NotShown where R4 holds
	instead []Quote // what an R4 without a real quote of its own is shown by
}

func (r Rubric) review(c Case, k Criterion, rating Rating, o Objection) review {
	h := review{objects: true, missing: o.Kind == MissingEvidence, said: verified(c.Dialogue, o.Quotes)}
	switch by := o.Suggested.Level() - rating.Score.Level(); {
	case !o.Suggested.Valid():
		h.bars = OffScale
		return h
	case by > 2, by < -2 && !r.capped(c, k, o.Suggested):
		h.bars = TooFar
	}
	way := 1
	if o.Suggested < rating.Score {
		way = -1
	}
	for _, q := range h.said {
		criteria := pointing(c.Signals, q.Turn, way)
		if criteria.Has(k) {
			h.own = append(h.own, q)
		}
		if criteria != 0 {
			h.borne = append(h.borne, q)
		}
	}
	if h.missing && way < 0 {
		h.absent, h.instead = r.absence(c, k, rating)
		if h.absent != 0 && len(h.said) == 0 && len(h.instead) == 0 {
			h.absent = 0 // no change without a quote
		}
	}
	return h
}

// capped reports whether the rubric caps a criterion at a score: then it is not the Critic's opinion that the score is more
// than two levels too high.
func (r Rubric) capped(c Case, k Criterion, at Score) bool {
	most, by := r.Cap(c, k)
	return by != nil && most == at
}

// pointing gathers the criteria of the signals at a turn that point up (1) or down (-1).
func pointing(signals []Signal, turn, way int) Set {
	var s Set
	for _, sig := range signals {
		if sig.Turn == turn && sig.direction() == way {
			s |= sig.Criteria
		}
	}
	return s
}

// absence reports whether what a rating's justification needs is verifiably absent (R4), and the quotes that
// show it: the rating's own where they are real. Where none is, it is what the turns really say that the
// rating pretends to quote, or else the SYSTEM's last words.
func (r Rubric) absence(c Case, k Criterion, rating Rating) (Ground, []Quote) {
	said := verified(c.Dialogue, rating.Quotes)
	if len(said) == 0 {
		return NotQuoted, insteadOf(c.Dialogue, rating.Quotes)
	}
	if rating.Score.Valid() {
		if demands := r.Demands[k][rating.Score.Level()]; len(demands) > 0 && !c.Fired(demands...) {
			return NotShown, said
		}
	}
	return 0, nil
}

// insteadOf quotes the turns that false quotes name or, where none of these can be quoted, the last turn of
// the SYSTEM that can.
func insteadOf(d dialogue.Dialogue, unsaid []Quote) []Quote {
	var quotes []Quote
	for _, q := range unsaid {
		if t, ok := d.Turn(q.Turn); ok && t.Role != dialogue.Other {
			if q = Excerpt(q.Turn, t.Text, 0, 0); q.Text != "" && !slices.Contains(quotes, q) {
				quotes = append(quotes, q)
			}
		}
	}
	for n := len(d.Turns); n > 0 && len(quotes) == 0; n-- {
		if t, _ := d.Turn(n); t.Role == dialogue.System {
			if q := Excerpt(n, t.Text, 0, 0); q.Text != "" {
				quotes = append(quotes, q)
			}
		}
	}
	return quotes
}

// isMajority reports whether R5 holds: three or more objections, each of them borne out by a signal or by
// what is absent, and at least three by a signal of their own criterion. A suggestion off the scale can
// never be adopted, so it rules R5 out.
func isMajority(reviews [NumCriteria]review) bool {
	own := 0
	for _, h := range reviews {
		if !h.objects {
			continue
		}
		if h.bars == OffScale || len(h.borne) == 0 && h.absent == 0 {
			return false
		}
		if len(h.own) > 0 {
			own++
		}
	}
	return own >= 3
}

// rule finds the ruling; the score that follows from it is the caller's to fill in.
func (h review) rule(majority bool, score Score) Ruling {
	rule := func(id RulingID, g Ground, quotes []Quote) Ruling {
		return Ruling{ID: id, Ground: g, Before: score, After: score, Quotes: quotes}
	}
	switch {
	case !h.objects:
		return rule(Agreed, NoObjection, nil)
	case majority && len(h.own) > 0:
		return rule(Majority, Signalled, h.own)
	case majority && len(h.borne) > 0:
		return rule(Majority, Signalled, h.borne)
	case majority:
		return rule(Majority, h.absent, h.final())
	case h.bars != 0:
		return rule(Ambiguous, h.bars, nil)
	case !h.missing && len(h.said) == 0:
		return rule(Ambiguous, NotSaid, nil)
	case len(h.own) > 0:
		return rule(Contradicted, Signalled, h.own)
	case h.absent != 0:
		return rule(Unsupported, h.absent, h.final())
	}
	return rule(Ambiguous, NotBorneOut, nil)
}

// final gives the quotes that the justification of the changed score prints.
func (h review) final() []Quote {
	if len(h.said) > 0 {
		return h.said
	}
	return h.instead
}

func verified(d dialogue.Dialogue, quotes []Quote) []Quote {
	isFalse := func(q Quote) bool { return !q.Verify(d) }
	if !slices.ContainsFunc(quotes, isFalse) {
		return quotes
	}
	return slices.DeleteFunc(slices.Clone(quotes), isFalse)
}
