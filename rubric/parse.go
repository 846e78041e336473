package rubric

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

//go:embed default.yaml
var defaultYAML []byte

// Default returns the embedded rubric.
func Default() Rubric {
	r, err := overlay(Rubric{}, "default.yaml", defaultYAML)
	if err != nil {
		panic(err) // the file is embedded
	}
	return r
}

// Parse reads a rubric file, YAML or JSON, in the form of the embedded one. Members that the file
// omits keep their value from [Default], but weights are set for all six criteria or for none. The
// error gives the position of anything that is unknown, duplicated, out of range or missing.
func Parse(name string, data []byte) (Rubric, error) { return overlay(Default(), name, data) }

// Limits on the size of a rubric file. The embedded one has about four thousand bytes and a few
// dozen brackets; the parser's time grows faster than the nesting depth of its input.
const (
	maxFile     = 1 << 18 // bytes
	maxBrackets = 2500    // opening brackets, and dashes that may begin a list entry
	maxDepth    = 12      // brackets within brackets, or dashes in a line
)

const wantDocument = "want one YAML or JSON document with weights, mapping, levels, " +
	"demands, caps, questions or facts, in the form of the default rubric"

//go:embed forms.txt
var formsTable string

// forms returns descriptions of the values of members of a rubric file, by name.
var forms = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(formsTable) {
		if line[0] == '#' {
			continue
		}
		names, form, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for name := range strings.SplitSeq(names, ", ") {
			all[name] = form
		}
	}
	return all
})

// form is the structure of a rubric file. The scores of the scale are keys.
type form struct {
	Weights   *ByCriterion[*float64]           `json:"weights"`
	Mapping   string                           `json:"mapping"`
	Levels    ByCriterion[byScore[string]]     `json:"levels"`
	Demands   ByCriterion[byScore[[]string]]   `json:"demands"`
	Caps      *ByCriterion[map[string]float64] `json:"caps,omitempty"`
	Questions []Question                       `json:"questions,omitempty"`
	Facts     []Fact                           `json:"facts,omitempty"`
}

// scorecard is the part of a rubric file that has no default.
type scorecard struct {
	Questions []Question `json:"questions,omitempty"`
	Facts     []Fact     `json:"facts,omitempty"`
}

// byScore holds values keyed by the scores of the scale.
type byScore[T any] map[string]T

var scaleKeys = []string{"20", "40", "60", "80", "100"}

// MarshalJSON writes the values in the order of the scale.
func (m byScore[T]) MarshalJSON() (b []byte, err error) {
	for _, key := range scaleKeys {
		b = AppendJSON(fmt.Appendf(b, `,%q:`, key), m[key])
	}
	b[0] = '{'
	return append(b, '}'), nil
}

// form returns the complete rubric with its lists sorted.
func (r Rubric) form() form {
	f := form{Mapping: r.Mapping.String(), Weights: new(ByCriterion[*float64]),
		Questions: r.Questions, Facts: r.Facts}
	for i := range r.Weights {
		levels, demands := byScore[string]{}, byScore[[]string]{}
		for k, key := range scaleKeys {
			levels[key], demands[key] = r.Levels[i][k], sorted(r.Demands[i][k])
		}
		weight := float64(r.Weights[i])
		*f.Weights.List()[i], *f.Levels.List()[i], *f.Demands.List()[i] = &weight, levels, demands
		if len(r.Caps[i]) > 0 {
			f.Caps = cmp.Or(f.Caps, new(ByCriterion[map[string]float64]))
			caps := map[string]float64{}
			for id, score := range r.Caps[i] {
				caps[id] = float64(score)
			}
			*f.Caps.List()[i] = caps
		}
	}
	return f
}

// AppendJSON appends the complete rubric to b as one line of JSON that [Parse] can read. The same
// rubric always yields the same bytes.
func (r Rubric) AppendJSON(b []byte) []byte { return AppendJSON(b, r.form()) }

