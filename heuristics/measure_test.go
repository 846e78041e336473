package heuristics_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// The rules are measured against people's judgement. Every set has two parts: words, points and
// thresholds are chosen on the first, and the second shows how well they generalise. The second
// part is read only with -reporting, and never while choosing.
var (
	withReporting = flag.Bool("reporting", false,
		"measure the part of the sets that is kept for reporting as well")
	withPoints = flag.Bool("points", false, "print how each detector's points agree with people")
)

// part is the use of a set's dialogues.
type part int

const (
	choosing part = iota
	reporting
)

// partOf returns the part of a dialogue in a shared set: a quarter, drawn by the ID alone, is for
// reporting.
func partOf(id string) part {
	if sum := sha256.Sum256([]byte(id)); sum[len(sum)-1]%4 == 3 {
		return reporting
	}
	return choosing
}

// target is a figure with its goal, and its floor below which it may not fall again.
type target struct {
	name      string
	most      bool    // the figure must be at most this; otherwise, at least
	before    float64 // at fb54fed
	must, aim float64 // zero for no aim
	// by part: what has been reached, rounded to the worse side; zero if must is not met
	floor [2]float64
}

// targets lists what is measured. A floor is what was reached, minus one hundredth, or zero if
// nothing was.
func targets() []target {
	return []target{
		{"helpdesk: satisfaction", false, .71, .62, .70, [2]float64{.62, 0}},
		{"helpdesk: average", false, .64, .48, .60, [2]float64{.46, 0}},
		{"helpdesk: TaskSuccess with accomplishment", false, .52, .50, 0, [2]float64{.39, 0}},
		{"helpdesk: Helpfulness with effectiveness", false, .53, .45, 0, [2]float64{.44, 0}},
		{"helpdesk: mean correlation of four criteria", true, .78, .55, 0, [2]float64{.25, 0}},
		{"empathy: sum of the levels", false, .41, .40, 0, [2]float64{.38, 0}},
		{"empathy: emotional_reaction", false, .48, .47, 0, [2]float64{.46, 0}},
		{"fluency: right", false, .80, .80, 0, [2]float64{.85, 0}},
		{"fluency: wrong", true, 0, .04, 0, [2]float64{.01, 0}},
		{"fluency: corrected text below 80", true, 0, .04, 0, [2]float64{.01, 0}},
		{"USS: satisfaction", false, .41, .40, .43, [2]float64{.40, 0}},
		{"USS: average", false, .40, .38, .41, [2]float64{.23, 0}},
		{"USS: worst fifth by satisfaction, AUC", false, .74, .73, 0, [2]float64{.73, 0}},
		{"USS: worst among the lowest tenth", false, .50, .47, 0, [2]float64{.50, 0}},
		{"USS: Fluency below 80 on MWOZ", true, 0, .05, 0, [2]float64{.01, 0}},
		{"USS: Fluency below 80 on SGD", true, .01, .05, 0, [2]float64{.02, 0}},
		{"own desk: two levels or more off", true, .076, .09, 0, [2]float64{.17, 0}},
		{"own desk: pairs by satisfaction", false, .94, .92, 0, [2]float64{.91, 0}},
		{"own desk: profile within a dialogue", false, .49, .60, .70, [2]float64{.61, 0}},
		{"own desk: bad ones below OverallExperience 60", false, .85, .75, 0, [2]float64{.73, 0}},
		{"own desk: good ones below OverallExperience 60", true, .04, .08, 0, [2]float64{.09, 0}},
		{"hard desk: TaskSuccess with the reader's", false, .35, .50, 0, [2]float64{}},
		{"contrast: the target falls, mean of the kinds", false, .46, .70, .85, [2]float64{.80, 0}},
		{"contrast: another falls by two, or as much", true, .32, .15, .05, [2]float64{.20, 0}},
		{"contrast: the target is within its range", false, .15, .50, .70, [2]float64{.55, 0}},
		{"contrast: friendly failures at 60 or less", false, .08, .55, 0, [2]float64{.80, 0}},
		{"contrast: cold successes within a level", false, 1, .95, 0, [2]float64{.95, 0}},
	}
}

// meets reports whether a figure is at least as good as another.
func (t *target) meets(figure, wanted float64) bool {
	if t.most {
		return figure <= wanted
	}
	return figure >= wanted
}

