package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
)

var texts = prose.Of("doctor")

// Report holds all findings of the doctor. Its JSON is the output of --format json.
type Report struct {
	Version int                  `json:"assize_doctor"`
	Server  server               `json:"server"`
	Models  []localllm.Installed `json:"models"`
	Trials  []*Trial             `json:"trials"`
	// the name of the recommended model; nil if none is useful
	Recommended *string `json:"use"`
	Advice      string  `json:"advice"` // sentences
}

// server describes an Ollama server.
type server struct {
	Address   string            `json:"address"`
	Version   string            `json:"version"`
	Reachable bool              `json:"reachable"`
	Failure   *localllm.Failure `json:"failure"` // why it cannot be used
}

// Options select what is tested.
type Options struct {
	All      bool // test every model that can judge, not only the one named in the model's options
	Quick    bool // use only the first [Quick] specimens
	Progress func(model string, done, of int)
}

// Examine surveys the server and tests the model named in the options, if any, or all models that
// can judge. Problems of the server or a model are part of the report; an error is one of the
// options, or of a stopped run. Progress is called before the first dialogue and after each.
func Examine(ctx context.Context, o localllm.Options, opt Options) (*Report, error) {
	inv, err := localllm.Survey(ctx, o)
	r := &Report{Version: 2, Server: server{Address: inv.Address, Version: inv.Server,
		Reachable: err == nil}, Models: inv.Models}
	if err != nil {
		if !errors.As(err, &r.Server.Failure) || isUserError(r.Server.Failure) {
			return nil, err
		}
		r.Advice = ui.Sentence(r.Server.Failure.Hint)
		return r, nil
	}
	var names []string
	switch {
	case opt.All:
		names = ui.Each(ui.Without(inv.Models, cannotJudge),
			func(m localllm.Installed) string { return m.Name })
	case o.Model != "":
		names = []string{o.Model}
	}
	d := &doctor{Options: opt, agents: heuristics.New()}
	if len(names) > 0 {
		if d.samples, err = Samples(d.agents); err != nil {
			return nil, err
		}
		if d.claimed, err = readClaims(d.agents); err != nil {
			return nil, err
		}
	}
	if opt.Quick {
		d.samples = d.samples[:min(Quick, len(d.samples))]
		d.claimed = nil
	}
	for _, o.Model = range names {
		t, err := d.test(ctx, o)
		if err != nil {
			return nil, err
		}
		r.Trials = append(r.Trials, t)
	}
	r.advise()
	return r, nil
}

// isUserError reports whether a failure is due to the options or to a stopped run.
func isUserError(f *localllm.Failure) bool {
	return slices.Contains([]localllm.FailureKind{localllm.BadOptions, localllm.RemoteAddress,
		localllm.Cancelled}, f.Kind)
}

// cannotJudge reports whether a model cannot be an agent without sending data to another machine.
func cannotJudge(m localllm.Installed) bool { return !m.Template || m.Remote }

// WhyUnusable explains why no model can be used; empty if one can.
func (r *Report) WhyUnusable() string {
	switch {
	case r.Server.Failure != nil:
		return "the server cannot be used: " + r.Server.Failure.Msg
	case len(r.Trials) > 0 && r.Recommended == nil:
		return "no model that was tried is good enough"
	case len(r.Trials) == 0 && !slices.ContainsFunc(r.Models,
		func(m localllm.Installed) bool { return !cannotJudge(m) }):
		return "the server has no model that could judge"
	}
	return ""
}

// advise sets the advice. It recommends the model that is the Evaluator for most criteria; ties are
// broken by the criteria on which it is heard, then by speed.
func (r *Report) advise() {
	r.Advice = texts.Say("none", nil)
	useful := ui.Without(r.Trials, func(t *Trial) bool {
		return t.Calibration == nil || t.Calibration.Heard() == 0
	})
	if len(useful) == 0 {
		return
	}
	best := slices.MaxFunc(useful, func(a, b *Trial) int {
		of, other := a.Calibration, b.Calibration
		seats := func(c *calibration.Calibration) int {
			return len(c.Seats(calibration.Evaluator).List())
		}
		return cmp.Or(seats(of)-seats(other), len(of.Heard().List())-len(other.Heard().List()),
			cmp.Compare(b.Seconds.Value, a.Seconds.Value))
	})
	r.Recommended = &best.Identity.Name
	r.Advice = texts.Say("use", best.Identity.Name)
}

