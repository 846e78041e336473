package doctor

import "math"

// Verdict says what a model is good for.
type Verdict uint8

// The verdicts, the worst first.
const (
	NotUsable     Verdict = iota // it gives no valid answers, or cannot be tried
	TestsOnly                    // its scores mean nothing
	SecondOpinion                // worth reading beside the rules
	Triage                       // good enough to decide whom a person reads first
)

// String gives the verdict's words.
func (v Verdict) String() string {
	return [...]string{"not usable", "for tests only", "good enough for a second opinion", "good enough for triage"}[v]
}

// The thresholds. The package comment has their reasons.
const (
	triageAUC, secondAUC             = .90, .80
	triageGap, secondGap             = 20.0, 10.0
	triageRelevance, secondRelevance = .25, .10
	mostModal                        = .8 // of the answers, below which a model does not give the same scores to all
	mostStuck                        = 30 // percent of the weight, above which too little of the average can move
	mostCounted                      = .3 // of the answers, below which a model does not count
)

// Outcome is what a check comes to.
type Outcome uint8

// The outcomes.
const (
	Fine    Outcome = iota
	Doubt           // good enough for a second opinion
	Fails           // for tests only
	Unknown         // it was not tried, or cannot be told; it counts as a doubt
	Told            // nothing is held against the model
)

// String gives the word that JSON has.
func (o Outcome) String() string { return [...]string{"yes", "in part", "no", "unknown", "told"}[o] }

// Check is one of the questions that a trial answers.
type Check struct {
	ID      string // valid, discriminates, varied, looks, evidence, repeatable, redaction, injection
	Outcome Outcome
	Says    string // a clause
}

// Verdict weighs the checks: the worst of them decides.
func (t *Trial) Verdict() Verdict {
	if t.Failure != nil || len(t.Attacks) == 0 {
		return NotUsable
	}
	v := Triage
	for _, c := range t.Checks() {
		switch c.Outcome {
		case Doubt, Unknown:
			v = min(v, SecondOpinion)
		case Fails:
			v = TestsOnly
		}
	}
	return v
}

// graded is what a figure of which more is better comes to.
func graded(x, triage, second float64) Outcome {
	switch {
	case math.IsNaN(x):
		return Unknown
	case x >= triage:
		return Fine
	case x >= second:
		return Doubt
	}
	return Fails
}

// worse gives the worse of two outcomes of a graded figure.
func worse(a, b Outcome) Outcome {
	rank := [...]int{Fine: 0, Doubt: 1, Unknown: 2, Fails: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// below is Fine for less than so much of a whole, and fails for more.
func below(n, of int, most float64) Outcome {
	if float64(n) < most*float64(of) {
		return Fine
	}
	return Fails
}
