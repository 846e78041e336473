package localllm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assize/rubric"
)

// Verified is a claim of the rules with what the model answered about it, as recorded. The last
// four members follow from the calls and the scales, see [Account.DeriveClaims].
type Verified struct {
	Criterion rubric.Criterion `json:"criterion"`
	Detector  string           `json:"detector"` // which made the claim
	Claim     string           `json:"claim"`
	Favour    bool             `json:"favour"` // it credits the SYSTEM with something
	Turns     []int            `json:"turns"`  // those that are quoted for it

	// P(yes) in thousandths: that the quotes show the claim, and that it is true; nil if unanswered
	Shown *int `json:"shown,omitempty"`
	True  *int `json:"true,omitempty"`
	// the probability that the claim holds, in thousandths; nil if the model answered neither
	Holds *int `json:"holds,omitempty"`
	Led   Led  `json:"led_to"`
}

// Led is what the answers about a claim led to.
type Led string

// What the answers can lead to.
const (
	LedNowhere     Led = "nothing"   // it probably holds, or nothing was answered
	LedToRemark    Led = "remark"    // it is doubted, and the model's doubts have no vote
	LedToObjection Led = "objection" // it is doubted, and the ladder is read again without it
)

// ClaimScale converts the mean of the two answers about a claim to the probability that it holds.
type ClaimScale struct {
	Vote  bool        `json:"vote"` // the skill is proven; without it, doubts change nothing
	Steps []ClaimStep `json:"steps"`
}

// ClaimStep is the probability that a claim holds, from a mean of the answers up, in thousandths.
type ClaimStep struct {
	From  int `json:"from"`
	Holds int `json:"holds"`
}

// Holds returns the probability for a mean; without steps, which is the case of an uncalibrated
// model, it is the mean itself.
func (s ClaimScale) Holds(mean int) (p int) {
	p = mean
	for i, step := range s.Steps {
		if i == 0 || mean >= step.From {
			p = step.Holds
		}
	}
	return p
}

// ClaimScales holds the scales by criterion, for claims that charge and for claims that credit.
type ClaimScales [rubric.NumCriteria][2]ClaimScale

// of returns the scale for a kind of claim. s may be nil.
func (s *ClaimScales) of(k rubric.Criterion, favour bool) ClaimScale {
	switch {
	case s == nil:
		return ClaimScale{}
	case favour:
		return s[k][1]
	}
	return s[k][0]
}

// The questions about a claim, which follow the detector's ID in [Call].
const (
	shownQuestion = " shown"
	trueQuestion  = " true"
)

// DeriveClaims sets the members of the claims that follow from the calls and the scales.
func (a *Account) DeriveClaims(scales *ClaimScales) {
	a.Claims = slices.Clone(a.Claims)
	for i := range a.Claims {
		v := &a.Claims[i]
		v.Shown, v.True, v.Holds, v.Led = nil, nil, nil, LedNowhere
		sum, n := 0, 0
		for _, call := range a.Calls {
			if call.Purpose != ForClaim || call.Yes == nil || call.Criterion == nil ||
				*call.Criterion != v.Criterion || *call.Yes < 0 || *call.Yes > 1000 {
				continue
			}
			switch call.Question {
			case v.Detector + shownQuestion:
				v.Shown = call.Yes
			case v.Detector + trueQuestion:
				v.True = call.Yes
			}
		}
		for _, yes := range []*int{v.Shown, v.True} {
			if yes != nil {
				sum, n = sum+*yes, n+1
			}
		}
		if n == 0 {
			continue
		}
		scale := scales.of(v.Criterion, v.Favour)
		if v.Holds = new(scale.Holds(sum / n)); *v.Holds < 500 {
			if v.Led = LedToRemark; scale.Vote {
				v.Led = LedToObjection
			}
		}
	}
}

// Remarks returns what the model doubts without a vote, in sentences.
func (a *Account) Remarks() (list []string) {
	for _, v := range a.Claims {
		if v.Led == LedToRemark && v.Holds != nil {
			says := finds(*v.Holds, v.Claim)
			list = append(list, fmt.Sprintf("%s: T%s; its doubts about %s are not proven to be "+
				"right and change nothing.", v.Criterion, says[1:], v.Criterion))
		}
	}
	return list
}

// verify asks the model whether a claim holds, and returns what the answers lead to. Quotes that
// are not in the dialogue are not shown to the model. It returns a failure only if the server
// fails.
func (s *Session) verify(ctx context.Context, c rubric.Case, o *judgement, k rubric.Criterion,
	claim rubric.Claim) (Verified, *Failure) {
	v := Verified{Criterion: k, Detector: claim.Detector, Claim: claim.Text, Favour: claim.Favour}
	var quotes []string
	last := 0
	for _, q := range claim.Quotes {
		if q.Verify(c.Dialogue) {
			quotes = append(quotes, sanitize(q.Attribute(c.Dialogue)))
			v.Turns, last = append(v.Turns, q.Turn), max(last, q.Turn)
		}
	}
	i := len(o.windows) - 1
	for i > 0 && o.windows[i].from >= last {
		i--
	}
	for _, about := range []string{shownQuestion, trueQuestion} {
		data := questionData{Ask: claim.Text}
		if about == shownQuestion {
			if data.Quotes = strings.Join(quotes, "\n"); data.Quotes == "" {
				continue
			}
		}
		call := Call{Purpose: ForClaim, Criterion: &k, Question: claim.Detector + about}
		if f := s.askAbout(ctx, o, i, call, claimPrompt, data); f != nil {
			return v, f
		}
	}
	s.account.Claims = append(s.account.Claims, v)
	s.account.DeriveClaims(s.m.o.Claims)
	return s.account.Claims[len(s.account.Claims)-1], nil
}

// AskClaims asks the model whether claims about a dialogue hold, and returns the mean of the two
// answers to each, in thousandths, or nil if it answers neither.
func (s *Session) AskClaims(ctx context.Context, c rubric.Case, of []rubric.Criterion,
	claims []rubric.Claim) (means []*int, err error) {
	err = s.alone(ctx, func() *Failure {
		o := s.prepare(c)
		for i, claim := range claims {
			s.account.Claims, s.account.Calls = nil, nil // a detector may make several claims
			v, f := s.verify(ctx, c, o, of[i], claim)
			if f != nil {
				means = nil
				return f
			}
			means = append(means, v.Holds)
		}
		return nil
	})
	return means, err
}
