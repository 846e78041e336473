package check

import (
	"slices"
	"strconv"
	"strings"

	"assize/rubric"
)

// justifications looks at the sentences of a card. Unquoted is how much it weighs that one quotes nothing.
func (x *exam) justifications(c *card, unquoted Severity) {
	for i := range c.ratings {
		r := &c.ratings[i]
		if r.sentence == nil {
			continue
		}
		path := r.path + "/justification"
		if strings.TrimSpace(r.sentence.text) == "" {
			x.addNode(r.sentence, Finding{ID: "unquoted", Severity: Error, Path: path, Message: "there is no justification"})
			continue
		}
		x.sentence(r.sentence, path, r.score)
		if !x.quotes(r.sentence, path, false) && !x.unmarked(r.sentence) {
			x.addNode(r.sentence, Finding{ID: "unquoted", Severity: unquoted, Path: path, Message: "the justification quotes no utterance"})
		}
	}
	x.repeated(c)
}

// unmarked reports whether a justification is a quote without quote marks, USER: words, as far as can be told.
func (x *exam) unmarked(n *node) bool {
	if len(n.text) > mostSentence {
		return false
	}
	q, ok := attributed(n.text)
	return ok && (x.transcript == nil || x.transcript.locate(q).verdict.said())
}

// sentence holds a justification against the score that it is for and against the one sentence that was asked for.
func (x *exam) sentence(n *node, path string, score rubric.Score) {
	f := x.factsOf(n.text).count(n.text)
	if f.sentences > 1 {
		x.addNode(n, Finding{ID: "sentences", Severity: Warning, Path: path, Message: "the justification has " + strconv.Itoa(f.sentences) + " sentences where one is asked for"})
	}
	if named := f.scores; contradicts(named, score) {
		x.addNode(n, Finding{
			ID: "score-contradicted", Severity: Error, Path: path, Want: score.String(),
			Message: "the justification speaks of a score of " + strconv.Itoa(named[0]) + ", where " + score.String() + " is given",
		})
	}
}

// contradicts reports whether a sentence names scores, and not the one that is given.
func contradicts(named []int, given rubric.Score) bool {
	return given != 0 && len(named) > 0 && !slices.Contains(named, int(given))
}

// repeated tells of one justification for several criteria.
func (x *exam) repeated(c *card) {
	for i := range c.ratings {
		n := c.ratings[i].sentence
		if n == nil || strings.TrimSpace(n.text) == "" {
			continue
		}
		before := slices.IndexFunc(c.ratings[:i], func(r rating) bool {
			return r.sentence != nil && strings.EqualFold(strings.TrimSpace(r.sentence.text), strings.TrimSpace(n.text))
		})
		if before >= 0 {
			x.addNode(n, Finding{
				ID: "justification-repeated", Severity: Warning, Path: c.ratings[i].path + "/justification",
				Message: criteria[i] + " has the same justification as " + criteria[before],
			})
		}
	}
}

// objections looks at the comments of the critic.
func (x *exam) objections(c *critique, evaluator *card) {
	for i := range c.opinions {
		o := &c.opinions[i]
		if o.comment == nil {
			continue
		}
		path := o.path + "/comment"
		if quotes := x.quotes(o.comment, path, true); !quotes && evaluator.ratings[i].score != 0 && o.objects(evaluator.ratings[i].score) {
			x.addNode(o.comment, Finding{ID: "objection-unfounded", Severity: Error, Path: path, Message: "the critic objects and quotes no utterance"})
		}
	}
}

// reason looks at what a single evaluator says of the OverallExperience, which is computed: a sentence that gives another
// score than the right one is replaced.
func (x *exam) reason(overall *node, c *card) {
	n, path := overall.get("justification"), "/OverallExperience/justification"
	if !n.is(text) {
		return
	}
	x.sentence(n, path, onScale(overall.get("score")))
	if c.scored && contradicts(x.factsOf(n.text).count(n.text).scores, x.Rubric.Mapping.Overall(c.average)) {
		right, _ := parse(string(x.settled(c).AppendSingle(nil)))
		x.replace(n, path, quoted(right.get("OverallExperience").get("justification").text))
	}
}
