package heuristics

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Agents plays both agents by rules. It is safe for concurrent use.
type Agents struct {
	lex       *lexicon
	detectors []*detector
	index     map[string]int // of detectors, by ID
	ladders   [rubric.NumCriteria]Ladder
	analyses  sync.Pool // of *analysis; without reuse, a dialogue takes 30 % longer
	tagger    tagger
	spelling  spelling
}

// New loads the embedded files. It panics if one of them is invalid, which is an error in the
// program.
func New() *Agents {
	lex, err := loadLexicon(dataFiles)
	if err == nil {
		err = lex.resolve()
	}
	a := &Agents{lex: lex, index: map[string]int{}}
	if err == nil {
		a.detectors = lex.detectors
		for i, det := range a.detectors {
			a.index[det.ID] = i
		}
		a.ladders, err = loadLadders(a.detectors, a.index)
	}
	if err != nil {
		panic(err)
	}
	a.analyses.New = func() any {
		return &analysis{tagger: &a.tagger, spelling: &a.spelling}
	}
	return a
}

// Detectors returns all detectors, ordered by family.
func (a *Agents) Detectors() []Detector {
	list := make([]Detector, len(a.detectors))
	for i, det := range a.detectors {
		list[i] = det.Detector
	}
	return list
}

// Titles returns the titles of the detectors, by ID.
func (a *Agents) Titles() map[string]string {
	titles := map[string]string{}
	for _, det := range a.detectors {
		titles[det.ID] = det.Title
	}
	return titles
}

// Ladder returns what the rules require for each score of a criterion.
func (a *Agents) Ladder(c rubric.Criterion) Ladder { return a.ladders[c] }

// maxKept is the maximum number of tokens of an analysis that is kept for reuse: 1.5 MB, about a
// hundred times an ordinary dialogue.
const maxKept = 1 << 16

// Watch says what to look for in a dialogue, in addition to what the detectors find.
type Watch struct {
	Kind      *Kind      // the kind of the dialogue; nil if the dialogue determines it
	Scorecard *Scorecard // nil for none
	// whether a fact of the scorecard holds for the dialogue; nil if all do
	Valid func(*rubric.Fact) bool
	// if not nil, a sentence about each fact that cannot be compared with it is added, by its ID
	Unmatched map[string]string
}

// Observe runs every detector on d. Its error is a [*rubric.Unscored] if most of d is not in
// English.
func (a *Agents) Observe(d dialogue.Dialogue) ([]rubric.Signal, error) {
	return a.ObserveWith(d, Watch{})
}

// ObserveWith is like [Agents.Observe], and looks for more.
func (a *Agents) ObserveWith(d dialogue.Dialogue, w Watch) ([]rubric.Signal, error) {
	s := a.analyses.Get().(*analysis)
	s.setKind = w.Kind
	prepare(s, a.lex, d)
	defer func() {
		if cap(s.tokens) <= maxKept { // a huge dialogue has made it larger
			a.analyses.Put(s)
		}
	}()
	if err := unreadable(s); err != nil {
		return nil, err
	}
	for _, det := range a.detectors {
		det.run(s)
	}
	if w.Scorecard != nil {
		w.Scorecard.run(s, &w)
	}
	return s.byTurn(), nil
}

// IsName reports whether a word in lower case is a first name. It excludes words that the detectors
// search for: "hope" and "may" are names too, but are rarely used as such.
func (a *Agents) IsName(word string) bool {
	a.spelling.once.Do(a.spelling.load)
	_, known := a.lex.vocabulary[word]
	return !known && a.spelling.entry(hashOf(word))&firstName != 0
}