// figures are the measured values by the names of their targets.
type figures map[string]float64

func TestMeasure(t *testing.T) {
	parts := []part{choosing}
	if *withReporting {
		parts = append(parts, reporting)
	}
	panel := newPanel(t)
	found := [2]figures{{}, {}}
	for _, set := range []struct {
		folder  string
		measure func(*testing.T, rubric.Panel, part) figures
	}{
		{"helpdesk", measureHelpdesk}, {"empathy", measureEmpathy}, {"fluency", measureFluency},
		{"uss", measureUSS},
		{"desk", measureDesk}, {"contrast", measureContrast},
	} {
		t.Run(set.folder, func(t *testing.T) {
			for _, p := range parts {
				for name, value := range set.measure(t, panel, p) {
					found[p][name] = value
				}
			}
		})
	}

	known := map[string]bool{}
	table := []string{fmt.Sprintf("| %-46s | %8s | %8s | %9s | %6s | %5s | missed",
		"what", "fb54fed", "choosing", "reporting", "must", "aim")}
	for _, target := range targets() {
		known[target.name] = true
		sign, aim := "≥", "–"
		if target.most {
			sign = "≤"
		}
		if target.aim != 0 {
			aim = fmt.Sprintf("%.2f", target.aim)
		}
		var cells [2]string
		var missed []string
		for p, name := range []string{"choosing", "reporting"} {
			value, ok := found[p][target.name]
			if cells[p] = "–"; !ok {
				continue
			}
			cells[p] = fmt.Sprintf("%.4f", value)
			if !target.meets(value, target.must) {
				missed = append(missed, name)
			}
			if floor := target.floor[p]; floor != 0 && !target.meets(value, floor) {
				t.Errorf("%s, %s: %.4f is worse than %.2f, which had been reached", target.name,
					name, value, floor)
			}
		}
		table = append(table, fmt.Sprintf("| %-46s | %8.2f | %8s | %9s | %s %4.2f | %5s | %s",
			target.name, target.before,
			cells[choosing], cells[reporting], sign, target.must, aim, strings.Join(missed, ", ")))
	}
	t.Log("\n" + strings.Join(table, "\n"))
	for _, p := range parts {
		for name := range found[p] {
			assert.True(t, known[name], "%s is no target", name)
		}
	}
}

func newPanel(t testing.TB) rubric.Panel {
	a := heuristics.New()
	r := rubric.Default()
	return rubric.Panel{Rubric: r, Observe: a.Observe, Evaluator: a.Evaluator(r),
		Critic: a.Critic(r)}
}

