package heuristics

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Scorecard searches dialogues for the phrases of a rubric's questions, and compares the values
// that the SYSTEM states with the rubric's facts. It is safe for concurrent use.
type Scorecard struct {
	vocabulary vocabulary    // of the lexicon and of the phrases
	automata   [3]*automaton // by dialogue.Role
	lists      int           // the number of lists of phrases
	signals    []cardSignal
	facts      []cardFact
	// the detectors of statements that contradict a fact, or agree with one
	contradicts, agrees *detector
}

// cardSignal is a pattern of a question, and the ID of its signal.
type cardSignal struct {
	id string
	*cardPattern
}

type cardFact struct {
	*rubric.Fact
	value value
	about *cardPattern
	never class
}

// cardPattern is a compiled [rubric.Pattern].
type cardPattern struct {
	phrases, unless class // lists
	where           []condition
	before, after   *cardPattern
	times           int
}

// The detectors of statements that contradict a fact, or agree with one.
const (
	ContradictsFact = "contradiction-fact"
	agreesWithFact  = "contradiction-fact-agrees"
)

// Limits of scorecards, so that compiling and searching take linear time.
const (
	maxPhraseWords = 32
	maxCardStates  = 1 << 18 // of an automaton
	maxCardHits    = 16      // of a list in a turn
)

// Scorecard compiles the questions and facts of a rubric. It returns nil for a rubric without any.
// Its error begins with the line and column of a phrase in the rubric file.
func (a *Agents) Scorecard(r rubric.Rubric) (*Scorecard, error) {
	if len(r.Questions)+len(r.Facts) == 0 {
		return nil, nil
	}
	c := &cardCompiler{Scorecard: &Scorecard{vocabulary: maps.Clone(a.lex.vocabulary)}, lex: a.lex}
	for role := range c.patterns {
		c.patterns[role] = newPatterns(0)
	}
	c.contradicts = a.detectors[a.index[ContradictsFact]]
	c.agrees = a.detectors[a.index[agreesWithFact]]
	for i := range r.Questions {
		q := &r.Questions[i]
		for k, p := range [...]*rubric.Pattern{q.When, q.Yes, q.No} {
			suffix := [...]string{rubric.WhenSignal, rubric.YesSignal, rubric.NoSignal}[k]
			if p != nil {
				c.signals = append(c.signals, cardSignal{q.Signal(suffix), c.pattern(p)})
			}
		}
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		c.facts = append(c.facts, cardFact{f, c.value(f.Value), c.pattern(f.About),
			c.list(f.Never, dialogue.System)})
	}
	if c.err != nil {
		return nil, c.err
	}
	for role, p := range c.patterns {
		if c.automata[role] = p.compile(maxCardStates); c.automata[role] == nil {
			return nil, fmt.Errorf("1:1: the phrases have too many combinations; " +
				"want fewer alternatives that begin alike")
		}
	}
	return c.Scorecard, nil
}

// cardCompiler compiles a scorecard. Its error is the first one.
type cardCompiler struct {
	*Scorecard
	lex      *lexicon
	patterns [3]*patterns
	err      error
}

func (c *cardCompiler) fail(p rubric.Phrase, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%d:%d: %s", p.Line, p.Column, fmt.Sprintf(format, args...))
	}
}

func (c *cardCompiler) pattern(p *rubric.Pattern) *cardPattern {
	if p == nil {
		return nil
	}
	out := &cardPattern{times: max(p.AtLeast, 1), before: c.pattern(p.Before),
		after: c.pattern(p.After), phrases: c.list(p.User, dialogue.User),
		unless: c.list(p.Unless, dialogue.User, dialogue.System)}
	c.add(out.phrases, p.System, dialogue.System)
	c.add(out.phrases, p.Any, dialogue.User, dialogue.System)
	for _, name := range p.Where {
		text, not := strings.CutPrefix(name.Text, "not-")
		holds, err := lookUp("position", text, positions)
		if err != nil {
			c.fail(name, "%v", err)
		}
		out.where = append(out.where, condition{holds, not})
	}
	return out
}

// list adds a list of phrases to find in turns of the given roles, and returns its number.
func (c *cardCompiler) list(phrases []rubric.Phrase, roles ...dialogue.Role) class {
	n := class(c.lists)
	c.lists++
	c.add(n, phrases, roles...)
	return n
}

func (c *cardCompiler) add(to class, phrases []rubric.Phrase, roles ...dialogue.Role) {
	for _, p := range phrases {
		groups, end, err := c.parse(p.Text, to)
		if err != nil {
			c.fail(p, "%v", err)
			continue
		}
		for _, role := range roles {
			c.patterns[role].add(groups, end, c.vocabulary)
		}
	}
}

