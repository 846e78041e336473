// Package flags contains what the commands share for their flags: choices of words, values from
// environment variables and the config file, helpful errors, and a usage text with headings. It
// also defines settings, which only these variables and the config file can set.
package flags

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/settings"
	"assize/cmd/assize/internal/terminal/ui"
)

// Choice is a [pflag.Value] that accepts one of a few words.
type Choice struct {
	Value string // empty if not set and the default is not one of the words
	Words []string
}

func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Words, s) {
		return fmt.Errorf("want %s", c.Any())
	}
	c.Value = s
	return nil
}

func (c *Choice) String() string { return c.Value }

func (c *Choice) Type() string { return "word" }

// Any returns the choices: "a, b or c".
func (c *Choice) Any() string {
	last := len(c.Words) - 1
	if last == 0 {
		return c.Words[0]
	}
	return strings.Join(c.Words[:last], ", ") + " or " + c.Words[last]
}

// Set holds the flags of a command and its settings. A setting is like a flag, but only the config
// file and ASSIZE_… variables can set it: the command line does not accept it.
type Set struct {
	*pflag.FlagSet
	Settings *pflag.FlagSet
}

// NewSet returns an empty Set whose flags have the order of their registration.
func NewSet(flags *pflag.FlagSet) *Set {
	flags.SortFlags = false
	return &Set{flags, pflag.NewFlagSet("settings", pflag.ContinueOnError)}
}

// Find returns the flag or the setting with a name, or nil if neither exists.
func (s *Set) Find(name string) *pflag.Flag {
	return cmp.Or(s.Lookup(name), s.Settings.Lookup(name))
}

// Each calls visit for every flag and every setting.
func (s *Set) Each(visit func(*pflag.Flag)) {
	s.VisitAll(visit)
	s.Settings.VisitAll(visit)
}

// Apply sets a flag or a setting.
func (s *Set) Apply(name, text string) error {
	if s.Settings.Lookup(name) != nil {
		return s.Settings.Set(name, text)
	}
	return s.FlagSet.Set(name, text)
}

// Given returns the given flags, except some, as arguments. A password in an address is masked.
func (s *Set) Given(given map[string]bool, except ...string) (args []string) {
	s.VisitAll(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		switch kind := f.Value.Type(); {
		case !given[f.Name] || slices.Contains(except, f.Name):
			return
		case kind == "bool":
			args = append(args, "--"+f.Name+"="+values[0])
			return
		case kind == "stringArray":
			values = f.Value.(pflag.SliceValue).GetSlice()
		case kind == "stringSlice":
			values[0] = values[0][1 : len(values[0])-1] // the brackets
		}
		for _, v := range values {
			if at, err := url.Parse(v); err == nil && at.User != nil {
				v = at.Redacted()
			}
			args = append(args, "--"+f.Name, v)
		}
	})
	return args
}

// Fill sets a flag or a setting to the values of a file; only some accept several.
func (s *Set) Fill(name string, v settings.Value) error {
	if _, many := s.Find(name).Value.(pflag.SliceValue); len(v.Texts) > 1 && !many {
		return fmt.Errorf("%s: %s has several values; want one", v.Place, name)
	}
	for _, text := range v.Texts {
		if err := s.Apply(name, text); err != nil {
			err = worded(err)
			if s.Settings.Lookup(name) != nil {
				err = errors.New(strings.TrimPrefix(err.Error(), "--"))
			}
			return fmt.Errorf("%s: %w", v.Place, err)
		}
	}
	return nil
}

// Commands holds the flags and settings of each command, by its name.
type Commands map[string]*Set

// Define completes a command: before work is called, flags that are not given and settings are
// filled in, and all flags are validated. It also registers shell completion for choices.
func (c Commands) Define(cmd *cobra.Command, set *Set,
	validate func(given map[string]bool, args []string) error,
	work func(ctx context.Context, args []string) error) *cobra.Command {
	c[cmd.Name()] = set
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := c.fill(set)
		if err != nil {
			return err
		}
		if err := cmp.Or(validate(given, args), set.Conflicts(given)); err != nil {
			return console.Hint(err, "see "+cmd.CommandPath()+" --help")
		}
		return work(cmd.Context(), args)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(*Choice); ok {
			// The only error is a flag that does not exist or is registered twice.
			_ = cmd.RegisterFlagCompletionFunc(f.Name,
				cobra.FixedCompletions(c.Words, cobra.ShellCompDirectiveNoFileComp))
		}
	})
	return cmd
}

