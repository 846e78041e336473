package check

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
	"assize/rubric/dialogue"
)

func (x *inspection) checkDebate() {
	evaluator := x.readCard(x.root.get("evaluator"))
	final, audit := x.readCard(x.root.get("referee_final")), x.root.get("audit")
	x.checkAverage(&evaluator)
	x.checkAverage(&final)
	x.checkOverall(final.node.get("OverallExperience"), &final)
	x.checkCalc(audit.get("weighted_calc"), false, &final)
	x.checkMapping(audit.get("mapping_rule"), &final)
	if opinions, ok := x.checkCritic(&evaluator); ok {
		x.checkDecisions(opinions, &evaluator, &final)
	}
	x.checkJustifications(&evaluator, "unquoted")
	x.checkJustifications(&final, "unquoted/final")
	x.checkAudit(audit)
}

func (x *inspection) checkSingle() {
	card := x.readCard(x.root)
	x.checkJustifications(&card, "unquoted/final")
	overall := x.root.get("OverallExperience")
	x.checkOverall(overall.get("score"), &card)
	x.checkCalc(overall.get("justification"), true, &card)
}

// offScale represents any suggestion that is not on the scale. The Referee treats all of these
// alike.
const offScale rubric.Score = 1

// criticAnswer is a critic's answer on one criterion. It is an objection if it differs from the
// score before it; the critic's own statement about agreement is ignored, since agreement is
// derived (PROTOCOL.md, "Rulings").
type criticAnswer struct {
	rubric.Objection
	node    *node        // nil if the critic does not answer
	comment *node        // nil if there is no comment
	before  rubric.Score // the evaluator's score; 0 if unknown
}

// checkCritic checks the critic's list and returns its opinions; ok is false if the proposals
// cannot be determined.
func (x *inspection) checkCritic(
	evaluator *card) (opinions [rubric.NumCriteria]criticAnswer, ok bool) {
	list, astray := x.root.get("critic"), 0
	ok = list.is('[')
	for _, n := range list.list() {
		name := n.get("criterion")
		if name == nil || !slices.Contains(criteria, name.text) {
			astray++ // it may stand for a missing one
			continue
		}
		k := slices.Index(criteria, name.text)
		if opinions[k].node != nil {
			f := finding("criterion-doubled/critic", name.text)
			f.Got = name.text
			x.addNode(n, f)
			astray++
			ok = false
			continue
		}
		o := criticAnswer{node: n, before: evaluator.ratings[k].score}
		if comment := n.get("comment"); comment.is('"') {
			o.comment = comment
		}
		if suggested := n.get("suggested_score"); suggested.is('0') {
			if o.Suggested = onScale(suggested); o.Suggested == 0 {
				o.Suggested = offScale
				x.report(suggested, "20, 40, 60, 80 or 100", "score-off-scale/critic")
			}
		}
		x.checkAgreement(&o)
		if o.comment != nil && !x.checkQuotes(o.comment, true) && o.before != 0 &&
			o.Against(o.before) {
			x.report(o.comment, "", "objection-unfounded")
		}
		opinions[k] = o
	}
	var silent []string
	for i, o := range opinions {
		if o.node == nil {
			silent = append(silent, criteria[i])
		}
	}
	if list.is('[') && len(silent) > astray {
		x.add(list.start, list.path(), finding("critic-silent", strings.Join(silent, ", ")))
	}
	return opinions, ok
}

// checkAgreement checks that an opinion's statement about agreement matches the score that it
// suggests.
func (x *inspection) checkAgreement(o *criticAnswer) {
	flag, suggested := o.node.get("agree"), o.node.get("suggested_score")
	agrees := flag.is('t')
	if !agrees && !flag.is('f') || suggested != nil && !suggested.is('n') && !suggested.is('0') {
		return // structure reports it
	}
	switch {
	case !agrees && o.Suggested == 0:
		x.add(o.node.start, o.node.path("suggested_score"), finding("disagreement-unscored"))
	case o.before == 0 || agrees != o.Against(o.before):
	case agrees:
		x.report(flag, "false", "agreement-changes", suggested.text, o.before)
		x.replace(flag, "false")
	default:
		x.report(flag, "true", "disagreement-unchanged", o.before)
		x.replace(flag, "true")
	}
}

// checkDecisions compares the final scores with the agents' proposals and, if there is a transcript
// to observe, with the Referee's rulings. It skips the rulings of a run, which replay checks with
// that run's detectors. A document does not say whether an objection means a contradiction or
// missing evidence, so either reading is accepted.
func (x *inspection) checkDecisions(opinions [rubric.NumCriteria]criticAnswer,
	evaluator, final *card) {
	var readings [][rubric.NumCriteria]rubric.Ruling
	if evaluator.scored && x.transcript != nil && !x.isRecord && x.Observe != nil {
		var card rubric.Scorecard
		var objections rubric.Critique
		signals, err := x.Observe(x.transcript.dialogue)
		for _, kind := range []rubric.ObjectionKind{rubric.Contradicts, rubric.MissingEvidence} {
			for i, o := range opinions {
				card[i] = rubric.Rating{Score: evaluator.ratings[i].score,
					Quotes: x.citedQuotes(evaluator.ratings[i].sentence)}
				objections[i] = rubric.Objection{Suggested: o.Suggested, Kind: kind,
					Quotes: x.citedQuotes(o.comment)}
			}
			if err == nil {
				_, r := x.Rubric.Decide(rubric.Case{Dialogue: x.transcript.dialogue,
					Signals: signals}, card, objections)
				readings = append(readings, r)
			}
		}
	}
	for i, r := range final.ratings {
		o, before := &opinions[i], evaluator.ratings[i].score
		switch {
		case before == 0 || r.score == 0:
		case r.score != before && r.score != o.Suggested:
			want := before.String()
			if o.Against(before) && o.Suggested != offScale {
				want += " or " + o.Suggested.String()
			}
			x.report(r.node, want, "final-unproposed", r.score, want)
		case len(readings) > 0 && readings[0][i].After != r.score &&
			readings[1][i].After != r.score:
			ruling := readings[0][i]
			x.report(r.node, ruling.After.String(), "ruling-not-followed", ruling.ID, ruling.After,
				ruling.Ground)
		}
	}
}

// readRecord recognises a line of a run, whose turns serve as the transcript if there is no other.
func (x *inspection) readRecord() {
	turns := x.root.get("turns")
	x.isRecord = turns.is('[') && x.root.get("status").is('"')
	if !x.isRecord || x.transcript != nil {
		return
	}
	var list []struct {
		Role string `json:"role"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal([]byte(turns.raw), &list,
		jsontext.AllowDuplicateNames(true)); err != nil {
		x.report(turns, "", "structure/record", err)
		return
	}
	var d dialogue.Dialogue
	for _, t := range list {
		role, _ := dialogue.ParseRole(t.Role)
		d.Turns = append(d.Turns, dialogue.Turn{Role: role, Text: t.Text})
	}
	x.transcript = NewTranscript(d)
}
