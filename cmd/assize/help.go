package main

import (
	"context"
	"embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
)

// Each command has a help text in a file: its usage, a title, a description, and examples.
//
//go:embed help
var helpFiles embed.FS

var texts = prose.Of("assize")

// helpText returns the text of a file, or "" if it does not exist.
func helpText(path string) string {
	data, _ := helpFiles.ReadFile(path)
	return string(data)
}

func helpOf(name string) *cobra.Command {
	text, examples, _ := strings.Cut(helpText("help/commands/"+name+".txt"), "\nExamples:\n")
	use, rest, _ := strings.Cut(text, "\n")
	short, long, _ := strings.Cut(rest, "\n\n")
	// a topic that belongs to the command
	if topic := helpText("help/topics/" + name + ".md"); topic != "" {
		long = strings.TrimSpace(long) + "\n\n" + topic
	}
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long),
		Example: strings.TrimRight(examples, "\n")}
}

// topics returns the help topics other than commands, for assize help TOPIC. A topic with the name
// of a command is part of that command's help. The topic about settings lists all of them.
func (p *program) topics() (list []*cobra.Command) {
	files, _ := helpFiles.ReadDir("help/topics") // the folder is embedded
	for _, file := range files {
		text := helpText("help/topics/" + file.Name())
		name := strings.TrimSuffix(file.Name(), ".md")
		switch {
		case helpText("help/commands/"+name+".txt") != "":
			continue
		case name == "settings":
			text += "\n" + p.commands.ListSettings()
		case name == "runs":
			text += "\n" + helpText("help/record.schema.json")
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		list = append(list, &cobra.Command{Use: name, Short: title, Long: strings.TrimSpace(text)})
	}
	return list
}

// explainFlags are the flags of `assize explain`.
type explainFlags struct {
	displayFlags `flag:"color"`
	scaleFlags   `flag:"rubric"`
}

func (o *explainFlags) run(_ context.Context, p *program, args []string) error {
	all, err := o.entries()
	if err != nil {
		return err
	}
	page := p.Page(o.color.Value)
	if len(args) == 0 {
		explain.List(&page, all)
		return page.Send(p.Out)
	}
	id := strings.Join(args, " ")
	if e, ok := explain.Find(all, id); ok {
		e.Text(&page)
		return page.Send(p.Out)
	}
	ids := ui.Each(all, func(e explain.Entry) string { return e.ID })
	err = fmt.Errorf("unknown id %q; want one that assize explain lists", id)
	hints := append(flags.DidYouMean(id, ids), texts.Text("dialogue of id", ui.Word(id)))
	for _, topic := range p.topics() {
		if topic.Name() == id || strings.Contains(topic.Long, "`"+id+"`") {
			hints = append(hints, "assize help "+topic.Name()+" is about it")
		}
	}
	if o.rubric == "" {
		hints = append(hints, "--rubric FILE explains the questions and facts of a scorecard")
	}
	return console.Hint(err, hints...)
}

// complete returns the ids for the completion of a shell.
func (o *explainFlags) complete(*cobra.Command, []string, string) ([]string,
	cobra.ShellCompDirective) {
	all, _ := o.entries() // without entries, there is nothing to complete
	id := func(e explain.Entry) string { return cobra.CompletionWithDesc(e.ID, e.Title) }
	return ui.Each(all, id), cobra.ShellCompDirectiveNoFileComp
}

// entries returns all entries, those of the rubric file first.
func (o *scaleFlags) entries() ([]explain.Entry, error) {
	j, err := o.judge(judge.Options{})
	if err != nil {
		return nil, err
	}
	return append(explain.Scorecard(j.Rubric, o.rubric), explain.All(j.Rubric, j.Agents)...), nil
}

// build is the output of `assize version`: what the program and its scores depend on.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"` // "unknown" for a build outside a repository
	Go      string `json:"go"`
	Target  string `json:"target"`
	Rubric  string `json:"rubric"`
	Lexicon string `json:"lexicon"`
	Profile string `json:"profile"`
}

// versionFlags are the flags of `assize version`.
type versionFlags struct {
	displayFlags `flag:"format"`
}

func (o *versionFlags) run(_ context.Context, p *program, _ []string) error {
	j, err := (&scaleFlags{}).judge(judge.Options{})
	if err != nil {
		return err
	}
	b := build{judge.Version(), "unknown", runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH,
		j.Rubric.Digest(), j.Agents.Digest(), j.Profile.Digest()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Commit = s.Value
			}
		}
	}
	if o.format.Value == "json" {
		return ui.WriteJSON(p.Out, b, "")
	}
	return texts().ExecuteTemplate(p.Out, "version", b)
}
