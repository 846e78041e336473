package record

import (
	"math"

	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// wire is what is taken from a line. All else in it follows from this, and is compared, not used: see [Basis.Decode].
type wire struct {
	id             int
	evaluator      [rubric.NumCriteria]wireRating
	comments       [rubric.NumCriteria]string // of the Critic
	source         Source
	status, reason string
	satisfaction   rubric.Hundredths
	signals        []rubric.Signal
	quotes         [][]rubric.Quote // of the Evaluator, by criterion
	objections     []wireObjection
	rules          *[rubric.NumCriteria]rubric.Score // of the cross-check; nil for none
	model          *localllm.Account
	fallback       []Agent
	turns          []wireTurn
	truth          dialogue.Truth
}

// wireRating is an Evaluator's rating whose justification is one sentence still, of claim and quotes.
type wireRating struct {
	score    rubric.Score
	sentence string
}

type wireObjection struct {
	criterion rubric.Criterion
	rubric.Objection
}

type wireTurn struct {
	number int // 0 where the record keeps all turns
	dialogue.Turn
}

// readWire reads a line.
func readWire(line []byte) (*wire, error) {
	w, c := &wire{}, &cursor{text: line}
	c.object(func(key []byte) {
		switch string(key) {
		case "dialogue_id":
			w.id = c.int()
		case "evaluator":
			w.readCard(c)
		case "critic":
			c.array(func(i int) { w.readOpinion(c, i) })
		case "source":
			w.readSource(c)
		case "status":
			w.status = c.string()
		case "reason":
			w.reason = c.string()
		case "satisfaction":
			w.satisfaction = c.hundredths()
		case "signals":
			c.array(func(int) { w.signals = append(w.signals, readSignal(c)) })
		case "panel":
			w.readPanel(c)
		case "cross_check":
			w.readCrossCheck(c)
		case "model":
			w.readModel(c)
		case "fallback":
			c.array(func(int) { w.fallback = append(w.fallback, readAgent(c)) })
		case "turns":
			c.array(func(int) { w.turns = append(w.turns, readTurn(c)) })
		case "truth":
			w.readTruth(c)
		default:
			c.skip() // it follows from the rest, or is nothing that a record has
		}
	})
	if c.err != nil {
		return w, c.err
	}
	return w, w.complete()
}

func (w *wire) readCard(c *cursor) {
	c.object(func(key []byte) {
		k, err := rubric.ParseCriterion(string(key))
		if err != nil {
			c.skip()
			return
		}
		c.object(func(key []byte) {
			switch string(key) {
			case "score":
				w.evaluator[k].score = readScore(c)
			case "justification":
				w.evaluator[k].sentence = c.string()
			default:
				c.skip()
			}
		})
	})
}

// readScore takes a score of the scale.
func readScore(c *cursor) rubric.Score {
	n := c.int()
	if s := rubric.Score(n); int(s) == n && s.Valid() {
		return s
	}
	c.fail("", "is %d; want 20, 40, 60, 80 or 100", n)
	return 0
}

func (w *wire) readOpinion(c *cursor, i int) {
	if i >= len(w.comments) {
		c.fail("", "is one too many; want the six criteria in their order")
		return
	}
	c.object(func(key []byte) {
		if string(key) == "comment" {
			w.comments[i] = c.string()
			return
		}
		c.skip()
	})
}

func (w *wire) readSource(c *cursor) {
	c.object(func(key []byte) {
		switch string(key) {
		case "file":
			w.source.File = c.string()
		case "format":
			w.source.Format = dialogue.Format(c.string())
		case "id":
			w.source.ID = c.string()
		case "turns":
			w.source.Turns = c.int()
		case "digest":
			w.source.Digest = c.string()
		case "meta":
			w.source.Meta = readMeta(c)
		case "duplicate_of":
			w.source.DuplicateOf = readOrigin(c)
		default:
			c.skip()
		}
	})
}

// readMeta takes metadata as [dialogue.NewMeta] makes it of the members.
func readMeta(c *cursor) dialogue.Meta {
	var fields []dialogue.Field
	c.object(func(key []byte) {
		name, ok := unescape(key)
		if !ok {
			c.fail("", "is not a name; want one")
		}
		fields = append(fields, dialogue.Field{Name: name, Value: c.string()})
	})
	return dialogue.NewMeta(fields)
}

func readOrigin(c *cursor) *Origin {
	var o Origin
	c.object(func(key []byte) {
		switch string(key) {
		case "file":
			o.File = c.string()
		case "dialogue_id":
			o.ID = c.int()
		default:
			c.skip()
		}
	})
	return &o
}

func readSignal(c *cursor) (s rubric.Signal) {
	c.object(func(key []byte) {
		switch string(key) {
		case "id":
			s.ID = c.string()
		case "criteria":
			c.array(func(int) { s.Criteria |= rubric.SetOf(readCriterion(c)) })
		case "turn":
			s.Turn = c.int()
		case "about":
			s.About = c.int()
		case "points":
			s.Points = c.hundredths()
		default:
			c.skip()
		}
	})
	return s
}

func readCriterion(c *cursor) rubric.Criterion {
	name := c.string()
	k, err := rubric.ParseCriterion(name)
	if err != nil {
		c.fail("", "names an %v", err)
	}
	return k
}

func (w *wire) readPanel(c *cursor) {
	c.object(func(key []byte) {
		switch string(key) {
		case "evaluator":
			c.array(func(i int) {
				k, o := readEvidence(c)
				if int(k) != i {
					c.fail("/criterion", "is %s; want the six criteria in their order", k)
				}
				w.quotes = append(w.quotes, o.Quotes)
			})
		case "critic":
			c.array(func(i int) {
				k, o := readEvidence(c)
				if i >= rubric.NumCriteria {
					c.fail("", "is one too many; want at most one for each criterion")
				}
				w.objections = append(w.objections, wireObjection{k, o})
			})
		default:
			c.skip()
		}
	})
}

// maxQuotes bounds the quotes of one answer. Each is looked up in its turn, however long that is, so many more could
// keep a reader busy for hours.
const maxQuotes = 200

// readEvidence takes what the panel has of an agent's answer on one criterion: the quotes and, of an objection, what
// it suggests.
func readEvidence(c *cursor) (k rubric.Criterion, o rubric.Objection) {
	var turns []int
	var texts []string
	c.object(func(key []byte) {
		switch string(key) {
		case "criterion":
			k = readCriterion(c)
		case "by":
			o.By = c.string()
		case "kind":
			o.Kind = readKind(c)
		case "turns":
			c.array(func(int) { turns = append(turns, c.int()) })
		case "quotes":
			c.array(func(int) { texts = append(texts, c.string()) })
		case "suggested":
			o.Suggested = readSuggestion(c)
		default:
			c.skip()
		}
	})
	switch {
	case len(turns) != len(texts):
		c.fail("", "has %d turns and %d quotes; want as many", len(turns), len(texts))
		return k, o
	case len(turns) > maxQuotes:
		c.fail("", "has %d quotes; want at most %d", len(turns), maxQuotes)
		return k, o
	}
	o.Quotes = make([]rubric.Quote, len(turns))
	for i := range o.Quotes {
		o.Quotes[i] = rubric.Quote{Turn: turns[i], Text: texts[i]}
	}
	return k, o
}

func readKind(c *cursor) rubric.Kind {
	name := c.string()
	for _, k := range []rubric.Kind{rubric.Contradicts, rubric.MissingEvidence} {
		if name == k.String() {
			return k
		}
	}
	c.fail("", "is %q; want contradicts or missing-evidence", name)
	return 0
}

// readSuggestion takes the score that an objection suggests. It may be off the scale, for the Referee to say so.
func readSuggestion(c *cursor) rubric.Score {
	n := c.int()
	if n < 1 || n > math.MaxUint8 {
		c.fail("", "is %d; want a score, 20 to 100", n)
	}
	return rubric.Score(n)
}

func readTurn(c *cursor) (t wireTurn) {
	c.object(func(key []byte) {
		switch string(key) {
		case "turn":
			t.number = c.int()
		case "role":
			t.Role = readRole(c)
		case "text":
			t.Text = c.string()
		default:
			c.skip()
		}
	})
	return t
}

func readRole(c *cursor) dialogue.Role {
	name := c.string()
	for _, r := range []dialogue.Role{dialogue.System, dialogue.User, dialogue.Other} {
		if name == r.String() {
			return r
		}
	}
	c.fail("", "is %q; want SYSTEM, USER or OTHER", name)
	return dialogue.Other
}

func (w *wire) readTruth(c *cursor) {
	c.object(func(key []byte) {
		switch string(key) {
		case "overall":
			w.truth.Overall = readNumbers(c)
		case "turns":
			w.truth.Turns = [][]float64{}
			c.array(func(int) { w.truth.Turns = append(w.truth.Turns, readNumbers(c)) })
		case "labels":
			w.truth.Labels = []string{}
			c.array(func(int) { w.truth.Labels = append(w.truth.Labels, c.string()) })
		default:
			c.skip()
		}
	})
}

func readNumbers(c *cursor) (list []float64) {
	c.array(func(int) { list = append(list, c.number()) })
	return list
}
