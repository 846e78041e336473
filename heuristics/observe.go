package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Rules are the detectors with the words that they look for. They are safe for concurrent use.
type Rules struct {
	lex       *lexicon
	terms     *toolWords
	detectors []*detector    // in order
	index     map[string]int // of detectors, by ID
	analyses  sync.Pool      // of *analysis; without reuse, a dialogue takes 30 % longer
	tagger    tagger
	spelling  spelling
}

// LoadRules reads the files in detectors/ and lexicon/. An error in a file names the position.
func LoadRules(files fs.FS) (*Rules, error) {
	r, err := readRules(files)
	if err == nil {
		err = r.lex.resolve()
	}
	return r, err
}

// readRules reads the files, which need not contain the lists that Go code uses.
func readRules(files fs.FS) (*Rules, error) {
	names, err := fs.Glob(files, "detectors/*.txt")
	if err != nil {
		return nil, err
	}
	r := &Rules{index: map[string]int{}, terms: newToolWords()}
	byID := map[string]*detector{}
	for _, file := range names {
		det := &detector{Detector: Detector{ID: listName(file)}}
		r.detectors, byID[det.ID] = append(r.detectors, det), det
	}
	r.lex, err = loadLexicon(files, r.terms.add,
		func(id, key, value string, lists map[string]class) error {
			return byID[id].directive(key, value, lists)
		})
	if err != nil {
		return nil, err
	}
	r.terms.units = &r.lex.valueWords
	for i, det := range r.detectors {
		if err := det.complete(r.lex); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	slices.SortFunc(r.detectors, func(a, b *detector) int {
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.ID, b.ID))
	})
	for i, det := range r.detectors {
		r.index[det.ID] = i
	}
	r.analyses.New = func() any {
		return &analysis{tagger: &r.tagger, spelling: &r.spelling}
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

// Titles returns the titles of the detectors, by ID.
func (r *Rules) Titles() map[string]string {
	titles := map[string]string{}
	for _, det := range r.detectors {
		titles[det.ID] = det.Title
	}
	return titles
}

// maxKept is the maximum number of tokens of an analysis that is kept for reuse: 1.5 MB, about a
// hundred times an ordinary dialogue.
const maxKept = 1 << 16

// Watch says what to look for in a dialogue, in addition to what the detectors find.
type Watch struct {
	Kind      *Kind      // the kind of the dialogue; nil if the dialogue determines it
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
	s.setKind = w.Kind
	s.prepare(r.lex, r.terms, d)
	s.signals = s.signals[:0]
	defer func() {
		if cap(s.tokens) <= maxKept { // a huge dialogue has made it larger
			r.analyses.Put(s)
		}
	}()
	if err := s.unreadable(); err != nil {
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

// IsName reports whether a word in lower case is a first name. It excludes words that the detectors
// search for: "hope" and "may" are names too, but are rarely used as such.
func (r *Rules) IsName(word string) bool {
	_, known := r.lex.vocabulary[word]
	return !known && r.spelling.isName(word)
}
