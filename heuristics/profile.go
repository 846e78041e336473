package heuristics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed profile.json
var profileFile []byte

// ProfileVersion is the version of the form of profiles.
const ProfileVersion = 3

// Profile maps what the rules saw onto the scale of the people who rate, from 1.00 to 5.00, and says what a model adds
// to that. It never touches the six scores, their average or the OverallExperience. [DefaultProfile] is the line
// through the ratings of the four USS sets, each centred on its own mean; `assize fit` learns one from a team's own
// ratings.
type Profile struct {
	Version int      `json:"profile"`
	Input   string   `json:"input"`            // what is mapped: [Reactions]
	Before  []string `json:"before,omitempty"` // detectors that count with the USER's next turns
	Whole   []string `json:"whole,omitempty"`  // detectors that count once for the dialogue
	Line    *Line    `json:"line,omitempty"`   // the map
	Linear  *Linear  `json:"linear,omitempty"` // what detectors and words add to the line; may be absent
	Model   *Model   `json:"model,omitempty"`  // what a model as the Evaluator adds to that; may be absent

	Criteria map[string]Criterion `json:"criteria,omitempty"` // estimates of people's ratings of single criteria

	Cuts    []rubric.Hundredths `json:"cuts,omitempty"`   // where the levels 2 to 5 begin; may be absent
	Triage  *Triage             `json:"triage,omitempty"` // whom to flag
	Learned *Learned            `json:"learned,omitempty"`

	Checksum string `json:"digest,omitempty"` // of the rest, in files that fit wrote; empty once it was read
}

// Criterion estimates people's rating of one criterion from the same input.
type Criterion struct {
	Line   Line    `json:"line"`
	Linear *Linear `json:"linear,omitempty"`
	Scores Scored  `json:"scores,omitempty"` // of the profile's model
}

// Estimate gives the rating that people would give the criterion, from 1.00 to 5.00. value is what the profile maps;
// judged is what the profile's model makes of each criterion, 0 where it did not judge.
func (c Criterion) Estimate(value Millionths, e *rubric.Evaluation, judged [rubric.NumCriteria]rubric.Hundredths,
) rubric.Hundredths {
	added, _ := c.Linear.Adds(e.Dialogue, e.Signals)
	return Profile{Line: &c.Line}.EstimateAt(value, added+c.Scores.Adds(judged)).Satisfaction
}

// Reactions is the input of profiles: the mean of the USER's reactions, in points.
const Reactions = "reactions"

// Line is a straight map.
type Line struct {
	Intercept Millionths `json:"intercept"` // the rating where the input is zero
	Slope     Millionths `json:"slope"`     // rating per unit of the input
}

// Model is what the judgement of one model adds to the rating that the map gives: what its answers
// add, if ratings tell what they are worth. Where none do, Rating is the model's own where its
// quality is Centre, it grows by Weight for each point of the quality, and the two ratings are
// averaged, the model's with the weight Share. A model may add nothing.
type Model struct {
	Digest  string            `json:"digest"` // SHA-256 in hexadecimal: what holds for this model holds for no other
	Name    string            `json:"name"`
	Answers string            `json:"answers,omitempty"` // how it answered: "probabilities", or empty for written levels
	Scores  Scored            `json:"scores,omitempty"`  // learnt
	Weight  Millionths        `json:"weight,omitzero"`   // rating per point of the quality
	Centre  rubric.Hundredths `json:"centre,omitzero"`   // a quality, from 0 to 100
	Rating  Millionths        `json:"rating,omitzero"`   // from 1 to 5
	Share   Millionths        `json:"share,omitzero"`    // from 0 to 1; 0, as in older files, is a half
}

// Scored says what a model's scores add to a rating, by criterion.
type Scored map[string]ScoreWeight

// ScoreWeight is what one score adds.
type ScoreWeight struct {
	Weight Millionths        `json:"weight"` // rating per point of the score
	Usual  rubric.Hundredths `json:"usual"`  // the score that adds nothing, from 0 to 100
}

