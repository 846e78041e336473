package replay

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
)

// attribution is a quote in a sentence, with its speaker.
var attribution = regexp.MustCompile(`(?s)(?:SYSTEM|USER|OTHER): "(.*?)"(?:; |\.?$)`)

// quotes suspects the quotes of entry n of an agent, which its sentence repeats.
func (s *suspect) quotes(agent string, n int, sentence *node) {
	entry := s.tree.at("panel", agent, n)
	turns, quotes := entry.at("turns"), entry.at("quotes")
	if turns == nil || quotes == nil || len(turns.members) != len(quotes.members) {
		return
	}
	said := attribution.FindAllStringSubmatch(text(sentence), -1)
	for i := range quotes.members {
		quote, turn := quotes.members[i].node, turns.members[i].node
		at := fmt.Sprintf("/panel/%s/%d", agent, n)
		if len(said) == len(quotes.members) && said[i][1] != quote.text {
			is, was := parting(quote.text, said[i][1])
			if !s.says(turn, quote.text) {
				is += fmt.Sprintf(", which is not in turn %s", turn.raw)
			}
			s.suspect(suspicion{
				pointer: fmt.Sprintf("%s/quotes/%d", at, i), node: quote, was: jsonString(said[i][1]),
				says: fmt.Sprintf("is %s; all else in the record says %s", is, was),
			})
		}
		for _, number := range s.saying(quote.text, string(turn.raw)) {
			s.suspect(suspicion{
				pointer: fmt.Sprintf("%s/turns/%d", at, i), node: turn, was: fmt.Append(nil, number), guess: true,
				says: fmt.Sprintf("is %s; all else in the record says %d", turn.raw, number),
			})
		}
	}
}

// says reports whether words are in the turn that a number names.
func (s *suspect) says(number *node, words string) bool {
	turn, err := strconv.Atoi(string(number.raw))
	return err == nil && rubric.Quote{Turn: turn, Text: words}.Verify(s.record.Dialogue)
}

// mostPlaces is how many turns are tried in which the same words stand.
const mostPlaces = 8

// saying lists turns that have the words of a quote, unless the turn has them that it names.
func (s *suspect) saying(words, named string) (numbers []int) {
	d := s.record.Dialogue
	for i := range d.Turns {
		q := rubric.Quote{Turn: i + 1, Text: words}
		if !strings.Contains(d.Turns[i].Text, strings.TrimSuffix(words, "…")) || !q.Verify(d) {
			continue
		}
		if fmt.Sprint(q.Turn) == named {
			return nil
		}
		if len(numbers) < mostPlaces {
			numbers = append(numbers, q.Turn)
		}
	}
	return numbers
}

// unsaid tells which quotes are not in their turns, of sentences that are among the differences.
func (s *suspect) unsaid() []Difference {
	if !s.record.Scored() {
		return nil
	}
	var found []Difference
	e := s.record.Evaluation
	for i, k := range rubric.Criteria() {
		if s.differs("/evaluator/" + k.String() + "/justification") {
			found = append(found, s.untrue(fmt.Sprintf("/panel/evaluator/%d", i), e.Evaluator[i].Quotes)...)
		}
	}
	for n, k := range s.objected() {
		if s.differs(fmt.Sprintf("/critic/%d/comment", k)) {
			found = append(found, s.untrue(fmt.Sprintf("/panel/critic/%d", n), e.Critique[k].Quotes)...)
		}
	}
	slices.SortStableFunc(found, func(a, b Difference) int { return cmp.Compare(a.Pointer, b.Pointer) })
	return slices.CompactFunc(found, func(a, b Difference) bool { return a.Pointer == b.Pointer })
}

// untrue tells which quotes of an entry are not in their turns: the turn was changed where the digest says so, or else
// the quote.
func (s *suspect) untrue(entry string, quotes []rubric.Quote) (found []Difference) {
	changed := s.record.CitedOnly || text(s.tree.at("source", "digest")) != s.record.Source.Digest
	for i, q := range quotes {
		words, _ := parting(q.Text, "")
		at := fmt.Sprintf("%s/quotes/%d", entry, i)
		d := Difference{Pointer: at, Says: fmt.Sprintf("is %s, which is not in turn %d", words, q.Turn)}
		if _, there := s.record.Dialogue.Turn(q.Turn); there && changed {
			d = Difference{Pointer: s.place(q.Turn), Says: fmt.Sprintf("does not have the words %s, which %s takes from it", words, at)}
		}
		if !q.Verify(s.record.Dialogue) {
			found = append(found, d)
		}
	}
	return found
}

// place points to the text of a turn.
func (s *suspect) place(turn int) string {
	for i, m := range s.tree.at("turns").all() {
		if n := m.node.at("turn"); n != nil && string(n.raw) == fmt.Sprint(turn) {
			return fmt.Sprintf("/turns/%d/text", i)
		}
	}
	return fmt.Sprintf("/turns/%d/text", turn-1)
}

// ending puts into words that a sentence does not end in the quotes that it must: what comes out is then the quotes
// alone, since nobody knows where the claim ends.
func (d *Difference) ending() {
	is, err := parse([]byte(d.Recorded))
	gives, err2 := parse([]byte(d.Recomputed))
	if err != nil || err2 != nil || placeOf(d.Pointer).stage != ofSentences || attribution.FindStringIndex(gives.text) == nil {
		return
	}
	if !strings.HasPrefix(gives.text, attribution.FindString(gives.text)) {
		return
	}
	tail := []rune(is.text)
	head, _ := parting(gives.text, "")
	d.Says = fmt.Sprintf("ends in %s; by the quotes in the panel it ends in %s", excerpt(tail, max(0, len(tail)-mostShown+1)), head)
}
