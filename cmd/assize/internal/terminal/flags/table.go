package flags

import (
	_ "embed"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
)

// A table describes the flags and settings: each stanza begins with a name, after the commands that
// it applies to if another stanza of the name applies to the others. A flag has its dashes, and a
// setting has none. Then come the attributes and the sentence that the usage text shows.
//
//   - default: the default value, where it is not that of the variable
//   - shown: the default as the usage text words it
//   - words: the choices of a flag that accepts one of a few words; {words} is "a, b or c"
//   - range: the valid values, each one value or low..high, where high may be left out
//   - want: the range in words
//   - commas: the values of a list are separated by commas; otherwise each is a flag of its own
//
//go:embed flags.txt
var flagsTable string

// Another table lists which flags exclude or need others: commands, flags, "with" or "unless",
// other flags, and the error, in which {flag} is the flag that was found, and {format} the format.
// A flag counts if it is given on the command line, and a setting, or one of the other flags, if it
// has a value; name=value means this value from any source, and name=* any value.
//
//go:embed conflicts.txt
var conflictsTable string

// stanza is a part of a table.
type stanza struct {
	commands   []string // nil for all
	head, text string
	attributes map[string]string
}

var stanzaForm = regexp.MustCompile(`(?m)^(?:([a-z, ]+): )?(.+)\n((?:\t.+\n)+)`)

func stanzas(table string) (list []stanza) {
	for _, m := range stanzaForm.FindAllStringSubmatch(table, -1) {
		s := stanza{head: m[2], attributes: map[string]string{}}
		if m[1] != "" {
			s.commands = strings.Split(m[1], ", ")
		}
		for line := range strings.Lines(m[3]) {
			line = strings.TrimSpace(line)
			switch key, value, _ := strings.Cut(line, ": "); key {
			case "default", "shown", "words", "range", "want", "commas":
				s.attributes[key] = value
			default:
				s.text = strings.TrimSpace(s.text + " " + line)
			}
		}
		list = append(list, s)
	}
	return list
}

// rows are the flags and settings by name, after the command and a space if the row is only for it.
var rows = sync.OnceValue(func() map[string]stanza {
	all := map[string]stanza{}
	for _, s := range stanzas(flagsTable) {
		name, _, _ := strings.Cut(strings.TrimPrefix(s.head, "--"), ", ")
		if s.commands == nil {
			all[name] = s
		}
		for _, command := range s.commands {
			all[command+" "+name] = s
		}
	}
	return all
})

// Add adds the flag or setting that the table describes. Its value is stored in p, which is a
// pointer to a variable, a [pflag.Value], or a function that parses it.
func (s *Set) Add(name string, p any) {
	row, ok := rows()[s.Name()+" "+name]
	if !ok {
		row = rows()[name]
	}
	set := s.Settings
	head, short, _ := strings.Cut(row.head, ", -")
	if strings.HasPrefix(head, "--") {
		set = s.FlagSet
	}
	is, usage := row.attributes, row.text
	switch p := p.(type) {
	case *string:
		set.StringVarP(p, name, short, *p, usage)
	case *bool:
		set.BoolVar(p, name, *p, usage)
	case *int:
		set.IntVar(p, name, *p, usage)
	case *uint64:
		set.Uint64Var(p, name, *p, usage)
	case *time.Duration:
		set.DurationVar(p, name, *p, usage)
	case *[]string:
		if is["commas"] != "" {
			set.StringSliceVar(p, name, nil, usage)
		} else {
			set.StringArrayVar(p, name, nil, usage)
		}
	case *Choice:
		if is["words"] != "" {
			p.Words = strings.Fields(is["words"])
		}
		set.Var(p, name, strings.ReplaceAll(usage, "{words}", p.Any()))
	case pflag.Value:
		set.Var(p, name, usage)
	case func(string) error:
		set.Func(name, usage, p)
	}
	f := set.Lookup(name)
	if text := is["default"]; text != "" {
		_ = f.Value.Set(text) // a test sets all defaults
		f.DefValue = f.Value.String()
	}
	if is["range"] != "" {
		f.Value = boundedValue{f.Value, is["want"], strings.Fields(is["range"])}
		if f.DefValue == "0s" {
			f.DefValue = "" // the usage then shows no default, as for any duration
		}
	}
	if is["shown"] != "" {
		f.DefValue = is["shown"]
	}
}

// boundedValue is a value that must be in one of the ranges; want describes them.
type boundedValue struct {
	pflag.Value
	want   string
	ranges []string
}

// Set implements [pflag.Value].
func (b boundedValue) Set(s string) error {
	if b.Value.Set(s) == nil {
		value, unit := number(b.String())
		for _, r := range b.ranges {
			from, to, open := strings.Cut(r, "..")
			low, same := number(from)
			if high, _ := number(to); unit == same && low <= value &&
				(value <= high || open && to == "" || !open && value == low) {
				return nil
			}
		}
	}
	return errors.New("want " + b.want)
}

// number returns the number in a value of a flag, and its unit: s for a time, %, or none.
func number(text string) (value float64, unit string) {
	if d, err := time.ParseDuration(text); err == nil && text != "0" {
		return d.Seconds(), "s"
	}
	percent, ok := strings.CutSuffix(text, "%")
	if ok {
		unit = "%"
	}
	value, _ = strconv.ParseFloat(percent, 64)
	return value, unit
}

var conflicts = sync.OnceValue(func() []stanza { return stanzas(conflictsTable) })

// Conflicts returns an error if flags exclude each other, or if one lacks another that it needs.
func (s *Set) Conflicts(given map[string]bool) error {
	for _, c := range conflicts() {
		if !slices.Contains(c.commands, s.Name()) {
			continue
		}
		words := strings.Fields(c.head)
		i := slices.IndexFunc(words, func(w string) bool { return w == "with" || w == "unless" })
		others := slices.ContainsFunc(words[i+1:], func(w string) bool {
			return s.holds(w, map[string]bool{w: s.valued(w)})
		})
		if others != (words[i] == "with") {
			continue
		}
		for _, w := range words[:i] {
			if s.holds(w, given) {
				name, _, _ := strings.Cut(w, "=")
				text := strings.ReplaceAll(c.text, "{flag}", name)
				if format := s.Lookup("format"); format != nil {
					text = strings.ReplaceAll(text, "{format}", format.Value.String())
				}
				return errors.New(text)
			}
		}
	}
	return nil
}

// holds reports whether a condition of the table of conflicts holds.
func (s *Set) holds(condition string, given map[string]bool) bool {
	name, value, compares := strings.Cut(condition, "=")
	switch {
	case compares && value != "*":
		return s.Find(name).Value.String() == value
	case compares || s.Settings.Lookup(name) != nil:
		return s.valued(name)
	}
	return given[name]
}

// valued reports whether a flag or a setting has a value other than that of an empty variable.
func (s *Set) valued(name string) bool {
	f := s.Find(name)
	return f != nil && !isZero(f.Value.String())
}

func isZero(text string) bool {
	return slices.Contains([]string{"", "0", "0s", "false", "[]"}, text)
}
