package heuristics

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Agents plays both agents by rules. It is safe for concurrent use.
type Agents struct {
	lex       *lexicon
	detectors []detectorAt
	index     map[string]int // of detectors, by id
	levels    levels
	scenes    sync.Pool
	tagger    tagger
}

// New loads the embedded lexicons. An error is a mistake in them.
func New() (*Agents, error) {
	lex, err := loadLexicon(lexiconFiles)
	if err != nil {
		return nil, err
	}
	a := &Agents{lex: lex, index: map[string]int{}}
	if a.levels, err = loadLevels(levelsFile); err != nil {
		return nil, err
	}
	for _, family := range families() {
		for i := range family {
			class := lex.class(family[i].ID)
			if class < 0 {
				return nil, fmt.Errorf("detector %s: no lexicon/%s.txt; want one, if only with @role and @points", family[i].ID, family[i].ID)
			}
			det := family[i]
			det.Points = lex.classes[class].points
			a.index[det.ID] = len(a.detectors)
			a.detectors = append(a.detectors, detectorAt{Detector: &det, class: class})
		}
	}
	a.scenes.New = func() any { return &scene{tagger: &a.tagger} }
	return a, nil
}

// families are the detectors, family by family.
func families() [][]Detector {
	return [][]Detector{reactions, outcomes, courtesies, pairings, substances, contradictions, fluencies, safeties}
}

// Detectors lists every detector, by family.
func (a *Agents) Detectors() []Detector {
	list := make([]Detector, len(a.detectors))
	for i, det := range a.detectors {
		list[i] = *det.Detector
	}
	return list
}

// Observe runs every detector over d. Its error is a [*rubric.Unscored] where d is mostly not in English.
func (a *Agents) Observe(d dialogue.Dialogue) ([]rubric.Signal, error) {
	s := a.scenes.Get().(*scene)
	defer a.release(s)
	s.set(a.lex, d)
	if err := s.unreadable(); err != nil {
		return nil, err
	}
	for i := range a.detectors {
		det := &a.detectors[i]
		if det.find != nil {
			det.find(s, det)
			continue
		}
		s.eachHit(det, func(*hit) bool { return true })
	}
	return s.byTurn(), nil
}

// release keeps a scene for the next dialogue, unless a huge one has blown it up.
func (a *Agents) release(s *scene) {
	if cap(s.tokens) <= mostKept {
		a.scenes.Put(s)
	}
}

// mostKept is how many tokens a scene may hold to be kept: 1.5 MB, some hundred times an ordinary dialogue.
const mostKept = 1 << 16

// Digest identifies all data that scores depend on: the lexicon with its points, and the levels.
func (a *Agents) Digest() string {
	sum := sha256.Sum256(slices.Concat([]byte(a.lex.digest), levelsFile))
	return hex.EncodeToString(sum[:])
}

// title gives what a detector's signal is called in a justification.
func (a *Agents) title(id string) string { return a.detectors[a.index[id]].Title }