// shared returns the path of a file in the shared sets. It skips the test if the set is missing.
func shared(t testing.TB, names ...string) string {
	t.Helper()
	root := os.Getenv("ASSIZE_SHARED")
	if root == "" {
		t.Skip("NOT MEASURED: ASSIZE_SHARED is not set, which names the folder of the rated sets")
	}
	file := filepath.Join(append([]string{root, "data"}, names...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("NOT MEASURED: %v", err)
	}
	return file
}

// judged is a dialogue as judged by the panel.
type judged struct {
	*rubric.Evaluation
	id           string
	satisfaction float64
	people       []float64 // ratings of the whole dialogue in its file
}

func (j *judged) final(c rubric.Criterion) float64 { return float64(j.Final[c].Score) }
func (j *judged) average() float64                 { return float64(j.Average) }

// judge judges the dialogues of a file for which keep returns true, except those that cannot be
// scored.
func judge(t testing.TB, panel rubric.Panel, name string, keep func(id string) bool,
) (list []*judged) {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	for sample, err := range importer.Read(file, name, importer.Options{}) {
		require.NoError(t, err)
		if id := cmp.Or(sample.Source.ID, strconv.Itoa(sample.Dialogue.ID)); keep(id) {
			if j := judgeOne(t, panel, id, sample.Dialogue); j != nil {
				j.people = sample.Truth.Overall
				list = append(list, j)
			}
		}
	}
	require.NotEmpty(t, list, name)
	return list
}

func judgeOne(t testing.TB, panel rubric.Panel, id string, d dialogue.Dialogue) *judged {
	e, err := panel.Judge(context.Background(), d)
	var unscored *rubric.Unscored
	if errors.As(err, &unscored) {
		return nil
	}
	require.NoError(t, err)
	return &judged{Evaluation: e, id: id,
		satisfaction: float64(heuristics.DefaultProfile().Estimate(e).Satisfaction)}
}

// readTable reads a table whose first row names the columns.
func readTable(t testing.TB, name string) (rows []map[string]string) {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t testing.TB, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// column returns the value of f for each dialogue.
func column[E any](list []E, f func(E) float64) (values []float64) {
	for _, e := range list {
		values = append(values, f(e))
	}
	return values
}

// with returns the rank correlation of the panel's figure and people's ratings.
func with(list []*judged, judge, people func(*judged) float64) float64 {
	return spearman(column(list, judge), column(list, people))
}

func satisfaction(j *judged) float64 { return j.satisfaction }

func final(c rubric.Criterion) func(*judged) float64 {
	return func(j *judged) float64 { return j.final(c) }
}

// helpdeskMeans returns the mean of all raters, by dialogue and question.
func helpdeskMeans(t testing.TB) map[string]map[string]float64 {
	sums, raters := map[string]map[string]float64{}, map[string]float64{}
	for _, row := range readTable(t, shared(t, "helpdesk", "ratings.csv")) {
		id := row["dialogue_id"]
		if sums[id] == nil {
			sums[id] = map[string]float64{}
		}
		raters[id]++
		for _, what := range []string{"satisfaction", "accomplishment", "effectiveness"} {
			sums[id][what] += number(t, row[what])
		}
	}
	for id, of := range sums {
		for what := range of {
			of[what] /= raters[id]
		}
	}
	return sums
}

func helpdesk(t testing.TB, panel rubric.Panel, p part) []*judged {
	return judge(t, panel, shared(t, "helpdesk", "dialogues.jsonl"),
		func(id string) bool { return partOf(id) == p })
}

func measureHelpdesk(t *testing.T, panel rubric.Panel, p part) figures {
	means := helpdeskMeans(t)
	list := helpdesk(t, panel, p)
	people := func(what string) func(*judged) float64 { return func(j *judged) float64 { return means[j.id][what] } }
	apart := []rubric.Criterion{rubric.TaskSuccess, rubric.Accuracy, rubric.Understanding,
		rubric.Empathy}
	sum, pairs := 0.0, 0.0
	for i, x := range apart {
		for _, y := range apart[i+1:] {
			sum, pairs = sum+pearson(column(list, final(x)), column(list, final(y))), pairs+1
		}
	}
	return figures{
		"helpdesk: satisfaction": with(list, satisfaction,
			people("satisfaction")),
		"helpdesk: average": with(list, (*judged).average,
			people("satisfaction")),
		"helpdesk: TaskSuccess with accomplishment": with(list, final(rubric.TaskSuccess),
			people("accomplishment")),
		"helpdesk: Helpfulness with effectiveness": with(list, final(rubric.Helpfulness),
			people("effectiveness")),
		"helpdesk: mean correlation of four criteria": sum / pairs,
	}
}

// empathyLevels returns people's three levels by dialogue, and their sum.
func empathyLevels(t testing.TB) map[string]map[string]float64 {
	levels := map[string]map[string]float64{}
	for _, row := range readTable(t, shared(t, "empathy", "levels.csv")) {
		of := map[string]float64{}
		for _, what := range []string{"emotional_reaction", "interpretation", "exploration"} {
			of[what] = number(t, row[what])
			of["sum"] += of[what]
		}
		levels[row["dialogue_id"]] = of
	}
	return levels
}

func empathy(t testing.TB, panel rubric.Panel, p part) []*judged {
	return judge(t, panel, shared(t, "empathy", "dialogues.jsonl"),
		func(id string) bool { return partOf(id) == p })
}

func measureEmpathy(t *testing.T, panel rubric.Panel, p part) figures {
	levels := empathyLevels(t)
	list := empathy(t, panel, p)
	people := func(what string) func(*judged) float64 { return func(j *judged) float64 { return levels[j.id][what] } }
	return figures{
		"empathy: sum of the levels": with(list, final(rubric.Empathy), people("sum")),
		"empathy: emotional_reaction": with(list, final(rubric.Empathy),
			people("emotional_reaction")),
	}
}

// measureFluency combines five sentences of a part into one dialogue, in the original and the
// corrected form.
func measureFluency(t *testing.T, panel rubric.Panel, p part) figures {
	text, err := os.ReadFile(shared(t, "fluency", "pairs.tsv"))
	require.NoError(t, err)
	var pairs [][]string
	for i, line := range strings.Split(strings.TrimRight(string(text), "\r\n"), "\n") {
		if i > 0 && partOf(strconv.Itoa(i)) == p {
			pairs = append(pairs, strings.Split(strings.TrimRight(line, "\r"), "\t"))
		}
	}
	var right, wrong, low, n float64
	for group := range slices.Chunk(pairs, 5) {
		if len(group) < 5 {
			break
		}
		var scores [2]float64 // original, corrected
		for side := range scores {
			var d dialogue.Dialogue
			for _, pair := range group {
				d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.User, Text: "Go on."},
					dialogue.Turn{Role: dialogue.System, Text: strings.TrimSpace(pair[side])})
			}
			j := judgeOne(t, panel, "", d)
			require.NotNil(t, j, "a group is unscored")
			scores[side] = j.final(rubric.Fluency)
		}
		n++
		switch {
		case scores[1] > scores[0]:
			right++
		case scores[1] < scores[0]:
			wrong++
		}
		if scores[1] < 80 {
			low++
		}
	}
	return figures{
		"fluency: right": right / n, "fluency: wrong": wrong / n,
		"fluency: corrected text below 80": low / n,
	}
}

