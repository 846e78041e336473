package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
)

// These flags of several commands are about output and statistics; judging.go has the others.

// displayFlags are the flags of every command that shows a result to people.
type displayFlags struct {
	set    *flags.Set   // all flags of the command
	format flags.Choice `flag:"format"`
	color  flags.Choice `flag:"color"`
	_      string       `flag:"config"`
}

// validate returns nil: a command without a method of its own has only the conflicts of the table.
func (o *displayFlags) validate(map[string]bool, []string) error { return nil }

// outputFlags are the flags of every command that can also write its result to a file.
type outputFlags struct {
	output string `flag:"output"`
	displayFlags
	result string // what is written, such as "scores" or "an agreement"
	packs  bool   // a run may be compressed
}

// endings lists the file name extensions of each format, the usual one first.
var endings = map[string][]string{
	"text": {".txt"}, "json": {".json"}, "jsonl": {".jsonl", ".ndjson"}, "junit": {".xml"},
	"csv": {".csv"}, "xlsx": {".xlsx"}, "markdown": {".md", ".markdown"}, "html": {".html", ".htm"},
}

// validate derives the format from the file name given with -o, unless --format is given.
func (o *outputFlags) validate(given map[string]bool) error {
	if o.output == "" || o.output == ui.Stdin || given["format"] {
		return nil
	}
	if info, err := os.Stat(o.output); err == nil && info.IsDir() {
		return fmt.Errorf("-o %s: is a folder; want a file", o.output)
	}
	usual, name := flags.Choice{}, strings.ToLower(o.output)
	if bare := strings.TrimSuffix(name, run.Packed); o.packs && filepath.Ext(bare) == ".jsonl" {
		name = bare
	}
	for _, word := range o.format.Words {
		if slices.Contains(endings[word], filepath.Ext(name)) {
			o.format.Value = word
			return nil
		}
		usual.Words = append(usual.Words, endings[word][0])
	}
	return texts.Error("extension", o.output, o.result, usual.Any())
}

// writeTo opens the file given with -o, calls write, and closes the file. For text, write gets a
// page; for other formats it uses the plain writer.
func (p *program) writeTo(o *outputFlags, write func(w io.Writer, page *ui.Page) error) error {
	out, err := output.Create(p.Out, o.output, o.format.Value)
	if err != nil {
		return err
	}
	var page ui.Page
	if o.output == "" {
		page = p.Page(o.color.Value)
	}
	err = write(out, &page)
	if err == nil && page.Len() > 0 {
		err = page.Send(out)
	}
	return out.End(err)
}

// show writes a result to standard output.
func (p *program) show(o *displayFlags, result any) error {
	page := p.Page(o.color.Value)
	return cmp.Or(ui.WriteAs(o.format.Value, p.Out, &page, result), page.Send(p.Out))
}

// jobsFlag is --jobs.
type jobsFlag struct {
	jobs  int        `flag:"jobs"`
	flags *flags.Set // has it
}

// Preset sets the default.
func (o *jobsFlag) Preset() { o.jobs = runtime.GOMAXPROCS(0) }

// settle sets the number of jobs to one if it is not set and a model judges.
func (o *jobsFlag) settle(byModel bool) {
	if byModel && !o.flags.Lookup("jobs").Changed {
		o.jobs = 1
	}
}

// drawFlags are the flags of bootstrap intervals.
type drawFlags struct {
	draws int    `flag:"draws"`
	seed  uint64 `flag:"seed"`
}

// drawsFor returns the number of draws for n ratings. With many, intervals are narrow, draws slow.
func (p *program) drawsFor(o *drawFlags, n int) int {
	if !p.given["draws"] && n > 3000 {
		return min(o.draws, 200)
	}
	return o.draws
}

// peopleFlags say where to find people's ratings, and their scale.
type peopleFlags struct {
	ratings []string      `flag:"ratings"`
	sampled bool          `flag:"sampled"`
	sources []string      `flag:"source"`
	people  ratings.Scale `flag:"scale"`
	learns  bool          // a profile is learned from them, and no figure is corrected
}

// origin describes the origin of the ratings. It returns "" if they are in the dialogues.
func (o *peopleFlags) origin() string {
	from := strings.Join(o.ratings, ", ")
	if len(o.sources) > 0 {
		from = strings.TrimPrefix(from+", source "+strings.Join(o.sources, ","), ", ")
	}
	return from
}

// oneStdin returns an error if standard input is named twice.
func oneStdin(inputs ...string) error {
	if i := slices.Index(inputs, ui.Stdin); i >= 0 && slices.Contains(inputs[i+1:], ui.Stdin) {
		return errors.New("- is given twice; standard input can be read only once")
	}
	return nil
}