// phraseWords matches the text between spaces and the special characters of a phrase.
var phraseWords = regexp.MustCompile(`[^(|) ]+`)

// groupEnd matches the end of a group that is not the end of a word.
var groupEnd = regexp.MustCompile(`\)[^ ]`)

// parse returns the words of a phrase as turns are searched for them, and where it may occur.
func (c *cardCompiler) parse(text string, of class) ([][]string, phraseEnd, error) {
	text, end := phraseOf(strings.Join(strings.Fields(text), " "), of)
	if i := strings.IndexAny(text, `*\[]{}`); i >= 0 {
		return nil, end, fmt.Errorf("%q means nothing in a phrase; want the words themselves, "+
			"such as complain(|s|ed|t)", text[i:i+1])
	}
	for i, tok := range c.vocabulary.tokenise(&turnText{text: text}, nil) {
		if i > 0 && tok.is(opensSentence) && !end.anchored {
			return nil, end, fmt.Errorf("a sentence ends inside %q, where no phrase goes "+
				"on; want the words of one sentence", text)
		}
	}
	var err error
	words := 0
	text = phraseWords.ReplaceAllStringFunc(text, func(part string) string {
		t := turnText{text: part}
		var list []string
		for _, tok := range c.vocabulary.tokenise(&t, nil) {
			word, _ := LowerWord(part, int(tok.start), nil)
			list = append(list, string(word))
		}
		if list == nil {
			err = cmp.Or(err, fmt.Errorf("%q can never match, because it contains no word; "+
				"want words and numbers", part))
		}
		words += len(list)
		return strings.Join(list, " ")
	})
	if err == nil && words == 0 {
		err = errors.New("the phrase is empty; want words")
	}
	if err != nil {
		return nil, end, err
	}
	groups, err := parseLine(text)
	if err == nil && len(groups) > maxPhraseWords {
		err = fmt.Errorf("the phrase has %d words; want at most %d", len(groups), maxPhraseWords)
	}
	if err == nil && groupEnd.MatchString(text) {
		err = fmt.Errorf("%q goes on after a group without a space; want the whole words in the "+
			"group, such as (happy|unhappy)", text)
	}
	return groups, end, err
}

// value reads the value of a fact.
func (c *cardCompiler) value(p rubric.Phrase) value {
	if p == (rubric.Phrase{}) { // the fact has only phrases that contradict it
		return value{}
	}
	for _, unit := range []string{"", " o'clock"} { // "8-6" is a range of hours
		t := &turnText{text: p.Text + unit}
		t.tokens = c.lex.vocabulary.tokenise(t, nil)
		if len(t.tokens) == 0 {
			break
		}
		list := (&valueReader{t, c.lex}).append(nil, 0)
		if len(list) == 1 && list[0].isRule() && (unit == "" || list[0].isRange()) {
			c.checkValue(p, &list[0])
			return list[0]
		}
	}
	c.fail(p, "%q is not one value of money, percent or time; want one such as 14 days, 3 to 5 "+
		"working days, within 14 days, over £40, 15 %%, 8 pm, 10 am to 4 pm, Sunday, "+
		"24 December or, for what is free, 0 euros", p.Text)
	return value{}
}

// checkValue reports a day that no year has, and a range that ends before it begins. Only times of
// the day may continue in the next one: "10 pm to 4 am".
func (c *cardCompiler) checkValue(p rubric.Phrase, v *value) {
	isDay := func(n int32) bool { // in a leap year
		day := time.Date(2024, time.Month(n/32), int(n%32), 0, 0, 0, 0, time.UTC)
		return n < 32 || day.Day() == int(n%32)
	}
	switch {
	case v.slot.kind == date && !isDay(v.n):
		c.fail(p, "%q is not a day of any year", p.Text)
	case v.slot.kind >= amount && v.high < v.n:
		c.fail(p, "%q ends before it begins; want the smaller number first", p.Text)
	}
}

// card is a scorecard applied to one dialogue.
type card struct {
	*Scorecard
	watch *Watch
	s     *analysis
	found [][]hit // by list and turn
}

// run reports the signals of the questions and of the facts that hold. It must run after all
// detectors, because it numbers the words that they do not know.
func (c *Scorecard) run(s *analysis, w *Watch) {
	k := card{c, w, s, make([][]hit, c.lists)}
	k.search()
	for _, p := range c.signals {
		if hits := k.turns(p.cardPattern); len(hits) >= p.times {
			s.emitHit(&detector{Detector: Detector{ID: p.id}}, &hits[p.times-1])
		}
	}
	k.facts()
}

