package check

import (
	"slices"
	"strings"

	"assize/rubric"
)

// examineDebate checks a document of the three-agent protocol.
func (x *exam) examineDebate() {
	evaluator := x.card(x.root.get("evaluator"), "/evaluator")
	final := x.card(x.root.get("referee_final"), "/referee_final")
	audit := x.root.get("audit")
	x.average(&evaluator)
	x.average(&final)
	x.overall(final.node.get("OverallExperience"), "/referee_final/OverallExperience", &final)
	x.calc(audit.get("weighted_calc"), &final)
	x.mapping(audit.get("mapping_rule"), &final)
	if opinions, ok := x.critic(&evaluator); ok {
		x.decisions(opinions, &evaluator, &final)
	}
	x.justifications(&evaluator, Error)
	x.justifications(&final, Warning)
	x.audit(audit)
}

// examineSingle checks a document of the single-pass evaluator.
func (x *exam) examineSingle() {
	card := x.card(x.root, "")
	x.justifications(&card, Warning)
	overall := x.root.get("OverallExperience")
	x.overall(overall.get("score"), "/OverallExperience/score", &card)
	x.reason(overall, &card)
}

// offScale stands for any suggestion that is not on the scale. Which one it was makes no difference to the Referee.
const offScale rubric.Score = 1

// opinion is what a document's critic says about one criterion.
type opinion struct {
	node      *node // nil where the critic says nothing
	comment   *node
	suggested rubric.Score // 0 for none, offScale
	before    rubric.Score // what the evaluator gave; 0 where that is not known
}

// objects reports whether an opinion suggests another score than the evaluator's. What it says about its agreement
// does not matter: that is derived (decisions.md, "The Referee's rulings").
func (o *opinion) objects() bool { return o.suggested != 0 && o.suggested != o.before }

// critic checks the critic's list and gives its opinions; ok is false where nobody can tell what was proposed.
func (x *exam) critic(evaluator *card) (opinions [rubric.NumCriteria]opinion, ok bool) {
	list, astray := x.root.get("critic"), 0
	ok = list.is(array)
	for i, n := range list.list() {
		path, name := item("/critic", i), n.get("criterion")
		k := slices.Index(criteria, name.scalar())
		if k < 0 {
			astray++ // each may be a missing one
			continue
		}
		if opinions[k].node != nil {
			f := Finding{ID: "criterion-doubled", Severity: Error, Path: path, Got: name.text}
			f.Message = "the critic speaks of " + name.text + " more than once"
			x.add(n.start, f)
			astray++
			ok = false
			continue
		}
		o := opinion{node: n, comment: n.get("comment"), before: evaluator.ratings[k].score}
		if suggested := n.get("suggested_score"); suggested.is(number) {
			if o.suggested = onScale(suggested); o.suggested == 0 {
				o.suggested = offScale
				x.flag(suggested, Warning, "score-off-scale", path+"/suggested_score", "20, 40, 60, 80 or 100",
					"the critic suggests a score that is not on the scale, which can never be accepted")
			}
		}
		x.agreement(&o, path)
		if o.comment.is(text) && !x.quotes(o.comment, path+"/comment", true) && o.before != 0 && o.objects() {
			x.flag(o.comment, Error, "objection-unfounded", path+"/comment", "", "the critic objects and quotes no utterance")
		}
		opinions[k] = o
	}
	var silent []string
	for i := range opinions {
		if opinions[i].node == nil {
			silent = append(silent, criteria[i])
		}
	}
	if list.is(array) && len(silent) > astray {
		message := "the critic says nothing about " + strings.Join(silent, ", ")
		x.add(list.start, Finding{ID: "critic-silent", Severity: Warning, Path: "/critic", Message: message})
	}
	return opinions, ok
}

// agreement compares whether an opinion says that it agrees with the score that it suggests.
func (x *exam) agreement(o *opinion, path string) {
	flag, suggested := o.node.get("agree"), o.node.get("suggested_score")
	if !flag.is(boolean) || suggested != nil && suggested.kind != null && suggested.kind != number {
		return // structure reports it
	}
	agrees := flag.text == "true"
	f := Finding{Severity: Error, Path: path + "/agree"}
	switch {
	case !agrees && o.suggested == 0:
		f.ID, f.Path = "disagreement-unscored", path+"/suggested_score"
		f.Message = "the critic disagrees and suggests no score"
		x.add(o.node.start, f)
		return
	case o.before == 0 || agrees != o.objects():
		return
	case agrees:
		f.ID, f.Want = "agreement-changes", "false"
		f.Message = "the critic agrees and suggests " + suggested.text + ", where the evaluator gave " + o.before.String()
	default:
		f.ID, f.Want = "disagreement-unchanged", "true"
		f.Message = "the critic disagrees and suggests " + o.before.String() + ", the score that the evaluator gave"
	}
	x.addNode(flag, f)
	x.replace(flag, f.Path, f.Want)
}

// decisions compares the final scores with what the agents proposed and with the Referee's rulings.
func (x *exam) decisions(opinions [rubric.NumCriteria]opinion, evaluator, final *card) {
	readings := x.decide(opinions, evaluator)
	for i := range final.ratings {
		o, r := &opinions[i], &final.ratings[i]
		before := evaluator.ratings[i].score
		switch after := r.score; {
		case before == 0 || after == 0:
		case after != before && after != o.suggested:
			want := before.String()
			if o.objects() && o.suggested != offScale {
				want += " or " + o.suggested.String()
			}
			x.flag(r.node, Error, "final-unproposed", r.path+"/score", want,
				"nobody proposed "+after.String()+": evaluator and critic propose "+want)
		case readings != nil && !slices.ContainsFunc(readings, func(r rulings) bool { return r[i].After == after }):
			ruling := readings[0][i]
			want := ruling.After.String()
			x.flag(r.node, Warning, "ruling-not-followed", r.path+"/score", want,
				ruling.ID.String()+" gives "+want+" ("+ruling.Ground.String()+")")
		}
	}
}

// rulings are what the Referee decides on the six criteria.
type rulings = [rubric.NumCriteria]rubric.Ruling

// decide lets the Referee settle the objections once more. That takes the transcript and what the detectors see in it;
// records of a run are left to replay, which knows their detectors. A document does not say whether an objection means
// that something contradicts the evaluator or that evidence is missing, so there is a reading for either.
func (x *exam) decide(opinions [rubric.NumCriteria]opinion, evaluator *card) (readings []rulings) {
	if !evaluator.scored || x.transcript == nil || x.isRecord || x.Observe == nil {
		return nil
	}
	signals, err := x.Observe(x.transcript.dialogue)
	if err != nil {
		return nil
	}
	var card rubric.Scorecard
	var objections rubric.Critique
	for i := range opinions {
		card[i] = rubric.Rating{Score: evaluator.ratings[i].score, Quotes: x.cited(evaluator.ratings[i].sentence)}
		objections[i] = rubric.Objection{Suggested: opinions[i].suggested, Quotes: x.cited(opinions[i].comment)}
	}
	for _, kind := range []rubric.Kind{rubric.Contradicts, rubric.MissingEvidence} {
		for i := range objections {
			objections[i].Kind = kind
		}
		_, r := x.Rubric.Decide(rubric.Case{Dialogue: x.transcript.dialogue, Signals: signals}, card, objections)
		readings = append(readings, r)
	}
	return readings
}