// ussSets are the sets of USS. Points are chosen on them, and they are reported as a whole: both
// parts contain all of them.
func ussSets() []string { return []string{"CCPE", "MWOZ", "ReDial", "SGD"} }

func uss(t testing.TB, panel rubric.Panel, set string) []*judged {
	return judge(t, panel, shared(t, "uss", set+".txt"), func(string) bool { return true })
}

func measureUSS(t *testing.T, panel rubric.Panel, _ part) figures {
	mean := figures{}
	for _, set := range ussSets() {
		list := uss(t, panel, set)
		people := column(list, (*judged).rating)
		cut := quantile(people, .2)
		var worst, rest []float64 // by satisfaction
		for i, j := range list {
			if people[i] < cut {
				worst = append(worst, j.satisfaction)
			} else {
				rest = append(rest, j.satisfaction)
			}
		}
		of := figures{
			"USS: satisfaction": with(list, satisfaction, (*judged).rating),
			"USS: average": with(list, (*judged).average,
				(*judged).rating),
			"USS: worst fifth by satisfaction, AUC": 1 - auc(worst, rest),
			"USS: worst among the lowest tenth":     precision(worst, rest, .1),
		}
		for name, value := range of {
			mean[name] += value / float64(len(ussSets()))
		}
		if set == "MWOZ" || set == "SGD" {
			low := share(list, func(j *judged) bool { return j.final(rubric.Fluency) < 80 })
			mean["USS: Fluency below 80 on "+set] = low
		}
	}
	return mean
}

// rating returns the mean of the ratings, rounded so that equal means tie.
func (j *judged) rating() float64 { return math.Round(mean(j.people)*1e9) / 1e9 }

// measureDesk compares our help-desk dialogues with the ranges of their reader, except those
// written to mislead.
func measureDesk(t *testing.T, panel rubric.Panel, p part) figures {
	want := deskRows(t, p)
	maps.DeleteFunc(want,
		func(_ string, row map[string]string) bool { return slices.Contains(hardParts, row["part"]) })
	of := deskFigures(t, judgeDesk(t, panel, want), want)
	if p == choosing { // all of the hard ones are for choosing
		hard := deskRows(t, p)
		maps.DeleteFunc(hard,
			func(_ string, row map[string]string) bool { return !slices.Contains(hardParts, row["part"]) })
		list := judgeDesk(t, panel, hard)
		of["hard desk: TaskSuccess with the reader's"] = with(list, final(rubric.TaskSuccess),
			func(j *judged) float64 {
				return middleOf(t, hard[j.id][rubric.TaskSuccess.String()])
			})
	}
	return of
}

// middleOf returns the midpoint of a range such as 80-100, or a single level.
func middleOf(t testing.TB, text string) float64 {
	low, high, _ := strings.Cut(text, "-")
	return (number(t, low) + number(t, cmp.Or(high, low))) / 2
}

