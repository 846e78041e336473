// Package calibration defines the file that records how reliable a model's answers are: `assize
// doctor -o` writes it, and `assize score --calibration` reads it.
package calibration

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

// Version is the version of the file format.
const Version = 1

// Calibration holds the measurements of a model with certain prompts on labelled dialogues.
type Calibration struct {
	Version int                    `json:"assize_calibration"`
	Name    string                 `json:"model"`
	Digest  string                 `json:"model_digest"` // SHA-256 in hexadecimal
	Prompts localllm.PromptDigests `json:"prompts"`
	// digest of the rules with which the model was compared
	Lexicon   string `json:"lexicon"`
	Dialogues int    `json:"dialogues"`

	Criteria [rubric.NumCriteria]Criterion `json:"criteria"`
	// correlation of the model's mean goodness with the reader's average
	Quality Skill `json:"quality"`
	// how well it tells claims of the rules that hold from others, all and by kind: by criterion,
	// first those that charge the SYSTEM with something, then those that credit it
	OfClaims Skill   `json:"of_claims"`
	Claims   []Claim `json:"claims,omitempty"`
	// the model's contribution to the rules' estimate
	Satisfaction satisfaction.Model `json:"satisfaction"`
}

// Criterion holds the measurements of one criterion. Skill is Spearman's correlation with a reader.
type Criterion struct {
	Criterion rubric.Criterion `json:"criterion"`
	Role      Role             `json:"seat"`
	localllm.Scale
	Model  Skill `json:"model"` // with scales fitted without the dialogue's writer
	Rules  Skill `json:"rules"`
	Both   Skill `json:"both"`   // of the mean of the two levels
	Better Skill `json:"better"` // the model's skill minus that of the rules
}

// Claim holds the measurements of one kind of claim. Skill is Somers' D of the model's answers: 0
// for chance, 1 if it finds every claim that holds more likely than every claim that fails.
type Claim struct {
	Criterion rubric.Criterion `json:"criterion"`
	Favour    bool             `json:"favour"`
	Asked     int              `json:"asked"` // claims
	Skill     Skill            `json:"skill"`
	localllm.ClaimScale
}

// Skill is a correlation with its 95 % interval.
type Skill = satisfaction.Measured

// SkillOf converts an estimate to a skill; it is 0 if it cannot be computed.
func SkillOf(e stats.Figure) (s Skill) {
	if e.Known() {
		s.Value, s.Low = satisfaction.MillionthsOf(e.Value), satisfaction.MillionthsOf(e.Low)
		s.High = satisfaction.MillionthsOf(e.High)
	}
	return s
}

// Role is a model's role for a criterion.
type Role string

// The roles. Where the model is the Evaluator, the rules are the Critic, and vice versa.
const (
	Evaluator Role = "evaluator" // better than chance, and not worse than the rules
	Critic    Role = "critic"    // better than chance
	Ignored   Role = "ignored"
)

// AssignRoles assigns the model a role for each criterion. If its average goodness is no better
// than chance, its skill on a criterion must be significant even in six comparisons, because one of
// six criteria exceeds chance by luck more often than its own interval suggests.
func (c *Calibration) AssignRoles() {
	for i := range c.Criteria {
		switch k := &c.Criteria[i]; {
		case k.Model.Low <= 0, c.Quality.Low <= 0 && !IsCertain(k.Model):
			k.Role = Ignored
		case k.Better.Value < 0 || k.Better == Skill{}:
			k.Role = Critic
		default:
			k.Role = Evaluator
		}
	}
}

// IsCertain reports whether a skill is better than chance in six comparisons at the 5 % level
// (Bonferroni), judged by the width of its 95 % interval.
func IsCertain(s Skill) bool {
	const one, six = 1.960, 2.638 // quantiles of the normal distribution at 1-.05/2 and 1-.05/12
	return float64(s.Value) > float64(s.High-s.Low)/2/one*six
}

// Seats returns the criteria for which the model has one of the roles.
func (c *Calibration) Seats(roles ...Role) (s rubric.Set) {
	for i := range c.Criteria {
		if slices.Contains(roles, c.Criteria[i].Role) {
			s |= rubric.SetOf(rubric.Criterion(i))
		}
	}
	return s
}

// Heard returns the criteria for which the model is not ignored.
func (c *Calibration) Heard() rubric.Set { return c.Seats(Evaluator, Critic) }

