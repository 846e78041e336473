package compare

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

var basis = sync.OnceValue(run.DefaultBasis)

// header returns the header of a run in which a model, whose answers may vary, judges.
func header() *run.Header {
	return &run.Header{
		Program: "v1", Lexicon: "abc", Basis: basis(), Model: &localllm.Identity{Name: "some:1b"},
		Configuration: run.Configuration{Evaluator: "rules", Critic: "rules", Mapping: "down"},
	}
}

// scores is a scored case: its text, the score of TaskSuccess, and the score of all other criteria.
func scores(said string, task, others rubric.Score) run.Row {
	c := run.Row{Name: said, File: "calls.txt", Said: key(said),
		Estimate: satisfaction.Estimate{Satisfaction: rubric.Hundredths(100 + 4*int(task))}}
	for i := range c.Final {
		c.Final[i] = others
	}
	c.Final[rubric.TaskSuccess] = task
	var err error
	if c.Average, err = basis().Rubric.Average(c.Final); err != nil {
		panic(err) // a mistake in a test
	}
	c.Overall = rubric.Down.Overall(c.Average)
	return c
}

func unscored(said, reason string) run.Row {
	return run.Row{Name: said, File: "calls.txt", Reason: reason, Said: key(said)}
}

func key(said string) run.Key { sum := sha256.Sum256([]byte(said)); return run.Key(sum[:]) }

func made(h *run.Header, cases ...run.Row) *Run {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Place = i + 2
	}
	return NewRun("run.jsonl", cases, []*run.Header{h})
}

// many returns n distinct dialogues; task returns the score of TaskSuccess by number.
func many(n int, task func(i int) rubric.Score) *Run {
	cases := make([]run.Row, n)
	for i := range cases {
		cases[i] = scores(fmt.Sprint("dialogue ", i), task(i), 80)
	}
	return made(header(), cases...)
}

func always(s rubric.Score) func(int) rubric.Score { return func(int) rubric.Score { return s } }

// of returns the figure of a measure, or nil if there is none.
func of(list []figure, m int) *figure {
	if m < len(list) {
		return &list[m]
	}
	return nil
}

var usual = Options{Top: 10, Draws: 200, Seed: 1}

func TestMatchGoesByIDThenByWhatWasSaid(t *testing.T) {
	a := made(header(), scores("x", 80, 80), scores("y", 80, 80), scores("x", 80, 80),
		scores("x", 80, 80))
	b := made(header(), scores("z", 80, 80), scores("x", 80, 80), scores("y", 80, 80),
		scores("x", 80, 80), scores("z", 80, 80))
	b.Rows[1].Name, b.Rows[1].File = "another", "other.txt"
	want := [][2]*run.Row{{a.Rows[0], b.Rows[3]}, {a.Rows[1], b.Rows[2]}, {a.Rows[2], b.Rows[1]}}
	pairs, onlyA, onlyB := match(a.Rows, b.Rows)
	assert.Equal(t, want, pairs, "the first x with the one of this name, the second with the other")
	assert.Equal(t, a.Rows[3:], onlyA)
	assert.Equal(t, []*run.Row{b.Rows[0], b.Rows[4]}, onlyB)
	c := New(a, b, usual)
	assert.Equal(t, []int{1, 2}, []int{c.A.Only, c.B.Only})
}

