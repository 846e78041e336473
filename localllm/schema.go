package localllm

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"assize/rubric"
)

// The schemas are written as text, since the model answers in the order of the properties, which a Go map would lose:
// the turn must come before the score, or the model scores before it looks.

// mostGrammar bounds the grammar that the server makes of a schema. Version 0.6.5 cuts a grammar at 32 KB, drops what
// it then cannot read, and lets the model write anything, all without an error.
const mostGrammar = 28_000

// citable gives the turns that may be cited for a criterion.
type citable func(rubric.Criterion) []int

// cardSchema describes ratings of criteria: for each the turn and then the score, as one value of an enumeration of
// pairs. A grammar allows white space between the members of an object and small models write it: on 8 dialogues the
// smallest generated 91 to 145 tokens with members and 95 to 100 with pairs. Beyond some hundred turns there are too
// many pairs, and members are used.
func cardSchema(criteria []rubric.Criterion, turns citable, reasons bool) json.RawMessage {
	pairs, size := map[string]string{}, 0
	for _, c := range criteria {
		if def := definition(c); pairs[def] == "" {
			pairs[def] = pairsOf(turns(c))
			size += len(pairs[def])
		}
	}
	useMembers := size*4/3 > mostGrammar // a grammar escapes the quotes of a pair
	properties := each(criteria, func(c rubric.Criterion) string {
		if useMembers {
			return fmt.Sprintf(`"%s":%s`, c, membersOf(turns(c)))
		}
		return fmt.Sprintf(`"%s":{"$ref":"#/$defs/%s"}`, c, definition(c))
	})
	names := each(criteria, func(c rubric.Criterion) string { return strconv.Quote(c.String()) })
	required := names
	if reasons { // after all scores, so that asking for reasons changes none
		properties += `,"why":{"type":"object","properties":{` + each(criteria, func(c rubric.Criterion) string {
			return fmt.Sprintf(`"%s":{"type":"string","maxLength":%d}`, c, reasonRunes)
		}) + `},"required":[` + names + `]}`
		required += `,"why"`
	}
	schema := `{"type":"object","properties":{` + properties + `},"required":[` + required + `]`
	if !useMembers {
		var defs []string
		for _, def := range []string{"system", "any"} {
			if pairs[def] != "" {
				defs = append(defs, `"`+def+`":`+pairs[def])
			}
		}
		schema += `,"$defs":{` + strings.Join(defs, ",") + `}`
	}
	return json.RawMessage(schema + "}")
}

// definition is the name of the list of pairs that a criterion uses.
func definition(c rubric.Criterion) string {
	if aboutSystem.Has(c) {
		return "system"
	}
	return "any"
}

// pairsOf enumerates the turns with every score of the scale.
func pairsOf(turns []int) string {
	return `{"enum":[` + each(turns, func(turn int) string {
		return each(rubric.Scale[:], func(s rubric.Score) string { return fmt.Sprintf(`{"turn":%d,"score":%d}`, turn, s) })
	}) + "]}"
}

// membersOf describes an object whose turn and score are members.
func membersOf(turns []int) string {
	return `{"type":"object","properties":{"turn":{"type":"integer","enum":[` + each(turns, strconv.Itoa) +
		`]},"score":{"type":"integer","enum":[` + each(rubric.Scale[:], rubric.Score.String) +
		`]}},"required":["turn","score"]}`
}

// each writes the items of a list with commas between them.
func each[T any](list []T, write func(T) string) string {
	parts := make([]string, len(list))
	for i, item := range list {
		parts[i] = write(item)
	}
	return strings.Join(parts, ",")
}

// objectSchema describes the answer to a closed question.
var objectSchema = json.RawMessage(`{"type":"object","properties":{"better":{"type":"string","enum":["A","B"]}},"required":["better"]}`)
