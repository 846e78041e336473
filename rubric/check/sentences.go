package check

import (
	"fmt"
	"strings"

	"assize/rubric"
)

// checkJustifications checks the sentences of a card. unquoted is the finding about a sentence
// without a quote.
func (x *inspection) checkJustifications(c *card, unquoted string) {
	for _, r := range c.ratings {
		if r.sentence == nil {
			continue
		}
		if strings.TrimSpace(r.sentence.text) == "" {
			x.report(r.sentence, "", "unquoted/empty")
			continue
		}
		if !x.checkQuotes(r.sentence, false) {
			if q, ok := parseAttributed(r.sentence.text, x.transcript); !ok ||
				!q.place.verdict.isSaid() {
				x.report(r.sentence, "", unquoted)
			}
		}
	}
}

func (x *inspection) checkAudit(n *node) {
	if rules := n.get("decision_rules_applied"); rules.is('"') {
		x.checkQuotes(rules, true)
	}
	list := n.get("evidence_used")
	if list.is('[') && len(list.items) == 0 {
		x.report(list, "", "unquoted/audit")
	}
	for _, it := range list.list() {
		if !it.is('"') {
			continue
		}
		if q, ok := parseAttributed(it.text, x.transcript); ok {
			x.checkQuote(it, &q, false)
		} else if !x.checkQuotes(it, false) {
			x.report(it, `SPEAKER: "words"`, "unquoted/evidence")
		}
	}
}

// quotations returns the quotes of a sentence. It caches them by text.
func (x *inspection) quotations(sentence string) []quotation {
	list, ok := x.quotationCache[sentence]
	if !ok {
		list = quotations(sentence, x.transcript)
		x.quotationCache[sentence] = list
	}
	return list
}

// checkQuotes looks up the quotes of a sentence and reports whether it has any. Loose marks the
// sentence of a critic, who may also quote what should have been said.
func (x *inspection) checkQuotes(n *node, loose bool) (found bool) {
	for _, q := range x.quotations(n.text) {
		if x.transcript == nil || q.place.verdict.isSaid() || !q.isScareQuote {
			found = true
			x.checkQuote(n, &q, loose)
		}
	}
	return found
}

func (x *inspection) checkQuote(n *node, q *quotation, loose bool) {
	if x.transcript == nil || q.place.verdict == said {
		return
	}
	p := &q.place
	var f Finding
	switch turns := formatTurns(p.turns); p.verdict {
	case elided:
		f = finding("quote-elided")
	case saidByOther:
		t, _ := x.transcript.dialogue.Turn(p.turns[0])
		f = finding("quote-other-speaker", t.Role, q.speaker, turns)
	case saidElsewhere:
		f = finding("quote-other-turn", q.turn, turns)
		if last := len(x.transcript.dialogue.Turns); q.turn > last {
			f = finding("quote-other-turn/none", q.turn, last, turns)
		}
	case altered:
		f = finding("quote-altered", turns)
		if p.marksOnly {
			f = finding("quote-altered/marks", turns)
		}
	case unsaid:
		f = finding("quote-unsaid")
	}
	f.Got, f.Nearest, f.Difference = shorten(500, q.words), p.nearest, p.difference
	if !p.verdict.isSaid() && loose {
		f.Severity = Note
	}
	// The words are located in their raw form; if they contain an escape, the finding refers to the
	// whole string.
	x.add(n.start+max(0, strings.Index(n.raw, q.words)), n.path(), f)
}

// formatTurns formats turn numbers, abbreviating long lists.
func formatTurns(turns []int) string {
	const limit = 3
	list := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(turns[:min(len(turns), limit)])),
		", "), "[]")
	switch {
	case len(turns) > limit:
		return "in turns " + list + ", …"
	case len(turns) > 1:
		return "in turns " + list
	}
	return "in turn " + list
}

// citedQuotes returns the quotes of a sentence in the form that the Referee expects: one for each
// turn in which the words occur. A false quote has no turn.
func (x *inspection) citedQuotes(sentence *node) (quotes []rubric.Quote) {
	if sentence == nil {
		return nil
	}
	for _, q := range x.quotations(sentence.text) {
		if !q.place.verdict.isSaid() {
			quotes = append(quotes, rubric.Quote{Text: q.words})
			continue
		}
		for _, n := range q.place.turns {
			t, _ := x.transcript.dialogue.Turn(n)
			quotes = append(quotes, rubric.Excerpt(n, t.Text, 0, 0))
		}
	}
	return quotes
}
