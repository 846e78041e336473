package doctor

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/judging/calibration"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// The claims are those of testdata/claims, and their dialogues are from testdata/desk.
// TestClaimsFiles copies them.
var (
	//go:embed claims.csv
	claimsCSV []byte
	//go:embed claims.jsonl
	claimsJSONL []byte
)

// claimed is a dialogue with claims about it and the readers' labels.
type claimed struct {
	rubric.Case
	criteria []rubric.Criterion
	claims   []rubric.Claim
	holds    []bool
}

// readClaims returns the claims about which the readers agree, by dialogue.
func readClaims(agents *heuristics.Agents) (list []claimed, err error) {
	rows, err := csv.NewReader(bytes.NewReader(claimsCSV)).ReadAll()
	if err != nil {
		return nil, err
	}
	rows = rows[1:]
	for sample, err := range importer.Read(bytes.NewReader(claimsJSONL), "claims.jsonl",
		importer.Options{}) {
		if err != nil {
			return nil, err
		}
		d := claimed{Case: rubric.Case{Dialogue: sample.Dialogue}}
		if d.Signals, err = agents.Observe(sample.Dialogue); err != nil {
			return nil, err
		}
		for ; len(rows) > 0 && rows[0][1] == sample.Source.ID; rows = rows[1:] {
			row := rows[0]
			if a, b := row[7], row[8]; b != "" && a != b {
				continue
			}
			k, err := rubric.ParseCriterion(row[2])
			if err != nil {
				return nil, err
			}
			claim := rubric.Claim{Detector: row[4], Text: row[5], Favour: row[3] == "yes"}
			for line := range strings.Lines(row[6]) {
				turn, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				at, _ := strconv.Atoi(turn)
				claim.Quotes = append(claim.Quotes, rubric.Quote{Turn: at, Text: text})
			}
			d.criteria, d.claims = append(d.criteria, k), append(d.claims, claim)
			d.holds = append(d.holds, row[7] == "holds")
		}
		list = append(list, d)
	}
	return list, nil
}

// answered is a claim with the mean of the model's two answers, in thousandths.
type answered struct {
	dialogue  int
	criterion rubric.Criterion
	favour    bool
	holds     bool
	mean      int
}

// askClaims asks the model about all claims. Those that it does not answer are left out.
func (d *doctor) askClaims(ctx context.Context, model *localllm.Model, t *Trial) (
	list []answered, err error,
) {
	for i, about := range d.claimed {
		session := model.Session(0, 0)
		means, err := session.AskClaims(ctx, about.Case, about.criteria, about.claims)
		var failed *localllm.Failure
		if err != nil && (!errors.As(err, &failed) || failed.Kind == localllm.Cancelled) {
			return nil, err
		}
		d.judged++
		d.reportProgress(t.Model)
		for j, mean := range means {
			if t.Claims++; mean != nil {
				list = append(list, answered{i, about.criteria[j], about.claims[j].Favour,
					about.holds[j], *mean})
			}
		}
	}
	return list, nil
}

// minClaims is the minimum number of claims that hold, and of claims that fail, from which a scale
// is fitted.
const minClaims = 10

// calibrateClaims fits the scales for the answers about claims, and measures their skill. A kind of
// claim has a scale of its own if that is closer to the labels of dialogues to which it was not
// fitted, by Brier's score, than the scale of all claims. It has a vote if its skill is better than
// chance among as many kinds as there are, and so is the skill with all claims.
func calibrateClaims(list []answered) (all calibration.Skill, claims []calibration.Claim) {
	if len(list) == 0 {
		return all, nil
	}
	everyone := func(answered) bool { return true }
	all, _ = claimSkill(list, everyone)
	for _, k := range rubric.Criteria() {
		for _, favour := range []bool{false, true} {
			of := func(a answered) bool { return a.criterion == k && a.favour == favour }
			c := calibration.Claim{Criterion: k, Favour: favour}
			group := everyone
			if brier(list, of, of) < brier(list, of, everyone) {
				group = of
			}
			c.Steps = fitClaims(list, group)
			c.Skill, c.Asked = claimSkill(list, of)
			c.Vote = all.Low > 0 && calibration.IsCertain(c.Skill)
			claims = append(claims, c)
		}
	}
	return all, claims
}