// Error rewords an error of the flag parser in the style of the program's own errors.
func (c Commands) Error(cmd *cobra.Command, err error) error {
	var hints []string
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		var names, others []string
		isSetting := false
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		for _, other := range slices.Sorted(maps.Keys(c)) {
			if c[other].Find(name) != nil {
				others = append(others, "assize "+other)
				isSetting = c[other].Settings.Lookup(name) != nil // of all of them, or of none
			}
		}
		var setting *pflag.Flag
		if own, ok := c[cmd.Name()]; ok {
			setting = own.Settings.Lookup(name)
		}
		switch {
		case setting != nil:
			value, _ := pflag.UnquoteUsage(setting)
			hints = []string{fmt.Sprintf("%s is a setting: write %[1]s: %s in the config file, or "+
				"set %s; see assize help settings", name, cmp.Or(value, "true"), Variable(name))}
		case isSetting:
			hints = []string{name + " is a setting of " + strings.Join(others, ", ")}
		case len(others) > 0:
			hints = []string{"--" + name + " belongs to " + strings.Join(others, ", ")}
		default:
			hints = DidYouMean("--"+name, names)
		}
	}
	return console.Hint(worded(err), append(hints, "see "+cmd.CommandPath()+" --help")...)
}

// Variable returns the name of the environment variable of a flag or a setting.
func Variable(name string) string {
	return "ASSIZE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// ListSettings returns a table of all settings: the name with its value, the commands that have it,
// and what it does.
func (c Commands) ListSettings() string {
	all, users := pflag.NewFlagSet("", pflag.ContinueOnError), map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		c[name].Settings.VisitAll(func(f *pflag.Flag) {
			users[f.Name] = append(users[f.Name], name)
			if all.Lookup(f.Name) == nil {
				all.AddFlag(f)
			}
		})
	}
	page := ui.NewPage(nil, false)
	all.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		if who := users[f.Name]; len(who) <= 2 {
			usage = strings.Join(who, ", ") + ": " + usage
		}
		if !zero.MatchString(f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		name := strings.TrimSpace(f.Name + " " + value)
		page.Paragraph(ui.Plain, "  "+ui.Pad(name, 22)+" ", strings.Repeat(" ", 25), usage)
	})
	return page.String()
}

// worded rewords an error about the value of a flag, shortening the messages of strconv.
func worded(err error) error {
	invalid := (*pflag.InvalidValueError)(nil)
	if !errors.As(err, &invalid) {
		return err
	}
	err = errors.Unwrap(invalid)
	switch s := err.Error(); {
	case strings.HasPrefix(s, "strconv.ParseBool"):
		err = errors.New("want true or false")
	case strings.HasPrefix(s, "time:"):
		err = errors.New("want a time such as 90s or 10m")
	case strings.HasPrefix(s, "strconv."):
		err = errors.New("want a whole number")
	}
	return fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), err)
}

// DidYouMean returns a hint with the words closest to word, or nil if none is close.
func DidYouMean(word string, all []string) []string {
	// A transposition counts as two.
	menu := cobra.Command{SuggestionsMinimumDistance: min((len(word)+1)/3, 2)}
	for _, w := range all {
		menu.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	near := menu.SuggestionsFor(word)
	if len(near) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"}
}

// Usage writes the usage of a command: its flags under headings, and the names of its settings.
func (c Commands) Usage(cmd *cobra.Command) error {
	page := ui.NewPage(cmd.OutOrStdout(), false)
	usage := cmd.UseLine()
	if !cmd.HasParent() {
		usage += " COMMAND"
	}
	fmt.Fprintf(&page, "Usage:\n  %s\n", usage)
	if cmd.HasExample() {
		fmt.Fprintf(&page, "\nExamples:\n%s\n", cmd.Example)
	}
	list := func(heading string, wanted func(*cobra.Command) bool) {
		for _, c := range cmd.Commands() {
			if wanted(c) {
				page.WriteString(heading)
				heading = ""
				page.Paragraph(ui.Plain, "  "+ui.Pad(c.Name(), 13), strings.Repeat(" ", 15),
					c.Short)
			}
		}
	}
	list("\nCommands (assize COMMAND --help):\n", (*cobra.Command).Runnable)
	list("\nTopics (assize help TOPIC):\n", (*cobra.Command).IsAdditionalHelpTopicCommand)
	var groups []*pflag.FlagSet // in order of registration
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		heading := cmp.Or(Heading(cmd.Name(), f.Name), "Flags")
		i := slices.IndexFunc(groups, func(g *pflag.FlagSet) bool { return g.Name() == heading })
		if i < 0 {
			i = len(groups)
			groups = append(groups, pflag.NewFlagSet(heading, pflag.ContinueOnError))
			groups[i].SortFlags = false
		}
		groups[i].AddFlag(f)
	})
	for _, g := range groups {
		fmt.Fprintf(&page, "\n%s:\n%s", g.Name(), g.FlagUsagesWrapped(page.Columns()))
	}
	if set := c[cmd.Name()]; set != nil && set.Settings.HasFlags() {
		var names []string
		set.Settings.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		page.WriteString("\nSettings of the config file (assize help settings):\n")
		page.Paragraph(ui.Plain, "  ", "  ", strings.Join(names, ", "))
	}
	return page.Send(cmd.OutOrStderr())
}

