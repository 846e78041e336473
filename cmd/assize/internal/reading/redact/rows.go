package redact

import (
	_ "embed"
	"regexp"
	"slices"
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
	Mixed                     bool
	expr                      *regexp.Regexp
	check                     check
	Answer                    bool // a password that answers a question
	isText, isNumber          bool // where it is read; neither is in values
}

// wholeTurn is the reach of a cue that applies until another one follows.
const wholeTurn = 1 << 10

// table contains the rows of rows.yaml, and the expressions in it that the code reads by name.
type table struct {
	rows                      []row
	at, dot, dotAfter, host   *regexp.Regexp // of a spelled e-mail address
	joinsBefore, joinsAfter   *regexp.Regexp // what belongs to a number next to it
	amountBefore, amountAfter *regexp.Regexp
	subject                   *regexp.Regexp // "my number for questions on the model number is"
}

var rows = sync.OnceValue(func() *table {
	t := &table{}
	var in struct {
		Let                   map[string]string
		Text, Numbers, Values []row
	}
	if err := yaml.UnmarshalWithOptions(rowsFile, &in, yaml.Strict()); err != nil {
		panic(err) // the file is embedded
	}
	expr := func(s string) *regexp.Regexp { return regexp.MustCompile(expand(s, in.Let)) }
	checks := checks()
	t.rows = slices.Concat(in.Text, in.Numbers, in.Values)
	for i := range t.rows {
		r := &t.rows[i]
		r.isText = i < len(in.Text)
		r.isNumber = !r.isText && i < len(in.Text)+len(in.Numbers)
		r.expr = expr(r.Expr)
		if r.check = checks[r.Check]; r.check == nil && r.Check != "" {
			panic("rows.yaml: unknown check " + r.Check)
		}
	}
	t.at, t.dot, t.dotAfter = expr("(?i){AT}"), expr("(?i){DOT}"), expr("{DOTAFTER}")
	t.host, t.subject = expr("{AT}({HOST})"), expr("(?i){SUBJECT}")
	t.joinsBefore, t.joinsAfter = expr("(?i){JOINSBEFORE}"), expr("(?i){JOINSAFTER}")
	t.amountBefore, t.amountAfter = expr("(?i){AMOUNTBEFORE}"), expr("(?i){AMOUNTAFTER}")
	return t
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