// Adds returns what a model's judgement of the criteria adds. A judgement of 0 is not known and
// counts as the usual one.
func (s Scored) Adds(judged [rubric.NumCriteria]rubric.Hundredths) Millionths {
	var sum int64
	for name, w := range s {
		if c, err := rubric.ParseCriterion(name); err == nil && judged[c] != 0 {
			sum += int64(w.Weight) * int64(judged[c]-w.Usual)
		}
	}
	return Millionths(floorDiv(sum, 100))
}

// Reasons returns what the model's judgement of each criterion adds to a rating, with what is
// quoted for the score.
func (m *Model) Reasons(judged [rubric.NumCriteria]rubric.Hundredths, card rubric.Scorecard) (list []Reason) {
	for _, c := range rubric.Criteria() {
		w, rating := m.Scores[c.String()], card[c]
		points := int64(w.Weight) * int64(judged[c]-w.Usual) / 100
		if len(rating.Quotes) > 0 && judged[c] != 0 {
			q := rating.Quotes[0]
			list = append(list, Reason{rubric.Hundredths(Millionths(points).Rounded()), q.Turn,
				fmt.Sprintf("%s %d of 100 by %s", c, (judged[c]+50)/100, m.Name), q.Text})
		}
	}
	return list
}

// validate reports what makes s no weights of scores.
func (s Scored) validate() error {
	for name, w := range s {
		switch _, err := rubric.ParseCriterion(name); {
		case err != nil:
			return fmt.Errorf("scores: %w", err)
		case w.Weight < -one || w.Weight > one:
			return fmt.Errorf("scores: %s has the weight %s; want one from -1 to 1 for each point", name, w.Weight)
		case w.Usual < 0 || w.Usual > 10000:
			return fmt.Errorf("scores: %s has the usual score %s; want one from 0 to 100", name, w.Usual)
		}
	}
	return nil
}

// Triage tells which dialogues a person should read.
type Triage struct {
	Rate Millionths        `json:"rate"` // the share of dialogues that is wanted, between 0 and 1
	Cut  rubric.Hundredths `json:"cut"`  // a satisfaction at or below it is flagged
}

// Learned is what a profile was learnt from and how well it does, for people to read.
type Learned struct {
	Dialogues int         `json:"dialogues"`          // how many rated dialogues
	Ratings   int         `json:"ratings"`            // by how many ratings
	Scale     [2]float64  `json:"scale"`              // the ends of the scale on which people rated, the worst first
	Mean      Millionths  `json:"mean"`               // of the dialogues' mean ratings, on the scale from 1 to 5
	Deviation Millionths  `json:"deviation"`          // their standard deviation
	Before    Millionths  `json:"mae_before"`         // mean absolute error of 100, unseen folds: of the embedded profile,
	After     Millionths  `json:"mae_after"`          // of one learnt on the other folds as this one was,
	Constant  Millionths  `json:"mae_constant"`       // and of the mean rating of the other folds
	Spearman  *Measured   `json:"spearman,omitempty"` // rank correlation of estimate and ratings; may be absent
	Alpha     *Millionths `json:"alpha,omitempty"`    // Krippendorff's, interval; absent where nobody rated twice
	Folds     int         `json:"folds"`
	Seed      uint64      `json:"seed"`              // of folds and intervals
	Source    string      `json:"source,omitempty"`  // of the ratings, with weights, where one was chosen
	Notes     []string    `json:"notes,omitempty"`   // what was decided and why, and what to mind, a sentence each
	Program   string      `json:"program,omitempty"` // the version that learnt it
	Lexicon   string      `json:"lexicon,omitempty"` // the digest of the lexicon whose signals it was learnt from
	First     string      `json:"first,omitempty"`   // the first day of the dialogues by their metadata, such as 2024-03-12
	Last      string      `json:"last,omitempty"`    // and the last
	Digests   []string    `json:"digests,omitempty"` // of their turns, as [ShortDigest] gives them, ascending
}