// fill sets the flags that are not given on the command line, and the settings, from ASSIZE_…
// variables or else from the config file. It returns the flags given on the command line.
func (c Commands) fill(set *Set) (given map[string]bool, err error) {
	given = map[string]bool{}
	set.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	config := os.Getenv("ASSIZE_CONFIG")
	if given["config"] {
		config = set.Lookup("config").Value.String()
	}
	file, err := c.readConfig(config)
	if set.Lookup("config") == nil {
		err = nil // the command prints a fixed text, even if the file is broken
	}
	if err != nil {
		return nil, err
	}
	set.Each(func(f *pflag.Flag) {
		if err != nil || given[f.Name] || !configurable(f) {
			return
		}
		v := file[f.Name]
		if text := os.Getenv(Variable(f.Name)); text != "" {
			v = settings.Value{Place: Variable(f.Name), Texts: []string{text}}
		}
		v.Texts = slices.DeleteFunc(v.Texts,
			func(text string) bool { return c.forAnother(f, text) })
		err = set.Fill(f.Name, v)
	})
	if err == nil {
		err = set.separate(cmp.Or(config, usualPlace()))
	}
	return given, err
}

// separate returns an error if a flag on the command line names no file, or if the command would
// write to a file that a flag, a setting or config says to read. A flag whose usage begins with
// "write" or "keep" names a file to write; the FILE or DIR of any other is read.
func (s *Set) separate(config string) (err error) {
	type file struct{ flag, path string }
	var reads, writes []file
	s.Each(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		paths := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			paths = list.GetSlice()
		}
		for _, path := range paths {
			switch is := (file{f.Name, path}); {
			case value != "FILE" && value != "DIR":
			case path == "" && f.Changed:
				err = fmt.Errorf("--%s is empty; want the name of a file", f.Name)
			case path == "":
			case strings.HasPrefix(usage, "write") || strings.HasPrefix(usage, "keep"):
				writes = append(writes, is)
			default:
				reads = append(reads, is)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, w := range writes {
		to, e := os.Stat(w.path)
		for _, r := range append(reads, file{"config", config}) {
			from, other := os.Stat(r.path)
			if other == nil && from.IsDir() {
				from, other = os.Stat(filepath.Join(r.path, filepath.Base(w.path)))
			}
			if e == nil && other == nil && os.SameFile(to, from) {
				return fmt.Errorf("%s %s: is also an input, %s; want another name",
					strings.Replace(w.flag, "output", "-o", 1), w.path, r.flag)
			}
		}
	}
	return nil
}

// forAnother reports whether a word is not a choice of a flag but one of the same flag of another
// command. A setting for all commands must not stop a command that lacks this choice.
func (c Commands) forAnother(f *pflag.Flag, word string) bool {
	own, limited := f.Value.(*Choice)
	if !limited || slices.Contains(own.Words, word) {
		return false
	}
	for _, other := range c {
		if f := other.Find(f.Name); f != nil {
			if its, ok := f.Value.(*Choice); ok && slices.Contains(its.Words, word) {
				return true
			}
		}
	}
	return false
}

// configurable reports whether a flag may be set in the config file.
func configurable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "config" }

// usualPlace returns the default path of the config file; "" without a configuration folder.
func usualPlace() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "assize", "config.yaml")
}

// readConfig reads the config file: names of flags and settings, each with a value or a list of
// values. A file that the user named must exist; the one in the default place need not.
func (c Commands) readConfig(path string) (values map[string]settings.Value, err error) {
	asked := path != ""
	if !asked {
		if path = usualPlace(); path == "" {
			return nil, nil
		}
	}
	data, err := settings.ReadFile(path)
	switch {
	case !asked && errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("config file: %w", err)
	}
	if err := settings.Read(path, data, &values, "lines such as jobs: 4"); err != nil {
		return nil, err
	}
	var known []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		c[name].Each(func(f *pflag.Flag) {
			if configurable(f) && !slices.Contains(known, f.Name) {
				known = append(known, f.Name)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			err := fmt.Errorf("%s: unknown setting %q; want a setting, or a flag without its "+
				"dashes", values[name].Place, name)
			return nil, console.Hint(err, DidYouMean(name, known)...)
		}
	}
	return values, nil
}