func overlay(r Rubric, name string, data []byte) (Rubric, error) {
	fail := func(at *token.Position, want, msg string, args ...any) (Rubric, error) {
		return Rubric{}, fmt.Errorf("%s:%d:%d: %s; %s", name, at.Line, at.Column,
			fmt.Sprintf(msg, args...), want)
	}
	start := &token.Position{Line: 1, Column: 1}
	brackets := bytes.Count(data, []byte("{")) + bytes.Count(data, []byte("["))
	if len(data) > maxFile || brackets+bytes.Count(data, []byte("- ")) > maxBrackets ||
		depth(data) > maxDepth {
		return fail(start, "want at most 256 KiB, 2,500 lists and entries, and 12 levels",
			"this is too large or too deep for a rubric")
	}
	if !utf8.Valid(data) {
		return fail(start, "want the file saved as UTF-8", "this is not UTF-8")
	}
	// Windows editors start files with a byte-order mark
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f := form{Mapping: r.Mapping.String()}
	file, err := parser.ParseBytes(data, 0)
	if err == nil && (len(file.Docs) != 1 || file.Docs[0].Body == nil) {
		return fail(start, wantDocument, "this is not a rubric")
	}
	if err == nil {
		for _, n := range ast.Filter(ast.TagType, file.Docs[0].Body) { // the decoder may panic
			return fail(n.GetToken().Position, "want it without", "%s is a tag", n.GetToken().Value)
		}
		err = yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&f)
	}
	if wrong := yaml.Error(nil); errors.As(err, &wrong) && wrong.GetToken() != nil {
		at, want := wrong.GetToken().Position, wantDocument
		in := ""
		if file != nil && len(file.Docs) > 0 {
			in = memberAt(file.Docs[0].Body, "", at)
		}
		switch {
		case errors.As(err, new(*yaml.UnknownFieldError)) && forms()[in] != "":
			want = "want one of those in assize help scorecards"
			if slices.Contains([]string{"weights", "levels", "demands", "caps"}, in) {
				want = "want a criterion, as in assize help rubric"
			}
		case forms()[in] != "":
			return fail(at, "want "+forms()[in], "%s has the wrong form", in)
		case strings.Contains(wrong.GetMessage(), "already defined"):
			want = "want it once"
		case errors.As(err, new(*yaml.SyntaxError)):
			want = "want YAML, indented by spaces, with quotes around text that contains a colon"
		}
		return fail(at, want, "%s", wrong.GetMessage())
	}
	if err != nil {
		return fail(start, wantDocument, "this is not a rubric")
	}
	if n := misread(file.Docs[0].Body); n != nil {
		key := n.Key.GetToken().Value
		return fail(n.Value.GetToken().Position, "want "+cmp.Or(forms()[key], "a whole number"),
			"%s is %s", key, n.Value)
	}
	at := func(keys ...string) *token.Position { return positionOf(file.Docs[0].Body, keys) }
	if f.Weights != nil {
		sum := 0
		for i, w := range f.Weights.List() {
			c := Criterion(i).String()
			if *w == nil {
				const want = "want one for each of the six criteria, or no weights at all"
				return fail(at("weights"), want, "%s has no weight", c)
			}
			r.Weights[i] = int(**w)
			if **w < 0 || **w > 100 || **w != float64(r.Weights[i]) {
				return fail(at("weights", c), "want a whole percent from 0 to 100",
					"%s has the weight %g", c, **w)
			}
			sum += r.Weights[i]
		}
		if sum != 100 {
			return fail(at("weights"), "want 100", "the weights sum to %d", sum)
		}
	}
	if r.Mapping, err = ParseMapping(f.Mapping); err != nil {
		return fail(at("mapping"), "want down or nearest", "unknown mapping %q", f.Mapping)
	}
	const wantLevel = "want 20, 40, 60, 80 or 100"
	for i, c := range criterionNames {
		levels, demands := *f.Levels.List()[i], *f.Demands.List()[i]
		for _, key := range slices.Sorted(maps.Keys(levels)) {
			k := slices.Index(scaleKeys, key)
			if k < 0 {
				return fail(at("levels", c, key), wantLevel, "unknown level %q", key)
			}
			if r.Levels[i][k] = strings.TrimSpace(levels[key]); !hasWords(levels[key]) {
				return fail(at("levels", c, key), "want a sentence that says what must be seen",
					"%s has no text for %s", c, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(demands)) {
			k := slices.Index(scaleKeys, key)
			if k < 0 {
				return fail(at("demands", c, key), wantLevel, "unknown level %q", key)
			}
			r.Demands[i][k] = demands[key]
		}
		if f.Caps == nil {
			continue
		}
		own := maps.Clone(r.Caps[i])
		for _, id := range slices.Sorted(maps.Keys(*f.Caps.List()[i])) {
			score := (*f.Caps.List()[i])[id]
			k := slices.Index(scaleKeys, fmt.Sprint(score))
			if k < 0 {
				return fail(at("caps", c, id), wantLevel, "%s is capped at %v by %s", c, score, id)
			}
			if own == nil {
				own = map[string]Score{}
			}
			own[id] = Scale[k]
		}
		r.Caps[i] = own
	}
	r.Questions, r.Facts = f.Questions, f.Facts
	for i := range r.Facts {
		r.Facts[i].Line = at("facts", strconv.Itoa(i)).Line
	}
	if wrong := (scorecard{f.Questions, f.Facts}).check(); wrong != nil {
		want := cmp.Or(wrong.want, "want "+forms()[wrong.path[len(wrong.path)-1]])
		return fail(at(wrong.path...), want, "%s", wrong.msg)
	}
	return r, nil
}

// misread returns the first member of questions and facts whose number the decoder would change, or
// nil: a fraction, which it would cut off, or a 0, which it would take for none.
func misread(n ast.Node) *ast.MappingValueNode {
	for _, node := range ast.Filter(ast.MappingValueType, n) {
		pair := node.(*ast.MappingValueNode)
		key := pair.Key.GetToken().Value
		counts := key == "weight" || key == "at-least"
		_, float := pair.Value.(*ast.FloatNode)
		if float && (counts || key == "from" || key == "to") ||
			counts && pair.Value.String() == "0" {
			return pair
		}
	}
	return nil
}

// depth returns the maximum nesting depth of brackets or, if larger, the maximum number of dashes
// before an entry.
func depth(data []byte) (deepest int) {
	open := 0
	for line := range bytes.Lines(data) {
		dashes := bytes.TrimLeft(line, " -")
		deepest = max(deepest, bytes.Count(line[:len(line)-len(dashes)], []byte("- ")))
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
				deepest = max(deepest, open)
			case ']', '}':
				open = max(open-1, 0)
			}
		}
	}
	return deepest
}