// measureContrast judges minimal edits, each of which spoils one criterion of a good dialogue. The
// first twelve dialogues are for choosing, the others for reporting.
func measureContrast(t *testing.T, panel rubric.Panel, p part) figures {
	name := shared(t, "contrast", "dialogues.jsonl")
	by := map[string]*judged{}
	for _, j := range judge(t, panel, name,
		func(id string) bool { return (id[:3] <= "c12") == (p == choosing) }) {
		by[j.id] = j
	}
	falls, all := map[string]float64{}, map[string]float64{}
	var n, spill, within, failures, low, cold, near float64
	for _, row := range readTable(t, shared(t, "contrast", "expect.csv")) {
		v, base := by[row["id"]], by[row["base"]]
		if v == nil || row["kind"] == "base" {
			continue
		}
		target, err := rubric.ParseCriterion(row["target"])
		require.NoError(t, err)
		fall := func(c rubric.Criterion) float64 { return base.final(c) - v.final(c) }
		n, all[row["kind"]] = n+1, all[row["kind"]]+1
		if fall(target) > 0 {
			falls[row["kind"]]++
		}
		worst := 0.0
		for _, c := range rubric.Criteria() {
			exempt := row["kind"] == "T" && c == rubric.Helpfulness || row["kind"] == "X" &&
				c == rubric.Fluency
			if c != target && !exempt {
				worst = max(worst, fall(c))
			}
		}
		if worst >= 40 || worst > 0 && worst >= fall(target) {
			spill++
		}
		least, most, _ := strings.Cut(row[target.String()], "-")
		if v.final(target) >= number(t, least) &&
			v.final(target) <= number(t, cmp.Or(most, least)) {
			within++
		}
		switch task := v.final(rubric.TaskSuccess); row["kind"] {
		case "T":
			if failures++; task <= 60 {
				low++
			}
		case "X":
			if cold++; fall(rubric.TaskSuccess) <= 20 {
				near++
			}
		}
	}
	mean := 0.0
	for kind, of := range all {
		mean += falls[kind] / of / float64(len(all))
	}
	return figures{
		"contrast: the target falls, mean of the kinds": mean,
		"contrast: another falls by two, or as much":    spill / n,
		"contrast: the target is within its range":      within / n,
		"contrast: friendly failures at 60 or less":     low / failures,
		"contrast: cold successes within a level":       near / cold,
	}
}

// keptParts are the parts of the desk that are for reporting.
var keptParts = []string{"last", "more-b", "last-e", "last-g", "last-i", "last-n", "last-x",
	"last-ag", "last-ah", "last-ai", "last-aj", "last-ak", "last-al"}

// deskRows returns the reader's scores for the dialogues of a part, by ID.
func deskRows(t testing.TB, p part) map[string]map[string]string {
	rows := map[string]map[string]string{}
	for _, row := range readTable(t, filepath.Join("..", "testdata", "desk", "ranges.csv")) {
		if slices.Contains(keptParts, row["part"]) == (p == reporting) {
			rows[row["id"]] = row
		}
	}
	return rows
}

func judgeDesk(t testing.TB, panel rubric.Panel, want map[string]map[string]string) []*judged {
	name := filepath.Join("..", "testdata", "desk", "dialogues.jsonl")
	list := judge(t, panel, name, func(id string) bool { return want[id] != nil })
	require.Len(t, list, len(want), "unscored dialogues")
	return list
}

func deskFigures(t testing.TB, list []*judged, want map[string]map[string]string) figures {
	by := map[string]*judged{}
	var off, scores float64
	for _, j := range list {
		by[j.id] = j
		for _, c := range rubric.Criteria() {
			low, high, _ := strings.Cut(want[j.id][c.String()], "-")
			least, most := number(t, low), number(t, cmp.Or(high, low))
			if scores++; least-j.final(c) >= 40 || j.final(c)-most >= 40 {
				off++
			}
		}
	}
	pairs := func(f func(*judged) float64) float64 {
		var right, n float64
		for id, a := range by {
			b := by[strings.TrimSuffix(id, "a")+"b"]
			if !strings.HasSuffix(id, "a") || b == nil ||
				want[id]["quality"] == want[b.id]["quality"] {
				continue
			}
			good, bad := a, b
			if want[id]["quality"] == "bad" {
				good, bad = b, a
			}
			if n++; f(bad) < f(good) {
				right++
			}
		}
		return right / n
	}
	below := func(quality string) float64 {
		of := slices.Clone(list)
		of = slices.DeleteFunc(of, func(j *judged) bool { return want[j.id]["quality"] != quality })
		return share(of, func(j *judged) bool { return j.Overall < 60 })
	}
	return figures{
		"own desk: two levels or more off":               off / scores,
		"own desk: pairs by satisfaction":                pairs(satisfaction),
		"own desk: profile within a dialogue":            profile(t, list, want),
		"own desk: bad ones below OverallExperience 60":  below("bad"),
		"own desk: good ones below OverallExperience 60": below("good"),
	}
}