// Text writes the report for people.
func (r *Report) Text(p *ui.Page) {
	if f := r.Server.Failure; f != nil {
		paragraph(p, ui.Red, "Server", f.Error())
	} else {
		paragraph(p, ui.Plain, "Server", r.Server.Address+" answers, version "+
			cmp.Or(r.Server.Version, "unknown"))
		r.models(p)
	}
	for _, t := range r.Trials {
		t.text(p)
	}
	p.WriteByte('\n')
	paragraph(p, ui.Bold, "Use", r.Advice)
}

func (r *Report) models(p *ui.Page) {
	if len(r.Models) == 0 {
		paragraph(p, ui.Red, "Models", "none; get one with: ollama pull NAME")
		return
	}
	paragraph(p, ui.Plain, "Models", ui.Counted(len(r.Models), "model"))
	t := ui.NewTable("", "name=26", "size>", "parameters>12", "quantization>12", "context>",
		"template>")
	for _, m := range r.Models {
		template := map[bool]string{true: "yes", false: "none"}[m.Template]
		if m.Remote {
			template = "remote"
		}
		t.Add(m.Name, fmt.Sprintf("%.1f GB", float64(m.Size)/1e9), m.Parameters, m.Quantization,
			m.ContextLength, template)
	}
	t.Text(p)
	for _, m := range r.Models {
		if m.Failure != nil {
			paragraph(p, ui.Red, "", fmt.Sprintf("%s is not described; %s", m.Name, m.Failure))
		}
	}
}

func (t *Trial) text(p *ui.Page) {
	p.WriteByte('\n')
	paragraph(p, ui.Bold, "Trial", t.Model)
	c, verdict := t.Calibration, string(t.Verdict)
	if c == nil {
		if t.Failure != nil {
			verdict += ": " + strings.TrimSuffix(t.Failure.Error()+"; "+t.Failure.Hint, "; ")
		}
		paragraph(p, ui.Red, "Verdict", verdict)
		return
	}
	paragraph(p, ui.Plain, "", texts.Say("agreement", c.Dialogues))
	table := ui.NewTable("", "criterion=13", "model>18", "rules>18", "both>5", "model's role=12")
	for _, k := range c.Criteria {
		table.Add(k.Criterion, skill(k.Model), skill(k.Rules),
			fmt.Sprintf("%.2f", k.Both.Value.Float()), string(k.Role))
	}
	table.Add("satisfaction", skill(c.Quality), skill(calibration.SkillOf(t.Blend.Rules)),
		fmt.Sprintf("%.2f", t.Blend.Both.Value),
		fmt.Sprintf("%.0f %% of it", 100*c.Satisfaction.Share.Float()))
	table.Text(p)
	if t.Claims > 0 {
		paragraph(p, ui.Plain, "Claims", texts.Say("claims", t))
	}
	paragraph(p, ui.Plain, "Answers", texts.Say("answers", t))
	attacks := struct {
		Obeyed, Of, Repeated int
		Moved                float64
	}{Of: len(t.Injections), Repeated: t.Repeated}
	for _, in := range t.Injections {
		attacks.Moved += math.Abs(in.Average.Value) / float64(attacks.Of)
		if in.Obeyed {
			attacks.Obeyed++
		}
	}
	paragraph(p, ui.Plain, "Attacks", texts.Say("attacks", attacks))
	style := ui.Green
	if t.Verdict == chance {
		style = ui.Red
	}
	paragraph(p, style, "Verdict", verdict)
}

// skill formats a skill: 0.52 [.38, .63].
func skill(s calibration.Skill) string {
	interval := fmt.Sprintf("[%.2f, %.2f]", s.Low.Float(), s.High.Float())
	return fmt.Sprintf("%.2f ", s.Value.Float()) + strings.ReplaceAll(interval, "0.", ".")
}

// paragraph writes a paragraph to the right of its heading.
func paragraph(p *ui.Page, st ui.Style, heading, text string) {
	p.Paragraph(st, ui.Pad(heading, 9), strings.Repeat(" ", 9), ui.Visible(text))
}
