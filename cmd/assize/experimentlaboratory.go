package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/report"
	"assize/rubric/dialogue"
)

// laboratory is an experiment ready to be run.
type laboratory struct {
	plan      *experiment.Plan
	folder    string        // of the runs
	ratings   *ratings.File // nil where people's ratings are those in the transcripts
	scale     ratings.Scale
	files     []string
	readable  map[string]int          // dialogues by file
	picked    map[string]map[int]bool // by file, the positions of those that are judged
	dialogues int
	digest    string // of what was said in them
	cells     []cell
}

// laboratory reads the file of an experiment and the dialogues, and settles what every cell is run with.
func (p *program) laboratory(ctx context.Context, file string, o *experimentOptions) (*laboratory, error) {
	data, err := readExperiment(file)
	if err != nil {
		return nil, err
	}
	l := &laboratory{readable: map[string]int{}, picked: map[string]map[int]bool{}}
	if l.plan, err = experiment.Parse(file, data); err != nil {
		return nil, err
	}
	if err := p.readRatings(l); err != nil {
		return nil, err
	}
	switch {
	case o.outputGiven || l.plan.Output == "" && o.output != "":
		l.folder = filepath.Clean(o.output)
	case l.plan.Output != "":
		l.folder = l.path(l.plan.Output)
	default:
		return nil, withHints(errors.New("no folder for the runs; want output: in the file, or -o DIR"), "assize experiment "+file+" -o runs")
	}
	shared, err := l.options(experiment.Cell{Model: experiment.Rules}, o)
	if err != nil {
		return nil, err
	}
	reading, err := shared.reading()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := p.gatherDialogues(ctx, l, reading); err != nil {
		return nil, err
	}
	for _, c := range l.plan.Cells() {
		made, err := l.cell(c, o)
		if err != nil {
			return nil, err
		}
		l.cells = append(l.cells, made)
	}
	return l, nil
}

// mostOfExperiment is how many bytes of an experiment file are read; more is refused.
const mostOfExperiment = 1 << 20

func readExperiment(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder; want the file of an experiment", path)
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file; want the file of an experiment", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostOfExperiment))
}

// readRatings reads what people said, so that what is wrong with it is told before anything is judged.
func (p *program) readRatings(l *laboratory) (err error) {
	l.scale = ratings.DefaultScale
	if s := l.plan.Scale; s.Value != "" {
		if l.scale, err = ratings.ParseScale(s.Value); err != nil {
			return fmt.Errorf("%s: scale: %w", s.ValueAt, err)
		}
	}
	if l.plan.Ratings == "" {
		return nil
	}
	file := l.path(l.plan.Ratings)
	r, err := p.open(file)
	if err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	defer r.Close()
	l.ratings, err = ratings.ReadFile(r, file)
	return err
}

// path gives a path of the file as one of the working folder.
func (l *laboratory) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(filepath.Dir(l.plan.File), p)
}

// gatherDialogues reads all dialogues once, tells of those that cannot be read, and picks those that are judged. A path that
// leads nowhere ends the experiment: half of the dialogues would be another one.
func (p *program) gatherDialogues(ctx context.Context, l *laboratory, reading dialogue.Options) error {
	var paths []string
	for _, path := range l.plan.Dialogues {
		if path == stdinName {
			return fmt.Errorf("%s: dialogues from standard input can be read only once; want files", l.plan.File)
		}
		paths = append(paths, l.path(path))
	}
	files, err := p.inputs(transcriptFiles, paths, l.plan.File)
	switch {
	case err != nil:
		return err
	case p.complained:
		return errors.New("nothing is run, since not all dialogues are there")
	}
	sum := sha256.New()
	for _, file := range files {
		if l.holds(file) {
			continue
		}
		l.files = append(l.files, file)
		if err := p.pick(ctx, l, file, reading, sum); err != nil {
			return err
		}
	}
	switch {
	case len(l.files) == 0:
		return fmt.Errorf("%s: all of the dialogues are in the folder of the runs, where none is read; want another output", l.plan.File)
	case l.dialogues == 0:
		return fmt.Errorf("no dialogue in %s; nothing is run", named(paths))
	}
	l.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// holds reports whether a file is in the folder of the runs, where none is a transcript.
func (l *laboratory) holds(file string) bool {
	folder, errFolder := filepath.Abs(l.folder)
	file, errFile := filepath.Abs(file)
	return errFolder == nil && errFile == nil && strings.HasPrefix(file, folder+string(filepath.Separator))
}

// pick picks dialogues of a file, and adds what was said in them to a sum.
func (p *program) pick(ctx context.Context, l *laboratory, file string, reading dialogue.Options, sum io.Writer) error {
	var positions []int
	var digests []string
	for it := range p.read(file, reading) {
		switch {
		case ctx.Err() != nil:
			return errors.New("stopped while the dialogues were read; nothing is run")
		case it.err != nil:
			p.complain(it.err)
		default:
			positions = append(positions, it.sample.Source.Position)
			digests = append(digests, it.sample.Dialogue.Digest())
		}
	}
	l.readable[file] = len(positions)
	l.picked[file] = map[int]bool{}
	for _, i := range experiment.Spread(len(positions), l.plan.Limit) {
		l.picked[file][positions[i]] = true
		l.dialogues++
		fmt.Fprintln(sum, digests[i])
	}
	return nil
}

// judges reports whether a dialogue is one of those that are judged.
func (l *laboratory) judges(s dialogue.Sample) bool {
	return l.picked[s.Source.File][s.Source.Position]
}

// tell shows what would be run.
func (l *laboratory) tell(w io.Writer) error {
	page := report.Page{}
	page.Paragraph(report.Plain, "", "", report.Visible(fmt.Sprintf("%s: %s, %s in %s", l.plan.File,
		report.Counted(l.dialogues, "dialogue"), report.Counted(len(l.cells), "run"), l.folder)))
	page.WriteByte('\n')
	for _, file := range l.files {
		page.Line(report.Plain, fmt.Sprintf("  %s  %d of %d", report.Pad(report.ClipFront(report.Visible(file), 50), 50), len(l.picked[file]), l.readable[file]))
	}
	page.WriteByte('\n')
	for i := range l.cells {
		c := &l.cells[i]
		page.Line(report.Plain, fmt.Sprintf("  %-7s%-28s%s", c.state(), c.calls(l.dialogues), c.File))
	}
	return page.Send(w)
}