// The same ids are the same dialogues whatever is said, unless the ids only count the dialogues.
func TestMatchByID(t *testing.T) {
	row := func(file, name, said, opening string) run.Row {
		r := scores(said, 80, 80)
		r.File, r.Name = file, name
		if opening != "" {
			r.Opening = key(opening)
		}
		return r
	}
	for _, tt := range []struct {
		reason string
		a, b   []run.Row
		want   string // the words of each pair
	}{
		{"the same ids", []run.Row{row("a.csv", "s1", "x", "o"), row("a.csv", "s2", "y", "o")},
			[]run.Row{row("b.csv", "s2", "z", "p"), row("b.csv", "s1", "w", "p")}, "x-w y-z"},
		{"ids go before words", []run.Row{row("a.csv", "s1", "x", ""), row("a.csv", "s2", "y", "")},
			[]run.Row{row("b.csv", "s1", "y", ""), row("b.csv", "s2", "x", "")}, "x-y y-x"},
		{"other ids, the same words", []run.Row{row("a.csv", "s1", "x", "")},
			[]run.Row{row("b.csv", "t1", "x", "")}, "x-x"},
		{"numbers, the same opening", []run.Row{row("a.txt", "1", "x", "o"), row("a.txt", "2", "y", "p")},
			[]run.Row{row("b.txt", "1", "z", "o"), row("b.txt", "2", "w", "q")}, "x-z"},
		{"numbers that moved", []run.Row{row("a.txt", "1", "x", "o"), row("a.txt", "2", "y", "p")},
			[]run.Row{row("b.txt", "1", "y", "p")}, "y-y"},
		{"numbers of two sets", []run.Row{row("a.txt", "1", "x", "")},
			[]run.Row{row("b.txt", "1", "y", "")}, ""},
		{"an id twice in other files", []run.Row{row("a.csv", "s1", "x", ""), row("c.csv", "s1", "y", "")},
			[]run.Row{row("b.csv", "s1", "z", "")}, ""},
		{"an id twice in the same files", []run.Row{row("a.csv", "s1", "x", ""),
			row("c.csv", "s1", "y", "")},
			[]run.Row{row("c.csv", "s1", "z", ""), row("a.csv", "s1", "w", "")}, "x-w y-z"},
	} {
		said := map[run.Key]string{}
		for _, w := range []string{"x", "y", "z", "w"} {
			said[key(w)] = w
		}
		var pairs []string
		found, _, _ := match(made(header(), tt.a...).Rows, made(header(), tt.b...).Rows)
		for _, p := range found {
			pairs = append(pairs, said[p[0].Said]+"-"+said[p[1].Said])
		}
		assert.Equal(t, tt.want, strings.Join(pairs, " "), tt.reason)
	}
}

// With rules alone, the same words cannot have other scores: that is no chance.
func TestImpossibleChanges(t *testing.T) {
	rules := func(change func(*run.Header), r *Run) *Run {
		h := header()
		h.Model = nil
		if change != nil {
			change(h)
		}
		return made(h, rowsOf(r)...)
	}
	a := many(30, always(80))
	b := many(30, func(i int) rubric.Score { return rubric.Score(80 - 20*(i/29)) })
	c := New(rules(nil, a), rules(nil, b), usual)
	require.Len(t, c.Impossible, 1)
	assert.Contains(t, c.Answer[0], "rules alone cannot")
	v, why, err := c.Drop(500, 0)
	require.NoError(t, err)
	assert.Equal(t, stats.Undecided, v)
	assert.Contains(t, why, "dialogue 29")
	for reason, other := range map[string]*Run{
		"another program": rules(func(h *run.Header) { h.Program = "v2" }, b),
		"masked words":    rules(func(h *run.Header) { h.Configuration.Redacted = true }, b),
		"a model":         b,
		"other words":     renamed(rules(nil, b)),
		"the same scores": rules(nil, a),
	} {
		assert.Empty(t, New(rules(nil, a), other, usual).Impossible, reason)
	}
}

// A gate never passes on dialogues that no mean covers.
func TestDropNamesWhatIsLeftOut(t *testing.T) {
	six := rowsOf(many(6, always(80)))
	with := func(more ...run.Row) *Run { return made(header(), slices.Concat(six, more)...) }
	for _, tt := range []struct {
		reason string
		a, b   *Run
		mode   Mode
		want   string // named; empty if the gate passes
	}{
		{"nothing", with(), with(), auto, ""},
		{"missing", with(scores("gone", 80, 80)), with(), auto, "gone"},
		{"new", with(), with(scores("came", 20, 20)), Paired, "came"},
		{"became unscored", with(scores("x", 80, 80)), with(unscored("x", "silence")), auto, "x"},
		{"unscored as before", with(unscored("x", "silence")), with(unscored("x", "silence")), auto, ""},
		{"two sets", with(), with(unscored("x", "silence")), Unpaired, "x"},
		{"two sets with the same share", with(unscored("x", "silence")),
			with(unscored("y", "silence")), Unpaired, ""},
		{"a share that cannot change the answer", with(),
			made(header(), append(rowsOf(many(60, always(80))), unscored("x", "silence"))...),
			Unpaired, ""},
	} {
		opt := usual
		opt.Mode = tt.mode
		v, why, err := New(tt.a, tt.b, opt).Drop(200, 0)
		require.NoError(t, err, tt.reason)
		assert.Equal(t, tt.want != "", v == stats.Undecided, tt.reason)
		if tt.want != "" {
			assert.Contains(t, why, ": "+tt.want, tt.reason)
		}
	}
}

