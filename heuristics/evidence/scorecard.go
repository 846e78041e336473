package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Scorecard searches dialogues for the phrases of a rubric's questions, and compares the values
// that the SYSTEM states with the rubric's facts. It is safe for concurrent use.
type Scorecard struct {
	vocabulary text.Vocabulary    // of the lexicon and of the phrases
	automata   [3]*text.Automaton // by dialogue.Role
	lists      int                // the number of lists of phrases
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
	value quantity.Value
	about *cardPattern
	never text.Class
}

// cardPattern is a compiled [rubric.Pattern].
type cardPattern struct {
	phrases, unless text.Class // lists
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
func (rules *Rules) Scorecard(r rubric.Rubric) (*Scorecard, error) {
	if len(r.Questions)+len(r.Facts) == 0 {
		return nil, nil
	}
	c := &cardCompiler{Scorecard: &Scorecard{vocabulary: maps.Clone(rules.Lexicon.Vocabulary)},
		lex: rules.Lexicon}
	for role := range c.patterns {
		c.patterns[role] = text.NewPatterns(0)
	}
	c.contradicts = rules.byID[ContradictsFact]
	c.agrees = rules.byID[agreesWithFact]
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
		if c.automata[role] = p.Compile(maxCardStates); c.automata[role] == nil {
			return nil, fmt.Errorf("1:1: the phrases have too many combinations; " +
				"want fewer alternatives that begin alike")
		}
	}
	return c.Scorecard, nil
}

// cardCompiler compiles a scorecard. Its error is the first one.
type cardCompiler struct {
	*Scorecard
	lex      *talk.Lexicon
	patterns [3]*text.Patterns
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
		s, not := strings.CutPrefix(name.Text, "not-")
		holds, err := text.LookUp("condition", s, positions)
		if err != nil {
			c.fail(name, "%v", err)
		}
		out.where = append(out.where, condition{holds, not})
	}
	return out
}

// list adds a list of phrases to find in turns of the given roles, and returns its number.
func (c *cardCompiler) list(phrases []rubric.Phrase, roles ...dialogue.Role) text.Class {
	n := text.Class(c.lists)
	c.lists++
	c.add(n, phrases, roles...)
	return n
}

func (c *cardCompiler) add(to text.Class, phrases []rubric.Phrase, roles ...dialogue.Role) {
	for _, p := range phrases {
		groups, end, err := c.parse(p.Text, to)
		if err != nil {
			c.fail(p, "%v", err)
			continue
		}
		for _, role := range roles {
			c.patterns[role].Add(groups, end, c.vocabulary)
		}
	}
}

// phraseWords matches the text between spaces and the special characters of a phrase.
var phraseWords = regexp.MustCompile(`[^(|) ]+`)

// groupEnd matches the end of a group that is not the end of a word.
var groupEnd = regexp.MustCompile(`\)[^ ]`)

