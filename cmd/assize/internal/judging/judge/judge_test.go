package judge

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var agents = heuristics.New()

func rules(change func(*Options)) *Judge {
	o := Options{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()}
	if change != nil {
		change(&o)
	}
	return New(agents, o)
}

// sample returns dialogue 7 of x.txt, in which USER and SYSTEM take turns.
func sample(texts ...string) (s dialogue.Sample) {
	s.Source = dialogue.Source{File: "x.txt", Position: 7}
	s.Dialogue.ID = 7
	for i, text := range texts {
		role := []dialogue.Role{dialogue.User, dialogue.System}[i%2]
		s.Dialogue.Turns = append(s.Dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	}
	return s
}

func parcel() dialogue.Sample {
	return sample("Where is my parcel? I am anna.bell@example.com.",
		"It left the depot in Leeds this morning and arrives on Thursday.", "Great, thank you!")
}

func TestRulesJudge(t *testing.T) {
	r, err := rules(nil).Judge(t.Context(), parcel())
	require.NoError(t, err)
	assert.True(t, r.Scored())
	assert.Equal(t, parcel().Dialogue, r.Dialogue)
	assert.Greater(t, r.Satisfaction, rubric.Hundredths(100))
	assert.Nil(t, r.Model)
	assert.Nil(t, r.CrossCheck)

	r, err = rules(nil).Judge(t.Context(), sample("hi", ""))
	require.NoError(t, err, "a dialogue that cannot be judged is a record with its reason")
	assert.False(t, r.Scored())
	assert.NotEmpty(t, r.Reason)

	broken := rules(nil)
	broken.err = errors.New("no such question")
	r, err = broken.Judge(t.Context(), parcel())
	assert.Nil(t, r)
	assert.EqualError(t, err, "x.txt: dialogue 7: no such question")
}

func TestRedact(t *testing.T) {
	masked := rules(func(o *Options) { o.Redact = true })
	r, err := masked.Judge(t.Context(), parcel())
	require.NoError(t, err)
	assert.NotContains(t, r.Dialogue.Turns[0].Text, "anna.bell")
	assert.NotContains(t, masked.NewRecord(parcel()).Dialogue.Turns[0].Text, "anna.bell")
	assert.Contains(t, rules(nil).NewRecord(parcel()).Dialogue.Turns[0].Text, "anna.bell")

	assert.NotContains(t, masked.MaskText("mail anna.bell@example.com"), "anna.bell")
	assert.Equal(t, "mail anna.bell@example.com", rules(nil).MaskText("mail anna.bell@example.com"))

	err = errors.New("no turn of anna.bell@example.com")
	assert.Equal(t, err, rules(nil).MaskError(err))
	assert.NotContains(t, masked.MaskError(err).Error(), "anna.bell")
	stopped := errors.Join(errors.New("anna.bell@example.com"), context.Canceled)
	assert.Equal(t, context.Canceled, masked.MaskError(stopped))
}

// A kind that is set holds for every dialogue.
func TestKind(t *testing.T) {
	said := sample("What is the capital of Peru?", "It is Lima.")
	as := func(kind string) string {
		r, err := rules(func(o *Options) { o.Kind = kind }).Judge(t.Context(), said)
		require.NoError(t, err)
		for _, s := range r.Evaluation.Signals {
			if strings.HasPrefix(s.ID, "kind-") {
				return s.ID
			}
		}
		return ""
	}
	assert.NotEqual(t, as("service"), as("request"))
	assert.Equal(t, as(""), as("request"))
}

func TestHeader(t *testing.T) {
	j := rules(func(o *Options) { o.Redact = true; o.Kind = "service" })
	h := j.Header(importer.Options{MaxDialogue: importer.DefaultMaxDialogue, Dates: "eu",
		SystemNames: []string{"anna.bell@example.com"},
		Roles:       map[string]dialogue.Role{"ben@example.com": dialogue.System}})
	assert.Equal(t, run.Configuration{Evaluator: ByRules, Critic: ByRules, Kind: "service",
		Mapping: rubric.Default().Mapping.String(), Dates: "eu", Redacted: true,
		SystemNames: []string{"[email]"}, Roles: map[string]string{"[email]": "SYSTEM"}},
		h.Configuration)
	assert.Nil(t, h.Model)
	assert.Nil(t, h.Basis.Calibration)
	assert.Equal(t, agents.Digest(), h.Lexicon)

	h = rules(nil).Header(importer.Options{MaxDialogue: 99})
	assert.Equal(t, 99, h.Configuration.MaxDialogue, "a limit that is not the usual one is recorded")
}

// judged returns a judge whose model answers every question with the probability p for Yes.
func judged(t *testing.T, p string) (*Judge, *fakeollama.Server) {
	t.Helper()
	s := fakeollama.Start()
	t.Cleanup(s.Close)
	s.Answer(func(fakeollama.Request) string { return p })
	j := rules(nil)
	var err error
	j.Model, err = localllm.Open(t.Context(), localllm.Options{Address: s.URL, Model: "tiny",
		Patience: 20 * time.Millisecond, Deadline: 5 * time.Second})
	require.NoError(t, err)
	j.Evaluator, j.Critic = ByModel, ByRules
	return j, s
}

// The model gives the scores; the quotes stay those of the rules, and the scores of both are
// compared.
func TestModelJudges(t *testing.T) {
	j, _ := judged(t, ".9")
	ofRules, err := rules(nil).Judge(t.Context(), parcel())
	require.NoError(t, err)
	r, err := j.Judge(t.Context(), parcel())
	require.NoError(t, err)
	require.NotNil(t, r.CrossCheck)
	require.NotNil(t, r.Model)
	assert.NotEmpty(t, r.Model.Calls)
	assert.Empty(t, r.Fallback)
	assert.NotEqual(t, ofRules.Evaluation.Evaluator.Scores(), r.Evaluation.Evaluator.Scores())
	for k := range r.Evaluation.Evaluator {
		assert.Equal(t, ofRules.Evaluation.Evaluator[k].Quotes, r.Evaluation.Evaluator[k].Quotes,
			rubric.Criterion(k))
	}
	assert.Equal(t, ByModel, j.Header(importer.Options{}).Configuration.Evaluator)
	assert.Equal(t, "tiny:latest", j.Header(importer.Options{}).Model.Name)
	assert.Empty(t, j.Header(importer.Options{}).Configuration.Fallback)
	j.Fallback = true
	assert.Equal(t, ByRules, j.Header(importer.Options{}).Configuration.Fallback)
}

// As the Critic the model is asked, and the Evaluator's scores are those of the rules.
func TestModelCriticises(t *testing.T) {
	j, s := judged(t, ".5")
	j.Evaluator, j.Critic = ByRules, ByBoth
	ofRules, err := rules(nil).Judge(t.Context(), parcel())
	require.NoError(t, err)
	r, err := j.Judge(t.Context(), parcel())
	require.NoError(t, err)
	assert.Equal(t, ofRules.Evaluation.Evaluator, r.Evaluation.Evaluator)
	assert.NotEmpty(t, s.Questions())
	assert.NotEmpty(t, r.Model.Claims)
}

// A failure of the model is the dialogue's reason, unless the rules take over; then the model is
// asked nothing more.
func TestModelFails(t *testing.T) {
	both := []run.Agent{run.Evaluator, run.Critic}
	for fallback, want := range map[bool][]run.Agent{false: nil, true: both} {
		j, s := judged(t, ".9")
		j.Evaluator, j.Critic, j.Fallback = BySkill, ByBoth, fallback
		j.Calibration = seat(rubric.Empathy, calibration.Evaluator)
		j.Calibration.Criteria[rubric.Fluency].Role = calibration.Critic
		s.FailAll("no-done", 1<<20)
		r, err := j.Judge(t.Context(), parcel())
		require.NoError(t, err)
		assert.Equal(t, fallback, r.Scored(), r.Reason)
		assert.Equal(t, want, r.Fallback)
		assert.Nil(t, r.CrossCheck)
	}
}

// seat returns a calibration in which the model has a role for one criterion only.
func seat(of rubric.Criterion, role calibration.Role) *calibration.Calibration {
	c := &calibration.Calibration{}
	for k := range c.Criteria {
		c.Criteria[k].Role = calibration.Ignored
	}
	c.Criteria[of].Role = role
	return c
}

func TestModelHasNoPart(t *testing.T) {
	empathy := rubric.SetOf(rubric.Empathy)
	doubts := seat(rubric.Empathy, calibration.Ignored)
	doubts.Claims = []calibration.Claim{{Criterion: rubric.Empathy,
		ClaimScale: localllm.ClaimScale{Vote: true}}}
	for name, c := range map[string]struct {
		evaluator, critic     string
		by                    *calibration.Calibration
		evaluates, criticises rubric.Set
	}{
		"without a calibration": {ByModel, ByBoth, nil, rubric.AllCriteria, 0},
		"as the Critic":         {ByRules, ByModel, nil, 0, rubric.AllCriteria},
		"only the rules object": {BySkill, ByRules, seat(rubric.Empathy, calibration.Critic), 0, 0},
		"better than the rules": {BySkill, ByBoth, seat(rubric.Empathy, calibration.Evaluator),
			empathy, 0},
		"better than chance": {BySkill, ByBoth, seat(rubric.Empathy, calibration.Critic), 0, empathy},
		"no skill":           {BySkill, ByBoth, seat(rubric.Empathy, calibration.Ignored), 0, 0},
		"right doubts":       {BySkill, ByBoth, doubts, 0, empathy},
	} {
		j := rules(nil)
		j.Evaluator, j.Critic, j.Calibration = c.evaluator, c.critic, c.by
		assert.Equal(t, c.evaluates, j.Calibration.Evaluates(j.Evaluator), name)
		assert.Equal(t, c.criticises, j.criticises(), name)
	}

	j, s := judged(t, ".9")
	j.Evaluator, j.Critic = BySkill, ByBoth
	j.Calibration = seat(rubric.Empathy, calibration.Ignored)
	j.Profile = j.Profile.WithoutModel()
	r, err := j.Judge(t.Context(), parcel())
	require.NoError(t, err)
	assert.True(t, r.Scored())
	assert.Empty(t, s.Questions(), "nothing that the model could say would count")
}

// A fact holds on its days only, and the day is the dialogue's.
func TestFactOfADay(t *testing.T) {
	card, err := rubric.Parse("card.yaml", []byte(`
facts:
  - id: refund-days
    about: {any: [refund]}
    value: within 14 days
    when: {from: 2026-03-01}
    hit: |
      USER: When do I get my refund?
      SYSTEM: The refund takes a month.
    miss: |
      USER: When do I get my refund?
      SYSTEM: The refund takes 14 days.
`))
	require.NoError(t, err)
	j := rules(func(o *Options) { o.Rubric = card })
	for day, want := range map[time.Month]bool{time.January: false, time.April: true} {
		s := sample("When do I get my refund?", "Your refund takes 30 days.")
		at := time.Date(2026, day, 2, 9, 0, 0, 0, time.UTC).Format(time.RFC3339)
		s.Source.Voices = []dialogue.Voice{{At: at}, {At: at}}
		r, err := j.Judge(t.Context(), s)
		require.NoError(t, err)
		found := false
		for _, signal := range r.Evaluation.Signals {
			found = found || signal.ID == "contradiction-fact"
		}
		assert.Equal(t, want, found, day)
	}
}

// A line of a run must be what its words and its signals yield, unless another version of the
// program or of its words wrote it.
func TestVerify(t *testing.T) {
	j := rules(nil)
	h := j.Header(importer.Options{})
	line := func(s dialogue.Sample, old, changed string) run.Line {
		r, err := j.Judge(t.Context(), s)
		require.NoError(t, err)
		text := string(r.Append(nil))
		require.Contains(t, text, old)
		return run.Line{File: "run.jsonl", Number: 3, Header: &h,
			Text: []byte(strings.Replace(text, old, changed, 1))}
	}
	for _, tt := range []struct {
		reason       string
		said         dialogue.Sample
		old, changed string
		want         string
	}{
		{"as it was judged", parcel(), "", "", ""},
		{"as it was left out", sample("hi", ""), "", "", ""},
		{"other words", parcel(), "Great, thank you", "Greatly thanked", "was changed"},
		{"a longer signal", parcel(), `"end":16}`, `"end":99}`,
			"a signal ends at byte 99 of turn 3, which has fewer"},
		{"another reason", sample("hi", ""), "has no SYSTEM turn", "has no USER turn",
			"was changed after it was judged"},
		{"another signal", parcel(), `"reaction-thanks"`, `"reaction-blames"`,
			"was changed after it was judged"},
	} {
		l := line(tt.said, tt.old, tt.changed)
		for _, by := range []*Judge{j, nil} {
			r, err := by.Verify(t.Context(), l, h.Lexicon)
			if tt.want == "" {
				require.NoError(t, err, tt.reason)
				assert.Equal(t, string(l.Text), string(r.Append(nil)), tt.reason)
			} else if by != nil {
				assert.ErrorContains(t, err, tt.want, tt.reason)
				assert.ErrorContains(t, err, "run.jsonl:3: ", tt.reason)
			}
		}
	}
	old := h
	old.Program = "v0.1.0"
	l := line(sample("hi", ""), "has no SYSTEM turn", "has nothing")
	l.Header = &old
	_, err := j.Verify(t.Context(), l, h.Lexicon)
	assert.NoError(t, err, "another version may word it otherwise")
	assert.Nil(t, Again(agents, &old))
	l.Header = &h
	_, err = j.Verify(t.Context(), l, "other words")
	assert.NoError(t, err, "other words may yield something else")
	_, err = (*Judge)(nil).Verify(t.Context(), l, h.Lexicon)
	assert.NoError(t, err, "without a judge, a reason cannot be checked")

	masked := h
	masked.Configuration.Redacted = true
	other := h
	other.Lexicon = "other words"
	assert.Nil(t, Again(agents, &masked))
	assert.Nil(t, Again(agents, &other))
	again := Again(agents, &h)
	require.NotNil(t, again)
	assert.Equal(t, h, again.Header(importer.Options{}))
}

// If both are the Critic, the objections of the rules count, too; a model alone replaces them.
func TestWhoCriticises(t *testing.T) {
	unhappy := sample("Where is my parcel?", "It is blue.", "No! Where is my parcel?", "It is blue.")
	for critic, want := range map[string]string{ByRules: "rules", ByBoth: "rules", ByModel: ""} {
		j, _ := judged(t, ".9")
		j.Evaluator, j.Critic = BySkill, critic
		j.Calibration = seat(rubric.TaskSuccess, calibration.Evaluator)
		j.Calibration.Criteria[rubric.Fluency].Role = calibration.Critic
		r, err := j.Judge(t.Context(), unhappy)
		require.NoError(t, err)
		assert.Equal(t, rubric.Score(100), r.Evaluation.Evaluator[rubric.TaskSuccess].Score)
		assert.Equal(t, want, r.Evaluation.Critique[rubric.TaskSuccess].By, critic)
	}
}
