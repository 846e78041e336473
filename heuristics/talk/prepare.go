package talk

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Prepare reads d in one pass, in which each step uses the steps before it. If kind is nil, the
// dialogue determines it.
func (s *Talk) Prepare(lex *Lexicon, d dialogue.Dialogue, kind *Kind) {
	s.Lex, s.Dialogue = lex, d
	s.Turns, s.Blocks = s.Turns[:0], s.Blocks[:0]
	s.Tokens, s.Hits = s.Tokens[:0], s.Hits[:0]

	for i, t := range d.Turns {
		said := t.Text
		if t.Role == dialogue.System { // the name under the USER's letter is a detail
			said = text.Unsigned(said)
		}
		s.Turns = append(s.Turns, text.Turn{N: i + 1, Role: t.Role, Text: said})
		s.Tokens = lex.Vocabulary.Tokenise(&s.Turns[i], s.Tokens)
	}
	rest := s.Tokens // turns share the backing array, which no longer grows
	last := [3]int{-1, -1, -1}
	for i := range s.Turns {
		t := &s.Turns[i]
		t.Tokens, rest = rest[:t.Words:t.Words], rest[t.Words:]
		s.findPhrases(i)
		s.mute(i)
		t.Before, last[t.Role] = last, i
		if t.Role == dialogue.Other {
			continue
		}
		if n := len(s.Blocks); n == 0 || s.Blocks[n-1].Role != t.Role {
			s.Blocks = append(s.Blocks, Block{Role: t.Role})
		}
		block := &s.Blocks[len(s.Blocks)-1]
		block.Turns = append(block.Turns, i)
	}
	for c := range s.Lex.Lists {
		s.Of[c] = s.Of[c][:0]
	}
	for k := range s.Hits {
		s.Of[s.Hits[k].Class] = append(s.Of[s.Hits[k].Class], k)
	}
	s.readKind(kind)
	s.readPlainQuestions()
	s.readValues()
	s.Bags.Read(s.Turns)
	s.readUptake()
	s.readRequests()
}

// findPhrases records the classes that occur in turn i.
func (s *Talk) findPhrases(i int) {
	t := &s.Turns[i]
	t.Hits.Start = len(s.Hits)
	phrases := s.PhrasesOf(t)
	for _, m := range phrases {
		of := &s.Lex.Lists[m.Class]
		h := Hit{Passage: t.At(m.First, m.Last), Class: m.Class, Points: int32(m.Points)}
		if h.Points == 0 && of.Summed {
			h.Points = int32(of.Points)
		}
		if (of.negatable || of.reverses) && t.Negated(m.First) {
			h.Negated = of.negatable
			h.Points = -h.Points * 3 / 5 // "not bad" is less good than "good"
		}
		h.Negated = h.Negated || of.uncited && t.Cites(m.First, m.Last) ||
			of.Except != (text.ClassSet{}) && overlapsOne(m, phrases, &of.Except)
		old := find(s.Hits[t.Hits.Start:], m.Class)
		if old == nil {
			s.Hits = append(s.Hits, h)
		} else {
			h.Points += old.Points
			isBetter := old.Negated || of.State != unknown // of states, the last counts
			if isBetter && !h.Negated {
				*old = h
			}
			old.Points = h.Points
		}
		if !h.Negated {
			t.Has.Add(m.Class)
		}
	}
	t.Hits.End = len(s.Hits)
}

// maxPhrase is more than the number of words of any phrase.
const maxPhrase = 40

// overlapsOne reports whether a phrase overlaps one of some classes. The phrases of a turn are in
// the order of their first words.
func overlapsOne(m text.Match, phrases []text.Match, of *text.ClassSet) bool {
	from, _ := slices.BinarySearchFunc(phrases, m.First-maxPhrase,
		func(o text.Match, first int) int { return cmp.Compare(o.First, first) })
	for _, o := range phrases[from:] {
		if o.First > m.Last {
			break
		}
		if of.Has(o.Class) && o.Last >= m.First {
			return true
		}
	}
	return false
}

