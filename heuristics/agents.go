package heuristics

import (
	"cmp"
	"context"
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
	"assize/rubric/dialogue"
)

// Agents plays both agents by rules. It is safe for concurrent use.
type Agents struct {
	*evidence.Rules
	detectors map[string]evidence.Detector // by ID
	ladders   [rubric.NumCriteria]Ladder
	digest    string
}

// New loads the embedded files. It panics if one of them is invalid, which is an error in the
// program.
func New() *Agents {
	r, err := evidence.Load(dataFiles)
	if err != nil {
		panic(err)
	}
	a := &Agents{Rules: r, detectors: map[string]evidence.Detector{}}
	for _, det := range r.Detectors() {
		a.detectors[det.ID] = det
	}
	if a.ladders, err = loadLadders(a.Titles()); err != nil {
		panic(err)
	}
	data := slices.Concat(a.Lexicon.Hash.Sum(nil), serviceWeights)
	for _, l := range a.ladders {
		data = append(data, l.String()...)
	}
	sum := sha256.Sum256(data)
	a.digest = hex.EncodeToString(sum[:])
	return a
}

// Titles returns the titles of the detectors, by ID.
func (a *Agents) Titles() map[string]string {
	titles := map[string]string{}
	for id, det := range a.detectors {
		titles[id] = det.Title
	}
	return titles
}

// Ladder returns what the rules require for each score of a criterion.
func (a *Agents) Ladder(c rubric.Criterion) Ladder { return a.ladders[c] }

// Digest identifies all data that scores depend on: the files of detectors and lists, except their
// comments, reasons and examples, the ladders, and the weights of service cases.
func (a *Agents) Digest() string { return a.digest }

