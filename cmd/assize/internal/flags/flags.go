// Package flags has what every command does with its flags: words to choose from, values from variables and the config
// file, errors that say what would be right, and a usage with headings.
package flags

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/ui"
)

// Choice is the value of a flag that takes one of a few words.
type Choice struct {
	Value string // empty where nobody says anything, and that means something else than any of the words
	Words []string
}

// OneOf makes a choice. The first word is what it is when nobody says anything; it may be empty.
func OneOf(words ...string) Choice {
	c := Choice{words[0], words}
	if c.Value == "" {
		c.Words = words[1:]
	}
	return c
}

// Set implements [pflag.Value].
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Words, s) {
		return fmt.Errorf("want %s", c.Any())
	}
	c.Value = s
	return nil
}

// String implements [pflag.Value].
func (c *Choice) String() string { return c.Value }

// Type implements [pflag.Value].
func (c *Choice) Type() string { return "word" }

// Any names the choices: "a, b or c".
func (c *Choice) Any() string {
	last := len(c.Words) - 1
	if last == 0 {
		return c.Words[0]
	}
	return strings.Join(c.Words[:last], ", ") + " or " + c.Words[last]
}

// Define completes a command: before work begins, flags that are not given are filled in and all are validated. A shell
// completes the words of choices.
func Define(cmd *cobra.Command, config *string, validate func(given map[string]bool, args []string) error,
	work func(ctx context.Context, args []string) error) *cobra.Command {
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := fill(cmd, *config)
		if err != nil {
			return err
		}
		if validate != nil {
			if err := validate(given, args); err != nil {
				return console.Hint(err, "see "+cmd.CommandPath()+" --help")
			}
		}
		return work(cmd.Context(), args)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(*Choice); ok {
			// The only error is a flag that does not exist or is registered twice.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.Words, cobra.ShellCompDirectiveNoFileComp))
		}
	})
	return cmd
}

// Without refuses flags that mean nothing without another one.
func Without(other string, given map[string]bool, names []string) error {
	for _, name := range names {
		if given[name] {
			return fmt.Errorf("--%s needs --%s", name, other)
		}
	}
	return nil
}

// Error words an error of the flag parser as the rest of the program words its own.
func Error(cmd *cobra.Command, err error) error {
	help := "see " + cmd.CommandPath() + " --help"
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		return console.Hint(fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), Cause(err)), help)
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		var names, others []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		for _, other := range cmd.Root().Commands() {
			if other.Flags().Lookup(name) != nil {
				others = append(others, "assize "+other.Name())
			}
		}
		if len(others) > 0 {
			return console.Hint(err, "--"+name+" belongs to "+strings.Join(others, ", "), help)
		}
		return console.Hint(err, append(DidYouMean("--"+name, names), help)...)
	}
	return console.Hint(err, help)
}

// Cause gives what is wrong with the value of a flag. It shortens what strconv says.
func Cause(err error) error {
	err = errors.Unwrap(err)
	switch s := err.Error(); {
	case strings.HasPrefix(s, "strconv.ParseBool"):
		return errors.New("want true or false")
	case strings.HasPrefix(s, "time:"):
		return errors.New("want a time such as 90s or 10m")
	case strings.HasPrefix(s, "strconv."):
		return errors.New("want a whole number")
	}
	return err
}

// DidYouMean gives a hint that names what word was probably meant to be; none where nothing is near.
func DidYouMean(word string, all []string) []string {
	menu := cobra.Command{SuggestionsMinimumDistance: min((len(word)+1)/3, 2)} // two letters that change places are two
	for _, w := range all {
		menu.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	near := menu.SuggestionsFor(word)
	if len(near) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"}
}

// ofGroup is the annotation of a flag with the heading under which its usage is.
const ofGroup = "group"

// Group puts the flags that a function registers under a heading, unless they have one, and gives their names.
func Group(fs *pflag.FlagSet, heading string, register func()) (names []string) {
	known := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	register()
	fs.VisitAll(func(f *pflag.Flag) {
		if known[f.Name] {
			return
		}
		names = append(names, f.Name)
		if f.Annotations == nil {
			f.Annotations = map[string][]string{ofGroup: {heading}}
		}
	})
	return names
}

// Usage writes how a command is called, its flags under their headings.
func Usage(cmd *cobra.Command) error {
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
				page.Paragraph(ui.Plain, "  "+ui.Pad(c.Name(), 13), strings.Repeat(" ", 15), c.Short)
			}
		}
	}
	list("\nCommands (assize COMMAND --help):\n", (*cobra.Command).Runnable)
	list("\nTopics (assize help TOPIC):\n", (*cobra.Command).IsAdditionalHelpTopicCommand)
	var groups []*pflag.FlagSet // in the order in which they are registered
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		heading := cmp.Or(strings.Join(f.Annotations[ofGroup], ""), "Flags")
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
	return page.Send(cmd.OutOrStderr())
}
