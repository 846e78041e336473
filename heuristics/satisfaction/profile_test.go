package satisfaction

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

func TestProfileMaps(t *testing.T) {
	line := Profile{Line: &Line{Intercept: 3 * one, Slope: one / 4}}
	for _, tt := range []struct {
		reason   string
		p        Profile
		at, want Millionths
	}{
		{"no reaction is the intercept", line, 0, 3 * one},
		{"a line goes on", line, 4 * one, 4 * one},
		{"and downwards", line, -2 * one, 2_500_000},
		{"a millionth rounds towards minus infinity", line, -1, 2_999_999},
	} {
		assert.Equal(t, tt.want, tt.p.Rating(tt.at), tt.reason)
	}
}

func TestProfilePlacesARating(t *testing.T) {
	p := Profile{Cuts: []rubric.Hundredths{150, 250, 320, 400}, Triage: &Triage{Rate: one / 10,
		Cut: 250}}
	assert.Equal(t, Estimate{Satisfaction: 149, Level: 1, Flagged: true}, p.Place(149))
	assert.Equal(t, Estimate{Satisfaction: 250, Level: 3, Flagged: true}, p.Place(250),
		"a cut belongs to the level above it, and to those flagged")
	assert.Equal(t, Estimate{Satisfaction: 319, Level: 3}, p.Place(319))
	assert.Equal(t, Estimate{Satisfaction: 500, Level: 5}, p.Place(500))
	assert.Equal(t, Estimate{Satisfaction: 500}, DefaultProfile().Place(500),
		"the default profile knows no levels and flags nobody")
}

func TestAModelAdds(t *testing.T) {
	m := Model{Weight: 12_500, Centre: 6050, Rating: 3 * one} // .0125 per point
	for _, tt := range []struct {
		reason  string
		average rubric.Hundredths
		want    Millionths
	}{
		{"nothing at the centre", 6050, 0},
		{"20 points above", 8050, 125_000},
		{"20 points below", 4050, -125_000},
		{"two hundredths of a point", 6052, 125},
	} {
		assert.Equal(t, tt.want, m.Blend(3*one, tt.average), tt.reason)
	}
	assert.Equal(t, Millionths(-1), Model{Weight: 1, Centre: 6050}.Blend(0, 6049),
		"a millionth rounds towards minus infinity")
	assert.Equal(t, -one/2, m.Blend(4*one, 6050), "half of what lies between both")
	m.Share = one / 4
	assert.Equal(t, -one/4, m.Blend(4*one, 6050), "the share of it")

	p := Profile{Line: &Line{Intercept: 3 * one, Slope: one}, Cuts: []rubric.Hundredths{150, 250,
		320, 400}}
	assert.Equal(t, Estimate{Satisfaction: 325, Level: 4}, p.EstimateAt(0, 250_000),
		"levels are those of the sum")
	assert.Equal(t, Estimate{Satisfaction: 500, Level: 5}, p.EstimateAt(one, 1_500_000),
		"nothing is above the scale")
	assert.Equal(t, Estimate{Satisfaction: 100, Level: 1}, p.EstimateAt(-one, -9*one))
	assert.Equal(t, rubric.Hundredths(450), p.EstimateAt(5*one, -3_500_000).Satisfaction,
		"the sum is cut off at the ends, and not its parts")
}

