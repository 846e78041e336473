package record

import (
	"fmt"

	"assize/localllm"
	"assize/rubric"
)

// readCrossCheck takes the scores of the rules. The model's are the Evaluator's, and all else follows.
func (w *wire) readCrossCheck(c *cursor) {
	w.rules = new([rubric.NumCriteria]rubric.Score)
	c.object(func(key []byte) {
		if string(key) != "criteria" {
			c.skip()
			return
		}
		c.array(func(i int) {
			if i >= rubric.NumCriteria {
				c.fail("", "is one too many; want the six criteria in their order")
				return
			}
			c.object(func(key []byte) {
				if string(key) == "rules" {
					w.rules[i] = readScore(c)
					return
				}
				c.skip()
			})
		})
	})
}

// crossCheck compares the Evaluator's scores with those of the rules; nil where the record does not.
func (w *wire) crossCheck(rub rubric.Rubric) (*rubric.CrossCheck, error) {
	if w.rules == nil {
		return nil, nil
	}
	var model [rubric.NumCriteria]rubric.Score
	for i, rating := range w.evaluator {
		model[i] = rating.score
		if w.rules[i] == 0 {
			return nil, fieldError(fmt.Sprintf("/cross_check/criteria/%d/rules", i), "is no score; want one for each of the six criteria")
		}
	}
	check, err := rub.CrossCheck(model, *w.rules)
	return &check, err
}

func (w *wire) readModel(c *cursor) {
	w.model = &localllm.Account{}
	a := w.model
	c.object(func(key []byte) {
		switch string(key) {
		case "calls":
			c.array(func(int) { a.Calls = append(a.Calls, readCall(c)) })
		case "windows":
			c.array(func(int) { a.Windows = append(a.Windows, readWindow(c)) })
		case "suspicious":
			a.Suspicious = readInts(c)
		case "shortened":
			a.Shortened = readInts(c)
		case "spread":
			a.Spread = readInts(c)
		case "unstable":
			c.array(func(int) { a.Unstable = append(a.Unstable, readCriterion(c)) })
		case "flags":
			c.array(func(int) {
				flag := c.string() // the others follow from what stands before
				a.Flat, a.Counting = a.Flat || flag == "flat", a.Counting || flag == "counting"
			})
		default:
			c.skip()
		}
	})
}

func readCall(c *cursor) localllm.Call {
	call := localllm.Call{Presentation: 1, Attempt: 1}
	c.object(func(key []byte) {
		switch string(key) {
		case "purpose":
			call.Purpose = readPurpose(c)
		case "criterion":
			call.Criterion = readCriterion(c)
		case "presentation":
			call.Presentation = c.int()
		case "window":
			call.Window = c.int()
		case "attempt":
			call.Attempt = c.int()
		case "prompt_tokens":
			call.PromptTokens = c.int()
		case "generated":
			call.Generated = c.int()
		case "failure":
			call.Failure = localllm.FailureKind(c.string())
		case "raw":
			call.Raw = c.string()
		default:
			c.skip()
		}
	})
	return call
}

func readPurpose(c *cursor) localllm.Purpose {
	p := localllm.Purpose(c.string())
	switch p {
	case localllm.ForCard, localllm.ForCriterion, localllm.ForObjection:
	default:
		c.fail("", "is %q; want card, criterion or objection", string(p))
	}
	return p
}

func readWindow(c *cursor) (w localllm.Window) {
	c.object(func(key []byte) {
		switch string(key) {
		case "from":
			w.From = c.int()
		case "to":
			w.To = c.int()
		default:
			c.skip()
		}
	})
	return w
}

func readAgent(c *cursor) Agent {
	a := Agent(c.string())
	if a != Evaluator && a != Critic {
		c.fail("", "is %q; want evaluator or critic", string(a))
	}
	return a
}

func readInts(c *cursor) (list []int) {
	c.array(func(int) { list = append(list, c.int()) })
	return list
}
