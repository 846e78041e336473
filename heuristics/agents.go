package heuristics

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"assize/heuristics/evidence"
	"assize/heuristics/talk"
	"assize/rubric"
)

// Agents plays both agents by rules. It is safe for concurrent use.
type Agents struct {
	*evidence.Rules
	detectors []evidence.Detector
	index     map[string]int // of detectors, by ID
	ladders   [rubric.NumCriteria]Ladder
}

// New loads the embedded files. It panics if one of them is invalid, which is an error in the
// program.
func New() *Agents {
	r, err := evidence.Load(dataFiles)
	if err != nil {
		panic(err)
	}
	a := &Agents{Rules: r, detectors: r.Detectors(), index: map[string]int{}}
	for i, det := range a.detectors {
		a.index[det.ID] = i
	}
	if a.ladders, err = loadLadders(a.detectors, a.index); err != nil {
		panic(err)
	}
	return a
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

// Digest identifies all data that scores depend on: the files of detectors and lists, except their
// comments, reasons and examples, the ladders, and the weights of service cases.
func (a *Agents) Digest() string {
	data := slices.Concat(a.Hash(), serviceWeights)
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
	notes := det.Checked.String()
	if n := s.turnsWith(shown); n > 1 {
		notes = strings.TrimSuffix("in "+strconv.Itoa(n)+" turns; "+notes, "; ")
	}
	if notes != "" {
		claim += " (" + notes + ")"
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
		for _, i := range s.of(a.index[evidence.ContradictsFact]) {
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

// DetectorTitle returns the title of the detector with an ID, and whether there is one.
func DetectorTitle(id string) (title string, ok bool) {
	file, err := fs.ReadFile(dataFiles, "detectors/"+id+".txt")
	_, title, _ = strings.Cut(string(file), "@title ")
	title, _, _ = strings.Cut(title, "\n")
	return title, err == nil
}

// ServiceWeights returns the weights of the detectors in service cases, as JSON. The command
// .ci/train learns them from our own dialogues in testdata/desk.
func ServiceWeights() []byte { return serviceWeights }

//go:embed quality.json
var serviceWeights []byte

//go:embed detectors lexicon
var dataFiles embed.FS

// ServiceID is the detector that marks a service case. Without it, a dialogue is a request.
const ServiceID = "kind-service"

// KindOf returns the kind according to the signals of a dialogue.
func KindOf(signals []rubric.Signal) talk.Kind {
	if slices.ContainsFunc(signals, func(s rubric.Signal) bool { return s.ID == ServiceID }) {
		return talk.ServiceKind
	}
	return talk.RequestKind
}