// memberAt returns the name of the member whose value, entry or key is at a position, or "".
// The node n is the value of the member called name.
func memberAt(n ast.Node, name string, at *token.Position) (found string) {
	is := func(n ast.Node) bool {
		p := n.GetToken().Position
		return p.Line == at.Line && p.Column == at.Column
	}
	if is(n) {
		return name
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		for i := 0; i < len(n.Values) && found == ""; i++ {
			found = memberAt(n.Values[i], name, at)
		}
	case *ast.MappingNode:
		for i := 0; i < len(n.Values) && found == ""; i++ {
			pair := n.Values[i]
			if key := pair.Key.GetToken().Value; is(pair.Key) {
				found = name
			} else if found = memberAt(pair.Value, key, at); forms()[found] == "" && found == key {
				found = name // a criterion or a score
			}
		}
	}
	return found
}

// positionOf returns the position of the key with the given path, or of its last ancestor that
// exists. The key of a list's entry is its index.
func positionOf(n ast.Node, keys []string) *token.Position {
	at := n.GetToken().Position
	for _, key := range keys {
		if list, ok := n.(*ast.SequenceNode); ok {
			if i, err := strconv.Atoi(key); err == nil && i < len(list.Values) {
				n, at = list.Values[i], list.Values[i].GetToken().Position
			}
			continue
		}
		mapping, _ := n.(*ast.MappingNode)
		for i := 0; mapping != nil && i < len(mapping.Values); i++ {
			if pair := mapping.Values[i]; pair.Key.GetToken().Value == key {
				n, at = pair.Value, pair.Key.GetToken().Position
			}
		}
	}
	return at
}
