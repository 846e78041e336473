package redact

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed rows.yaml
var rowsFile []byte

// row is a form of personal data. The file rows.yaml describes its fields.
type row struct {
	Mask                      string // "" if the data must stay
	Expr, Has, Check          string
	Needs, With, Cue, Unless  kind
	Reach, Apart              int
	Min, Max, Long            int
	Starts, Ends, Within, Raw bool
	Mixed, Word, Answer       bool
	expr                      *regexp.Regexp
	check                     check
	isText, isNumber          bool // where it is read; neither is in values
}

// wholeTurn is the reach of a cue that applies until another one follows.
const wholeTurn = 1 << 10

// rows returns the rows of rows.yaml, and the expressions in it that the code reads by name.
var rows = sync.OnceValues(func() ([]row, map[string]*regexp.Regexp) {
	var in struct {
		Let                   map[string]string
		Text, Numbers, Values []row
	}
	if err := yaml.UnmarshalWithOptions(rowsFile, &in, yaml.Strict()); err != nil {
		panic(err) // the file is embedded
	}
	expr := func(s string) *regexp.Regexp { return regexp.MustCompile(expand(s, in.Let)) }
	checks, named := checks(), map[string]*regexp.Regexp{}
	all := slices.Concat(in.Text, in.Numbers, in.Values)
	for i := range all {
		r := &all[i]
		r.isText = i < len(in.Text)
		r.isNumber = !r.isText && i < len(in.Text)+len(in.Numbers)
		r.expr, r.check = expr(r.Expr), checks[r.Check]
	}
	for name := range strings.FieldsSeq("AT DOT ATHOST SUBJECT JOINSBEFORE JOINSAFTER" +
		" AMOUNTBEFORE AMOUNTAFTER EXTENSION GROUPS") {
		named[name] = expr("(?i){" + name + "}")
	}
	return all, named
})

var placeholder = regexp.MustCompile(`\{(=?[A-Za-z][a-z,A-Z]*)\}`)

// expand replaces the names in braces in an expression.
func expand(expr string, parts map[string]string) string {
	return placeholder.ReplaceAllStringFunc(expr, func(s string) string {
		s = s[1 : len(s)-1]
		if part, ok := parts[s]; ok {
			return expand(part, parts)
		}
		return words().class(s)
	})
}
