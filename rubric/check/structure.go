package check

import (
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	schema "github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"assize/rubric"
)

// structure holds the document against a schema and tells every leaf of what does not fit. Where a finding of
// another id says it better, that one is given instead.
func (x *exam) structure(wanted *jsonschema.Schema) {
	if x.conforms() {
		return
	}
	if err, ok := wanted.Validate(x.instance(x.root, "")).(*jsonschema.ValidationError); ok {
		x.leaves(err)
	}
}

// mostItems is how many items of a list are looked at: a list of opinions has six.
const mostItems = 200

// instance makes of a node what the schema is held against. What a run adds to a document is left out.
func (x *exam) instance(n *node, path string) any {
	switch n.kind {
	case object:
		m := make(map[string]any, len(n.members))
		for _, member := range n.members {
			if n != x.root || !x.record.adds(member.key) {
				m[member.key] = x.instance(member.value, pointer(path, member.key))
			}
		}
		return m
	case array:
		if len(n.items) > mostItems {
			x.addNode(n, Finding{ID: "structure", Severity: Error, Path: path, Message: "more than 200 entries; those behind them are not looked at", Got: strconv.Itoa(len(n.items))})
		}
		list := make([]any, 0, min(len(n.items), mostItems))
		for i, it := range n.items[:cap(list)] {
			list = append(list, x.instance(it, item(path, i)))
		}
		return list
	case text:
		return n.text
	case number:
		if i, ok := n.integer(); ok {
			return i
		}
		return 0.5 // all that the schemas can want of such a number is that it be whole
	case boolean:
		return n.text == "true"
	}
	return nil
}

// leaves goes down to the errors that have no further cause.
func (x *exam) leaves(err *jsonschema.ValidationError) {
	for _, cause := range err.Causes {
		x.leaves(cause)
	}
	if len(err.Causes) > 0 {
		return
	}
	n, path := x.resolve(err.InstanceLocation)
	switch k := err.ErrorKind.(type) {
	case *schema.Required:
		x.missing(n, path, k.Missing)
	case *schema.AdditionalProperties:
		x.additional(n, path, k.Properties)
	case *schema.Type:
		want := wanted(k.Want)
		if want == wholeNumber && path != "/dialogue_id" {
			want = scoreList
		}
		x.unfit(n, path, want)
	case *schema.Enum:
		x.unfit(n, path, listed(k.Want))
	default:
		x.addNode(n, Finding{ID: "structure", Severity: Error, Path: path, Message: k.LocalizedString(message.NewPrinter(language.English))})
	}
}

// resolve finds the node that a schema error is about.
func (x *exam) resolve(tokens []string) (*node, string) {
	n, path := x.root, ""
	for _, t := range tokens {
		path = pointer(path, t)
		if n.kind == array {
			i, _ := strconv.Atoi(t)
			n = n.items[i]
		} else {
			n = n.get(t)
		}
	}
	return n, path
}

// missing tells of keys that an object should have.
func (x *exam) missing(n *node, path string, keys []string) {
	for _, key := range keys {
		f := Finding{ID: "structure", Severity: Error, Path: pointer(path, key), Message: "the key " + key + " is missing"}
		if slices.ContainsFunc(n.members, func(m member) bool { return sameWords(m.key, key) }) {
			continue // it is there by another name, of which additional tells
		}
		if agree, ok := n.get("agree").truth(); key == "suggested_score" && ok && !agree {
			continue // a disagreement without a score, of which the critic's examination tells
		} else if key == "suggested_score" {
			f.Want = "null"
		}
		if slices.Contains(criteria, key) {
			f.ID, f.Message = "criterion-missing", key+" is not scored"
		}
		x.add(n.start, f)
	}
}

// additional tells of keys that an object should not have.
func (x *exam) additional(n *node, path string, keys []string) {
	told := 0
	for _, m := range n.members {
		if !slices.Contains(keys, m.key) {
			continue
		}
		if told++; told > mostItems {
			return
		}
		f := Finding{ID: "structure", Severity: Error, Path: pointer(path, m.key), Got: shorten(m.key), Message: "this key does not belong here"}
		if i := slices.IndexFunc(allKeys, func(key string) bool { return sameWords(m.key, key) && !n.has(key) }); i >= 0 {
			f.Message, f.Want = "this key is not written as it should be", allKeys[i]
		}
		x.add(m.start, f)
	}
}

// unfit tells of a value that is not of the type, or not one of the values, that belong there.
func (x *exam) unfit(n *node, path, want string) {
	f := Finding{ID: "structure", Severity: Error, Path: path, Message: "this is " + n.kind.String(), Want: want}
	if _, err := rubric.ParseCriterion(n.text); n.kind == text && want == criterionList {
		if f.Message = "no criterion is called this"; err == nil {
			f.Message = "a criterion in other letters"
		}
	}
	if want == scoreList && n.kind == number {
		f.ID, f.Message = "score-off-scale", "the score is not on the scale"
	}
	x.addNode(n, f)
}
