package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

func (p *program) doctorCommand() *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at Ollama and its models, and try whether one can judge",
		Long: `Look whether the Ollama server answers and which models it has, and try one on
ten dialogues whose quality is known: are its answers valid, do its scores part
good from bad, does it look at what it cites, does it give the same bytes again,
does it obey a turn that tells it what to score, and how long does it take?

The verdict is one of: good enough for triage; good enough for a second
opinion; for tests only; not usable. Without --model nothing is tried, and
--all tries every model that is installed. A trial takes as long as judging 16
dialogues: two minutes with a small model, ten with a larger one on a laptop.
Nothing but the dialogues that come with the program is sent to the server.

Exit code: 0 fine, and what was tried is good enough to judge (with --all, one
of the models is); 1 it is not, or the server cannot be used or has no model
with a chat template; 2 the command line is wrong, or the trial was stopped.`,
		Example: `  assize doctor
  assize doctor --model qwen2.5:1.5b
  assize doctor --all --num-thread 2
  assize doctor --model qwen2.5:1.5b --format json`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given, err := settle(cmd, o.config)
			if err != nil {
				return err
			}
			if err := o.validate(given); err != nil {
				return withHints(err, "see assize doctor --help")
			}
			return p.doctor(cmd.Context(), &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// doctor looks, tries and tells.
func (p *program) doctor(ctx context.Context, o *doctorOptions) error {
	r, err := p.examine(ctx, o)
	if err != nil {
		return refused(ctx, err)
	}
	if o.format.value == "json" {
		data, err := r.JSON()
		if err == nil {
			_, err = p.stdout.Write(data)
		}
		return errors.Join(err, verdictOf(r))
	}
	page := report.Page{Color: p.colored(o.color.value)}
	r.Text(&page)
	return errors.Join(page.Send(p.stdout), verdictOf(r))
}

// examine surveys the server and tries the models that are wanted. What is wrong with the server is in the report; the
// error is one of the command line, or of a run that was stopped.
func (p *program) examine(ctx context.Context, o *doctorOptions) (*doctor.Report, error) {
	r := &doctor.Report{}
	var err error
	if r.Inventory, err = localllm.Survey(ctx, o.options("")); err != nil {
		var f *localllm.Failure
		if !errors.As(err, &f) || ours(f) {
			return nil, err
		}
		r.Failure = f
		return r, nil
	}
	names := o.wanted(r.Inventory.Models)
	if len(names) == 0 {
		return r, nil
	}
	doc, err := p.surgery()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		doc.Progress = p.progress(name)
		t, err := doc.Try(ctx, o.options(name))
		p.wipe()
		if err != nil {
			return nil, err
		}
		if t.Failure != nil && ours(t.Failure) && !o.all {
			return nil, t.Failure
		}
		r.Trials = append(r.Trials, t)
	}
	return r, nil
}

// surgery makes a doctor with the rules and the dialogues that come with the program.
func (p *program) surgery() (*doctor.Doctor, error) {
	agents, err := heuristics.New()
	if err != nil {
		return nil, err
	}
	specimens, err := doctor.Specimens(agents, rubric.Default())
	if err != nil {
		return nil, err
	}
	return &doctor.Doctor{Agents: agents, Rubric: rubric.Default(), Specimens: specimens}, nil
}

// ours reports whether a failure is one of the command line, and none of the server or of the model.
func ours(f *localllm.Failure) bool {
	return f.Kind == localllm.BadOptions || f.Kind == localllm.RemoteAddress || f.Kind == localllm.Cancelled
}

// refused words an error for the one who typed the command.
func refused(ctx context.Context, err error) error {
	var f *localllm.Failure
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before the trial was over")
	case !errors.As(err, &f):
		return err
	case f.Hint == "":
		return withHints(errors.New(f.Msg), "see assize doctor --help")
	}
	return withHints(errors.New(f.Msg), f.Hint)
}

// verdictOf gives the answer "no" where nothing can be judged with what there is.
func verdictOf(r *doctor.Report) error {
	switch {
	case r.Failure != nil:
		return answerNo("the server cannot be used: " + r.Failure.Msg)
	case len(r.Trials) > 0 && r.Use() == "":
		return answerNo("none of the models that were tried is good enough to judge")
	case len(r.Trials) == 0 && !r.Playable():
		return answerNo("the server has no model that could judge")
	}
	return nil
}

// progress tells a person at the terminal how far a trial is.
func (p *program) progress(model string) func(done, of int) {
	if !p.watched() {
		return nil
	}
	return func(done, of int) {
		fmt.Fprintf(p.stderr, "\r%s: %d of %d\x1b[K", report.Visible(model), done, of)
	}
}

// wipe takes back what progress has written.
func (p *program) wipe() {
	if p.watched() {
		fmt.Fprint(p.stderr, "\r\x1b[K")
	}
}

// watched reports whether a person looks at standard error.
func (p *program) watched() bool {
	f, ok := p.stderr.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
