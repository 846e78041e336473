package main

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

// The help texts are files. That of a command has its usage, a title, what it does, and examples.
//
//go:embed help
var helpFiles embed.FS

// helpOf makes a command of its help text.
func helpOf(name string) *cobra.Command {
	data, err := helpFiles.ReadFile("help/commands/" + name + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, examples, _ := strings.Cut(string(data), "\nExamples:\n")
	use, rest, _ := strings.Cut(text, "\n")
	short, long, _ := strings.Cut(rest, "\n\n")
	return &cobra.Command{
		Use: use, Short: short, Long: strings.TrimSpace(long), Example: strings.TrimRight(examples, "\n"),
	}
}

// topics makes the help topics that are no commands, for assize help TOPIC.
func topics() (list []*cobra.Command) {
	files, err := fs.Glob(helpFiles, "help/topics/*.md")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range files {
		data, err := helpFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
		name := strings.TrimSuffix(strings.TrimPrefix(file, "help/topics/"), ".md")
		list = append(list, &cobra.Command{Use: name, Short: title, Long: strings.TrimSpace(string(data))})
	}
	return list
}