func TestTheModeFollowsFromWhatIsTheSame(t *testing.T) {
	upTo := func(from, to int) *Run {
		var cases []run.Row
		for i := from; i < to; i++ {
			cases = append(cases, scores(fmt.Sprint(i), 80, 80))
		}
		return made(header(), cases...)
	}
	repeated := func(r *Run, n int) *Run {
		var cases []run.Row
		for _, row := range r.Rows {
			cases = append(cases, *row)
		}
		for i := range n {
			c := cases[0]
			c.Name = fmt.Sprint("copy-", i)
			cases = append(cases, c)
		}
		return made(header(), cases...)
	}
	for _, tt := range []struct {
		reason string
		a, b   *Run
		mode   Mode
		want   bool
	}{
		{"the same", upTo(0, 10), upTo(0, 10), auto, true},
		{"half of it", upTo(0, 10), upTo(5, 15), auto, true},
		{"less than half", upTo(0, 10), upTo(6, 16), auto, false},
		{"a part of a longer run", upTo(0, 100), upTo(10, 20), auto, true},
		{"nothing in common", upTo(0, 10), upTo(10, 20), auto, false},
		{"nothing at all", upTo(0, 0), upTo(0, 0), auto, false},
		{"one of them many times", repeated(upTo(0, 10), 20), repeated(upTo(9, 19), 20), auto, false},
		{"as was asked for", upTo(0, 10), upTo(0, 10), Unpaired, false},
		{"as was asked for, however few", upTo(0, 10), upTo(9, 19), Paired, true},
	} {
		opt := usual
		opt.Mode = tt.mode
		assert.Equal(t, tt.want, New(tt.a, tt.b, opt).Mode == Paired, tt.reason)
	}
}

func TestPairsByHand(t *testing.T) {
	// TaskSuccess weighs 40 %, so a level is 8 points. Of six dialogues five fall by one level and
	// one by two.
	a := many(6, always(80))
	b := many(6, func(i int) rubric.Score {
		if i == 5 {
			return 40
		}
		return 60
	})
	c := New(a, b, usual)
	require.Equal(t, Paired, c.Mode)
	f := of(c.All, average)
	assert.Equal(t, 80.0, f.A.Value)
	assert.InDelta(t, 80-56.0/6, f.B.Value, 1e-12)
	assert.InDelta(t, -56.0/6, f.Difference.Value, 1e-12)
	assert.Equal(t, []int{0, 6, 0}, []int{f.Rose, f.Fell, f.Stayed})

	task := of(c.All, firstCriterion)
	assert.InDelta(t, -140.0/6, task.Difference.Value, 1e-12)
	help := of(c.All, firstCriterion+1)
	assert.Zero(t, help.Difference.Value)
	assert.Equal(t, &Directions{Stayed: 6}, help.Directions)
	// The averages are 80, 72 and 64, the OverallExperience 80, 60 and 60; none is below 60.
	assert.InDelta(t, -20, of(c.All, overall).Difference.Value, 1e-12)
	assert.Zero(t, of(c.All, below60).B.Value)
	assert.InDelta(t, -.8*7/6, of(c.All, estimate).Difference.Value, 1e-12)
}

