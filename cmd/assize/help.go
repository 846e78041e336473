package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"
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
