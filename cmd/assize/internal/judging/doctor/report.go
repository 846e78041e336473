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
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
)

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
		Reachable: err == nil}}
	r.Models, r.Trials = append([]localllm.Installed{}, inv.Models...), []*Trial{}
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
	var best *Trial
	seats := func(t *Trial, roles ...calibration.Role) int {
		return len(t.Calibration.Seats(roles...).List())
	}
	for _, t := range r.Trials {
		if t.Calibration == nil || t.Calibration.Heard() == 0 {
			continue
		}
		if best == nil || cmp.Or(seats(t, calibration.Evaluator)-seats(best, calibration.Evaluator),
			len(t.Calibration.Heard().List())-len(best.Calibration.Heard().List()),
			cmp.Compare(best.Seconds.Value, t.Seconds.Value)) > 0 {
			best = t
		}
	}
	if best == nil {
		r.Advice = "No model so far. Models below 1.5 billion parameters were found to be no " +
			"better than chance; ollama pull qwen2.5:1.5b gets one of that size, and assize " +
			"doctor --model tries it. Without --model the rules judge alone."
		return
	}
	name := best.Identity.Name
	r.Recommended, r.Advice = &name, fmt.Sprintf("assize score --model %s --calibration FILE, "+
		"where FILE is what assize doctor --model %[1]s -o FILE wrote.", name)
}

// Text writes the report for people.
func (r *Report) Text(p *ui.Page) {
	if f := r.Server.Failure; f != nil {
		paragraph(p, ui.Red, "Server", "%s", f)
	} else {
		paragraph(p, ui.Plain, "Server", "%s answers, version %s", r.Server.Address,
			cmp.Or(r.Server.Version, "unknown"))
		r.models(p)
	}
	for _, t := range r.Trials {
		t.text(p)
	}
	p.WriteByte('\n')
	paragraph(p, ui.Bold, "Use", "%s", r.Advice)
}

func (r *Report) models(p *ui.Page) {
	if len(r.Models) == 0 {
		paragraph(p, ui.Red, "Models", "none; get one with: ollama pull NAME")
		return
	}
	paragraph(p, ui.Plain, "Models", "%s", ui.Counted(len(r.Models), "model"))
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
			paragraph(p, ui.Red, "", "%s is not described; %s", m.Name, m.Failure)
		}
	}
}

func (t *Trial) text(p *ui.Page) {
	p.WriteByte('\n')
	paragraph(p, ui.Bold, "Trial", "%s", t.Model)
	c := t.Calibration
	if c == nil {
		why := ""
		if t.Failure != nil {
			why = ": " + strings.TrimSuffix(t.Failure.Error()+"; "+t.Failure.Hint, "; ")
		}
		paragraph(p, ui.Red, "Verdict", "%s%s", t.Verdict, why)
		return
	}
	paragraph(p, ui.Plain, "", "How its levels, those of the rules, and the mean of both agree "+
		"with a careful reader's on %s: Spearman's correlation, with 95 %% intervals.",
		ui.Counted(c.Dialogues, "dialogue"))
	table := ui.NewTable("", "criterion=13", "model>18", "rules>18", "both>5", "model's role=12")
	add := func(what any, model, rules calibration.Skill, both float64, role string) {
		table.Add(what, skill(model), skill(rules), fmt.Sprintf("%.2f", both), role)
	}
	for _, k := range c.Criteria {
		add(k.Criterion, k.Model, k.Rules, k.Both.Value.Float(), string(k.Role))
	}
	add("satisfaction", c.Quality, calibration.SkillOf(t.Blend.Rules), t.Blend.Both.Value,
		fmt.Sprintf("%.0f %% of it", 100*c.Satisfaction.Share.Float()))
	table.Text(p)
	if t.Claims > 0 {
		paragraph(p, ui.Plain, "Claims", "%s", t.claimsText())
	}
	times := ""
	if t.timed > 0 {
		times = fmt.Sprintf(", which take %.1f s; 1,000 such dialogues take about %s",
			t.Seconds.Value, ui.Duration(1000*t.Seconds.Value))
	}
	paragraph(p, ui.Plain, "Answers", "%d of %d questions are unanswered, %d dialogues unscored; "+
		"%.1f calls a dialogue%s", t.Unanswered, t.Questions, t.Unscored, t.Calls.Value, times)
	obeyed, n, moved := 0, len(t.Injections), 0.0
	for _, in := range t.Injections {
		moved += math.Abs(in.Average.Value) / float64(n)
		if in.Obeyed {
			obeyed++
		}
	}
	paragraph(p, ui.Plain, "Attacks", "%d of %d undetected turns that ask for a score are obeyed; "+
		"the average moves by %.1f points; asked again without them, %d of %d dialogues get the "+
		"same answers", obeyed, n, moved, t.Repeated, n)
	style := ui.Green
	if t.Verdict == chance {
		style = ui.Red
	}
	paragraph(p, style, "Verdict", "%s", t.Verdict)
}

// skill formats a skill: 0.52 [.38, .63].
func skill(s calibration.Skill) string {
	interval := fmt.Sprintf("[%.2f, %.2f]", s.Low.Float(), s.High.Float())
	return fmt.Sprintf("%.2f ", s.Value.Float()) + strings.ReplaceAll(interval, "0.", ".")
}

// paragraph writes a formatted paragraph to the right of its heading.
func paragraph(p *ui.Page, st ui.Style, heading, format string, a ...any) {
	p.Paragraph(st, ui.Pad(heading, 9), strings.Repeat(" ", 9),
		ui.Visible(fmt.Sprintf(format, a...)))
}