func TestParseProfile(t *testing.T) {
	p := DefaultProfile()
	again, err := ParseProfile("again", rubric.AppendJSON(nil, p))
	require.NoError(t, err)
	assert.Equal(t, p, again)
	assert.Equal(t, p.Digest(), again.Digest())

	again, err = ParseProfile("file", p.File())
	require.NoError(t, err)
	assert.Equal(t, p, again, "the file that people read says the same")

	const start = `{"profile": 3, "input": "reactions", `
	const line = `"line": {"intercept": 3, "slope": 1}}`
	for _, tt := range []struct{ reason, text, want string }{
		{"no JSON", `slope: 3`, "mine.json: "},
		{"a list", ` []`,
			"mine.json: not a profile, which is a JSON object; want one as assize fit writes"},
		{"an empty file", ``, "not a profile, which is a JSON object"},
		{"seven decimals as an exponent", start + `"line": {"intercept": 3, "slope": 1e-7}}`,
			"at most six decimals"},
		{"an exponent beyond all measure", start + `"line": {"intercept": 3, "slope": 1e999}}`,
			"no number from -1000 to 1000"},
		{"another version",
			`{"profile": 1, "input": "reactions", "line": {"intercept": 3, "slope": 1}}`,
			"the version, is 1; want 3"},
		{"an unknown key", start + `"slope": 3}`, `unknown field "slope"`},
		{"an unknown input",
			`{"profile": 3, "input": "mood", "line": {"intercept": 3, "slope": 1}}`,
			`input is "mood"; want reactions`},
		{"no map", start + `"cuts": [1, 2, 3, 4]}`, "there is no line; want one"},
		{"a line that falls", start + `"line": {"intercept": 3, "slope": -0.1}}`,
			"the slope is -0.1"},
		{"seven decimals", start + `"line": {"intercept": 3, "slope": 0.1234567}}`,
			"at most six decimals"},
		{"a number beyond all measure",
			start + `"line": {"intercept": 99999999999999999999, "slope": 1}}`,
			"no number from -1000 to 1000"},
		{"three cuts", start + `"line": {"intercept": 3, "slope": 1}, "cuts": [2, 3, 4]}`,
			"want four ratings"},
		{"cuts that fall", start + `"line": {"intercept": 3, "slope": 1}, "cuts": [2, 3, 4, 3]}`,
			"want four ratings"},
		{"a rate of all",
			start + `"line": {"intercept": 3, "slope": 1}, "triage": {"rate": 1, "cut": 3}}`,
			"the rate is 1"},
		{"a detector that is none", start + `"before": ["outcome-faild"], ` + line,
			`before: "outcome-faild"; want the id of a detector`},
		{"a reaction, which counts by itself", start + `"whole": ["reaction-thanks"], ` + line,
			`whole: "reaction-thanks"; want the id`},
		{"a detector twice", start + `"before": ["outcome-failed", "outcome-failed"], ` + line,
			"before: outcome-failed is listed twice"},
		{"a model without a digest",
			start + `"model": {"name": "some:1b", "weight": 0.01, "centre": 60}, ` + line,
			`model: the name is "some:1b" and the digest ""; want a name, and a SHA-256 in hexadecimal`},
		{"a digest cut short",
			start + `"model": {"name": "some:1b", "digest": "abababababab", "centre": 60}, ` + line,
			`the digest "abababababab"; want`},
		{"a digest that is none", start + `"model": {"name": "some:1b", "digest": "` +
			strings.Repeat("xy", 32) + `", "centre": 60}, ` + line, "want a name, and a SHA-256"},
		{"a model without a name", start + `"model": {"digest": "` + strings.Repeat("ab", 32) +
			`", "centre": 60}, ` + line, `model: the name is ""`},
		{"a weight below nothing", start + `"model": {"name": "some:1b", "digest": "` +
			strings.Repeat("ab", 32) + `", "weight": -0.01, "centre": 60}, ` + line,
			"model: the weight is -0.01; want one from 0 to 1"},
		{"a weight and no rating", start + `"model": {"name": "some:1b", "digest": "` +
			strings.Repeat("ab", 32) + `", "weight": 0.01, "centre": 60}, ` + line,
			"model: there is a weight and no rating"},
		{"scores of nothing", start + `"model": {"name": "some:1b", "digest": "` +
			strings.Repeat("ab", 32) + `", "scores": {"Tone": {"weight": 0.01, "usual": 60}}}, ` +
			line, `scores: unknown criterion "Tone"`},
		{"a heavy score", start + `"model": {"name": "some:1b", "digest": "` + strings.Repeat("ab",
			32) + `", "scores": {"Empathy": {"weight": 2, "usual": 60}}}, ` + line,
			"scores: Empathy has the weight 2; want one from -1 to 1 for each point"},
		{"an unusual score", start + `"model": {"name": "some:1b", "digest": "` +
			strings.Repeat("ab", 32) + `", "scores": {"Empathy": {"weight": 1, "usual": 101}}}, ` +
			line, "scores: Empathy has the usual score 101.00; want one from 0 to 100"},
		{"what older programs learnt",
			start + `"criteria": {"Empathy": {"line": {"intercept": 3, "slope": 1}, "scores": {"Empathy": {"weight": 1, "usual": 60}}}}, ` + line, `unknown field "criteria"; want one as assize fit writes`},
		{"a centre off the scale", start + `"model": {"name": "some:1b", "digest": "` +
			strings.Repeat("ab", 32) + `", "rating": 3, "centre": -1}, ` + line,
			"model: the centre is -1.00; want a quality from 0 to 100"},
		{"an unknown key of a model", start + `"model": {"name": "some:1b", "trust": 1}, ` + line,
			`unknown field "trust"`},
		{"something behind it", start + `"line": {"intercept": 3, "slope": 1}} {}`,
			"not a profile: invalid character '{' after top-level value; want one as"},
	} {
		p, err := ParseProfile("mine.json", []byte(tt.text))
		if err == nil {
			err = p.CheckDetectors("mine.json")
		}
		assert.ErrorContains(t, err, tt.want, tt.reason)
		assert.ErrorContains(t, err, "mine.json: ", tt.reason)
	}
}