// A pair is worse if a score fell by two levels, or the average by ten points.
func TestWorse(t *testing.T) {
	a := made(header(), scores("two levels", 80, 80), scores("one level each", 80, 80),
		scores("a little", 80, 80), scores("better", 60, 60))
	b := made(header(), scores("two levels", 40, 80), scores("one level each", 60, 60),
		scores("a little", 60, 80), scores("better", 80, 80))
	c := New(a, b, usual)
	require.Equal(t, Paired, c.Mode)
	var names []string
	for _, pair := range c.Worse() {
		names = append(names, pair[1].Name)
	}
	assert.Equal(t, []string{"two levels", "one level each"}, names)
}

func TestTwoSetsByHand(t *testing.T) {
	a := made(header(), scores("1", 60, 80), scores("2", 80, 80), unscored("u", "silence"))
	b := made(header(), scores("3", 60, 80), scores("4", 20, 80), scores("5", 100, 80))
	c := New(a, b, usual)
	require.Equal(t, Unpaired, c.Mode)
	assert.Equal(t, []int{2, 3}, []int{c.All[0].NA, c.All[0].NB}, "what is unscored takes no part")
	// The averages are 72 and 80 against 72, 56 and 88.
	f := of(c.All, average)
	assert.InDelta(t, 76, f.A.Value, 1e-12)
	assert.InDelta(t, 72, f.B.Value, 1e-12)
	assert.InDelta(t, -4, f.Difference.Value, 1e-12)
	assert.Nil(t, f.Directions)
	assert.InDelta(t, 100.0/3, of(c.All, below60).Difference.Value, 1e-12,
		"one of three in B is at 40")
}

func TestIntervals(t *testing.T) {
	a := many(400, always(60))
	b := many(400, func(i int) rubric.Score { return rubric.Scale[i%5] })
	opt := usual
	opt.Draws = 1000
	f := of(New(a, b, opt).All, firstCriterion)
	// The differences are -40, -20, 0, 20 and 40, with a standard deviation of √800 = 28.28; the
	// normal interval is ±1.96 × 28.28 / √400 = ±2.77.
	assert.InDelta(t, -2.77, f.Interval[0].Value, .25)
	assert.InDelta(t, 2.77, f.Interval[1].Value, .25)
	assert.Equal(t, f.Interval, of(New(a, b, opt).All, firstCriterion).Interval,
		"the same seed gives the same bits")
	opt.Seed = 2
	assert.NotEqual(t, f.Interval, of(New(a, b, opt).All, firstCriterion).Interval)

	opt.Mode = Unpaired
	apart := of(New(b, b, opt).All, firstCriterion)
	// For two sets the variances add up: ±1.96 × √(800/400 + 800/400) = ±3.92.
	assert.InDelta(t, -3.92, apart.Interval[0].Value, .35)
	assert.InDelta(t, 3.92, apart.Interval[1].Value, .35)

	for _, n := range []int{1, minForInterval - 1} {
		f := of(New(many(n, always(60)), many(n, always(40)), usual).All, average)
		assert.Nil(t, f.Interval, "%d dialogues", n)
	}
}

// TestIntervalsRarelyCryWolf draws both runs from the same dialogues many times: the 95 % interval
// may exclude 0 about once in twenty.
func TestIntervalsRarelyCryWolf(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	any := func(int) rubric.Score { return rubric.Scale[chance.IntN(5)] }
	for _, mode := range []Mode{Paired, Unpaired} {
		opt := usual
		opt.Mode = mode
		alarms := 0
		const rounds = 300
		for seed := range uint64(rounds) {
			opt.Seed = seed
			c := New(many(60, any), many(60, any), opt)
			if of(c.All, average).isSignificant() {
				alarms++
			}
		}
		assert.Greater(t, alarms, rounds/50, "mode %d", mode)
		assert.Less(t, alarms, rounds/10, "mode %d", mode)
	}
}

func rowsOf(r *Run) (rows []run.Row) {
	for _, row := range r.Rows {
		rows = append(rows, *row)
	}
	return rows
}

func BenchmarkNew(b *testing.B) {
	chance := rand.New(rand.NewPCG(1, 2))
	any := func(int) rubric.Score { return rubric.Scale[chance.IntN(5)] }
	x, y := many(2800, any), many(2800, any)
	b.ReportAllocs()
	for b.Loop() {
		New(x, y, Options{Top: 10, Draws: 1000, Seed: 1})
	}
}