// ShortDigest is the beginning of a dialogue's digest: enough to tell whether a profile was learnt from it. Of 10,000
// dialogues that differ, two share one by chance with a probability of about 1 %.
func ShortDigest(digest string) string { return digest[:min(len(digest), 8)] }

// Measured is a figure with its 95 % interval.
type Measured struct {
	Value Millionths `json:"value"`
	Low   Millionths `json:"low"`
	High  Millionths `json:"high"`
}

// DefaultProfile gives the embedded profile.
func DefaultProfile() Profile {
	p, err := ParseProfile("profile.json", profileFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return p
}

// ParseProfile reads a profile file. Its error names the file and what is wrong there.
func ParseProfile(name string, data []byte) (Profile, error) {
	var p Profile
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(&p)
	if err != nil && !bytes.HasPrefix(data, []byte("{")) {
		err = errors.New("not a profile, which is a JSON object; want one as assize fit writes")
	} else if err != nil {
		err = fmt.Errorf("not a profile: %w; want one as assize fit writes", err)
	} else if p.Version != ProfileVersion {
		err = fmt.Errorf(`"profile", the version, is %d; want %d, as assize fit writes it`, p.Version, ProfileVersion)
	} else if _, e := dec.Token(); !errors.Is(e, io.EOF) {
		err = errors.New("something follows the profile; want one JSON object")
	} else if sum := p.Checksum; sum != "" {
		if p.Checksum = ""; p.Digest() != sum {
			err = errors.New("was changed after fit wrote it; run fit again, or remove its digest to use it as it is")
		}
	}
	if err == nil {
		err = p.validate()
	}
	if err != nil {
		return Profile{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// validate reports the first thing in p that makes it no profile.
func (p *Profile) validate() error {
	onScale := func(h rubric.Hundredths) bool { return h >= 100 && h <= 500 }
	switch m := p.Model; {
	case p.Input != Reactions:
		return fmt.Errorf("input is %q; want %s", p.Input, Reactions)
	case p.Line == nil:
		return errors.New("there is no line; want one, which maps reactions to ratings")
	case p.Line.Slope < 0 && p.Linear == nil:
		return fmt.Errorf("line: the slope is %s; want none below 0", p.Line.Slope)
	case p.Triage != nil && (p.Triage.Rate <= 0 || p.Triage.Rate >= one):
		return fmt.Errorf("triage: the rate is %s; want a share between 0 and 1", p.Triage.Rate)
	case p.Triage != nil && !onScale(p.Triage.Cut):
		return fmt.Errorf("triage: the cut is %s; want a rating from 1 to 5", p.Triage.Cut)
	case p.Cuts != nil && (len(p.Cuts) != 4 || !slices.IsSorted(p.Cuts) || !onScale(p.Cuts[0]) || !onScale(p.Cuts[3])):
		return errors.New("cuts: want four ratings from 1 to 5, lowest first")
	case m == nil && p.WeighsModel():
		return errors.New("criteria: there are weights of scores; want a model, whose scores they are")
	}
	err := p.Linear.validate()
	if p.Model != nil {
		err = cmp.Or(p.Model.Validate(), err)
	}
	for name, c := range p.Criteria {
		_, unknown := rubric.ParseCriterion(name)
		err = cmp.Or(err, unknown, c.Linear.validate(), c.Scores.validate())
	}
	if p.Learned == nil { // one that was learnt may name what the lexicon of that day had; its digest tells of that
		err = cmp.Or(err, checkDetectors("before", p.Before), checkDetectors("whole", p.Whole))
	}
	return err
}

// Validate reports the first thing in m that is out of range.
func (m *Model) Validate() error {
	switch {
	case !m.Identified():
		return fmt.Errorf("model: the name is %q and the digest %q; want a name, and a SHA-256 in hexadecimal",
			m.Name, m.Digest)
	case m.Weight < 0 || m.Weight > one:
		return fmt.Errorf("model: the weight is %s; want one from 0 to 1", m.Weight)
	case m.Weight > 0 && m.Rating == 0:
		return errors.New("model: there is a weight and no rating; want both, or scores")
	case m.Rating != 0 && (m.Centre < 0 || m.Centre > 10000):
		return fmt.Errorf("model: the centre is %s; want a quality from 0 to 100", m.Centre)
	case m.Share < 0 || m.Share > one:
		return fmt.Errorf("model: the share is %s; want one from 0 to 1", m.Share)
	case m.Rating != 0 && (m.Rating < one || m.Rating > 5*one):
		return fmt.Errorf("model: the rating is %s; want one from 1 to 5, or none", m.Rating)
	}
	return m.Scores.validate()
}

// checkDetectors refuses an id that no detector has: its points would be missing without a word.
func checkDetectors(list string, ids []string) error {
	for i, id := range ids {
		_, err := fs.Stat(dataFiles, "detectors/"+id+".txt")
		switch {
		case err != nil || strings.HasPrefix(id, reactionFamily):
			return fmt.Errorf("%s: %q; want the id of a detector other than a reaction, which counts anyway", list, id)
		case slices.Contains(ids[:i], id):
			return fmt.Errorf("%s: %s stands twice", list, id)
		}
	}
	return nil
}

// WeighsModel reports whether a model's scores change an estimate of p.
func (p Profile) WeighsModel() bool {
	m := p.Model
	weighs := m != nil && (m.Scores != nil || m.Rating > 0)
	for _, c := range p.Criteria {
		weighs = weighs || c.Scores != nil
	}
	return weighs
}

// WithoutModel gives p without weights of a model's scores.
func (p Profile) WithoutModel() Profile {
	p.Model, p.Criteria = nil, maps.Clone(p.Criteria)
	for name, c := range p.Criteria {
		c.Scores = nil
		p.Criteria[name] = c
	}
	return p
}

// Identified reports whether the model has a name and a digest that is one.
func (m Model) Identified() bool {
	digest := len(m.Digest) == hex.EncodedLen(sha256.Size) && strings.Trim(m.Digest, "0123456789abcdef") == ""
	return m.Name != "" && digest
}

// AppendJSON appends the profile as one line of JSON. The same profile always has the same bytes.
func (p Profile) AppendJSON(b []byte) []byte {
	data, err := json.Marshal(p) // the keys of maps are sorted
	if err != nil {
		panic(err) // numbers and strings always encode
	}
	return append(b, data...)
}

// File gives the profile as a file for people to read: indented JSON, which [ParseProfile] reads as the same profile. By
// a digest of the rest it can tell whether somebody changed it.
func (p Profile) File() []byte {
	p.Checksum = p.Digest()
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic(err) // numbers and strings always encode
	}
	return append(data, '\n')
}

// Digest identifies the profile: the SHA-256, in hexadecimal, of all that it says, however it is laid out.
func (p Profile) Digest() string {
	sum := sha256.Sum256(p.AppendJSON(nil))
	return hex.EncodeToString(sum[:])
}

// Estimate is what a profile says of one dialogue.
type Estimate struct {
	// The rating that people would give, from 1.00 to 5.00.
	Satisfaction rubric.Hundredths `json:"satisfaction,omitzero"`
	// The level, 1 to 5, of such a rating; 0 where the profile has no cuts.
	Level int `json:"level,omitzero"`
	// Whether a person should read the dialogue, by the profile's triage.
	Flagged bool `json:"flagged,omitzero"`
}

// Estimate applies the profile to an evaluation by the rules alone.
func (p Profile) Estimate(e *rubric.Evaluation) Estimate {
	added, _ := p.Linear.Adds(e.Dialogue, e.Signals)
	return p.EstimateAt(p.Value(e), added)
}

// EstimateAt applies the profile to an input that [Profile.Value] gave, and to what the dialogue's features and a model
// add: see [Linear.Adds] and [Scored.Adds].
func (p Profile) EstimateAt(at, added Millionths) Estimate {
	rating := rubric.Hundredths((p.Rating(at) + added).Rounded())
	return p.Place(min(max(rating, 100), 500))
}

// Place says what the profile makes of a satisfaction.
func (p Profile) Place(satisfaction rubric.Hundredths) Estimate {
	est := Estimate{Satisfaction: satisfaction, Flagged: p.Triage != nil && satisfaction <= p.Triage.Cut}
	if p.Cuts != nil {
		est.Level = 1
	}
	for _, cut := range p.Cuts {
		if satisfaction >= cut {
			est.Level++
		}
	}
	return est
}

// Rating maps an input; the outcome may lie beyond the scale.
func (p Profile) Rating(at Millionths) Millionths {
	return p.Line.Intercept + Millionths(floorDiv(int64(p.Line.Slope)*int64(at), int64(one)))
}

// Blend returns what the model's own rating, by its quality, adds to the rating of the rules.
func (m Model) Blend(rating Millionths, quality rubric.Hundredths) Millionths {
	own := m.Rating + Millionths(floorDiv(int64(m.Weight)*int64(quality-m.Centre), 100))
	share := cmp.Or(m.Share, one/2)
	return Millionths(floorDiv(int64(own-rating)*int64(share), int64(one)))
}

// reactionFamily begins the ids of the detectors of the USER's reactions.
const reactionFamily = "reaction-"

// Value is the input of the map: the mean over the USER's turns, later ones weighing more, of what the USER shows there
// and of what the SYSTEM had reported just before; in a service case, its quality.
func (p Profile) Value(e *rubric.Evaluation) Millionths {
	if KindOf(e.Signals) == Service {
		sum, _ := serviceQuality().of(e.Dialogue, e.Signals)
		return Millionths(sum)
	}
	var points []int // by turn of the USER
	var whole int64
	next, before := 0, 0
	for i, t := range e.Dialogue.Turns {
		shown, reported := 0, 0
		for ; next < len(e.Signals) && e.Signals[next].Turn == i+1; next++ {
			switch s := e.Signals[next]; {
			case strings.HasPrefix(s.ID, reactionFamily):
				shown += int(s.Points)
			case slices.Contains(p.Before, s.ID):
				reported += int(s.Points)
			case slices.Contains(p.Whole, s.ID):
				whole += int64(s.Points) * microPerHundredth
			}
		}
		switch t.Role {
		case dialogue.System:
			before = reported
		case dialogue.User:
			points = append(points, bound(shown+before))
		}
	}
	return Millionths(recencyMean(points) + whole)
}

// microPerHundredth is how many millionths of a point a hundredth has: sums are kept in millionths, as
// integers, so that they are the same on every machine.
const microPerHundredth = 10_000

// maxReaction bounds what one turn of the USER may weigh, up or down, in hundredths of a point: beyond
// four points a turn is simply very good or very bad.
const maxReaction = 400

// bound returns points within maxReaction.
func bound(points int) int { return min(max(points, -maxReaction), maxReaction) }

// recencyMean returns the mean of the points of the USER's turns in millionths. The last turn weighs three
// times the first and those between in proportion: how a conversation ends colours how it is remembered.
func recencyMean(points []int) int64 {
	n := int64(len(points))
	switch n {
	case 0:
		return 0
	case 1:
		return int64(points[0]) * microPerHundredth
	}
	var sum, weights int64
	for i, p := range points {
		w := n - 1 + 2*int64(i)
		sum += w * int64(p)
		weights += w
	}
	return sum * microPerHundredth / weights
}