// A learnt profile with all fields set.
func TestLearnedProfileReadsBack(t *testing.T) {
	alpha := Millionths(220_000)
	p := DefaultProfile()
	p.Model = &Model{Digest: strings.Repeat("ab", 32), Name: "some:1b",
		Scores: Scored{"Empathy": {-12_345, 6123}}}
	p.Cuts, p.Triage = []rubric.Hundredths{100, 280, 331, 500}, &Triage{Rate: one / 10, Cut: 286}
	p.Before = append(p.Before, "outcome-forgotten") // from another lexicon
	p.Learned = &Learned{
		Dialogues: 50, Ratings: 120, Scale: [2]float64{0, 10}, Mean: 3_178_300, Deviation: 402_800,
		Before: 13 * one, After: 5_700_000, Constant: 6_300_000,
		Spearman: &Measured{Value: 420_000, Low: -10_000, High: 600_000}, Alpha: &alpha, Folds: 10,
		Seed: 1, Notes: []string{"A <note>."}, Program: "v1", Lexicon: "7f",
	}
	again, err := ParseProfile("file", p.File())
	require.NoError(t, err)
	require.NoError(t, again.CheckDetectors("file"))
	assert.Equal(t, p, again)
	assert.Equal(t, p.Digest(), again.Digest())
}

func TestMillionthsAndFloats(t *testing.T) {
	assert.Equal(t, Millionths(333_333), MillionthsOf(1.0/3))
	assert.Equal(t, Millionths(-2), MillionthsOf(-1.5e-6), "halves go away from zero")
	assert.Equal(t, 3.15, Millionths(3_150_000).Float())
}

func TestMillionthsReadAsTheyAreWritten(t *testing.T) {
	for _, s := range []string{"0", "1", "-1", "0.3", "-0.3", "3.15", "0.000001", "-999.999999",
		"1000"} {
		var m Millionths
		require.NoError(t, json.Unmarshal([]byte(s), &m), s)
		assert.Equal(t, s, m.String())
	}
	// as other programs write
	for s, want := range map[string]Millionths{"8e-05": 80, "-1.5E+1": -15 * one, "1e-06": 1} {
		var m Millionths
		require.NoError(t, json.Unmarshal([]byte(s), &m), s)
		assert.Equal(t, want, m)
	}
	assert.Equal(t, int64(-1), Millionths(-14_000).rounded())
	assert.Equal(t, int64(1), Millionths(5_000).rounded())
	assert.Equal(t, int64(0), Millionths(-5_000).rounded(), "halves go up")
}

func TestScoresAdd(t *testing.T) {
	s := Scored{"Empathy": {12_500, 6050}}
	at := func(score rubric.Hundredths) (all [rubric.NumCriteria]rubric.Hundredths) {
		all[rubric.Empathy] = 100 * score
		return all
	}
	assert.Equal(t, Millionths(243_750), s.Adds(at(80)))
	assert.Equal(t, Millionths(-256_250), s.Adds(at(40)))
	assert.Zero(t, s.Adds(at(0)), "what is not known counts as usual")
	assert.Zero(t, Scored(nil).Adds(at(80)))
	assert.Equal(t, Millionths(-1), Scored{"Empathy": {1, 6050}}.Adds(at(60)),
		"a millionth rounds towards minus infinity")
}