// Digest identifies all data that scores depend on: the files of detectors and lists, except their
// comments, reasons and examples, the ladders, and the weights of service cases.
func (a *Agents) Digest() string {
	data := slices.Concat(a.lex.hash.Sum(nil), serviceWeights)
	for _, l := range a.ladders {
		data = append(data, l.String()...)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// caps are the caps of a rubric on the scores of criteria.
type caps struct {
	rubric rubric.Rubric
	set    detectorSet // the detectors that cap a criterion
}

func (a *Agents) capsOf(r rubric.Rubric) caps {
	k := caps{rubric: r}
	for _, of := range r.Caps {
		for id := range of {
			if i, known := a.index[id]; known {
				k.set.add(i)
			}
		}
	}
	return k
}

// most returns the lowest cap that applies to a criterion, and the signal that causes it, or nil if
// no cap applies.
func (k *caps) most(s *sighting, c rubric.Criterion) (rubric.Score, *rubric.Signal) {
	if !s.meets(k.set) {
		return 0, nil
	}
	return k.rubric.Cap(s.Case, c)
}

// capped returns the rating of a criterion that the rubric caps.
func (a *Agents) capped(q *quoter, criterion rubric.Criterion, limit rubric.Score, by rubric.Signal,
) rubric.Rating {
	kind := claimKinds["tone"]
	claim := a.detectors[a.index[by.ID]].Title + ", for which the rubric caps " + criterion.String()
	return rubric.Rating{Score: limit, Claim: claim, Quotes: q.signal(by, q.seen(by, kind), kind)}
}

// A claim about the SYSTEM's language names at most maxNamed words at fault, of these characters.
const (
	maxNamed = 6
	namable  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ' -"
)

// rate returns the rating for a verdict: the sentence of the rung, what was found, and a quote that
// shows it. If nothing can be quoted, Quotes is empty.
func (a *Agents) rate(s *sighting, q *quoter, l *Ladder, v verdict, r rubric.Rubric) rubric.Rating {
	rung := &l.Rungs[v.score.Level()]
	if v.found == nil {
		return rubric.Rating{Score: v.score, Claim: l.Unshown}
	}
	shown, seen := q.best(s, v, rung.kind)
	det := a.detectors[s.detectors[shown]]
	claim := rung.claims[s.detectors[shown]] + factText(r, s.Signals[shown].Fact,
		", where %s (line %d) says %s")
	sig := &s.Signals[shown]
	words := s.Dialogue.Turns[sig.Turn-1].Text[sig.Start:sig.End]
	if rung.kind.clean && sig.End > 0 && strings.Count(words, " ") < maxNamed &&
		strings.Trim(words, namable) == "" {
		claim += ", '" + words + "'"
	}
	const minChecked = 5 // findings; fewer say nothing
	var notes []string
	if n := s.turnsWith(shown); n > 1 {
		notes = append(notes, "in "+strconv.Itoa(n)+" turns")
	}
	if det.Checked.Of >= minChecked {
		notes = append(notes, det.Checked.String())
	}
	if notes != nil {
		claim += " (" + strings.Join(notes, "; ") + ")"
	}
	quotes := q.signal(s.Signals[shown], seen, rung.kind)
	if helps := s.from(0, v.rule.with); rung.Rules[0].favour && !v.favour && helps != nil {
		_, one := q.best(s, verdict{found: helps, rule: v.rule}, claimKinds["help"])
		if !one.idle && !slices.Contains(quotes, one.Quote) { // "of some help, but …"
			quotes = append(quotes, q.use(one)...)
		}
	}
	if l.Criterion == rubric.Accuracy && !v.favour { // the facts that do not decide the score
		listed := []string{s.Signals[shown].Fact}
		for _, i := range s.of(a.index[ContradictsFact]) {
			sig = &s.Signals[i]
			if !slices.Contains(listed, sig.Fact) {
				listed = append(listed, sig.Fact)
				claim += factText(r, sig.Fact,
					"; the SYSTEM also contradicts %s (line %d), which says %s")
				if one := q.seen(*sig, rung.kind); !slices.Contains(quotes, one.Quote) {
					quotes = append(quotes, q.use(one)...)
				}
			}
		}
	}
	slices.SortStableFunc(quotes,
		func(x, y rubric.Quote) int { return cmp.Compare(x.Turn, y.Turn) })
	return rubric.Rating{Score: v.score, Claim: claim, Quotes: quotes}
}

// factText returns the ID, the line and what a fact says in a format, or "" without such a fact.
func factText(r rubric.Rubric, id, format string) string {
	for i := range r.Facts {
		if f := &r.Facts[i]; f.ID == id {
			return fmt.Sprintf(format, id, f.Line, strings.ReplaceAll(f.Says(), `"`, "'"))
		}
	}
	return ""
}

// claimOf joins the sentence of a rung and what was found. If one says nothing new, it is left out.
func claimOf(says, joint, found string) string {
	ours, theirs := topic(says), topic(found)
	switch {
	case len(theirs) <= len(ours) && isPart(theirs, ours):
		return says
	case isPart(ours, theirs):
		return found
	}
	return says + joint + found
}

// topic returns the words of a clause, without those that only hold it together.
func topic(clause string) []string {
	return slices.DeleteFunc(strings.Fields(clause), func(word string) bool {
		switch word {
		case "the", "a", "an", "and", "to", "of", "is", "was", "were", "that", "it", "SYSTEM",
			"SYSTEM's", "USER", "USER's":
			return true
		}
		return false
	})
}

// isPart reports whether all words are among others.
func isPart(words, others []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(others, w) })
}
