package rubric

import (
	"cmp"
	"slices"

	"assize/rubric/dialogue"
)

// RulingID names the rule that settled a criterion.
type RulingID uint8

// The rulings (PROTOCOL.md, "Rulings").
const (
	Agreed    RulingID = iota + 1 // R1: nobody objects
	Ambiguous                     // R2: the objection does not hold
	// R3: the objection cites a turn with a signal that supports it
	Contradicted
	Unsupported // R4: evidence that the score requires is verifiably absent
	Majority    // R5: three or more objections, all with verifiable evidence
)

var rulingNames = [...]string{"R?", "R1-agreed", "R2-ambiguous", "R3-contradicted",
	"R4-unsupported", "R5-majority"}

// String returns the ID that the audit prints, such as "R3-contradicted".
func (id RulingID) String() string { return rulingNames[id] }

// Ground is the reason for a ruling, as named in audit.tmpl.
type Ground string

// The grounds, with the rulings that rest on them.
const (
	noObjection Ground = "no-objection" // R1
	notOnScale  Ground = "off-scale"    // R2: the suggested score is not on the scale
	tooFar      Ground = "too-far"      // R2: it is more than two levels away
	notSaid     Ground = "not-said"     // R2: no quote of the objection is in the transcript
	// R2: its quotes are real, but no signal there supports it, and nothing is verifiably absent
	notBorneOut Ground = "not-borne-out"
	signalled   Ground = "signalled"  // R3, R5: a signal at a cited turn supports it
	notQuoted   Ground = "not-quoted" // R4, R5: none of the rating's quotes is in the transcript
	// R4, R5: no detector that the rubric requires for the score fired
	notShown Ground = "not-shown"
)

// Ruling is the Referee's decision on one criterion.
type Ruling struct {
	ID            RulingID
	Ground        Ground
	Before, After Score
	// the verified quotes that justify a change, at least one; nil if nothing changed
	Quotes []Quote
}

// Decide settles every objection by the rulings R1 to R5 and returns the final scorecard. It
// depends on nothing but its arguments. A changed score is always the one that the Critic
// suggested, with the Critic's claim and at least one verified quote.
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
			card[i] = Rating{Score: critique[i].Suggested, Claim: critique[i].Claim,
				Quotes: h.final()}
		}
	}
	return card, rulings
}

// review holds the Referee's findings about one objection. The zero review means that there is no
// objection.
type review struct {
	objects     bool
	rejection   Ground  // notOnScale or tooFar: why the objection cannot succeed by itself
	missing     bool    // the objection's kind is missing-evidence
	verified    []Quote // the objection's quotes that are in the transcript
	ownEvidence []Quote // those of verified with a signal of this criterion in the same direction
	anyEvidence []Quote // those of verified with a signal of any criterion in the same direction
	absence     Ground  // notQuoted or notShown if R4 applies
	substitutes []Quote // quotes for an R4 that has no real quote of its own
}

func (r Rubric) review(c Case, k Criterion, rating Rating, o Objection) review {
	h := review{objects: true, missing: o.Kind == MissingEvidence,
		verified: only(o.Quotes, Quote.Verify, c.Dialogue)}
	limit, cause := r.Cap(c, k)
	// then the rubric and not the Critic says that the score is more than two levels too high
	isCapped := cause != nil && limit == o.Suggested
	switch by := o.Suggested.Level() - rating.Score.Level(); {
	case !o.Suggested.Valid():
		h.rejection = notOnScale
		return h
	case by > 2, by < -2 && !isCapped:
		h.rejection = tooFar
	}
	way := 1
	if o.Suggested < rating.Score {
		way = -1
	}
	for _, q := range h.verified {
		criteria := criteriaOf(c.Signals, q.Turn, way)
		if criteria.Has(k) {
			h.ownEvidence = append(h.ownEvidence, q)
		}
		if criteria != 0 {
			h.anyEvidence = append(h.anyEvidence, q)
		}
	}
	if h.missing && way < 0 {
		h.absence, h.substitutes = r.absence(c, k, rating)
		if h.absence != "" && len(h.verified) == 0 && len(h.substitutes) == 0 {
			h.absence = "" // no change without a quote
		}
	}
	return h
}

