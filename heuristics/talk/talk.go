// Package talk reads what the two sides of a dialogue say, and judges none of it.
//
//	Does a turn ask, refuse, complain, thank or close?       talk.go: AsksIn to Complains
//	Is it English? Which kind of conversation is it?         prepare.go: Unreadable, readKind
//	What addresses the judge, and is not read?               prepare.go: mute
//	Does an answer hold, or how does the USER reject it?     uptake.go: readUptake
//	What does the USER request, and what became of it?       requests.go: readRequests
//	When is there no answer?                                 requests.go: hearSystem, conclude
//	Which phrases are searched for?                          lexicon.go: Lexicon
package talk

import (
	"iter"
	"slices"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// Talk is what the two sides of a dialogue say. It is tokenised once, and every phrase of every
// list is found in one pass. It is reused for one dialogue after another.
type Talk struct {
	Lex      *Lexicon
	Dialogue dialogue.Dialogue
	Turns    []text.Turn
	Blocks   []Block
	Kind     Kind
	Shows    Hit  // the evidence for a service case; its turn is -1 if there is none
	Confides bool // the USER opens with feelings, not with a matter or an errand
	Films    bool // they talk about films

	Tokens  []text.Token
	Hits    []Hit                            // by turn, in the order found
	Of      [64 * len(text.ClassSet{})][]int // indexes into hits, by class
	matches []text.Match                     // of the current turn

	Values  []quantity.Value  // what speakers mention, by turn
	figures []quantity.Figure // by turn
	Bags    text.Bags         // what turns are about

	Uptakes    []uptake  // the USER's reaction to each turn of the SYSTEM: see uptake.go
	LastFailed int       // the last turn whose answer fails, or -1
	Requests   []Request // see requests.go
	Objected   int       // the USER's last turn with an objection to an answer, from 1, or 0
	stated     []uint32  // the stems in the statements of a block, sorted
	statedIn   int       // the block of stated, or -1
}

// BlocksOf yields the blocks of one side: their indexes and turns.
func (s *Talk) BlocksOf(r dialogue.Role) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for b := range s.Blocks {
			if s.Blocks[b].Role == r && !yield(b, s.Blocks[b].Turns) {
				return
			}
		}
	}
}

// FirstTurn returns the first turn of block b.
func (s *Talk) FirstTurn(b int) int { return s.Blocks[b].Turns[0] }

// LastTurn returns the last turn of block b.
func (s *Talk) LastTurn(b int) int { return s.Blocks[b].Turns[len(s.Blocks[b].Turns)-1] }

// Block is a sequence of turns by one speaker, possibly with turns of OTHER between them.
type Block struct {
	Role  dialogue.Role
	Turns []int // indexes into Talk.Turns
}

// Hit is an occurrence of a class in a turn: its first phrase that is not void.
type Hit struct {
	text.Passage
	Class   text.Class
	Negated bool  // all phrases found are void: negated or cited
	Points  int32 // sum of the phrases' own points; those of negated phrases change sign
}

// Meets reports whether h is not nil and overlaps a passage.
func (h *Hit) Meets(p text.Passage) bool { return h != nil && h.Passage.Meets(p) }

// HitsOf yields the hits of a class.
func (s *Talk) HitsOf(c text.Class) iter.Seq[*Hit] {
	return func(yield func(*Hit) bool) {
		for _, k := range s.Of[c] {
			if !yield(&s.Hits[k]) {
				return
			}
		}
	}
}

// PhrasesOf returns every phrase in a turn. It is valid until the next call.
func (s *Talk) PhrasesOf(t *text.Turn) []text.Match {
	s.matches = s.Lex.automata()[t.Role].Scan(t.Tokens, s.matches[:0])
	return s.matches
}

// Meets reports whether a phrase of a class, which need not be the first of its turn, overlaps a
// passage.
func (s *Talk) Meets(c text.Class, p text.Passage) bool {
	isIn := func(m text.Match) bool {
		return m.Class == c && p.Meets(text.Passage{First: m.First, Last: m.Last})
	}
	return s.Hit(p.Turn, c) != nil && slices.ContainsFunc(s.PhrasesOf(&s.Turns[p.Turn]), isIn)
}