// openingTurns is how many turns of the USER show the kind of conversation. More are read if these
// are mere greetings.
const openingTurns = 2

// Minimum sums of phrase points, in hundredths, that make a dialogue a service case or show that
// the USER confides feelings. The USER's phrases must reach enoughBrought, or those of both sides
// enoughShown. In an errand, both sides must also reach enoughBeside, unless the USER's phrases
// reach enoughUnsought and the USER seeks nothing. In talk about films, the USER's must reach
// enoughOfFilms. Feelings must reach enoughFelt, or enoughFeltBeside if an errand or films are
// mentioned too.
const (
	enoughBrought    = 50
	enoughShown      = 75
	enoughBeside     = 100
	enoughUnsought   = 75
	enoughOfFilms    = 150
	enoughFelt       = 100
	enoughFeltBeside = 225
)

// reference is the points of a reference in the USER's opening, in hundredths.
const reference = 50

// fewestOpening is the minimum number of words of an opening that states a matter; "Hello" does
// not.
const fewestOpening = 4

// readKind determines the kind, unless it has been set, and whether the USER confides feelings. A
// dialogue with confided feelings is not a service case: the feelings must outweigh the phrases of
// a fault or a help desk, and nobody may mention a company's usual matters unless the feelings are
// grave. A USER who opens with no errand, film or feelings has a matter with the company. If there
// is an errand, the points of fault and help desk phrases in the USER's opening and in the SYSTEM's
// turns, and of references there, must reach a threshold. The evidence is the USER's strongest
// phrase, or else the first words.
func (s *Talk) readKind(set *Kind) {
	s.Kind, s.Shows = RequestKind, Hit{Passage: text.Passage{Turn: -1}}
	lastOpening, openings, words := -1, 0, 0
	for i, t := range s.Spoken(dialogue.User) {
		if openings == 0 {
			s.Shows = Hit{Passage: t.Whole()}
		}
		words += t.Words
		if lastOpening, openings = i, openings+1; openings >= openingTurns &&
			words >= fewestOpening {
			break
		}
	}
	first := s.Shows
	var brought, answered int32 // points, in hundredths
	for h := range s.HitsOf(s.Lex.Class.KindService) {
		switch {
		case h.Points <= 0:
		case s.Turns[h.Turn].Role == dialogue.System:
			answered += h.Points
		case h.Turn <= lastOpening:
			if brought += h.Points; h.Points > s.Shows.Points {
				s.Shows = *h
			}
		}
	}
	for i, t := range s.Spoken(dialogue.User) {
		if i <= lastOpening && slices.ContainsFunc(t.Tokens, t.IsReference) {
			brought += reference
		}
	}
	inOpening := func(i int) bool { return s.Hits[i].Turn <= lastOpening }
	c := &s.Lex.Class
	films := len(s.Of[c.WordsFilms]) > 1 || slices.ContainsFunc(s.Of[c.WordsFilms], inOpening)
	errand := slices.ContainsFunc(s.Of[c.WordsErrand], inOpening)
	wanted := slices.ContainsFunc(s.Of[c.WordsWanted], inOpening)
	seeks := wanted || slices.ContainsFunc(s.Of[c.WordsSeeks], inOpening)
	felt := int32(0)
	for h := range s.HitsOf(c.WordsFeelings) {
		if h.Turn <= lastOpening && s.Turns[h.Turn].Role == dialogue.User {
			felt += h.Points
		}
	}
	matter := len(s.Of[c.WordsMatter]) > 0 && !slices.ContainsFunc(s.Of[c.WordsGrave], inOpening)
	s.Confides = !matter && felt > brought && felt >= enoughFelt &&
		(felt >= enoughFeltBeside && len(s.Of[c.WordsFilms]) <= openingTurns || !films && !errand)
	isService := false
	switch {
	case s.Confides:
	case films && (seeks || len(s.Of[c.WordsFilms]) > 1):
		isService = brought >= enoughOfFilms
	case films || errand || wanted:
		isService = brought >= enoughBrought && brought+answered >= enoughBeside ||
			brought >= enoughUnsought && !seeks
	case words >= fewestOpening:
		isService = brought >= enoughBrought || felt == 0 && brought+answered >= enoughShown
	}
	if isService {
		s.Kind = ServiceKind
	}
	s.Films = films && s.Kind == RequestKind
	if set != nil {
		s.Kind, s.Shows = *set, first
	}
}

