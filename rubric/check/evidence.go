package check

import "fmt"

// audit looks at what the audit cites.
func (x *exam) audit(n *node) {
	if rules := n.get("decision_rules_applied"); rules.is(text) {
		x.quotes(rules, "/audit/decision_rules_applied", true)
	}
	list := n.get("evidence_used")
	if list.is(array) && len(list.items) == 0 {
		x.addNode(list, Finding{ID: "unquoted", Severity: Warning, Path: "/audit/evidence_used", Message: "the audit cites no evidence"})
	}
	for i, it := range list.list() {
		if i == mostItems {
			break
		}
		path := item("/audit/evidence_used", i)
		if it.is(text) && !x.line(it, path) && !x.quotes(it, path, false) {
			x.addNode(it, Finding{ID: "unquoted", Severity: Warning, Path: path, Message: "this evidence quotes no utterance", Want: `SPEAKER: "words"`})
		}
	}
}

// line takes a piece of evidence without quote marks, such as USER: words, for a quote of all that follows.
func (x *exam) line(n *node, path string) bool {
	if len(n.text) > mostSentence {
		return false
	}
	q, ok := attributed(n.text)
	if ok && x.transcript != nil {
		x.quote(n, path, q, x.transcript.locate(q), false)
	}
	return ok
}

// quotes holds the quotes of a sentence against the transcript and reports whether there is one. Loose is the
// sentence of a critic, who quotes what should have been said, too.
func (x *exam) quotes(n *node, path string, loose bool) bool {
	f := x.factsOf(n.text)
	quoted := 0
	var words []int // the quotes that are words in inverted commas which nobody said
	for i, q := range f.quotes {
		switch {
		case q.denied && !loose && x.transcript != nil && !f.places[i].verdict.said():
			// the sentence says that nobody said so, and nobody did: true, but no utterance
		case x.transcript != nil && q.scare && !f.places[i].verdict.said():
			words = append(words, i)
		default:
			quoted++
			x.quoteAt(n, path, f, i, loose)
		}
	}
	if quoted == 0 {
		return false
	}
	for _, i := range words {
		x.quoteAt(n, path, f, i, true)
	}
	return true
}

// quoteAt holds a quote of a sentence against the transcript.
func (x *exam) quoteAt(n *node, path string, f *facts, i int, loose bool) {
	if x.transcript != nil {
		x.quote(n, path, f.quotes[i], f.places[i], loose)
	}
}

// quote tells what is wrong with a quote by its place in the transcript.
func (x *exam) quote(n *node, path string, q quotation, p place, loose bool) {
	const most = 500 // runes of a quote that are shown
	f := Finding{Severity: Error, Path: path, Got: shortenTo(most, q.words), Nearest: p.nearest, Difference: p.difference}
	switch p.verdict {
	case said:
		return
	case elided:
		f.ID, f.Severity, f.Message = "quote-elided", Note, "the quote leaves out what stands between its pieces"
	case saidByOther:
		t, _ := x.transcript.dialogue.Turn(p.turns[0])
		f.ID, f.Message = "quote-other-speaker", "the "+t.Role.String()+" said this, not the "+q.speaker.String()+","+inTurns(p.turns)
	case saidElsewhere:
		f.ID, f.Message = "quote-other-turn", fmt.Sprintf("this was not said in turn %d but%s", q.turn, inTurns(p.turns))
	case altered:
		f.ID, f.Message = "quote-altered", "this was said in other words"+inTurns(p.turns)
		if p.marksOnly {
			f.Severity, f.Message = Note, "this was said with other marks between the words"+inTurns(p.turns)
		}
	default:
		f.ID, f.Message = "quote-unsaid", "nobody says this in the transcript"
	}
	unsaid := p.verdict == altered || f.ID == "quote-unsaid"
	if unsaid && x.partial() {
		f.ID, f.Message, f.Severity = "quote-unsaid", "this is not in the turns that the run kept", Note
	}
	if unsaid && loose {
		f.Severity = Note
	}
	x.add(n.at(x.src, q.start), f)
}

// inTurns names turns as the end of a clause.
func inTurns(turns []int) string {
	const most = 3
	switch len(turns) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" in turn %d", turns[0])
	}
	s := fmt.Sprintf(" in turns %d", turns[0])
	for _, n := range turns[1:min(len(turns), most)] {
		s += fmt.Sprintf(", %d", n)
	}
	if len(turns) > most {
		s += ", …"
	}
	return s
}