func find(hits []Hit, c text.Class) *Hit {
	for k := range hits {
		if hits[k].Class == c {
			return &hits[k]
		}
	}
	return nil
}

// Hit returns the hit of a class in turn i, negated or not, or nil.
func (s *Talk) Hit(i int, c text.Class) *Hit {
	t := &s.Turns[i]
	return find(s.Hits[t.Hits.Start:t.Hits.End], c)
}

// Has reports whether turn i contains a phrase of the class that is not negated.
func (s *Talk) Has(i int, c text.Class) bool { return s.Turns[i].Has.Has(c) }

// Before returns the index of the last turn of role r before turn i, or -1.
func (s *Talk) Before(i int, r dialogue.Role) int { return s.Turns[i].Before[r] }

// Spoken yields the turns of one side that contain a word, with their indexes.
func (s *Talk) Spoken(r dialogue.Role) iter.Seq2[int, *text.Turn] {
	return func(yield func(int, *text.Turn) bool) {
		for i := range s.Turns {
			if t := &s.Turns[i]; t.Role == r && t.Words > 0 && !yield(i, t) {
				return
			}
		}
	}
}

// WordsOf returns the tokens of a passage.
func (s *Talk) WordsOf(p text.Passage) []text.Token {
	return s.Turns[p.Turn].Tokens[p.First : p.Last+1]
}

// IsAsked reports whether a passage ends in a question.
func (s *Talk) IsAsked(p text.Passage) bool { return s.Turns[p.Turn].InQuestion(p.Last) }

// FiguresOf returns the figures of turn i.
func (s *Talk) FiguresOf(i int) []quantity.Figure {
	t := &s.Turns[i]
	return s.figures[t.Figures.Start:t.Figures.End]
}

// ValuesOf returns the values of turn i.
func (s *Talk) ValuesOf(i int) []quantity.Value {
	at := s.Turns[i].Values
	return s.Values[at.Start:at.End]
}

// ValuesIn returns the values of a passage.
func (s *Talk) ValuesIn(p text.Passage) []quantity.Value {
	list := s.ValuesOf(p.Turn)
	from := slices.IndexFunc(list, func(v quantity.Value) bool { return v.First >= p.First })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(list) && list[to].Last <= p.Last {
		to++
	}
	return list[from:to]
}

// Says reports whether turn i contains a stem.
func (s *Talk) Says(i int, stem uint32) bool {
	t := &s.Turns[i]
	return s.Bags.Holds(t.Said, stem) || s.Bags.Holds(t.Asked, stem)
}

// maxInBlock is the maximum number of turns that are read in a block, which keeps the time linear.
const maxInBlock = 8

// firstOf returns the first turns of block b.
func (s *Talk) firstOf(b int) []int {
	turns := s.Blocks[b].Turns
	return turns[:min(len(turns), maxInBlock)]
}

// LastOf returns the last turns of block b.
func (s *Talk) LastOf(b int) []int {
	turns := s.Blocks[b].Turns
	return turns[max(0, len(turns)-maxInBlock):]
}

// readValues finds the values and the figures of every turn of the two sides.
func (s *Talk) readValues() {
	s.Values, s.figures = s.Values[:0], s.figures[:0]
	for i := range s.Turns {
		t := &s.Turns[i]
		t.Values.Start, t.Figures.Start = len(s.Values), len(s.figures)
		if t.Role != dialogue.Other {
			s.Values = s.AppendValues(s.Values, i)
			s.figures = quantity.AppendFigures(s.figures, t, i)
		}
		t.Values.End, t.Figures.End = len(s.Values), len(s.figures)
	}
}

// AppendValues appends the values of turn i.
func (s *Talk) AppendValues(list []quantity.Value, i int) []quantity.Value {
	r := &quantity.Reader{Turn: &s.Turns[i], Known: s.Lex.Words}
	return r.Append(list, i)
}

// Kind is the type of conversation of a dialogue. People rate a service case by other aspects than
// a request: an apology is a stock phrase there, and what matters is whether something is done.
type Kind uint8

// The kinds. A dialogue without an errand, films or feelings is a service case; see readKind.
const (
	RequestKind Kind = iota // the USER wants something found, booked or recommended, or just chats
	ServiceKind             // the USER has a matter with the company, such as a fault or an order
)