const (
	// englishShare: if at least every third word is an English function word, the dialogue is
	// English. In 2,800 English dialogues, the lowest share is 40 %.
	englishShare = 3
	// fewestForeign is the minimum number of words that indicate another language. Names and
	// addresses have fewer: at most five in 2,800 dialogues.
	fewestForeign = 8
	// In a short dialogue, three are enough if they are at least a quarter of its words.
	fewestInShort = 3
	foreignShare  = 4
)

// Unreadable returns an error if there is nothing to judge: the USER only greets, or the dialogue
// is mostly not in English, the only language of the lists. A dialogue in mixed languages is
// English unless another language has twice as many words.
func (s *Talk) Unreadable() error {
	if s.onlyGreets() {
		return &rubric.Unscored{
			Reason: "the USER says nothing but a greeting, so there is nothing to judge",
		}
	}
	english, words := 0, 0
	for i := range s.Turns {
		if t := &s.Turns[i]; t.Role != dialogue.Other {
			for k := range t.Tokens {
				if t.Tokens[k].Is(text.Stopword) {
					english++
				}
				if !t.Tokens[k].Is(text.Number) {
					words++
				}
			}
		}
	}
	if english*englishShare >= words {
		return nil
	}
	found, in := s.foreignWords()
	short := found >= fewestInShort && found*foreignShare >= words && found > 3*english
	if found < fewestForeign && !short || found < 2*english {
		return nil
	}
	return &rubric.Unscored{
		Reason: "the dialogue is mostly " + in + "; the rules read English only",
	}
}

// maxGreeting is the maximum number of words in a turn that only greets.
const maxGreeting = 6

// onlyGreets reports whether each of the USER's turns is a greeting: after it comes at
// most a name, as in "Hello Anna", or a call, as in "Hi, is anyone there?".
func (s *Talk) onlyGreets() bool {
	greets := false
	for i, t := range s.Spoken(dialogue.User) {
		h := s.Hit(i, s.Lex.Class.WordsHello)
		if h == nil || t.Words > maxGreeting {
			return false
		}
		for k := h.Last + 1; k < t.Words; k++ {
			isName := k == t.Words-1 && t.Tokens[k].Is(text.Capital) &&
				!t.Tokens[k].Is(text.OpensClause)
			if !isName && !t.Is(k, "there", "anyone", "anybody", "someone", "is", "are", "you",
				"here", "again", "all", "everyone") {
				return false
			}
		}
		greets = true
	}
	return greets
}

