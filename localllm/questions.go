package localllm

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// Question is a closed question about a dialogue. A model answers it with one token; the
// probability of Yes relative to No is its confidence.
type Question struct {
	ID        string           `json:"id" yaml:"id"`
	Criterion rubric.Criterion `json:"criterion" yaml:"-"`
	Ask       string           `json:"ask" yaml:"ask"`
	// what the answer yes states, as a clause; "" if the file does not say
	Says string `json:"says,omitempty" yaml:"says"`
	// the answer in favour of the SYSTEM: yes or no
	Good string `json:"good" yaml:"good"`
}

// maxQuestions is the maximum number of questions about a dialogue.
const maxQuestions = 24

var questionID = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)

// parseQuestions parses a file of questions. Each criterion must have at least one.
func parseQuestions(data []byte) ([]Question, error) {
	var file []struct {
		Question  `yaml:",inline"`
		Criterion string `yaml:"criterion"`
	}
	if err := yaml.UnmarshalWithOptions(data, &file, yaml.Strict()); err != nil {
		return nil, err
	}
	if len(file) > maxQuestions {
		return nil, fmt.Errorf("there are %d questions; want at most %d", len(file), maxQuestions)
	}
	var list []Question
	var asked rubric.Set
	for _, in := range file {
		q := in.Question
		q.Ask = strings.Join(strings.Fields(q.Ask), " ")
		q.Says = strings.TrimRight(strings.Join(strings.Fields(q.Says), " "), ".")
		criterion, err := rubric.ParseCriterion(in.Criterion)
		switch {
		case !questionID.MatchString(q.ID):
			return nil, fmt.Errorf("question %d has the id %q; want a word such as solved",
				len(list)+1, q.ID)
		case slices.ContainsFunc(list, func(other Question) bool { return other.ID == q.ID }):
			return nil, fmt.Errorf("two questions have the id %s", q.ID)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		case q.Ask == "":
			return nil, fmt.Errorf("%s has no question; want ask with a question", q.ID)
		case q.Good != "yes" && q.Good != "no":
			return nil, fmt.Errorf("%s has the good answer %q; want yes or no", q.ID, q.Good)
		}
		q.Criterion = criterion
		asked |= rubric.SetOf(criterion)
		list = append(list, q)
	}
	for _, k := range rubric.Criteria() {
		if !asked.Has(k) {
			return nil, fmt.Errorf("no question is about %s; want one or more for each criterion",
				k)
		}
	}
	return list, nil
}

// statement returns what the answer yes states, as a clause.
func (q Question) statement() string { return cmp.Or(q.Says, "the answer to '"+q.Ask+"' is yes") }

// goodness converts P(yes) to the probability of the good answer, both in thousandths.
func (q Question) goodness(yes int) int {
	if q.Good == "no" {
		return 1000 - yes
	}
	return yes
}

// candidate is a possible first token of an answer with its log probability.
type candidate struct {
	Token   string
	Logprob float64
}

// maxCandidates is the number of tokens requested from a server, and the maximum that are read.
const maxCandidates = 20

// candidates returns the possible first tokens of an answer.
func candidates(logprobs []api.Logprob) (list []candidate) {
	if len(logprobs) == 0 {
		return nil
	}
	top := logprobs[0].TopLogprobs
	for _, t := range top[:min(len(top), maxCandidates)] {
		list = append(list, candidate{printable(t.Token), t.Logprob})
	}
	return list
}

// readYes returns P(yes) in thousandths: the probability of Yes, in any spelling, relative to Yes
// and No together. It fails if the two have less than half of the total probability.
func readYes(list []candidate) (yes int, f *Failure) {
	var sums struct{ yes, no, all float64 }
	for _, c := range list {
		p := math.Exp(c.Logprob)
		if math.IsNaN(p) || p > 1.001 {
			return 0, failure("bad-probabilities/one", c.Token, c.Logprob)
		}
		sums.all += p
		switch strings.ToLower(strings.Trim(c.Token, " \t\n.,:;!*\"'`_")) {
		case "yes":
			sums.yes += p
		case "no":
			sums.no += p
		}
	}
	switch {
	case len(list) == 0:
		return 0, failure("bad-probabilities")
	case sums.all > 1.01:
		return 0, failure("bad-probabilities/sum", sums.all)
	case sums.yes+sums.no < .5:
		return 0, failure("no-answer/other", 100*(sums.yes+sums.no))
	}
	return int(math.Round(1000 * sums.yes / (sums.yes + sums.no))), nil
}

// Scale maps the goodness of a criterion, the mean probability of the good answers, to a level.
type Scale struct {
	// the minimum goodness, in thousandths, of the levels from 40 up
	Cuts [4]int `json:"cuts"`
	// the score of most dialogues
	Usual rubric.Score `json:"usual"`
}

// DefaultScale is the scale of an uncalibrated model: five equal parts.
var DefaultScale = Scale{[4]int{200, 400, 600, 800}, 80}

// Score returns the level for a goodness in thousandths.
func (s Scale) Score(goodness int) rubric.Score {
	level := 0
	for level < len(s.Cuts) && goodness >= s.Cuts[level] {
		level++
	}
	return rubric.Scale[level]
}

// Scales holds the scales of the six criteria.
type Scales [rubric.NumCriteria]Scale

// Scores returns the scores for a goodness; 0 where the model answered nothing. s is nil for an
// uncalibrated model.
func (s *Scales) Scores(g Goodness) (scores [rubric.NumCriteria]rubric.Score) {
	for k, of := range g {
		scale := DefaultScale
		if s != nil {
			scale = s[k]
		}
		if of > 0 {
			scores[k] = scale.Score(of)
		}
	}
	return scores
}

// Goodness holds, by criterion, the mean probability of the good answers to its questions, in
// thousandths; 0 if the model answered none.
type Goodness [rubric.NumCriteria]int

// Average returns the average over the criteria with at least one answer, in percent, by the
// rubric's weights.
func (g *Goodness) Average(weights [rubric.NumCriteria]int) rubric.Hundredths {
	sum, all := 0, 0
	for k, of := range g {
		if of > 0 {
			sum, all = sum+10*of*weights[k], all+weights[k]
		}
	}
	return rubric.Hundredths(sum / max(all, 1))
}

// Goodness computes the goodness of each criterion from the answers in an account. With several
// windows it is the mean weighted by turns, except for TaskSuccess, for which the last window
// counts. It returns false if an answer belongs to a question that the model was not asked.
func (id *Identity) Goodness(a *Account) (g Goodness, ok bool) {
	var sums, weights [rubric.NumCriteria]int
	for _, call := range a.Calls {
		if call.Yes == nil || call.Purpose == ForScorecard || call.Purpose == ForClaim {
			continue
		}
		i := slices.IndexFunc(id.Questions, func(q Question) bool { return q.ID == call.Question })
		if i < 0 || *call.Yes < 0 || *call.Yes > 1000 || call.Window < 0 ||
			call.Window > len(a.Windows) {
			return Goodness{}, false
		}
		q, weight := id.Questions[i], 1
		if call.Window > 0 {
			weight = max(a.Windows[call.Window-1].To-a.Windows[call.Window-1].From+1, 1)
		}
		sums[q.Criterion] += weight * q.goodness(*call.Yes)
		weights[q.Criterion] += weight
	}
	for k := range g {
		if weights[k] > 0 {
			g[k] = max((2*sums[k]+weights[k])/(2*weights[k]), 1)
			ok = true
		}
	}
	return g, ok
}
