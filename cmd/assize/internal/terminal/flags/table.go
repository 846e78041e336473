package flags

import (
	"cmp"
	_ "embed"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
)

// These tables describe the flags and settings, which of them exclude or need others, and their
// groups in the usage text. Each begins with a description of its form.
var (
	//go:embed flags.txt
	flagsTable string
	//go:embed conflicts.txt
	conflictsTable string
	//go:embed groups.txt
	groupsTable string

	rows      = sync.OnceValue(func() []stanza { return stanzas(flagsTable) })
	conflicts = sync.OnceValue(func() []stanza { return stanzas(conflictsTable) })
	groups    = sync.OnceValue(func() []stanza { return stanzas(groupsTable) })
)

// stanza is a part of a table: a line with commands and a head, and indented attributes and a text.
type stanza struct {
	commands   string // separated by commas; empty for all
	head, text string
	attributes map[string]string
}

var stanzaForm = regexp.MustCompile(`(?m)^(?:([a-z, ]+): )?(.+)\n((?:\t.+\n)+)`)

func stanzas(table string) (list []stanza) {
	for _, m := range stanzaForm.FindAllStringSubmatch(table, -1) {
		s := stanza{commands: m[1], head: m[2], attributes: map[string]string{}}
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

// concerns reports whether a stanza is for a command.
func (s *stanza) concerns(command string) bool {
	return s.commands == "" || slices.Contains(strings.Split(s.commands, ", "), command)
}

// find returns the first stanza for a command for which matches returns true.
func find(table []stanza, command string, matches func(stanza) bool) (found stanza) {
	i := slices.IndexFunc(table, func(s stanza) bool { return s.concerns(command) && matches(s) })
	if i >= 0 {
		found = table[i]
	}
	return found
}

// Heading returns the heading of a flag of a command, or "" if it has none.
func Heading(command, name string) string {
	return find(groups(), command, func(g stanza) bool {
		return slices.Contains(strings.Fields(g.text), name)
	}).head
}

// Group returns the names of the flags of a command in a group.
func Group(command, heading string) []string {
	g := find(groups(), command, func(g stanza) bool { return g.head == heading })
	return strings.Fields(g.text)
}

// AddAll adds the flags and settings in a struct, in their order: each field with the tag flag,
// which is its name, unless an earlier field has this name or the table has no such flag of the
// command, and those in embedded structs and in structs with the tag "*". The tag of an embedded
// struct selects some of its flags, in their order in the tag. The method Preset of any other
// struct, if it has one, is called first. Fields of type *Set get s.
func (s *Set) AddAll(of any) { s.addFields(reflect.ValueOf(of), "") }

func (s *Set) addFields(of reflect.Value, only string) {
	if o, ok := of.Interface().(interface{ Preset() }); ok && only == "" {
		o.Preset()
	}
	for i := range of.Elem().NumField() {
		f, field := of.Elem().Field(i), of.Elem().Type().Field(i)
		name, isTagged := field.Tag.Lookup("flag")
		p := reflect.NewAt(f.Type(), f.Addr().UnsafePointer()) // which may be unexported
		switch {
		case f.Type() == reflect.TypeFor[*Set]():
			p.Elem().Set(reflect.ValueOf(s))
		case field.Anonymous && isTagged:
			for one := range strings.FieldsSeq(name) {
				s.addFields(p, one)
			}
		case name == "*" || field.Anonymous && f.Kind() == reflect.Struct:
			s.addFields(p, only)
		case isTagged && (only == "" || only == name) && s.Find(name) == nil:
			s.Add(name, p.Interface())
		}
	}
}

// Add adds the flag or setting that the table describes, if it does. Its value is stored in p,
// which is a pointer to a variable or a [pflag.Value].
func (s *Set) Add(name string, p any) {
	row, set := find(rows(), s.Name(), func(r stanza) bool {
		head, _, _ := strings.Cut(r.head, ",")
		return strings.TrimPrefix(head, "--") == name
	}), s.Settings
	if row.head == "" {
		return
	}
	head, short, _ := strings.Cut(row.head, ", -")
	if strings.HasPrefix(head, "--") {
		set = s.FlagSet
	}
	is := row.attributes
	usage := strings.ReplaceAll(row.text, "{config}", usualPlace())
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
	}
	f := set.Lookup(name)
	if text := is["default"]; text != "" {
		_ = f.Value.Set(text) // the help of the command shows it, which a test reads
		f.DefValue = f.Value.String()
	}
	if is["range"] != "" {
		f.Value = boundedValue{f.Value, is["want"], strings.Fields(is["range"])}
		f.DefValue = strings.TrimPrefix(f.DefValue, "0s") // as for any duration
	}
	f.DefValue = cmp.Or(is["shown"], f.DefValue)
}

// boundedValue is a value that must be in one of the ranges; want describes them.
type boundedValue struct {
	pflag.Value
	want   string
	ranges []string
}

func (b boundedValue) Set(s string) error {
	if b.Value.Set(s) == nil {
		value, percent := number(b.String())
		for _, r := range b.ranges {
			from, to, _ := strings.Cut(r, "..")
			low, share := number(from)
			if high, _ := number(to); percent == share && low <= value && value <= high {
				return nil
			}
		}
	}
	return errors.New("want " + b.want)
}

// number returns the number in the value of a flag, or the seconds, and whether it is a percentage.
func number(text string) (value float64, percent bool) {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds(), false
	}
	text, percent = strings.CutSuffix(text, "%")
	value, _ = strconv.ParseFloat(text, 64) // the flag has parsed it
	return value, percent
}

// Conflicts returns an error if flags exclude each other, or if one lacks another that it needs.
func (s *Set) Conflicts(given map[string]bool) error {
	for _, c := range conflicts() {
		if !c.concerns(s.Name()) {
			continue
		}
		words := strings.Fields(c.head)
		i := slices.IndexFunc(words, func(w string) bool { return w == "with" || w == "unless" })
		other := slices.ContainsFunc(words[i+1:], func(w string) bool { return s.holds(w, nil) })
		first := slices.IndexFunc(words[:i], func(w string) bool { return s.holds(w, given) })
		if other == (words[i] == "with") && first >= 0 {
			text := strings.ReplaceAll(c.text, "{flag}", words[first])
			if format := s.Lookup("format"); format != nil {
				text = strings.ReplaceAll(text, "{format}", format.Value.String())
			}
			return errors.New(text)
		}
	}
	return nil
}

// holds reports whether a condition of the table of conflicts holds. If given is nil, a flag need
// only have a value.
func (s *Set) holds(condition string, given map[string]bool) bool {
	name, want, compares := strings.Cut(condition, "=")
	value := s.Find(name).Value.String()
	switch {
	case compares && want != "*":
		return value == want
	case compares, given == nil, s.Settings.Lookup(name) != nil:
		return !zero.MatchString(value)
	}
	return given[name]
}

// zero matches the text of no value, and of a list with an empty item.
var zero = regexp.MustCompile(`^(|0|0s|false|\[(|,.*|.*,|.*,,.*)\])$`)
