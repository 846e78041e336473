package doctor

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// The claims are those of testdata/claims about which the readers agree, and their dialogues are
// from testdata/desk. TestClaimsFiles makes both files.
var (
	//go:embed claims.json
	claimsJSON []byte
	//go:embed claims.jsonl
	claimsJSONL []byte
)

// labelled is a claim about a dialogue with the readers' label.
type labelled struct {
	Dialogue  string // its ID
	Criterion rubric.Criterion
	Detector  string
	Text      string
	Favour    bool
	Quotes    []rubric.Quote
	Holds     bool
}

// claimed is a dialogue with claims about it.
type claimed struct {
	rubric.Case
	labels []labelled
}

// readClaims returns the embedded claims by dialogue.
func readClaims(agents *heuristics.Agents) (list []claimed, err error) {
	var labels []labelled
	if err := rubric.ParseJSON(claimsJSON, &labels); err != nil {
		return nil, fmt.Errorf("claims.json: %w", err)
	}
	for sample, err := range importer.Read(bytes.NewReader(claimsJSONL), "claims.jsonl",
		importer.Options{}) {
		d := claimed{Case: rubric.Case{Dialogue: sample.Dialogue},
			labels: ui.Without(labels,
				func(l labelled) bool { return l.Dialogue != sample.Source.ID })}
		if err == nil {
			d.Signals, err = agents.Observe(sample.Dialogue)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// answered is a claim with the mean of the model's two answers, in thousandths.
type answered struct {
	*labelled
	dialogue int // its place
	mean     int
}

// askClaims asks the model about all claims. Those that it does not answer are left out.
func (d *doctor) askClaims(ctx context.Context, model *localllm.Model,
	t *Trial) (list []answered, err error) {
	for i, about := range d.claimed {
		session := model.Session(0, 0)
		means, err := session.AskClaims(ctx, about.Case,
			ui.Each(about.labels, func(l labelled) rubric.Criterion { return l.Criterion }),
			ui.Each(about.labels, func(l labelled) rubric.Claim {
				return rubric.Claim{Rating: rubric.Rating{Quotes: l.Quotes}, Detector: l.Detector,
					Text: l.Text, Favour: l.Favour}
			}))
		if _, err = d.asked(t, err); err != nil {
			return nil, err
		}
		for j, mean := range means {
			if t.Claims++; mean != nil {
				list = append(list, answered{&about.labels[j], i, *mean})
			}
		}
	}
	return list, nil
}

// minClaims is the minimum number of claims that hold, and that fail, to fit a scale from.
const minClaims = 10

// calibrateClaims fits the scales for the answers about claims, in the order of the dialogues, and
// measures their skill. A kind of claim has a scale of its own if that is closer to the labels of
// dialogues to which it was not fitted, by Brier's score, than the scale of all claims. It has a
// vote if its skill is better than chance in six comparisons, and so is the skill with all claims.
func calibrateClaims(list []answered) (all calibration.Skill, claims []calibration.Claim) {
	if len(list) == 0 {
		return all, nil
	}
	dialogues := list[len(list)-1].dialogue + 1
	all = claimSkill(list, dialogues)
	for i := range 2 * rubric.NumCriteria {
		c := calibration.Claim{Criterion: rubric.Criterion(i / 2), Favour: i%2 == 1}
		kind := ui.Without(list,
			func(a answered) bool { return a.Criterion != c.Criterion || a.Favour != c.Favour })
		group := list
		if brier(kind, kind) < brier(kind, list) {
			group = kind
		}
		c.Steps, c.Skill, c.Asked = fitClaims(group), claimSkill(kind, dialogues), len(kind)
		c.Vote = all.Low > 0 && calibration.IsCertain(c.Skill)
		claims = append(claims, c)
	}
	return all, claims
}

// brier returns the sum of the squared distances of the labels of one kind of claim from the
// probabilities by scales fitted to claims about other dialogues; infinite if these are too few.
func brier(kind, group []answered) (sum float64) {
	for _, a := range kind {
		scale := localllm.ClaimScale{Steps: fitClaims(ui.Without(group,
			func(other answered) bool { return other.dialogue == a.dialogue }))}
		if scale.Steps == nil {
			return math.Inf(1)
		}
		off := float64(scale.Holds(a.mean))/1000 - label[a.Holds]
		sum += off * off
	}
	return sum
}

// label is the probability that a claim holds, by whether it does.
var label = map[bool]float64{true: 1}

// tooFew reports whether fewer than minClaims claims hold or fail.
func tooFew(list []answered) bool {
	holds := len(ui.Without(list, func(a answered) bool { return !a.Holds }))
	return min(holds, len(list)-holds) < minClaims
}

// fitClaims fits a scale to claims by isotonic regression; nil if there are too few.
func fitClaims(list []answered) (steps []localllm.ClaimStep) {
	if tooFew(list) {
		return nil
	}
	last := 0 // the steps must not fall after the correction either
	for _, s := range stats.Isotonic(list,
		func(a answered) (int, float64) { return a.mean, label[a.Holds] }) {
		// one more claim of each kind keeps small groups from certainty (Laplace)
		last = max(last, int(math.Round(1000*(s.Sum+1)/(s.N+2))))
		steps = append(steps, localllm.ClaimStep{From: s.From, Holds: last})
	}
	return steps
}

// claimSkill returns how well the means tell claims that hold from those that fail, from -1 to 1
// with 0 for chance (Somers' D). Nothing is fitted. The interval is for that many dialogues, since
// claims about the same one are not independent.
func claimSkill(list []answered, dialogues int) calibration.Skill {
	if tooFew(list) {
		return calibration.Skill{}
	}
	x := ui.Each(list, func(a answered) float64 { return float64(a.mean) })
	fails := ui.Each(list, func(a answered) bool { return !a.Holds })
	pairs, each := stats.NewPairs(x, x), make([]int, len(x))
	return calibration.SkillOf(stats.Bootstrap(dialogues, bootstrapDraws, 1,
		func(times []int) []float64 {
			for i, a := range list {
				each[i] = times[a.dialogue]
			}
			return []float64{2*pairs.AUC(fails, each) - 1}
		})[0])
}

// Votes returns the kinds of claims about which the model's doubts have a vote.
func (t *Trial) Votes() []string {
	voting := ui.Without(t.Calibration.Claims, func(c calibration.Claim) bool { return !c.Vote })
	return ui.Each(voting, func(c calibration.Claim) string {
		kind := map[bool]string{true: "credits", false: "charges"}[c.Favour]
		return fmt.Sprintf("%s (%s)", c.Criterion, kind)
	})
}