// A score that the model quotes is a reason; an unknown one, or one without quotes, is not.
func TestReasonsOfScores(t *testing.T) {
	m := &Model{Name: "some:1b", Scores: Scored{"Empathy": {10_000, 6000}, "Accuracy": {5_000, 6000},
		"Fluency": {5_000, 6000}}}
	var judged [rubric.NumCriteria]rubric.Hundredths
	judged[rubric.Empathy], judged[rubric.Accuracy] = 8050, 2000
	var card rubric.Scorecard
	card[rubric.Empathy].Quotes = []rubric.Quote{{Turn: 2, Text: "I see."}, {Turn: 4, Text: "Ok."}}
	card[rubric.Fluency].Quotes = card[rubric.Empathy].Quotes
	assert.Equal(t, []Reason{{Points: 21, Turn: 2, What: "Empathy 81 of 100 by some:1b",
		Quote: "I see."}}, m.Reasons(judged, card))
}

// A model has weight with scores, or with a rating that an average moves.
func TestWeighsModel(t *testing.T) {
	scored := Profile{Model: &Model{Scores: Scored{}}}
	rated := Profile{Model: &Model{Rating: 3 * one}}
	assert.True(t, scored.WeighsModel() && rated.WeighsModel())
	assert.False(t, Profile{}.WeighsModel() || Profile{Model: &Model{}}.WeighsModel())
	assert.False(t, scored.WithoutModel().WeighsModel())
	assert.True(t, scored.WeighsModel(), "the profile itself keeps it")
	valid := Model{Name: "some:1b", Digest: strings.Repeat("ab", 32)}
	assert.True(t, valid.Identified())
	for _, m := range []Model{{Digest: valid.Digest}, {Name: valid.Name}, {Name: valid.Name,
		Digest: valid.Digest[1:]}, {Name: valid.Name, Digest: strings.Repeat("AB", 32)}} {
		assert.False(t, m.Identified(), m)
	}
}

func FuzzParseProfile(f *testing.F) {
	f.Add(string(profileFile))
	f.Add(`{"profile":3,"input":"reactions","line":{"intercept":3,"slope":0.3},"cuts":[1,2,3,4],"triage":{"rate":0.1,"cut":2.5}}`)
	f.Add(`{"profile":3,"input":"reactions","line":{"intercept":3,"slope":0.3},"model":{"digest":"` + strings.Repeat("ab", 32) + `","name":"some:1b","rating":3,"weight":0.0125,"centre":61.25}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProfile("fuzzed", []byte(text))
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "fuzzed: "))
			return
		}
		again, err := ParseProfile("again", rubric.AppendJSON(nil, p))
		require.NoError(t, err)
		require.Equal(t, p.Digest(), again.Digest())
		for at := -8 * one; at <= 8*one; at += one {
			require.LessOrEqual(t, p.Rating(at-one), p.Rating(at), "no map falls")
		}
		if p.Model == nil {
			return
		}
		for average := rubric.Hundredths(2200); average <= 10000; average += 200 {
			below, above := p.Model.Blend(0, average-200), p.Model.Blend(0, average)
			require.LessOrEqual(t, below, above, "the higher the average, the more it adds")
			est := p.EstimateAt(0, above)
			require.True(t, est.Satisfaction >= 100 && est.Satisfaction <= 500)
			require.LessOrEqual(t, p.EstimateAt(0, below).Satisfaction, est.Satisfaction)
		}
	})
}

func TestSatisfactionFollowsReactions(t *testing.T) {
	a, r := heuristics.New(), rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: a.Observe, Evaluator: a.Evaluator(r),
		Critic: a.Critic(r)}
	of := func(d dialogue.Dialogue) rubric.Hundredths {
		e, err := panel.Judge(t.Context(), d)
		require.NoError(t, err)
		return DefaultProfile().Estimate(e).Satisfaction
	}
	neutral := of(said("When does it open?", "At nine.",
		"On the corner of the square."))
	happy := of(said("When does it open?", "At nine.",
		"Perfect, thank you so much!"))
	angry := of(said("When does it open?", "At nine.",
		"No, that's wrong. I already said it is Sunday!"))
	assert.Greater(t, happy, neutral)
	assert.Less(t, angry, neutral)
	assert.GreaterOrEqual(t, angry, rubric.Hundredths(100))
	assert.LessOrEqual(t, happy, rubric.Hundredths(500))
}
