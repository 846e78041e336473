package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/redact"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// court judges dialogues and makes records of them. It is safe for concurrent use.
type court struct {
	agents            *heuristics.Agents
	bench             *bench.Bench
	redact, citedOnly bool
	watch             func(*record.Record) error // as in [scoreOptions]
}

// newCourt opens the court by the rubric that the options name.
func newCourt(o *scoreOptions) (*court, error) {
	rub, err := readRubric(o)
	if err != nil {
		return nil, err
	}
	profile, err := readProfile(o.profile)
	if err != nil {
		return nil, err
	}
	agents, err := heuristics.New()
	if err != nil {
		return nil, err
	}
	if err := checkDemands(o.rubric, rub, agents.Detectors()); err != nil {
		return nil, err
	}
	return &court{
		agents:    agents,
		bench:     bench.New(agents, rub, profile),
		redact:    o.redact,
		citedOnly: o.noTranscript,
		watch:     o.watch,
	}, nil
}

func readRubric(o *scoreOptions) (rubric.Rubric, error) {
	rub := rubric.Default()
	if o.rubric != "" {
		data, err := os.ReadFile(o.rubric)
		if err != nil {
			return rub, fmt.Errorf("--rubric %s: %w", o.rubric, withoutName(err))
		}
		if rub, err = rubric.Parse(o.rubric, data); err != nil {
			return rub, err
		}
	}
	if o.mapping.value == "" {
		return rub, nil
	}
	var err error
	rub.Mapping, err = rubric.ParseMapping(o.mapping.value)
	return rub, err
}

// readProfile reads a profile file; without one, the embedded profile.
func readProfile(path string) (heuristics.Profile, error) {
	if path == "" {
		return heuristics.DefaultProfile(), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return heuristics.Profile{}, fmt.Errorf("--profile %s: %w", path, withoutName(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, mostOfProfile+1))
	switch {
	case err != nil:
		return heuristics.Profile{}, fmt.Errorf("--profile %s: %w", path, withoutName(err))
	case len(data) > mostOfProfile:
		return heuristics.Profile{}, fmt.Errorf("%s: more than %d MB; want a profile, as assize fit writes", path, mostOfProfile>>20)
	}
	return heuristics.ParseProfile(path, data)
}

// mostOfProfile is how many bytes a profile may have; one that fit writes has some 2,000.
const mostOfProfile = 1 << 20

// checkDemands refuses a rubric that demands what no detector is called: nothing could ever meet that.
func checkDemands(file string, rub rubric.Rubric, detectors []heuristics.Detector) error {
	var ids []string
	for _, d := range detectors {
		ids = append(ids, d.ID)
	}
	for _, id := range rub.DemandedDetectors() {
		if !slices.Contains(ids, id) {
			err := fmt.Errorf("%s: demands %q, which no detector is called", file, id)
			return withHints(err, append(didYouMean(id, ids), "assize explain lists all")...)
		}
	}
	return nil
}

// outcome is what became of an item: a record, or what kept it from becoming one.
type outcome struct {
	record *record.Record
	err    error
}

// try judges one item. What people said about the dialogue joins the record after judging.
func (c *court) try(ctx context.Context, it item) outcome {
	if it.err != nil {
		return outcome{err: c.mask(it.err)}
	}
	r := record.New(it.sample)
	r.CitedOnly = c.citedOnly
	if err := c.bench.Judge(ctx, r); err != nil {
		return outcome{err: c.mask(fmt.Errorf("%s: dialogue %d: %w", it.sample.Source.File, it.sample.Source.Position, err))}
	}
	if c.watch != nil {
		if err := c.watch(r); err != nil {
			return outcome{err: err}
		}
	}
	if c.redact {
		redact.Record(r)
	}
	return outcome{record: r}
}

// mask keeps an error from telling what --redact hides.
func (c *court) mask(err error) error {
	if c.redact {
		return errors.New(redact.Text(err.Error()))
	}
	return err
}

// header says what all records of a run share.
func (c *court) header(o *scoreOptions, reading dialogue.Options) record.Header {
	conf := record.Configuration{
		InputFormat: string(reading.Format),
		Transcript:  "full",
		Redacted:    c.redact,
	}
	if c.citedOnly {
		conf.Transcript = "cited"
	}
	show := o.show()
	for _, name := range reading.SystemNames {
		conf.SystemNames = append(conf.SystemNames, show(name))
	}
	for name, role := range reading.Roles {
		if conf.Roles == nil {
			conf.Roles = map[string]string{}
		}
		conf.Roles[show(name)] = role.String()
	}
	head := record.Header{Program: programVersion(), Configuration: conf, Lexicon: c.agents.Digest()}
	c.bench.Sign(&head)
	return head
}

// programVersion is the module's version; "(devel)" in a build from a working tree.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