var namesOfKinds = [...]string{"request", "service"}

// String returns the name to show to people.
func (k Kind) String() string { return namesOfKinds[k] }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, error) {
	return text.LookUp("kind", name, map[string]Kind{
		RequestKind.String(): RequestKind, ServiceKind.String(): ServiceKind,
	})
}

// Failure is the way in which the USER rejects an answer.
type Failure uint8

const (
	Held       Failure = iota
	contested          // the USER objects to it with evidence
	askedAgain         // the USER repeats words of the request that the answer left out
	SaidBefore         // the USER says that it was said or done before
	unkept             // the USER says that a statement or promise did not come true
	Resigned           // the USER gives up on the SYSTEM
	Denied             // the USER denies a statement of the SYSTEM
	lacking            // the USER does not have what the SYSTEM talks about
)

// uptake describes whether an answer of the SYSTEM holds, or how it fails.
type uptake struct {
	How Failure
	By  text.Passage // the words of the USER that reject it
}

// Request is a request of the USER, and the last state that was reported of it.
type Request struct {
	Asked int          // the turn that makes it
	State State        // unknown if the SYSTEM has not replied yet
	Shown text.Passage // the words that report the state

	accepted, doubted bool // the USER goes on from the last answer, or neither that nor asks
	loose             bool // the answer is only a statement about the same thing
}

// requestBlocks is the number of USER blocks before an answer that can contain the request.
const requestBlocks = 3

// AsksIn reports whether the SYSTEM's block b contains a question.
func (s *Talk) AsksIn(b int) bool {
	return slices.ContainsFunc(s.LastOf(b), func(k int) bool { return s.Turns[k].Asks > 0 })
}

// wantsIn reports whether the SYSTEM's block b asks a question, or requests information or an item.
func (s *Talk) wantsIn(b int) bool {
	wants := func(k int) bool { return s.Has(k, s.Lex.Class.DetailsRequests) }
	return s.AsksIn(b) || slices.ContainsFunc(s.LastOf(b), wants)
}

// Thresholds in content words: an answer with fewer than offTopic words may still be about the
// request, and a turn with more than maxPressed is not a brief repetition.
const (
	offTopic   = 3
	maxPressed = 6
)

// isAbout reports whether block b shares a word with the USER's turn j.
func (s *Talk) isAbout(b, j int) bool {
	return slices.ContainsFunc(s.LastOf(b), func(k int) bool {
		return s.Bags.Shares(s.Turns[j].Said, s.Turns[k].Said) ||
			s.Bags.Shares(s.Turns[j].Said, s.Turns[k].Asked)
	})
}

// BlockSays reports whether a stem occurs in block b.
func (s *Talk) BlockSays(b int, stem uint32) bool {
	return slices.ContainsFunc(s.LastOf(b), func(k int) bool { return s.Says(k, stem) })
}

// plainSentence reports whether the sentence of token k of turn i is neither a denial nor an offer.
func (s *Talk) plainSentence(i, k int) bool {
	t := &s.Turns[i]
	return !t.Tokens[k].Is(text.Disputed) &&
		!s.Hit(i, s.Lex.Class.UptakeOffers).Meets(t.Sentence(k))
}

// repeatTurns is how far back a repetition is searched, in turns. Older statements may be repeated.
const repeatTurns = 8

// SaysAgain reports whether block b says the same outside its questions as an earlier turn of its
// speaker: at least offTopic words of content, all of them and no others.
func (s *Talk) SaysAgain(b int) bool {
	i := s.LastTurn(b)
	t := &s.Turns[i]
	for j := t.Before[t.Role]; j >= 0 && j > i-repeatTurns; j = s.Turns[j].Before[t.Role] {
		same := slices.Equal(s.Bags.Of(t.Said), s.Bags.Of(s.Turns[j].Said))
		if same && t.Said.Size() >= offTopic {
			return true
		}
	}
	return false
}

// IsStatement reports whether the sentence of a hit is not a question.
func (s *Talk) IsStatement(h *Hit) bool { return !s.IsAsked(h.Passage) }

