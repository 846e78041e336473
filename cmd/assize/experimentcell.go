package main

import (
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
	"assize/cmd/assize/internal/report"
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
	s.only, s.run.part = l.judges, true
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
	switch {
	case !c.ByRules():
		s.bench.model, given["model"] = c.Model, true
		if c.Prompts != experiment.Default {
			s.bench.prompts = l.path(c.Prompts)
		}
	case !slices.Equal(l.plan.Models, []string{experiment.Rules}): // they are for the models
		for _, name := range aboutModel {
			delete(given, name)
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
		return fmt.Errorf("%s: allow-remote is for the command line, so that no file sends transcripts away", s.NameAt)
	case f == nil || !slices.Contains(allowed, s.Name):
		err := fmt.Errorf("%s: %q is nothing that can be set here; want the name of a flag of assize score about judging, without its dashes", s.NameAt, s.Name)
		return withHints(err, didYouMean(s.Name, allowed)...)
	case s.Name == "cache" && l.plan.Repeats > 1:
		return fmt.Errorf("%s: with a cache, repeats would be answered from it, and say nothing; want repeats: 1, or no cache", s.NameAt)
	}
	if _, many := f.Value.(pflag.SliceValue); again && !many {
		return fmt.Errorf("%s: %s has several values; want one", s.ValueAt, s.Name)
	}
	if slices.Contains(pathFlags, s.Name) {
		s.Value = l.path(s.Value)
	}
	if err := fs.Set(s.Name, s.Value); err != nil {
		return fmt.Errorf("%s: %s %q: %w", s.ValueAt, s.Name, s.Value, cause(errors.Unwrap(err)))
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
	judging, doubts := dialogues*max(1, c.score.bench.repeats), 2*dialogues
	switch {
	case evaluator == bench.ByRules && critic == bench.ByRules:
		return "no calls"
	case evaluator == bench.ByRules:
		return fmt.Sprintf("some %d short calls", doubts)
	case critic == bench.ByRules:
		return report.Counted(judging, "call")
	}
	return fmt.Sprintf("%s, some %d short", report.Counted(judging, "call"), doubts)
}
