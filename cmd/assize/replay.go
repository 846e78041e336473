package main

import (
	"context"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/replay"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
)

// replayFlags are the flags of `assize replay`.
type replayFlags struct {
	jobsFlag
	displayFlags
}

func (o *replayFlags) run(ctx context.Context, p *program, args []string) error {
	files, _, err := corpus.Find(p.Console, source.Runs, "replay", args, "")
	if err != nil || len(files) == 0 {
		return err
	}
	agents := heuristics.New()
	most := 1000 // differing lines, so that memory stays bounded if everything differs
	if o.format.Value == "text" {
		most = 10
	}
	doc := replay.Document{Sound: true}
	var differ []string
	unfinished := 0
	for _, file := range files {
		s := replay.File(ctx, p.Console, file, o.jobs, most, agents)
		doc.Runs, doc.Sound = append(doc.Runs, s), doc.Sound && s.Sound
		unfinished += s.Unfinished
		if s.Differs() {
			differ = append(differ, file)
		}
		if s.Stopped {
			break
		}
	}
	if err := p.show(&o.displayFlags, &doc); err != nil {
		return err
	}
	if len(differ) > 0 {
		return console.Answer("differences in " + corpus.Named(differ))
	} else if unfinished > 0 {
		return errUnfinished
	}
	return nil
}
