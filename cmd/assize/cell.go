package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/record"
	"assize/localllm"
)

// cell is a run of an experiment with all that it is run with.
type cell struct {
	experiment.Cell
	score    *scoreOptions
	run      string // the file
	settings string // digest of what decides what the run holds
}

// cell settles what a cell is run with.
func (l *laboratory) cell(c experiment.Cell, o *experimentOptions) (cell, error) {
	made := cell{Cell: c, run: filepath.Join(l.folder, c.File)}
	s, err := l.options(c, o)
	if err != nil {
		return made, err
	}
	s.output, s.format.value = made.run, "jsonl"
	s.only = l.judges
	s.jobs = o.jobs
	if s.bench.seated() {
		s.jobs = 1
	}
	made.score = s
	made.settings, err = l.settings(s)
	return made, err
}

// The flags of score that an experiment's file may set, besides those about a model.
var (
	readingFlags = []string{"rubric", "profile", "mapping", "input-format", "role-map", "system-name", "redact"}
	pathFlags    = []string{"rubric", "profile", "cache"}
)

// options makes the flags of score out of what the file says of a cell. The rules have no use for those about a model.
func (l *laboratory) options(c experiment.Cell, o *experimentOptions) (*scoreOptions, error) {
	s := &scoreOptions{}
	fs := pflag.NewFlagSet("cell", pflag.ContinueOnError)
	s.register(fs)
	aboutModel := slices.DeleteFunc(slices.Clone(s.bench.names), func(name string) bool { return name == "prompts" })
	given := map[string]bool{}
	for _, part := range []struct {
		settings []experiment.Setting
		allowed  []string
	}{{l.plan.Options, slices.Concat(readingFlags, aboutModel)}, {c.Panel.Settings, aboutModel}} {
		first := map[string]bool{}
		for _, setting := range part.settings {
			if err := l.set(fs, setting, part.allowed, first[setting.Name]); err != nil {
				return nil, err
			}
			first[setting.Name], given[setting.Name] = true, true
		}
	}
	if c.ByRules() {
		for _, name := range aboutModel {
			delete(given, name)
		}
	} else {
		s.bench.model, given["model"] = c.Model, true
		if c.Prompts != experiment.Default {
			s.bench.prompts = l.path(c.Prompts)
		}
	}
	o.serverOptions.over(&s.bench.serverOptions)
	if err := s.validate(given); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", l.plan.File, c.Row(), err)
	}
	return s, nil
}

// set sets a flag to what the file says.
func (l *laboratory) set(fs *pflag.FlagSet, s experiment.Setting, allowed []string, again bool) error {
	f := fs.Lookup(s.Name)
	switch {
	case s.Name == "allow-remote":
		return fmt.Errorf("%s: allow-remote is for the command line, so that no file sends transcripts away", s.Place)
	case f == nil || !slices.Contains(allowed, s.Name):
		err := fmt.Errorf("%s: %q is nothing that can be set here; want the name of a flag of assize score about judging, without its dashes", s.Place, s.Name)
		return withHints(err, didYouMean(s.Name, allowed)...)
	case s.Name == "cache" && l.plan.Repeats > 1:
		return fmt.Errorf("%s: with a cache, repeats would be answered from it, and say nothing; want repeats: 1, or no cache", s.Place)
	}
	if _, many := f.Value.(pflag.SliceValue); again && !many {
		return fmt.Errorf("%s: %s has several values; want one", s.Place, s.Name)
	}
	if slices.Contains(pathFlags, s.Name) {
		s.Value = l.path(s.Value)
	}
	if err := fs.Set(s.Name, s.Value); err != nil {
		return fmt.Errorf("%s: %s %q: %w", s.Place, s.Name, s.Value, cause(errors.Unwrap(err)))
	}
	return nil
}

// settings is the digest of what decides what a run holds, apart from the model that its server has.
func (l *laboratory) settings(s *scoreOptions) (string, error) {
	reading, err := s.reading()
	if err != nil {
		return "", err
	}
	court, err := newCourt(s)
	if err != nil {
		return "", err
	}
	head := court.header(s, reading)
	decisive := []any{l.digest, head.Fingerprint()}
	if b := &s.bench; b.seated() {
		prompts, err := b.readPrompts()
		if err != nil {
			return "", fmt.Errorf("%s: %w", l.plan.File, err)
		}
		if prompts == nil {
			prompts = localllm.DefaultPrompts()
		}
		evaluator, critic := b.seats()
		decisive = append(decisive, prompts.Digests(), b.model, evaluator, critic, b.fallback.value, b.overflow.value,
			b.numCtx, b.numPredict, b.numThread, b.seed, b.keepAlive, b.reasons, b.repeats)
	}
	data, err := json.Marshal(decisive)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// state says how far a cell is.
func (c *cell) state() string {
	if m, err := experiment.ReadMark(c.run); err == nil && m.Done(c.run, c.settings) {
		return "done"
	}
	if info, err := os.Stat(c.run); err == nil && info.Size() > 0 {
		return "begun"
	}
	return "to do"
}

// calls estimates what a cell asks the model of so many dialogues. In rated dialogues the Critic has one doubt or two in
// each, and asks once about those that it drops and twice about the others.
func (c *cell) calls(dialogues int) string {
	evaluator, critic := c.score.bench.seats()
	says := "no calls"
	if evaluator == bench.ByModel {
		says = fmt.Sprintf("%d calls", dialogues*max(1, c.score.bench.repeats))
	}
	if critic != bench.ByRules {
		says += fmt.Sprintf(", some %d short", 2*dialogues)
	}
	return says
}

// errGone is the error of a model whose server has failed for good: what it would leave unscored is left for later.
var errGone = errors.New("the model's server is gone; what is judged is kept, and the same command goes on")

// runCell runs a cell that is not complete yet.
func (p *program) runCell(ctx context.Context, l *laboratory, i int) error {
	c := &l.cells[i]
	mark, err := experiment.ReadMark(c.run)
	if err != nil {
		return err
	}
	if mark.Done(c.run, c.settings) {
		return nil
	}
	if _, err := os.Stat(c.run); errors.Is(err, os.ErrNotExist) {
		mark = experiment.Mark{}
	}
	p.note(fmt.Sprintf("%s (%d of %d): %d dialogues to %s", c, i+1, len(l.cells), l.dialogues, c.run))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	mark.Complete = 0
	s := *c.score
	s.watch = func(r *record.Record) error {
		if gone(r) {
			stop(errGone)
			return context.Canceled
		}
		mark.Time(r)
		return nil
	}
	err = p.score(ctx, l.files, &s)
	if errors.Is(context.Cause(ctx), errGone) {
		err = errGone
	}
	if info, e := os.Stat(c.run); e == nil && err == nil && ctx.Err() == nil {
		mark.Complete, mark.Settings = info.Size(), c.settings
	}
	if mark == (experiment.Mark{}) {
		return err
	}
	return errors.Join(err, mark.Write(c.run))
}

// gone reports whether the server failed in a way in which it would fail for every dialogue that follows.
func gone(r *record.Record) bool {
	if r.Model == nil || len(r.Model.Calls) == 0 {
		return false
	}
	switch r.Model.Calls[len(r.Model.Calls)-1].Failure {
	case localllm.ServerDown, localllm.ModelAbsent, localllm.DigestDiffers:
		return true
	}
	return false
}
