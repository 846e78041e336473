package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"assize/rubric"
)

// checkJustifications checks the sentences of a card. Unquoted is the severity for a sentence
// without a quote.
func (x *inspection) checkJustifications(c *card, unquoted Severity) {
	for _, r := range c.ratings {
		if r.sentence == nil {
			continue
		}
		if strings.TrimSpace(r.sentence.text) == "" {
			x.report(r.sentence, Error, "unquoted", "", "there is no justification")
			continue
		}
		x.checkSentence(r.sentence, r.score)
		if !x.checkQuotes(r.sentence, false) {
			if q, ok := parseAttributed(r.sentence.text, x.transcript); !ok ||
				!q.place.verdict.isSaid() {
				x.report(r.sentence, unquoted, "unquoted", "",
					"the justification quotes no utterance")
			}
		}
	}
}

func (x *inspection) checkSentence(n *node, score rubric.Score) {
	if named := namedScores(x.withoutQuotes(n.text)); score != 0 && len(named) > 0 &&
		!slices.Contains(named, int(score)) {
		message := fmt.Sprintf("the justification speaks of a score of %d, where %s is given",
			named[0], score)
		x.report(n, Error, "score-contradicted", score.String(), message)
	}
}

// checkReason checks a single evaluator's justification of the OverallExperience, which is
// computed: a sentence that names a wrong score is replaced.
func (x *inspection) checkReason(overall *node, c *card) {
	n := overall.get("justification")
	if !n.is('"') {
		return
	}
	x.checkSentence(n, onScale(overall.get("score")))
	named := namedScores(x.withoutQuotes(n.text))
	if c.scored && len(named) > 0 && !slices.Contains(named, int(c.computed.Overall)) {
		var ours struct{ OverallExperience rubric.Justified }
		if json.Unmarshal(c.computed.AppendSingle(nil), &ours) == nil {
			x.replace(n, quote(ours.OverallExperience.Justification))
		}
	}
}

// withoutQuotes returns a sentence with its quotes and their labels replaced by spaces.
func (x *inspection) withoutQuotes(s string) string {
	var b strings.Builder
	at := 0
	for _, q := range x.quotations(s) {
		b.WriteString(s[at:max(at, q.start)])
		b.WriteByte(' ')
		at = q.end
	}
	return b.String() + s[at:min(len(s), max(at, maxSentence))]
}

var (
	// namedScore matches a score named in a sentence: "a score of 80", "80/100", "rounded down to
	// 80".
	namedScore = regexp.MustCompile(`(?i)\b(?:` +
		`((?:average|weighted|mean|suggested|proposed) )?(?:score|rating)(?: of| is|:) |` +
		`(?:maps|mapped|rounds|rounded)(?: down| up)? to )(?:only )?(\d+)|\b(\d+) ?(?:/|out of) ?100\b`)
	// 60–80, 60 or 80, 60%
	scoreRange     = regexp.MustCompile(`^(?:[\pL\d]| ?(?:[-–%*]|(?:to|or|and|percent)\b)|[.:]\d)`)
	scoreQualified = regexp.MustCompile(
		`(?i)n't\b|\b(?:not?|never|than|below|above|under|short|almost|nearly|between|from|least|most|if|` +
			`prevents?|critic|evaluator|previous|example)\b`)
)

// namedScores returns the numbers that a text, without its quotes, clearly states as its score. It
// ignores bounds, averages, scores of other things and negated scores.
func namedScores(s string) (scores []int) {
	if !strings.ContainsAny(s, "0123456789") {
		return nil // the usual case; the pattern is slow
	}
	for _, m := range namedScore.FindAllStringSubmatchIndex(s, -1) {
		lead := s[max(0, m[0]-80):m[0]]
		lead = lead[strings.LastIndexAny(lead, ";:!?")+1:]
		n, _ := strconv.Atoi(s[max(m[4], m[6]):max(m[5], m[7])])
		ranged := m[4] >= 0 && scoreRange.MatchString(s[m[1]:]) &&
			!strings.HasPrefix(s[m[1]:], "/100")
		if m[2] < 0 && 10 <= n && n <= 100 && !ranged && !scoreQualified.MatchString(lead) &&
			!slices.Contains(scores, n) {
			scores = append(scores, n)
		}
	}
	return scores
}

func (x *inspection) checkAudit(n *node) {
	if rules := n.get("decision_rules_applied"); rules.is('"') {
		x.checkQuotes(rules, true)
	}
	list := n.get("evidence_used")
	if list.is('[') && len(list.items) == 0 {
		x.report(list, Warning, "unquoted", "", "the audit cites no evidence")
	}
	for _, it := range list.list() {
		if !it.is('"') {
			continue
		}
		if q, ok := parseAttributed(it.text, x.transcript); ok {
			x.checkQuote(it, &q, false)
		} else if !x.checkQuotes(it, false) {
			x.report(it, Warning, "unquoted", `SPEAKER: "words"`, "this evidence quotes no utterance")
		}
	}
}

// quotations returns the quotes of a sentence. It caches them by text.
func (x *inspection) quotations(sentence string) []quotation {
	list, ok := x.quotationCache[sentence]
	if !ok {
		if x.quotationCache == nil {
			x.quotationCache = make(map[string][]quotation, 16)
		}
		list = quotations(sentence, x.transcript)
		x.quotationCache[sentence] = list
	}
	return list
}

// checkQuotes looks up the quotes of a sentence and reports whether it has any. Loose marks the
// sentence of a critic, who may also quote what should have been said.
func (x *inspection) checkQuotes(n *node, loose bool) bool {
	found := false
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
	f := Finding{Severity: Error, Path: n.path(), Got: shorten(500, q.words), Nearest: p.nearest,
		Difference: p.difference}
	turns := formatTurns(p.turns)
	switch p.verdict {
	case elided:
		f.ID, f.Severity, f.Message = "quote-elided", Note,
			"the quote omits the words between its pieces"
	case saidByOther:
		t, _ := x.transcript.dialogue.Turn(p.turns[0])
		f.ID, f.Message = "quote-other-speaker", fmt.Sprintf("the %s said this, not the %s, %s",
			t.Role, q.speaker, turns)
	case saidElsewhere:
		f.ID, f.Message = "quote-other-turn", fmt.Sprintf("this was not said in turn %d but %s",
			q.turn, turns)
		if last := len(x.transcript.dialogue.Turns); q.turn > last {
			f.Message = fmt.Sprintf("there is no turn %d, the last is %d; this was said %s", q.turn,
				last, turns)
		}
	case altered:
		f.ID, f.Message = "quote-altered", "this was said in other words "+turns
		if p.marksOnly {
			f.Severity, f.Message = Note, "this was said with different punctuation between the words "+turns
		}
	case unsaid:
		f.ID, f.Message = "quote-unsaid", "nobody says this in the transcript"
	}
	if !p.verdict.isSaid() && loose {
		f.Severity = Note
	}
	// The words are located in their raw form; if they contain an escape, the finding refers to the
	// whole string.
	x.add(n.start+max(0, strings.Index(n.raw, q.words)), f)
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