// profile returns the correlation of the scores with the midpoints of the reader's ranges, each
// minus the mean of its dialogue.
func profile(t testing.TB, list []*judged, want map[string]map[string]string) float64 {
	var ours, theirs []float64
	for _, j := range list {
		var a, b []float64
		for _, c := range rubric.Criteria() {
			a, b = append(a, j.final(c)), append(b, middleOf(t, want[j.id][c.String()]))
		}
		for i := range a {
			ours, theirs = append(ours, a[i]-mean(a)), append(theirs, b[i]-mean(b))
		}
	}
	return pearson(ours, theirs)
}

// share returns the share of the dialogues for which is returns true.
func share(list []*judged, is func(*judged) bool) float64 {
	n := 0.0
	for _, j := range list {
		if is(j) {
			n++
		}
	}
	return n / float64(len(list))
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// quantile interpolates linearly between the two nearest values (Hyndman and Fan 1996, type 7).
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// ranks returns the rank of each value, starting at 1; ties get the mean of their ranks.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	of := make([]float64, len(values))
	for from, to := 0, 0; from < len(order); from = to {
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			of[i] = float64(from+to+1) / 2
		}
	}
	return of
}

// spearman returns the rank correlation, with ties.
func spearman(x, y []float64) float64 { return pearson(ranks(x), ranks(y)) }

// pearson returns the correlation coefficient.
func pearson(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var xx, yy, xy float64
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	return xy / math.Sqrt(xx*yy)
}

// auc returns the probability that a value in high is greater than one in low; ties count half
// (Mann and Whitney 1947).
func auc(high, low []float64) float64 {
	sum, n := 0.0, float64(len(high))
	for _, r := range ranks(slices.Concat(high, low))[:len(high)] {
		sum += r
	}
	return (sum - n*(n+1)/2) / (n * float64(len(low)))
}

// precision returns the proportion of the worst among the lowest values, which are a share of all.
// If equal values straddle the cut, it is the expected proportion for a random choice among them.
func precision(worst, rest []float64, share float64) float64 {
	all := slices.Concat(worst, rest)
	cut := max(1, math.Round(share*float64(len(all))))
	hits := 0.0
	for taken := 0.0; taken < cut; {
		lowest, same, bad := slices.Min(all), 0.0, 0.0
		for i, v := range all {
			if v == lowest {
				if same++; i < len(worst) {
					bad++
				}
				all[i] = math.Inf(1)
			}
		}
		take := min(same, cut-taken)
		hits += take * bad / same
		taken += take
	}
	return hits / cut
}

// These are the statistics by which the rules are measured, computed by hand.
func TestStatistics(t *testing.T) {
	assert.Equal(t, []float64{1, 2.5, 2.5, 4}, ranks([]float64{1, 3, 3, 9}))
	assert.InDelta(t, .5, spearman([]float64{1, 2, 3}, []float64{1, 3, 2}), 1e-9)
	assert.InDelta(t, .75, auc([]float64{2, 3}, []float64{1, 2.5}), 1e-9)
	assert.InDelta(t, .5, auc([]float64{2}, []float64{2}), 1e-9, "equal values count half")
	assert.InDelta(t, 1.8, quantile([]float64{1, 2, 3, 4, 5}, .2), 1e-9)
	assert.InDelta(t, .5, precision([]float64{1, 5}, []float64{1, 2}, .25), 1e-9,
		"a fair draw among the two lowest")
	assert.InDelta(t, .5, precision([]float64{1, 5}, []float64{2, 3}, .5), 1e-9)
}