// search finds the phrases in the turns of USER and SYSTEM.
func (k *card) search() {
	var word [64]byte
	var matches []match
	for i := range k.s.turns {
		t := &k.s.turns[i]
		if t.role == dialogue.Other {
			continue
		}
		for n := range t.tokens {
			if tok := &t.tokens[n]; tok.word == 0 {
				lower, _ := LowerWord(t.text[:tok.end], int(tok.start), word[:0])
				tok.word = k.vocabulary[string(lower)].number
			}
		}
		matches = k.automata[t.role].scan(t.tokens, matches[:0])
		for _, m := range matches {
			hits := k.found[m.class]
			n := len(hits)
			full := n >= maxCardHits && hits[n-maxCardHits].turn == int32(i)
			if !full && !t.negated(m.first) {
				k.found[m.class] = append(hits, hit{class: m.class, turn: int32(i),
					first: int32(m.first), last: int32(m.last)})
			}
		}
	}
}

// turns returns the first hit of a pattern in each turn that matches it.
func (k *card) turns(p *cardPattern) (list []hit) {
	var before, after []hit
	if p.before != nil {
		before = k.turns(p.before)
	}
	if p.after != nil {
		if after = k.turns(p.after); len(after) == 0 {
			return nil
		}
	}
	for i := range k.found[p.phrases] {
		h := &k.found[p.phrases][i]
		switch {
		case len(list) > 0 && list[len(list)-1].turn == h.turn,
			len(before) > 0 && !precedes(h, &before[0]),
			len(after) > 0 && !precedes(&after[0], h),
			k.firstIn(p.unless, passage{int(h.turn), 0, math.MaxInt}) != nil,
			!isPlaced(k.s, h, p.where):
		default:
			list = append(list, *h)
		}
	}
	return list
}

// precedes reports whether a ends before b begins.
func precedes(a, b *hit) bool {
	return a.turn < b.turn || a.turn == b.turn && a.last < b.first
}

// firstIn returns the first hit of a list in a passage, or nil.
func (k *card) firstIn(list class, p passage) *hit {
	all := k.found[list]
	at, _ := slices.BinarySearchFunc(all, int32(p.turn),
		func(h hit, turn int32) int { return cmp.Compare(h.turn, turn) })
	for ; at < len(all) && int(all[at].turn) == p.turn; at++ {
		if h := &all[at]; int(h.first) >= p.first && int(h.last) <= p.last {
			return h
		}
	}
	return nil
}

// facts reports the statements of the SYSTEM that contradict a fact or agree with it, at most one
// of each per turn and fact.
func (k *card) facts() {
	var facts []*cardFact // with a phrase in the dialogue
	for i := range k.Scorecard.facts {
		f := &k.Scorecard.facts[i]
		hits := &k.found[f.about.phrases]
		// leave out the sentences with an exception
		*hits = slices.DeleteFunc(*hits, func(h hit) bool {
			t := &k.s.turns[h.turn]
			first, last := t.sentenceStart(int(h.first)), t.sentenceEnd(int(h.last))
			return k.firstIn(f.about.unless, passage{int(h.turn), first, last}) != nil ||
				!isPlaced(k.s, &h, f.about.where)
		})
		if len(*hits)+len(k.found[f.never]) > 0 && (k.watch.Valid == nil || k.watch.Valid(f.Fact)) {
			facts = append(facts, f)
		}
	}
	if len(facts) == 0 {
		return
	}
	user, events := -1, []value(nil) // the last turn of the USER, and what happened in it
	for i, t := range k.s.spoken(dialogue.System) {
		if last := k.s.before(i, dialogue.User); last != user {
			user, events = last, k.events(last)
		}
		r := &valueReader{t, k.s.lex}
		asked := k.asked(facts, i)
		reported := map[string]bool{}
		for first := 0; first < len(t.tokens); first = t.sentenceEnd(first) + 1 {
			p := passage{i, first, t.sentenceEnd(first)}
			about := k.about(facts, p)
			if len(about) == 0 { // then about the turn's earlier subject, or else the request
				about = k.continued(k.about(facts, passage{i, 0, first}), i, first)
			}
			if len(about) == 0 {
				about = k.continued(asked, i, first)
			}
			if len(about) == 0 || t.isQuestion(p.last) {
				continue
			}
			stated := slices.Concat(k.s.valuesIn(p), r.openingHours(p))
			for _, f := range about {
				if k.firstIn(f.about.unless, p) == nil {
					k.compare(r, f, stated, events, p, reported)
				}
			}
		}
	}
}