// criteriaOf returns the criteria of the signals at a turn that point up (1) or down (-1).
func criteriaOf(signals []Signal, turn, way int) (s Set) {
	for _, sig := range signals {
		if sig.Turn == turn && cmp.Compare(sig.Points, 0) == way {
			s |= sig.Criteria
		}
	}
	return s
}

// absence reports whether evidence that a rating requires is verifiably absent (R4), and returns
// the quotes that show it. These are the rating's own quotes if any are real. Otherwise they are
// the actual words of the turns that the rating misquotes, or else the SYSTEM's last words.
func (r Rubric) absence(c Case, k Criterion, rating Rating) (Ground, []Quote) {
	said := only(rating.Quotes, Quote.Verify, c.Dialogue)
	if len(said) == 0 {
		return notQuoted, substituteQuotes(c.Dialogue, rating.Quotes)
	}
	if rating.Score.Valid() {
		if demands := r.Demands[k][rating.Score.Level()]; len(demands) > 0 && !c.Fired(demands...) {
			return notShown, said
		}
	}
	return "", nil
}

// substituteQuotes quotes the turns that the false quotes name or, if none of these can be quoted,
// the last quotable turn of the SYSTEM.
func substituteQuotes(d dialogue.Dialogue, unsaid []Quote) (quotes []Quote) {
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

// isMajority reports whether R5 applies: three or more objections, each supported by a signal or by
// absent evidence, and at least three by a signal of their own criterion. A suggestion off the
// scale can never be adopted, so it rules R5 out.
func isMajority(reviews [NumCriteria]review) bool {
	own := 0
	for _, h := range reviews {
		if !h.objects {
			continue
		}
		if h.rejection == notOnScale || len(h.anyEvidence) == 0 && h.absence == "" {
			return false
		}
		if len(h.ownEvidence) > 0 {
			own++
		}
	}
	return own >= 3
}

// rule returns the ruling as if the score stayed; the caller sets After if the ruling changes it.
func (h review) rule(majority bool, score Score) Ruling {
	rule := func(id RulingID, g Ground, quotes []Quote) Ruling {
		return Ruling{ID: id, Ground: g, Before: score, After: score, Quotes: quotes}
	}
	switch {
	case !h.objects:
		return rule(Agreed, noObjection, nil)
	case majority && len(h.ownEvidence) > 0:
		return rule(Majority, signalled, h.ownEvidence)
	case majority && len(h.anyEvidence) > 0:
		return rule(Majority, signalled, h.anyEvidence)
	case majority:
		return rule(Majority, h.absence, h.final())
	case h.rejection != "":
		return rule(Ambiguous, h.rejection, nil)
	case !h.missing && len(h.verified) == 0:
		return rule(Ambiguous, notSaid, nil)
	case len(h.ownEvidence) > 0:
		return rule(Contradicted, signalled, h.ownEvidence)
	case h.absence != "":
		return rule(Unsupported, h.absence, h.final())
	}
	return rule(Ambiguous, notBorneOut, nil)
}

// final returns the quotes that the justification of the changed score prints.
func (h review) final() []Quote {
	if len(h.verified) > 0 {
		return h.verified
	}
	return h.substitutes
}

// only returns the quotes that hold, by Verify or Occurs.
func only(quotes []Quote, holds func(Quote, dialogue.Dialogue) bool, d dialogue.Dialogue) []Quote {
	isFalse := func(q Quote) bool { return !holds(q, d) }
	if !slices.ContainsFunc(quotes, isFalse) {
		return quotes
	}
	return slices.DeleteFunc(slices.Clone(quotes), isFalse)
}

// Costliest returns the criterion that cost the weighted average most points: its weight times 100
// minus its score. Ties are broken by the lower score, then by the order in the rubric. It returns
// false if all scores are 100.
func (e *Evaluation) Costliest() (worst Criterion, ok bool) {
	highest := 0
	for i, r := range e.Final {
		lost := e.Rubric.Weights[i] * (100 - int(r.Score))
		if lost > highest || lost > 0 && lost == highest && r.Score < e.Final[worst].Score {
			worst, highest = Criterion(i), lost
		}
	}
	return worst, highest > 0
}
