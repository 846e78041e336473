package evidence

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"assize/heuristics/deeds"
	"assize/heuristics/quantity"
	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Rules are the detectors with the words that they look for. They are safe for concurrent use.
type Rules struct {
	lex       *talk.Lexicon
	terms     *deeds.Words
	detectors []*detector // in order
	byID      map[string]*detector
	analyses  sync.Pool // of *analysis; without reuse, a dialogue takes 30 % longer
	spelling  text.Spelling
	tags      func(sentence string) []string // see [text.Tagger]
}

// Load reads the files in detectors/ and lexicon/. An error in a file names the position.
func Load(files fs.FS) (*Rules, error) {
	r, err := readRules(files)
	if err == nil {
		err = r.lex.Resolve()
	}
	return r, err
}

// readRules reads the files, which need not contain the lists that Go code uses.
func readRules(files fs.FS) (*Rules, error) {
	names, err := fs.Glob(files, "detectors/*.txt")
	if err != nil {
		return nil, err
	}
	units := &quantity.Words{}
	r := &Rules{byID: map[string]*detector{}, terms: deeds.NewWords(units),
		tags: new(text.Tagger).Tags}
	for _, file := range names {
		det := &detector{Detector: Detector{ID: talk.ListName(file)}}
		r.detectors, r.byID[det.ID] = append(r.detectors, det), det
	}
	r.lex, err = talk.Load(files, units, r.terms.Add,
		func(id, key, value string, lists map[string]text.Class) error {
			return r.byID[id].directive(key, value, lists)
		})
	if err != nil {
		return nil, err
	}
	for i, det := range r.detectors {
		if err := det.complete(r.lex); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	slices.SortFunc(r.detectors, func(a, b *detector) int {
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.ID, b.ID))
	})
	r.analyses.New = func() any {
		return &analysis{tags: r.tags, spelling: &r.spelling}
	}
	return r, nil
}

// Detectors returns all detectors, ordered by family.
func (r *Rules) Detectors() []Detector {
	list := make([]Detector, len(r.detectors))
	for i, det := range r.detectors {
		list[i] = det.Detector
	}
	return list
}

// maxKept is the maximum number of tokens of an analysis that is kept for reuse: 1.5 MB, about a
// hundred times an ordinary dialogue.
const maxKept = 1 << 16

// Watch says what to look for in a dialogue, in addition to what the detectors find.
type Watch struct {
	Kind      *talk.Kind // the kind of the dialogue; nil if the dialogue determines it
	Scorecard *Scorecard // nil for none
	// whether a fact of the scorecard holds for the dialogue; nil if all do
	Valid func(*rubric.Fact) bool
}

// Observe runs every detector on d. Its error is a [*rubric.Unscored] if most of d is not in
// English.
func (r *Rules) Observe(d dialogue.Dialogue) ([]rubric.Signal, error) {
	return r.ObserveWith(d, Watch{})
}

// ObserveWith is like [Rules.Observe], and looks for more.
func (r *Rules) ObserveWith(d dialogue.Dialogue, w Watch) ([]rubric.Signal, error) {
	s := r.analyses.Get().(*analysis)
	s.Prepare(r.lex, r.terms, d, w.Kind)
	s.signals = s.signals[:0]
	defer func() {
		if cap(s.Tokens) <= maxKept { // a huge dialogue has made it larger
			r.analyses.Put(s)
		}
	}()
	if err := s.Unreadable(); err != nil {
		return nil, err
	}
	for _, det := range r.detectors {
		det.run(s)
	}
	if w.Scorecard != nil {
		w.Scorecard.run(s, w.Valid)
	}
	return s.byTurn(), nil
}

// Vocabulary returns the words that the detectors search for.
func (r *Rules) Vocabulary() text.Vocabulary { return r.lex.Vocabulary }

// Hash returns a hash of the files of detectors and lists, except their comments, reasons and
// examples.
func (r *Rules) Hash() []byte { return r.lex.Hash.Sum(nil) }

// IsName reports whether a word in lower case is a first name. It excludes words that the detectors
// search for: "hope" and "may" are names too, but are rarely used as such.
func (r *Rules) IsName(word string) bool {
	_, known := r.lex.Vocabulary[word]
	return !known && r.spelling.IsName(word)
}

// analysis is a dialogue prepared for detectors, with what they have found.
type analysis struct {
	deeds.Ledger
	signals  []rubric.Signal
	clauses  []clause     // see findItself
	heads    []text.Token // backing of what they are about
	spelling *text.Spelling
	tags     func(sentence string) []string
}

// emit reports a signal of det in turn i for the tokens from first to last, inclusive. The caller
// may modify the signal.
func (s *analysis) emit(det *detector, i, first, last int) *rubric.Signal {
	t := &s.Turns[i]
	sig := rubric.Signal{ID: det.ID, Criteria: det.Criteria, Turn: t.N,
		Points: det.pointsIn(s.Kind)}
	if first < len(t.Tokens) && last < len(t.Tokens) {
		sig.Start, sig.End = int(t.Tokens[first].Start), int(t.Tokens[last].End)
	}
	s.signals = append(s.signals, sig)
	return &s.signals[len(s.signals)-1]
}

// report reports a signal of det for a passage, and the other turn that it concerns.
func (s *analysis) report(det *detector, p text.Passage, about int) {
	s.emit(det, p.Turn, p.First, p.Last).About = s.Turns[about].N
}

// emitHit reports a signal at the position of a phrase. The caller may modify the signal.
func (s *analysis) emitHit(det *detector, h *talk.Hit) *rubric.Signal {
	return s.emit(det, int(h.Turn), int(h.First), int(h.Last))
}

// emitTurn reports a signal for all words of turn i, and the other turn that it concerns.
func (s *analysis) emitTurn(det *detector, i, about int) {
	s.emit(det, i, 0, s.Turns[i].Words-1).About = s.Turns[about].N
}

// emitBytes reports a signal for a byte range that need not start or end at a word.
func (s *analysis) emitBytes(det *detector, i int, at text.Span) {
	sig := s.emit(det, i, 0, 0)
	sig.Start, sig.End = at.Start, at.End
}

// byTurn returns a copy of the signals sorted by turn, then by detector.
func (s *analysis) byTurn() []rubric.Signal {
	next := make([]int, len(s.Turns)+2) // where the next signal of each turn goes
	for i := range s.signals {
		next[s.signals[i].Turn+1]++
	}
	for turn := range s.Turns {
		next[turn+1] += next[turn]
	}
	sorted := make([]rubric.Signal, len(s.signals))
	for i := range s.signals {
		at := &next[s.signals[i].Turn]
		sorted[*at] = s.signals[i]
		*at++
	}
	return sorted
}