// about returns the facts with a phrase in a passage.
func (k *card) about(facts []*cardFact, p passage) (list []*cardFact) {
	for _, f := range facts {
		if k.firstIn(f.about.phrases, p) != nil || k.isDenied(f, p) {
			list = append(list, f)
		}
	}
	return list
}

// isDenied reports whether a phrase of never: in a passage contains one of about:, which its
// negation voids, as in "no refunds".
func (k *card) isDenied(f *cardFact, p passage) bool {
	h := k.firstIn(f.never, p)
	if h == nil || len(f.about.where) > 0 {
		return false
	}
	t := &k.s.turns[p.turn]
	inside := k.automata[t.role].scan(t.tokens[h.first:h.last+1], nil)
	return slices.ContainsFunc(inside, func(m match) bool { return m.class == f.about.phrases })
}

// continued returns those of the facts that the sentence of turn i from token first, which contains
// no phrase of a fact, is still about. "The" or "your" at its beginning introduces a new subject,
// except in a limit, as in "the longest it can take". Only facts about money then continue.
func (k *card) continued(facts []*cardFact, i, first int) []*cardFact {
	t := &k.s.turns[i]
	limits := (&valueReader{t, k.s.lex}).within(first+1, first+2, "over", "under")
	if !t.tokens[first].is(article) || limits {
		return facts
	}
	return slices.DeleteFunc(slices.Clone(facts),
		func(f *cardFact) bool { return f.value.slot.kind != amount })
}

// asked returns the facts that the USER asks about before turn i: those of the last turn with a
// phrase of one, if a turn of the USER asks something.
func (k *card) asked(facts []*cardFact, i int) (list []*cardFact) {
	asks := false
	for u := i - 1; u >= max(0, i-requestTurns) && (list == nil || !asks); u-- {
		t := &k.s.turns[u]
		if list == nil {
			list = k.about(facts, passage{u, 0, len(t.tokens)})
		}
		asks = asks || t.role == dialogue.User && (t.asks > 0 || slices.ContainsFunc(
			t.tokens[:min(len(t.tokens), maxRead)], func(tok token) bool {
				return isOneOf(t.text[tok.start:tok.end], "how", "when", "what", "which", "until",
					"till", "long", "know")
			}))
	}
	if !asks {
		return nil
	}
	return list
}

// maxEvents is the maximum number of quantities of the USER that a statement is compared with.
const maxEvents = 32

// events returns the first quantities in a turn of the USER that belong to something that happened:
// "it went missing 12 days ago".
func (k *card) events(user int) (list []value) {
	t := &k.s.turns[user]
	r := &valueReader{t, k.s.lex}
	for first := 0; first < len(t.tokens) && len(list) < maxEvents; {
		last := t.sentenceEnd(first)
		for _, q := range k.s.valuesIn(passage{user, first, last}) {
			if r.isPast(&q, first, last) {
				list = append(list, q)
			}
		}
		first = last + 1
	}
	return list[:min(len(list), maxEvents)]
}

// compare compares the quantities stated in a sentence with a fact, see [value.against], and
// reports one that agrees or else one that contradicts. A quantity of the USER's events is not a
// contradiction.
func (k *card) compare(r *valueReader, f *cardFact, stated, events []value, p passage,
	reported map[string]bool) {
	from, to := -1, 0 // the words that contradict
	if h := k.firstIn(f.never, p); h != nil {
		from, to = int(h.first), int(h.last)
	}
	if h := k.firstIn(f.about.phrases, p); h != nil && f.value.slot.kind == amount &&
		f.value.bound == exactly && f.value.n > 0 { // "delivery is free"
		at := int(h.last) + 2
		if r.is(at-1, "is", "are") && r.is(at, "free") && (at == p.last || r.is(at+1, "of")) {
			from, to = int(h.first), at
		}
	}
	det := k.contradicts
	for i := range stated {
		q := &stated[i]
		relation := q.against(&f.value)
		if relation == agreeing {
			det, from, to = k.agrees, q.first, q.last
			break
		}
		happened := slices.ContainsFunc(events,
			func(e value) bool { return e.slot == q.slot && e.high == q.high })
		if relation == contrary && from < 0 && !happened && !r.isPast(q, p.first, p.last) &&
			!r.isNear(q, &f.value) && !r.isSooner(q, &f.value) {
			from, to = q.first, q.last
		}
	}
	if id := det.ID + " " + f.ID; from >= 0 && !reported[id] {
		reported[id] = true
		k.s.emit(det, p.turn, from, to).Fact = f.ID
	} else if from < 0 && k.watch.Unmatched != nil {
		k.watch.Unmatched[f.ID] = r.text[r.tokens[p.first].start:r.tokens[p.last].end]
	}
}