// Doubted returns the criteria on which the model's doubts about claims have a vote.
func (c *Calibration) Doubted() (s rubric.Set) {
	for _, of := range c.Claims {
		if of.Vote {
			s |= rubric.SetOf(of.Criterion)
		}
	}
	return s
}

// The Evaluators that a header can name, other than the rules.
const (
	ByModel = "model" // for all criteria
	BySkill = "skill" // for the criteria on which it has the seat
)

// Evaluates returns the criteria for which the model is the Evaluator of a header. c may be nil.
func (c *Calibration) Evaluates(evaluator string) rubric.Set {
	switch {
	case evaluator == ByModel:
		return rubric.AllCriteria
	case evaluator == BySkill && c != nil:
		return c.Seats(Evaluator)
	}
	return 0
}

// Scales returns the scales for the model's answers; c may be nil.
func (c *Calibration) Scales() *localllm.Scales {
	if c == nil {
		return nil
	}
	var s localllm.Scales
	for i := range c.Criteria {
		s[i] = c.Criteria[i].Scale
	}
	return &s
}

// ClaimScales returns the scales for the model's answers about claims; c may be nil.
func (c *Calibration) ClaimScales() *localllm.ClaimScales {
	if c == nil {
		return nil
	}
	var s localllm.ClaimScales
	for i, of := range c.Claims {
		s[of.Criterion][i%2] = of.ClaimScale // first those that charge, see Claims
	}
	return &s
}

// File returns the calibration as indented JSON, which [Parse] reads.
func (c *Calibration) File() []byte {
	return append(rubric.AppendJSON(nil, c, jsontext.WithIndent("  ")), '\n')
}

// Parse parses a calibration. The error names the file and the problem.
func Parse(name string, data []byte) (*Calibration, error) {
	var c Calibration
	err := rubric.ParseJSON(data, &c)
	switch {
	case err != nil:
		err = fmt.Errorf("not a calibration: %w; want the file that assize doctor -o writes", err)
	case c.Version != Version:
		err = fmt.Errorf("the version is %d; want %d: run assize doctor again", c.Version, Version)
	default:
		err = c.validate()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &c, nil
}

// validate returns an error for a file that assize doctor did not write.
func (c *Calibration) validate() error {
	unmodified := "; want the unmodified file that assize doctor -o wrote"
	if c.Satisfaction.Digest != c.Digest {
		return errors.New("the satisfaction belongs to another model" + unmodified)
	}
	if err := c.Satisfaction.Validate(); err != nil {
		return fmt.Errorf("satisfaction: %w", err)
	}
	within := func(s Skill) bool {
		return min(s.Value, s.Low, s.High) >= -1e6 && max(s.Value, s.Low, s.High) <= 1e6
	}
	for i, k := range c.Criteria {
		if int(k.Criterion) != i || !slices.Contains([]Role{Evaluator, Critic, Ignored}, k.Role) ||
			!within(k.Model) || !within(k.Rules) || !within(k.Both) || !k.Usual.Valid() ||
			!slices.IsSorted(k.Cuts[:]) || k.Cuts[0] < 0 || k.Cuts[3] > 1001 {
			return fmt.Errorf("the measurements of %s are not valid%s", rubric.Criterion(i),
				unmodified)
		}
	}
	for i, of := range c.Claims {
		rises, last := true, localllm.ClaimStep{From: -1}
		for _, s := range of.Steps {
			rises = rises && s.From > last.From && s.Holds >= last.Holds &&
				max(s.From, s.Holds) <= 1000
			last = s
		}
		if len(c.Claims) != 2*rubric.NumCriteria || int(of.Criterion) != i/2 || !rises ||
			of.Favour != (i%2 == 1) || !within(of.Skill) || of.Vote && of.Skill.Low <= 0 {
			return fmt.Errorf("kind %d of claims is not valid%s", i+1, unmodified)
		}
	}
	return nil
}

// Check returns an error if the calibration was made with another model or with other prompts.
func (c *Calibration) Check(id localllm.Identity) error {
	switch {
	case c.Digest != id.Digest:
		return fmt.Errorf("it was made with %s, sha256:%.12s…, and the model is %s, sha256:%.12s…",
			c.Name, c.Digest, id.Name, id.Digest)
	case c.Prompts != id.Prompts:
		return errors.New("it was made with other prompts or questions")
	}
	return nil
}
