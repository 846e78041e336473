package check

import (
	"math"

	"assize/rubric"
)

// card is the six ratings of a document's evaluator, or those that are final.
type card struct {
	node    *node // nil where the document has none
	path    string
	ratings [rubric.NumCriteria]rating
	scored  bool              // all six scores are on the scale
	average rubric.Hundredths // of the scores, where all are on the scale
}

// rating is what a document says of one criterion.
type rating struct {
	score    rubric.Score // 0 where there is none on the scale, or more than one
	sentence *node        // the justification; nil where there is none
	path     string       // of the rating
}

// card reads the ratings of n.
func (x *exam) card(n *node, path string) card {
	c := card{node: n, path: path, scored: true}
	var scores [rubric.NumCriteria]rubric.Score
	for i, name := range criteria {
		r := &c.ratings[i]
		entry := n.get(name)
		r.path = path + "/" + name
		if r.score = onScale(entry.get("score")); n.ambiguous(name) || entry.ambiguous("score") {
			r.score = 0 // nobody can tell which is meant, and what would follow from it
		}
		if sentence := entry.get("justification"); sentence.is(text) {
			r.sentence = sentence
		}
		scores[i] = r.score
	}
	var err error
	c.average, err = x.Rubric.Average(scores)
	c.scored = err == nil
	return c
}

// onScale gives a score; 0 where n is none of the scale.
func onScale(n *node) rubric.Score {
	if i, ok := n.integer(); ok && i >= 0 && i <= 100 && rubric.Score(i).Valid() {
		return rubric.Score(i)
	}
	return 0
}

// agrees reports whether a number as printed is a figure to the hundredth.
func agrees(printed float64, h rubric.Hundredths) bool {
	return math.Round(float64(printed*100)) == float64(h)
}

// offScale stands for any suggestion that is not on the scale. What it was makes no difference to the Referee.
const offScale rubric.Score = 1

// opinion is what a document's critic says about one criterion.
type opinion struct {
	node      *node // nil where the critic is silent
	path      string
	comment   *node        // nil where there is none
	suggested rubric.Score // 0 for none, offScale
}

// critique is the opinions of a document's critic.
type critique struct {
	opinions [rubric.NumCriteria]opinion
	listed   bool // there is a list of opinions
	doubled  bool // a criterion has more than one
	astray   int  // entries that are of no criterion, or of one that had its own: each may be one that is silent
}

// objects reports whether an opinion suggests another score than the evaluator's. What it says of its
// agreement does not matter: that is derived (decisions.md, "The Referee's rulings").
func (o *opinion) objects(evaluator rubric.Score) bool {
	return o.suggested != 0 && o.suggested != evaluator
}

// critique reads the critic's list. Of a criterion's opinions the last counts, as of keys.
func (x *exam) critique() critique {
	var c critique
	list := x.root.get("critic")
	c.listed = list.is(array)
	for i, n := range list.list() {
		if i == mostItems {
			break
		}
		name, _ := n.get("criterion").words()
		k, err := rubric.ParseCriterion(name)
		if err != nil {
			c.astray++
			continue
		}
		o := &c.opinions[k]
		if o.node != nil {
			c.doubled = true
			c.astray++
			x.addNode(n, Finding{ID: "criterion-doubled", Severity: Error, Path: item("/critic", i), Got: name, Message: "the critic speaks of " + k.String() + " more than once"})
		}
		*o = opinion{node: n, path: item("/critic", i)}
		if comment := n.get("comment"); comment.is(text) {
			o.comment = comment
		}
		if suggested := n.get("suggested_score"); suggested.is(number) {
			if o.suggested = onScale(suggested); o.suggested == 0 {
				o.suggested = offScale
			}
		}
	}
	return c
}