// capped returns the rating of a criterion that the rubric caps.
func (a *Agents) capped(q *quoter, criterion rubric.Criterion, limit rubric.Score, by rubric.Signal,
) rubric.Rating {
	kind := claimKinds["tone"]
	claim := a.detectors[by.ID].Title + ", for which the rubric caps " + criterion.String()
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
	sig := &s.Signals[shown]
	det := a.detectors[sig.ID]
	claim := rung.claim(det) + factText(r, sig.Fact, ", where %s (line %d) says %s")
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
		for _, i := range s.signals[evidence.ContradictsFact] {
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
	if (rubric.Case{Signals: signals}).Fired(ServiceID) {
		return talk.ServiceKind
	}
	return talk.RequestKind
}

// agent plays one of the agents by a rubric.
type agent struct {
	*Agents
	rubric rubric.Rubric
}

// Evaluator returns the Evaluator (Agent A) that judges by rules. It rates each criterion by its
// ladder, with the signals of both sides.
func (a *Agents) Evaluator(r rubric.Rubric) rubric.Evaluator { return agent{a, r} }

func (a agent) Evaluate(_ context.Context, c rubric.Case) (rubric.Scorecard, error) {
	var card rubric.Scorecard
	s, q := newSighting(c), newQuoter(c, a.Lexicon.Vocabulary)
	for _, criterion := range quoting {
		l := &a.ladders[criterion]
		v := l.judge(s, false)
		if limit, by := a.rubric.Cap(c, criterion); by != nil && v.score >= limit {
			card[criterion] = a.capped(q, criterion, limit, *by)
			continue
		}
		card[criterion] = a.quoted(s, q, l, v, a.rubric)
	}
	return card, nil
}

// quoted is like rate. If nothing can be quoted for the verdict, nothing shows the score.
func (a *Agents) quoted(s *sighting, q *quoter, l *Ladder, v verdict, r rubric.Rubric,
) rubric.Rating {
	rating := a.rate(s, q, l, v, r)
	if len(rating.Quotes) == 0 {
		kind := l.Rungs[v.score.Level()].kind
		rating = rubric.Rating{Score: v.score, Claim: l.Unshown, Quotes: q.plain(kind)}
		if l.Silent != "" && len(rating.Quotes) > 0 {
			if shown := newCandidate(rating.Quotes[0], dialogue.System); !q.says(&shown, kind) {
				rating.Claim = l.Silent
			}
		}
	}
	return rating
}

// MaxClaims is the maximum number of claims for one criterion.
const MaxClaims = 3

// Claims returns for each criterion the claim that decides its score and the next candidates: each
// is the one to which the ladder comes if those before it do not hold. The rest is what is left if
// none of them holds. A criterion that is capped, or for which nothing was found, has no claims.
func (a *Agents) Claims(c rubric.Case, r rubric.Rubric) (
	claims [rubric.NumCriteria][]rubric.Claim, rest rubric.Scorecard,
) {
	all, q := newSighting(c), newQuoter(c, a.Lexicon.Vocabulary)
	for _, criterion := range quoting {
		l, s := &a.ladders[criterion], all
		v := l.judge(s, false)
		if limit, by := r.Cap(c, criterion); by != nil && v.score >= limit {
			continue
		}
		for ; v.found != nil && len(claims[criterion]) < MaxClaims; v = l.judge(s, false) {
			rating := a.quoted(s, q, l, v, r)
			shown, _ := q.best(s, v, l.Rungs[v.score.Level()].kind)
			det := a.detectors[s.Signals[shown].ID]
			claims[criterion] = append(claims[criterion],
				rubric.Claim{Rating: rating, Detector: det.ID, Text: det.Title, Favour: v.favour})
			kept := slices.DeleteFunc(slices.Clone(s.Signals),
				func(sig rubric.Signal) bool { return sig.ID == det.ID })
			s = newSighting(rubric.Case{Dialogue: c.Dialogue, Signals: kept})
		}
		rest[criterion] = a.quoted(s, q, l, v, r)
	}
	return claims, rest
}

// quoting is the order in which criteria choose their quotes. Empathy is first, because fewer words
// are evidence for it than for the others.
var quoting = [...]rubric.Criterion{
	rubric.Empathy, rubric.TaskSuccess, rubric.Helpfulness, rubric.Accuracy, rubric.Understanding,
	rubric.Fluency,
}

// Critic returns the Critic (Agent B) that judges by rules. It looks for later turns that
// contradict the Evaluator's claims, and for demands of the rubric that no detector found met. For
// a model's scores it also looks for faults and merits that the ladders find and the model missed.
// If there is no turn to quote, it agrees.
func (a *Agents) Critic(r rubric.Rubric) rubric.Critic { return agent{a, r} }

func (a agent) Critique(
	_ context.Context, c rubric.Case, card rubric.Scorecard,
) (rubric.Critique, error) {
	var critique rubric.Critique
	s, q := newSighting(c), newQuoter(c, a.Lexicon.Vocabulary)
	for _, criterion := range rubric.Criteria() {
		rating, l := card[criterion], &a.ladders[criterion]
		v := l.review(s)
		v.score = min(max(v.score, rating.Score.Step(-2)), rating.Score.Step(2))
		var better rubric.Rating
		if limit, by := a.rubric.Cap(c, criterion); by != nil && v.score > limit {
			better, v.favour = a.capped(q, criterion, limit, *by), false
		} else if v.score != rating.Score {
			better = a.rate(s, q, l, v, a.rubric)
		}
		o := object(rating.Score, better, v.favour)
		if o.Suggested == 0 {
			o = a.miss(c, criterion, rating)
		}
		critique[criterion] = o
	}
	return critique, nil
}

// object returns the objection that a rating is better, if its evidence points in that direction.
func object(score rubric.Score, better rubric.Rating, favour bool) (o rubric.Objection) {
	if better.Score == score || len(better.Quotes) == 0 || favour != (better.Score > score) {
		return o
	}
	return rubric.Objection{
		Suggested: better.Score,
		Kind:      rubric.Contradicts,
		Claim:     better.Claim,
		Quotes:    better.Quotes,
		By:        "rules",
	}
}

// miss objects to a score for which the rubric demands something that no detector found. It quotes
// what was found instead.
func (a agent) miss(
	c rubric.Case, criterion rubric.Criterion, rating rubric.Rating,
) (o rubric.Objection) {
	score := rating.Score
	demands := a.rubric.Demands[criterion][score.Level()]
	if score == rubric.Scale[0] || len(demands) == 0 || c.Fired(demands...) {
		return o
	}
	var wanted []string
	for _, id := range demands {
		if det, known := a.detectors[id]; known {
			wanted = append(wanted, det.Title)
		}
	}
	return rubric.Objection{
		Suggested: score.Step(-1),
		Kind:      rubric.MissingEvidence,
		Claim: "nothing shows what the rubric demands for " + score.String() + ", one of these: " +
			strings.Join(wanted, "; "),
		Quotes: rating.Quotes,
		By:     "rules",
	}
}