// foreignWords returns the number of words that are not English, and their language or script: the
// one with the most words, and the first in case of a tie. A capitalised word inside a sentence is
// a name, and a word may belong to several languages.
func (s *Talk) foreignWords() (words int, in string) {
	counts := make([]int, len(s.Lex.languages))
	for i := range s.Turns {
		t := &s.Turns[i]
		for k, tok := range t.Tokens {
			if t.Role == dialogue.Other || tok.Is(text.Stopword|text.Number) {
				continue
			}
			word := t.Word(k)
			first, _ := utf8.DecodeRuneInString(word)
			switch {
			case first >= 0x250 && !unicode.Is(unicode.Latin, first):
				n := 1
				if first >= 0x2e80 { // written without spaces: a word has about two characters
					n = (utf8.RuneCountInString(word) + 1) / 2
				}
				words += n
				for i := range counts {
					if unicode.In(first, s.Lex.languages[i].scripts...) {
						counts[i] += n
					}
				}
			case tok.Is(text.Capital) && !tok.Is(text.OpensSentence):
			case tok.Is(text.Foreign):
				words++
				lower, _ := text.LowerWord(word, 0, nil)
				for i := range counts {
					if s.Lex.languages[i].words[string(lower)] {
						counts[i]++
					}
				}
			case strings.ContainsFunc(word, func(r rune) bool { return r >= 'À' && r < 0x280 }):
				words++ // accents are rare in English: "café"
			}
		}
	}
	most := min(words, fewestForeign) / 2
	in = "not in English"
	for i, n := range counts {
		if n > most {
			in, most = "in "+s.Lex.languages[i].name, n
		}
	}
	return words, in
}

// templateMarks are the turn markers in models' chat templates, which nobody types, one a line.
//
//go:embed template-marks.txt
var templateMarks string

// mute removes from a turn the sentences that address the judge, and everything that follows the
// marker of a chat template, so that they cannot affect the scores. What else the turn says counts:
// a speaker who addresses the judge gains nothing by it.
//
// A turn addresses the judge with a phrase that is said to nobody else, with two of three phrases
// that are each common, or with such a marker.
func (s *Talk) mute(i int) {
	t := &s.Turns[i]
	if t.Role == dialogue.Other {
		return
	}
	kinds, mark := 0, templateMark(t)
	for _, h := range s.Hits[t.Hits.Start:t.Hits.End] {
		kinds += s.addressesJudge(h.Class)
	}
	if kinds < 2 && mark < 0 {
		return
	}
	kept := []byte(t.Text)
	t.Attack = text.Span{Start: len(kept)}
	remove := func(from, to int) {
		t.Attack.Start, t.Attack.End = min(t.Attack.Start, from), max(t.Attack.End, to)
		for k := from; k < to; k++ {
			kept[k] = ' ' // all other words stay where they are
		}
	}
	for _, m := range s.matches {
		if s.addressesJudge(m.Class) > 0 {
			from, to := int(t.Tokens[t.SentenceStart(m.First)].Start), len(t.Text)
			if after := t.SentenceEnd(m.Last) + 1; after < t.Words {
				to = int(t.Tokens[after].Start)
			}
			to = from + len(strings.TrimSpace(t.Text[from:to]))
			remove(max(from, t.Attack.End), to) // a sentence with many phrases is removed once
		}
	}
	if mark >= 0 {
		remove(mark, len(kept))
	}
	s.Hits, t.Has, t.Quotes = s.Hits[:t.Hits.Start], text.ClassSet{}, t.Quotes[:0]
	t.Text, t.Asks, t.Exclaims = string(kept), 0, 0
	t.Tokens = s.Lex.Vocabulary.Tokenise(t, t.Tokens[:0])
	if t.Words == 0 {
		t.Role = dialogue.Other // nobody said anything to anybody
	}
	s.findPhrases(i)
}

// addressesJudge returns how much a phrase of a class shows that the judge is addressed; 2 is
// enough.
func (s *Talk) addressesJudge(c text.Class) int {
	switch c {
	case s.Lex.Class.SafetyInjection:
		return 2
	case s.Lex.Class.SafetyJudging, s.Lex.Class.SafetyDemands, s.Lex.Class.SafetyDismissals:
		return 1
	}
	return 0
}

// templateMark returns where the first marker of a chat template in t begins, or -1.
func templateMark(t *text.Turn) int {
	first := -1
	if t.Tagged {
		for mark := range strings.Lines(templateMarks) {
			at := strings.Index(t.Text, strings.TrimSpace(mark))
			if at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
	}
	return first
}
