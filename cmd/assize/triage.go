package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/triage"
)

func (p *program) triageCommand() *cobra.Command {
	var o triageOptions
	cmd := &cobra.Command{
		Use:   "triage PATH…|RUN…",
		Short: "Rank dialogues worst first, each with the words that say why",
		Long: `Rank dialogues worst first, so that a person can read where it matters: those of
transcripts, which the rules judge now, or those of runs, as they were judged.

Each is shown with the criterion that failed most, the one that cost the
weighted average most points; with one or two utterances that say why; and with
its friction, turn by turn. Unscored dialogues are counted, and never ranked. Of
several with the same turns the first is ranked for all, unless --duplicates.

With --budget and --model it is a cascade. The rules judge everything, and the
model is asked only where it can matter: half of the budget goes to the worst,
the other half to those whose satisfaction is nearest to the cut, where the
rules are least sure. The cut is that of the profile, where it has one, or else
the last dialogue that --top shows. The ranking stays that of the rules; beside
it stand the dialogues where the model contradicts them most.

Exit code: 0 fine; 2 the command line or an input is wrong (what could be read
is ranked all the same), or the model cannot be used.`,
		Example: `  assize triage transcripts/
  assize triage run.jsonl --top 500 -o worst.csv
  assize triage 'export/*.json.gz' --redact --format markdown
  assize triage run.jsonl --budget 5% --model qwen2.5:1.5b
  assize triage judged.jsonl --sort disagreement`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := prepare(cmd, o.config, o.validate); err != nil {
				return err
			}
			return p.triage(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// triageFiles are transcripts; runs end in .jsonl, as some of these do.
var triageFiles = content{"transcript", []string{"assize triage transcripts/", "assize triage run.jsonl", "assize triage --help"}, transcriptFiles.suffixes}

// triage ranks and writes.
func (p *program) triage(ctx context.Context, args []string, o *triageOptions) error {
	files, err := p.inputs(triageFiles, args, o.output)
	if err != nil || len(files) == 0 {
		return err
	}
	d, err := p.openDesk(ctx, files, o)
	if err != nil {
		return err
	}
	out, err := p.create(o.output) // before anything is judged for it
	if err != nil {
		return err
	}
	s, err := p.sheet(ctx, d, o)
	if err == nil {
		err = s.Write(out, o.format.value)
	}
	if err := out.end(err); err != nil {
		return err
	}
	if o.format.value == "csv" || o.format.value == "jsonl" { // there is no place for it
		for _, sentence := range s.Sentences() {
			p.note(sentence)
		}
	}
	return nil
}

// sheet ranks what the files hold.
func (p *program) sheet(ctx context.Context, d *desk, o *triageOptions) (*triage.Sheet, error) {
	var c *cascade
	switch {
	case o.cascades():
		var err error
		if c, err = d.openCascade(ctx, o); err != nil {
			return nil, err
		}
		p.noteUnheard(c.model)
	case d.court != nil:
		p.noteUnheard(d.court)
	}
	return p.rank(ctx, d, c, o)
}

// rank reads everything once, keeps the worst, and has the model asked where one is.
func (p *program) rank(ctx context.Context, d *desk, c *cascade, o *triageOptions) (*triage.Sheet, error) {
	s := &triage.Sheet{Order: triage.Order(o.sort.value), Color: o.output == "" && p.colored(o.color.value)}
	worst := triage.NewWorst(o.top, s.Order)
	var same kinds
	if !o.duplicates {
		same = kinds{}
	}
	p.pace = p.asked()
	wrong := 0
	for at, res := range d.records(ctx) {
		p.reads(s.Scored + s.Unscored + wrong)
		switch r := res.record; {
		case errors.Is(res.err, context.Canceled): // it is told below
		case res.err != nil:
			if wrong++; wrong <= mostComplaints {
				p.complain(res.err)
			}
		case !r.Scored():
			s.Unscored++
		default:
			s.Scored++
			rankable := s.Order != triage.ByDisagreement || r.CrossCheck != nil
			switch {
			case !rankable && c == nil:
				s.Unchecked++
				continue
			case same.again(r):
				s.Duplicates++
				continue
			}
			place := triage.PlaceOf(r, at)
			c.place(place)
			if rankable {
				worst.Add(triage.Row{Place: place, Record: r})
			}
		}
	}
	p.clear()
	if rest := wrong - mostComplaints; rest > 0 {
		p.complain(fmt.Errorf("%d more cannot be read either", rest))
	}
	if err := nothing(ctx, d, s, wrong); err != nil {
		return nil, err
	}
	s.Rows = worst.List()
	if c != nil {
		if err := p.ask(ctx, c, s, o); err != nil {
			return nil, err
		}
	}
	if len(s.Rows) == 0 {
		return nil, withHints(errors.New("--sort disagreement: no dialogue has scores of a model that the rules' could be held against"),
			"assize score --model NAME -o run.jsonl, or here --budget 10% --model NAME")
	}
	same.enter(s.Rows)
	same.enter(s.Beside)
	d.finish(s)
	s.Remarks = p.remarked()
	return s, nil
}

// nothing is the error of having read nothing that can be ranked, or not all.
func nothing(ctx context.Context, d *desk, s *triage.Sheet, wrong int) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before all was read; nothing is ranked")
	case s.Scored == 0 && s.Unscored > 0:
		return fmt.Errorf("none of the dialogues is scored, so none can be ranked; %d %s unscored", s.Unscored, is(s.Unscored))
	case s.Scored == 0 && wrong > 0:
		return errors.New("nothing could be read, so nothing is ranked")
	case s.Scored == 0:
		return fmt.Errorf("there is no dialogue in %s", named(d.files))
	}
	return nil
}