// parse returns the words of a phrase as turns are searched for them, and where it may occur.
func (c *cardCompiler) parse(s string, of text.Class) ([][]string, text.PhraseEnd, error) {
	s, end := text.CutMarks(strings.Join(strings.Fields(s), " "), of)
	if i := strings.IndexAny(s, `*\[]{}`); i >= 0 {
		return nil, end, fmt.Errorf("%q means nothing in a phrase; want the words themselves, "+
			"such as complain(|s|ed|t)", s[i:i+1])
	}
	for i, tok := range c.vocabulary.Tokenise(&text.Turn{Text: s}, nil) {
		if i > 0 && tok.Is(text.OpensSentence) && !end.Anchored {
			return nil, end, fmt.Errorf("a sentence ends inside %q, where no phrase goes "+
				"on; want the words of one sentence", s)
		}
	}
	var err error
	words := 0
	s = phraseWords.ReplaceAllStringFunc(s, func(part string) string {
		t := text.Turn{Text: part}
		var list []string
		for _, tok := range c.vocabulary.Tokenise(&t, nil) {
			word, _ := text.LowerWord(part, int(tok.Start), nil)
			list = append(list, string(word))
		}
		if list == nil {
			err = cmp.Or(err, fmt.Errorf("%q can never match, because it contains no word; "+
				"want words and numbers, such as complain(|s|ed|t)", part))
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
	groups, err := text.ParseLine(s)
	if err == nil && len(groups) > maxPhraseWords {
		err = fmt.Errorf("the phrase has %d words; want at most %d", len(groups), maxPhraseWords)
	}
	if err == nil && groupEnd.MatchString(s) {
		err = fmt.Errorf("%q goes on after a group without a space; want the whole words in the "+
			"group, such as (happy|unhappy)", s)
	}
	return groups, end, err
}

// value reads the value of a fact.
func (c *cardCompiler) value(p rubric.Phrase) quantity.Value {
	if p == (rubric.Phrase{}) { // the fact has only phrases that contradict it
		return quantity.Value{}
	}
	for _, unit := range []string{"", " o'clock"} { // "8-6" is a range of hours
		t := &text.Turn{Text: p.Text + unit}
		t.Tokens = c.lex.Vocabulary.Tokenise(t, nil)
		if len(t.Tokens) == 0 {
			break
		}
		r := &quantity.Reader{Turn: t, Known: c.lex.Words}
		list := r.Append(nil, 0)
		if len(list) == 1 && list[0].IsRule() && (unit == "" || list[0].IsRange()) {
			c.checkValue(p, &list[0])
			if r.Within(0, len(t.Tokens), "denying") {
				c.fail(p, "%q denies something, which a value cannot; want in never: the words "+
					"that contradict it, such as \"open on Sunday\"", p.Text)
			}
			return list[0]
		}
	}
	c.fail(p, "%q is not one value of money, percent or time; want one such as 14 days, 3 to 5 "+
		"working days, within 14 days, over £40, 20 cents, 15 %%, 8 pm, 10 am to 4 pm, "+
		"Sunday, 24 December or, for what is free, 0 euros", p.Text)
	return quantity.Value{}
}

// negative matches a value below zero, whose sign [quantity.Reader] does not read; oneEnd matches
// words that begin or end like a range.
var (
	negative = regexp.MustCompile(`^(?:[-–−]|(?i:minus)\b)`)
	oneEnd   = regexp.MustCompile(`(?i)^(between|to)\b|(\b(to|till|until|and)|[-–—])\s*$`)
)

// checkValue reports a value below zero, a day that no year has, a range with one end, and one that
// ends before it begins. Only times of the day may continue in the next one: "10 pm to 4 am".
func (c *cardCompiler) checkValue(p rubric.Phrase, v *quantity.Value) {
	isDay := func(n int32) bool { // in a leap year
		day := time.Date(2024, time.Month(n/32), int(n%32), 0, 0, 0, 0, time.UTC)
		return n < 32 || day.Day() == int(n%32)
	}
	switch {
	case negative.MatchString(p.Text):
		c.fail(p, "%q is negative; want a value that the SYSTEM may state, such as 5 days", p.Text)
	case v.Slot.Kind == quantity.Date && !isDay(v.N):
		c.fail(p, "%q is not a day of any year", p.Text)
	case !v.IsRange() && oneEnd.MatchString(p.Text):
		c.fail(p, "%q has one end of a range; want both, as in 10 am to 4 pm", p.Text)
	case v.Slot.Kind >= quantity.Amount && v.High < v.N:
		c.fail(p, "%q ends before it begins; want the smaller number first", p.Text)
	}
}

// card is a scorecard applied to one dialogue.
type card struct {
	*Scorecard
	watch *Watch
	s     *analysis
	found [][]talk.Hit // by list and turn
}

// run reports the signals of the questions and of the facts that hold. It must run after all
// detectors, because it numbers the words that they do not know.
func (c *Scorecard) run(s *analysis, w *Watch) {
	k := card{c, w, s, make([][]talk.Hit, c.lists)}
	k.search()
	for _, p := range c.signals {
		if hits := k.turns(p.cardPattern); len(hits) >= p.times {
			s.emit(&detector{Detector: Detector{ID: p.id}}, hits[p.times-1].Passage)
		}
	}
	k.facts()
}

// search finds the phrases in the turns of USER and SYSTEM.
func (k *card) search() {
	var word [64]byte
	var matches []text.Match
	for i := range k.s.Turns {
		t := &k.s.Turns[i]
		if t.Role == dialogue.Other {
			continue
		}
		for n := range t.Tokens {
			if tok := &t.Tokens[n]; tok.Word == 0 {
				lower, _ := text.LowerWord(t.Text[:tok.End], int(tok.Start), word[:0])
				tok.Word = k.vocabulary[string(lower)].Number
			}
		}
		matches = k.automata[t.Role].Scan(t.Tokens, matches[:0])
		for _, m := range matches {
			hits := k.found[m.Class]
			n := len(hits)
			full := n >= maxCardHits && hits[n-maxCardHits].Turn == i
			after := m.Last + 1
			ofCourseNot := t.GoesOn(after) && t.Is(after, "not") && !t.GoesOn(after+1)
			if !full && !ofCourseNot && !t.Negated(m.First) {
				k.found[m.Class] = append(hits, talk.Hit{Passage: t.At(m.First, m.Last)})
			}
		}
	}
}

// turns returns the first hit of a pattern in each turn that matches it.
func (k *card) turns(p *cardPattern) (list []talk.Hit) {
	if p == nil {
		return nil
	}
	before, after := k.turns(p.before), k.turns(p.after)
	if p.after != nil && len(after) == 0 {
		return nil
	}
	for i := range k.found[p.phrases] {
		h := &k.found[p.phrases][i]
		switch {
		case len(list) > 0 && list[len(list)-1].Turn == h.Turn,
			len(before) > 0 && !precedes(h, &before[0]),
			len(after) > 0 && !precedes(&after[0], h),
			k.firstIn(p.unless, k.s.Turns[h.Turn].Whole()) != nil,
			!isPlaced(k.s, h, p.where):
		default:
			list = append(list, *h)
		}
	}
	return list
}

// precedes reports whether a ends before b begins.
func precedes(a, b *talk.Hit) bool {
	return a.Turn < b.Turn || a.Turn == b.Turn && a.Last < b.First
}

// firstIn returns the first hit of a list in a passage, or nil.
func (k *card) firstIn(list text.Class, p text.Passage) *talk.Hit {
	all := k.found[list]
	at, _ := slices.BinarySearchFunc(all, p.Turn,
		func(h talk.Hit, turn int) int { return cmp.Compare(h.Turn, turn) })
	for ; at < len(all) && all[at].Turn == p.Turn; at++ {
		if h := &all[at]; h.First >= p.First && h.Last <= p.Last {
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
		*hits = slices.DeleteFunc(*hits, func(h talk.Hit) bool {
			return k.firstIn(f.about.unless, k.s.Turns[h.Turn].Around(h.Passage)) != nil ||
				!isPlaced(k.s, &h, f.about.where)
		})
		if len(*hits)+len(k.found[f.never]) > 0 && (k.watch.Valid == nil || k.watch.Valid(f.Fact)) {
			facts = append(facts, f)
		}
	}
	if len(facts) == 0 {
		return
	}
	user, events := -1, []quantity.Value(nil) // the last turn of the USER, and what happened in it
	for i, t := range k.s.Spoken(dialogue.System) {
		if last := k.s.Before(i, dialogue.User); last != user {
			user, events = last, k.events(last)
		}
		r := &quantity.Reader{Turn: t, Known: k.s.Lex.Words}
		asked := k.asked(facts, i)
		reported := map[string]bool{}
		for p := range t.Sentences() {
			about := k.about(facts, p)
			if len(about) == 0 { // then about the turn's earlier subject, or else the request
				about = k.continued(k.about(facts, t.At(0, p.First)), p)
			}
			if len(about) == 0 {
				about = k.continued(asked, p)
			}
			if len(about) == 0 || t.IsQuestion(p.Last) {
				continue
			}
			stated := slices.Concat(k.s.ValuesIn(p), r.OpeningHours(p))
			for _, f := range about {
				if k.firstIn(f.about.unless, p) == nil {
					k.compare(r, f, stated, events, p, reported)
				}
			}
		}
	}
}

// about returns the facts with a phrase in a passage.
func (k *card) about(facts []*cardFact, p text.Passage) (list []*cardFact) {
	for _, f := range facts {
		if k.firstIn(f.about.phrases, p) != nil || k.isDenied(f, p) {
			list = append(list, f)
		}
	}
	return list
}

// isDenied reports whether a phrase of never: in a passage contains one of about:, which its
// negation voids, as in "no refunds".
func (k *card) isDenied(f *cardFact, p text.Passage) bool {
	h := k.firstIn(f.never, p)
	if h == nil || len(f.about.where) > 0 {
		return false
	}
	t := &k.s.Turns[p.Turn]
	inside := k.automata[t.Role].Scan(t.Tokens[h.First:h.Last+1], nil)
	return slices.ContainsFunc(inside,
		func(m text.Match) bool { return m.Class == f.about.phrases })
}

// continued returns those of the facts that a sentence without a phrase of a fact is still about.
// "The" or "your" at its beginning introduces a new subject, except in a limit, as in "the longest
// it can take". Only facts about money or a percentage then continue.
func (k *card) continued(facts []*cardFact, p text.Passage) []*cardFact {
	r := &quantity.Reader{Turn: &k.s.Turns[p.Turn], Known: k.s.Lex.Words}
	if !r.Tokens[p.First].Is(text.Article) || r.Within(p.First+1, p.First+2, "over", "under") {
		return facts
	}
	return slices.DeleteFunc(slices.Clone(facts), func(f *cardFact) bool {
		return f.value.Slot.Kind != quantity.Amount && f.value.Slot.Kind != quantity.Percent
	})
}

// asked returns the facts that the USER asks about before turn i: those of the last turn with a
// phrase of one, if a turn of the USER asks something, or the last one wishes for it.
func (k *card) asked(facts []*cardFact, i int) (list []*cardFact) {
	asks := false
	for u := i - 1; u >= max(0, i-requestTurns) && (list == nil || !asks); u-- {
		t := &k.s.Turns[u]
		if list == nil {
			list = k.about(facts, t.Whole())
		}
		r := &quantity.Reader{Turn: t, Known: k.s.Lex.Words}
		asks = asks || t.Role == dialogue.User &&
			(t.Asks > 0 || r.Within(0, maxRead-1, "asking") || list != nil &&
				u == k.s.Before(i, dialogue.User) && r.Within(0, maxRead-1, "wishing"))
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
func (k *card) events(user int) (list []quantity.Value) {
	t := &k.s.Turns[user]
	r := &quantity.Reader{Turn: t, Known: k.s.Lex.Words}
	for p := range t.Sentences() {
		for _, q := range k.s.ValuesIn(p) {
			if len(list) < maxEvents && r.IsPast(&q, p.First, p.Last) {
				list = append(list, q)
			}
		}
	}
	return list
}

// compare compares the quantities stated in a sentence with a fact, see [quantity.Value.Against],
// and reports one that agrees or else one that contradicts. Of opening hours, each end must agree.
// A quantity of the USER's events is not a contradiction.
func (k *card) compare(r *quantity.Reader, f *cardFact, stated, events []quantity.Value,
	p text.Passage, reported map[string]bool) {
	from, to := k.free(r, f, p) // the words that contradict
	if h := k.firstIn(f.never, p); h != nil && from < 0 {
		from, to = h.First, h.Last
	}
	isAbout := k.firstIn(f.about.phrases, p) != nil || r.Within(p.First, p.First+1, "pronoun")
	det, decided := k.contradicts, quantity.Value{}
	for _, q := range stated {
		q = r.AsRule(q, &f.value)
		isPast := r.IsPast(&q, p.First, p.Last)
		happened := slices.ContainsFunc(events,
			func(e quantity.Value) bool { return e.Slot == q.Slot && e.High == q.High })
		otherEnd := q.Slot.Kind == quantity.Clock && decided.Bound != q.Bound &&
			decided.Bound != quantity.Exactly && q.Bound != quantity.Exactly
		agreed := det == k.agrees
		relation := q.Against(&f.value)
		if relation == quantity.Inside && isAbout && r.Comes(&q) {
			relation = quantity.Agreeing
		}
		switch {
		case relation == quantity.Agreeing && !agreed && !otherEnd &&
			!(isPast && q.Slot.Kind == quantity.Clock):
			det, from, to, decided = k.agrees, q.First, q.Last, q
		case relation == quantity.Contrary && (from < 0 || agreed && otherEnd) && !happened &&
			!isPast && !r.IsDone(&q, p.First) && !r.IsNear(&q, &f.value) &&
			!r.IsSooner(&q, &f.value):
			det, from, to, decided = k.contradicts, q.First, q.Last, q
		}
	}
	if id := det.ID + " " + f.ID; from >= 0 && !reported[id] {
		reported[id] = true
		k.s.emit(det, k.s.Turns[p.Turn].At(from, to)).Fact = f.ID
	} else if from < 0 && k.watch.Unmatched != nil {
		k.watch.Unmatched[f.ID] = r.Text[r.Tokens[p.First].Start:r.Tokens[p.Last].End]
	}
}

// free returns the first and last word with which a sentence says that the subject of a price costs
// nothing in every case, or -1. If the sentence does not name it, the USER must ask for a price.
func (k *card) free(r *quantity.Reader, f *cardFact, p text.Passage) (from, to int) {
	if f.value.Slot.Kind != quantity.Amount || f.value.Bound != quantity.Exactly || f.value.N == 0 {
		return -1, -1
	}
	h, u := k.firstIn(f.about.phrases, p), k.s.Before(p.Turn, dialogue.User)
	asks := h == nil && u >= 0 &&
		(&quantity.Reader{Turn: &k.s.Turns[u], Known: r.Known}).Within(0, maxRead-1, "price")
	named, at := false, p.Last
	for from, to = p.First, -1; at >= p.First; at-- {
		tok := &r.Tokens[at]
		says := r.Within(at, at, "free") && !r.Negated(at) ||
			r.Is(at, "no") && r.GoesOn(at+1) && r.Within(at+1, at+2, "charge") ||
			r.Is(at, "nothing") && (at == p.First || r.Within(at-1, at-1, "charge"))
		isSubject := h.Meets(text.Passage{First: at, Last: at}) ||
			asks && tok.IsContent() && k.s.Says(u, tok.Stem)
		if !says && !isSubject && !r.Within(at, at, "free", "free-with", "charge") {
			break
		}
		if named = named || isSubject; says && to < 0 {
			to = at
		}
	}
	if h != nil {
		from = h.First
	}
	if to < 0 || h == nil && !asks || !named && at >= p.First {
		return -1, -1
	}
	return min(from, to), max(from, to)
}
