package localllm

import (
	"encoding/json"
	"strconv"

	"assize/rubric"
)

// The schemas are written as text, since the order of their properties is the order in which the model answers, and
// a Go map would sort them: the turn must come before the score, or the model scores before it looks.

// mostGrammar bounds the grammar that the server makes of a schema. Version 0.6.5 cuts it at 32 KB, drops what it
// then cannot read, and lets the model write what it likes, all without an error.
const mostGrammar = 28_000

// citable gives the turns that may be cited for a criterion.
type citable func(rubric.Criterion) []int

// cardSchema describes ratings of criteria: for each the turn and then the score. Each pair is one of an enumeration,
// since a grammar allows white space between the members of an object and small models fill it: on 8 dialogues the
// smallest generated 91 to 145 tokens with members and 95 to 100 with pairs. There are too many pairs of more than some
// hundred turns, so those are described by members.
func cardSchema(criteria []rubric.Criterion, turns citable, reasons bool) json.RawMessage {
	pairs, size := make(map[bool][]byte), 0
	for _, c := range criteria {
		if own := aboutSystem.Has(c); pairs[own] == nil {
			pairs[own] = pairsOf(turns(c))
			size += len(pairs[own])
		}
	}
	members := size*4/3 > mostGrammar // a grammar escapes the quotes of a pair
	b := []byte(`{"type":"object","properties":{`)
	for i, c := range criteria {
		b = append(appendComma(b, i), `"`+c.String()+`":`...)
		switch {
		case members:
			b = appendMembers(b, turns(c))
		case aboutSystem.Has(c):
			b = append(b, `{"$ref":"#/$defs/system"}`...)
		default:
			b = append(b, `{"$ref":"#/$defs/any"}`...)
		}
	}
	if reasons {
		b = appendReasons(b, criteria)
	}
	b = append(b, `},"required":[`...)
	for i, c := range criteria {
		b = append(appendComma(b, i), `"`+c.String()+`"`...)
	}
	if reasons {
		b = append(b, `,"why"`...)
	}
	b = append(b, ']')
	if !members {
		b = appendDefs(b, pairs)
	}
	return append(b, '}')
}

// pairsOf enumerates the turns with every score of the scale.
func pairsOf(turns []int) []byte {
	b := []byte(`{"enum":[`)
	for i, turn := range turns {
		for k, score := range rubric.Scale {
			b = appendComma(b, i+k)
			b = strconv.AppendInt(append(b, `{"turn":`...), int64(turn), 10)
			b = append(strconv.AppendInt(append(b, `,"score":`...), int64(score), 10), '}')
		}
	}
	return append(b, "]}"...)
}

func appendDefs(b []byte, pairs map[bool][]byte) []byte {
	b = append(b, `,"$defs":{`...)
	if own := pairs[true]; own != nil {
		b = append(append(b, `"system":`...), own...)
	}
	if all := pairs[false]; all != nil {
		if pairs[true] != nil {
			b = append(b, ',')
		}
		b = append(append(b, `"any":`...), all...)
	}
	return append(b, '}')
}

func appendMembers(b []byte, turns []int) []byte {
	b = append(b, `{"type":"object","properties":{"turn":{"type":"integer","enum":[`...)
	for i, turn := range turns {
		b = strconv.AppendInt(appendComma(b, i), int64(turn), 10)
	}
	b = append(b, `]},"score":{"type":"integer","enum":[`...)
	for i, score := range rubric.Scale {
		b = strconv.AppendInt(appendComma(b, i), int64(score), 10)
	}
	return append(b, `]}},"required":["turn","score"]}`...)
}

// appendReasons describes the reasons. They come after all scores, so that asking for them changes none.
func appendReasons(b []byte, criteria []rubric.Criterion) []byte {
	b = append(b, `,"why":{"type":"object","properties":{`...)
	for i, c := range criteria {
		b = append(appendComma(b, i), `"`+c.String()+`":{"type":"string","maxLength":`...)
		b = append(strconv.AppendInt(b, reasonRunes, 10), '}')
	}
	b = append(b, `},"required":[`...)
	for i, c := range criteria {
		b = append(appendComma(b, i), `"`+c.String()+`"`...)
	}
	return append(b, `]}`...)
}

// objectSchema describes the answer to a closed question.
var objectSchema = json.RawMessage(`{"type":"object","properties":{"better":{"type":"string","enum":["A","B"]}},"required":["better"]}`)

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}
