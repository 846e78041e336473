package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed rows.txt
var rowsFile string

// row is a form of personal data. The file rows.txt describes its fields.
type row struct {
	part                     string // where it is read: text, numbers, values or answer
	mask                     string // "" if the data must stay
	expr, near               *regexp.Regexp
	has                      string
	needs, with, cue, unless kind
	reach, apart, min, max   int
	starts, ends, within     bool
	raw                      bool
	check                    check
}

// wholeTurn is the reach of a cue that applies until another one follows.
const wholeTurn = 1 << 10

// table contains the rows of rows.txt, and the expressions in it that the code reads by name.
type table struct {
	rows                      []row
	at, dot                   *regexp.Regexp // the signs in a spelled e-mail address
	joinsBefore, joinsAfter   *regexp.Regexp // what belongs to a number next to it
	amountBefore, amountAfter *regexp.Regexp
	subject                   *regexp.Regexp // "my number for questions on the model number is"
}

var rows = sync.OnceValue(func() table {
	t, err := readRows(rowsFile)
	if err != nil {
		panic(err) // the file is embedded
	}
	return t
})

// readRows parses a file of rows.
func readRows(file string) (t table, err error) {
	parts := map[string]string{}
	part, n := "", 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSuffix(line, "\n")
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t' && len(t.rows) > 0:
			t.rows[len(t.rows)-1].expr, err = regexp.Compile(expand(line[1:], parts))
		case first == "let":
			name, expr, _ := strings.Cut(rest, " ")
			parts[name] = expand(expr, parts)
		case first == "=":
			part = rest
		default:
			r := row{part: part, mask: "[" + first + "]", raw: part == "values" || part == "answer"}
			if first == "stay" {
				r.mask = ""
			}
			for option := range strings.FieldsSeq(rest) {
				if err == nil {
					err = r.set(option, parts)
				}
			}
			t.rows = append(t.rows, r)
		}
		if err != nil {
			return t, fmt.Errorf("rows.txt:%d: %w", n, err)
		}
	}
	for name, named := range map[string]**regexp.Regexp{"AT": &t.at, "DOT": &t.dot,
		"JOINSBEFORE": &t.joinsBefore, "JOINSAFTER": &t.joinsAfter, "SUBJECT": &t.subject,
		"AMOUNTBEFORE": &t.amountBefore, "AMOUNTAFTER": &t.amountAfter} {
		*named = regexp.MustCompile(`(?i)` + parts[name])
	}
	return t, nil
}

// set sets a condition.
func (r *row) set(option string, parts map[string]string) (err error) {
	name, value, _ := strings.Cut(option, "=")
	kinds := map[string]*kind{"needs": &r.needs, "with": &r.with, "cue": &r.cue,
		"unless": &r.unless}
	ints := map[string]*int{"reach": &r.reach, "apart": &r.apart, "min": &r.min, "max": &r.max}
	flags := map[string][]*bool{"starts": {&r.starts}, "ends": {&r.ends},
		"whole": {&r.starts, &r.ends}, "within": {&r.within}, "raw": {&r.raw}}
	switch {
	case kinds[name] != nil:
		*kinds[name] = kindsOf(value)
	case option == "reach=turn":
		r.reach = wholeTurn
	case ints[name] != nil:
		*ints[name], err = strconv.Atoi(value)
	case name == "has":
		r.has = value
	case name == "near":
		r.near, err = regexp.Compile(expand(value, parts))
	case name == "check" && checks()[value] != nil:
		r.check = checks()[value]
	case flags[option] != nil:
		for _, flag := range flags[option] {
			*flag = true
		}
	default:
		err = fmt.Errorf("unknown condition %q", option)
	}
	return err
}

var placeholder = regexp.MustCompile(`\{(=?[A-Za-z][a-z,A-Z]*)\}`)

// expand replaces the names in braces in an expression.
func expand(expr string, parts map[string]string) string {
	return placeholder.ReplaceAllStringFunc(expr, func(s string) string {
		s = s[1 : len(s)-1]
		if part, ok := parts[s]; ok {
			return part
		}
		return words().class(s)
	})
}