// Completes reports whether the SYSTEM's turn i reports that something is done.
func (s *Talk) Completes(i int) bool {
	return s.Has(i, s.Lex.Class.OutcomeCompleted) &&
		s.IsStatement(s.Hit(i, s.Lex.Class.OutcomeCompleted))
}

// Reacts reports whether turn i is a reaction: the USER speaks after the SYSTEM has said something
// that can be judged. The USER's opening, or the answer to "How can I help?", states the problem
// and does not judge how it is handled.
func (s *Talk) Reacts(i int) bool {
	before := s.Before(i, dialogue.System)
	return s.Turns[i].Role == dialogue.User && before >= 0 &&
		(s.Before(before, dialogue.User) >= 0 || !s.Has(before, s.Lex.Class.WordsGreeting))
}

// Benign reports whether turn i is a no that closes a conversation: "No, I'm good" after any turn,
// or another no that wants nothing further if the SYSTEM asks whether there is anything else.
func (s *Talk) Benign(i int) bool {
	if s.Has(i, s.Lex.Class.WordsContentedNo) {
		return true
	}
	before := s.Before(i, dialogue.System)
	return before >= 0 && s.Has(i, s.Lex.Class.ReactionDeclines) &&
		s.Has(before, s.Lex.Class.OutcomeAsksMore)
}

// Rejects reports whether turn i rejects what the SYSTEM said. "No problem" is not a rejection, nor
// is the answer to a question about facts.
func (s *Talk) Rejects(i int) bool {
	c := &s.Lex.Class
	if !s.Has(i, c.ReactionRejects) || !s.Reacts(i) || s.Benign(i) || s.Has(i, c.WordsIdleNo) {
		return false
	}
	before := s.Before(i, dialogue.System)
	h := s.Hit(before, c.WordsAsksOutcome)
	return !s.Has(before, c.WordsAsksFact) || h != nil && !s.IsStatement(h)
}

// IsPleased reports whether the USER's turn i contains words of thanks, praise or agreement.
func (s *Talk) IsPleased(i int) bool {
	c := &s.Lex.Class
	for _, glad := range [...]text.Class{c.ReactionSuperb, c.ReactionPraises, c.ReactionThanks,
		c.ReactionThanksStrong, c.ReactionLikes, c.ReactionLoves, c.ReactionSatisfied,
		c.ReactionWorks, c.ReactionAccepts, c.ReactionSettles} {
		if s.Has(i, glad) {
			return true
		}
	}
	h := s.Hit(i, c.ReactionValence)
	return h != nil && h.Points > 0
}

// Complains reports whether the USER complains, denies something or corrects the SYSTEM in turn i.
func (s *Talk) Complains(i int) bool {
	c := &s.Lex.Class
	for _, bad := range [...]text.Class{c.ReactionBlames, c.ReactionCorrects, c.ReactionUnresolved,
		c.ReactionUpset} {
		if s.Has(i, bad) {
			return s.Reacts(i)
		}
	}
	return s.Rejects(i)
}

// BroughtUp reports whether the USER mentions a stem in the opening or shortly before block b.
func (s *Talk) BroughtUp(b int, stem uint32) bool {
	for k := b - 1; k >= 0; k-- {
		if k < b+1-2*requestBlocks {
			k = min(k, 1)
		}
		if s.Blocks[k].Role == dialogue.User && s.BlockSays(k, stem) {
			return true
		}
	}
	return false
}

// IsInquiry reports whether token k of turn i is in a question. In "It is booked, anything else?"
// the question begins later.
func (s *Talk) IsInquiry(i, k int) bool {
	t := &s.Turns[i]
	from, more := t.SentenceStart(k), s.Hit(i, s.Lex.Class.OutcomeAsksMore)
	return t.InQuestion(k) && (more == nil || more.First <= k ||
		from != t.SentenceStart(more.First) || s.opensQuestion(t, from))
}

// opensQuestion reports whether a question begins at token k of a turn, with a question word or
// with a verb before its subject.
func (s *Talk) opensQuestion(t *text.Turn, k int) bool {
	return s.Lex.ValueOf(t.Tokens[k]).Kind == quantity.WordAsks ||
		(t.Tokens[k].Is(text.Auxiliary|text.Modal) || t.Is(k, "do")) &&
			t.Is(k+1, "i", "you", "u", "we", "it", "that", "there", "this")
}
