package main

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/ui"
)

// The help texts are files. That of a command has its usage, a title, what it does, and examples.
//
//go:embed help
var helpFiles embed.FS

func helpText(path string) string {
	data, err := helpFiles.ReadFile(path)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return string(data)
}

// helpOf makes a command of its help text.
func helpOf(name string) *cobra.Command {
	text, examples, _ := strings.Cut(helpText("help/commands/"+name+".txt"), "\nExamples:\n")
	use, rest, _ := strings.Cut(text, "\n")
	short, long, _ := strings.Cut(rest, "\n\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long),
		Example: strings.TrimRight(examples, "\n")}
}

// topics makes the help topics that are no commands, for assize help TOPIC.
func topics() (list []*cobra.Command) {
	files, _ := helpFiles.ReadDir("help/topics") // the folder is part of the program
	for _, file := range files {
		text := helpText("help/topics/" + file.Name())
		name := strings.TrimSuffix(file.Name(), ".md")
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		list = append(list, &cobra.Command{Use: name, Short: title, Long: strings.TrimSpace(text)})
	}
	return list
}

// ofGroup is the annotation of a flag with the heading under which help shows it.
const ofGroup = "group"

// group puts the flags that a function registers under a heading, unless they have one, and gives their names.
func group(fs *pflag.FlagSet, heading string, register func()) (names []string) {
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

// usage writes how a command is called, its flags under their headings.
func (p *program) usage(cmd *cobra.Command) error {
	page := p.Page("never")
	fmt.Fprintf(&page, "Usage:\n  %s\n", cmd.UseLine())
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