// brier returns the mean squared distance of the labels of one kind of claim from the probabilities
// by scales that were fitted to a group of claims about other dialogues; infinite if that group is
// too small.
func brier(list []answered, kind, group func(answered) bool) float64 {
	sum, n := 0.0, 0.0
	scales := map[int]localllm.ClaimScale{} // by the dialogue that is left out
	for _, a := range list {
		if !kind(a) {
			continue
		}
		scale, ok := scales[a.dialogue]
		if !ok {
			scale.Steps = fitClaims(list, func(other answered) bool {
				return group(other) && other.dialogue != a.dialogue
			})
			scales[a.dialogue] = scale
		}
		if scale.Steps == nil {
			return math.Inf(1)
		}
		off := float64(scale.Holds(a.mean)) / 1000
		if a.holds {
			off--
		}
		sum, n = sum+off*off, n+1
	}
	return sum / n
}

// fitClaims fits a scale to the claims of a group by isotonic regression; nil if there are too few.
func fitClaims(list []answered, group func(answered) bool) (steps []localllm.ClaimStep) {
	var of []point
	holds := 0
	for _, a := range list {
		if group(a) {
			p := point{at: a.mean, n: 1}
			if a.holds {
				p.sum = 1
				holds++
			}
			of = append(of, p)
		}
	}
	if min(holds, len(of)-holds) < minClaims {
		return nil
	}
	for _, p := range isotonic(of) {
		// one more claim of each kind keeps small groups from certainty (Laplace)
		steps = append(steps, localllm.ClaimStep{From: p.at,
			Holds: int(math.Round(1000 * (p.sum + 1) / (p.n + 2)))})
	}
	for i := range steps[1:] { // which must not fall all the same
		steps[i+1].Holds = max(steps[i+1].Holds, steps[i].Holds)
	}
	return steps
}

// claimSkill returns how well the means tell the claims of a group that hold from those that fail,
// from -1 to 1 with 0 for chance (Somers' D), and the number of claims. Nothing is fitted. The
// interval is for dialogues, since claims about the same one are not independent.
func claimSkill(list []answered, group func(answered) bool) (calibration.Skill, int) {
	var x []float64
	var fails []bool
	var of []int
	failing, dialogues := 0, 0
	for _, a := range list {
		dialogues = max(dialogues, a.dialogue+1)
		if group(a) {
			x, fails, of = append(x, float64(a.mean)), append(fails, !a.holds),
				append(of, a.dialogue)
			if !a.holds {
				failing++
			}
		}
	}
	if min(failing, len(x)-failing) < minClaims {
		return calibration.Skill{}, len(x)
	}
	pairs := stats.NewPairs(x, x)
	each := make([]int, len(x))
	e := stats.Bootstrap(dialogues, bootstrapDraws, 1, func(times []int) []float64 {
		for i := range each {
			each[i] = times[of[i]]
		}
		return []float64{2*pairs.AUC(fails, each) - 1}
	})
	return calibration.SkillOf(e[0]), len(x)
}

// point is a sum of n values at a place.
type point struct {
	at     int
	sum, n float64
}

// isotonic returns the rising step function that is closest to the points by least squares (pool
// adjacent violators): each step begins at a point and has the sum and number of its values.
func isotonic(points []point) (steps []point) {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b point) int { return a.at - b.at })
	var places []point
	for _, p := range points {
		if last := len(places) - 1; last >= 0 && places[last].at == p.at {
			places[last].sum, places[last].n = places[last].sum+p.sum, places[last].n+p.n
		} else {
			places = append(places, p)
		}
	}
	for _, p := range places {
		for len(steps) > 0 && steps[len(steps)-1].sum*p.n >= p.sum*steps[len(steps)-1].n {
			last := steps[len(steps)-1]
			p, steps = point{last.at, last.sum + p.sum, last.n + p.n}, steps[:len(steps)-1]
		}
		steps = append(steps, p)
	}
	return steps
}

// claimsText describes the skill with claims, in a sentence.
func (t *Trial) claimsText() string {
	c := t.Calibration
	var votes []string
	for _, of := range c.Claims {
		if of.Vote {
			kind := map[bool]string{true: "credits", false: "charges"}[of.Favour]
			votes = append(votes, of.Criterion.String()+" ("+kind+")")
		}
	}
	says := "its doubts have no vote"
	if votes != nil {
		says = "its doubts have a vote about " + strings.Join(votes, ", ")
	}
	return fmt.Sprintf("of two claims of the rules, one that holds and one that fails, it tells "+
		"which is which in %.0f %% (%.0f to %.0f; 50 is chance), asked about %d; %s",
		50+50*c.OfClaims.Value.Float(), 50+50*c.OfClaims.Low.Float(),
		50+50*c.OfClaims.High.Float(), t.Claims, says)
}
