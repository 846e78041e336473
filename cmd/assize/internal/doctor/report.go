package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// Report is everything that the doctor found. Its JSON is what --format json prints.
type Report struct {
	Version int                  `json:"assize_doctor"`
	Server  Server               `json:"server"`
	Models  []localllm.Installed `json:"models"`
	Trials  []*Trial             `json:"trials"`
	Use     *string              `json:"use"`    // the name of the model to judge with; nil where none is of use
	Advice  string               `json:"advice"` // sentences
}

// Server is an Ollama server.
type Server struct {
	Address   string            `json:"address"`
	Version   string            `json:"version"`
	Reachable bool              `json:"reachable"`
	Failure   *localllm.Failure `json:"failure"` // why it cannot be used
}

// Examine surveys the server and tries the model that the options name, if any, or all models that can judge. What is
// wrong with the server or a model is in the report; the error is one of the options, or of a trial that was stopped.
// progress is called before the first dialogue and after each.
func Examine(ctx context.Context, o localllm.Options, all bool, progress func(model string, done, of int)) (*Report, error) {
	inv, err := localllm.Survey(ctx, o)
	r := &Report{Version: 1, Server: Server{Address: inv.Address, Version: inv.Server, Reachable: err == nil}}
	r.Models, r.Trials = append([]localllm.Installed{}, inv.Models...), []*Trial{}
	if err != nil {
		if !errors.As(err, &r.Server.Failure) || ofUser(r.Server.Failure) {
			return nil, err
		}
		r.Advice = explain.Sentence(r.Server.Failure.Hint)
		return r, nil
	}
	var names []string
	switch {
	case all:
		for _, m := range slices.DeleteFunc(slices.Clone(inv.Models), cannotJudge) {
			names = append(names, m.Name)
		}
	case o.Model != "":
		names = []string{o.Model}
	}
	d := &doctor{agents: heuristics.New(), progress: progress, all: all}
	if d.specimens, err = Specimens(d.agents); err != nil {
		return nil, err
	}
	for _, o.Model = range names {
		t, err := d.try(ctx, o)
		if err != nil {
			return nil, err
		}
		r.Trials = append(r.Trials, t)
	}
	r.advise()
	return r, nil
}

// ofUser reports whether a failure is one of the options, or of a run that was stopped.
func ofUser(f *localllm.Failure) bool {
	return slices.Contains([]localllm.FailureKind{localllm.BadOptions, localllm.RemoteAddress, localllm.Cancelled}, f.Kind)
}

// cannotJudge reports whether a model cannot be an agent without anything leaving the server's machine.
func cannotJudge(m localllm.Installed) bool { return !m.Template || m.Remote }

// Unfit says why nothing can be judged with what there is; empty where something can.
func (r *Report) Unfit() string {
	switch {
	case r.Server.Failure != nil:
		return "the server cannot be used: " + r.Server.Failure.Msg
	case len(r.Trials) > 0 && r.Use == nil:
		return "none of the models that were tried is good enough to judge"
	case len(r.Trials) == 0 && !slices.ContainsFunc(r.Models, func(m localllm.Installed) bool { return !cannotJudge(m) }):
		return "the server has no model that could judge"
	}
	return ""
}

// advise says what to do: to use the model with the best verdict, AUC of the pairs and of the others, and time, in this
// order, if it is of use.
func (r *Report) advise() {
	var best *Trial
	for _, t := range r.Trials {
		if t.Verdict >= SecondOpinion && (best == nil || cmp.Or(cmp.Compare(t.Verdict, best.Verdict),
			cmp.Compare(t.CloseAUC, best.CloseAUC), cmp.Compare(t.AUC, best.AUC), cmp.Compare(best.Seconds, t.Seconds)) > 0) {
			best = t
		}
	}
	if best == nil {
		r.Advice = "No model so far. The scores of models below 1.5 billion parameters were found to be noise; ollama pull " +
			"qwen2.5:1.5b gets one of that size, and assize doctor --model tries it. Without --model the rules judge alone."
		return
	}
	r.Use, r.Advice = &best.Identity.Name, best.Identity.Name
	if best.Verdict < Triage {
		r.Advice += ", and where it contradicts the rules, read the dialogue yourself"
	} else {
		r.Advice += ", whose judgement then is half of satisfaction"
	}
	r.Advice += ": assize score --model " + best.Identity.Name + " …"
}

// Text writes the report for people.
func (r *Report) Text(p *ui.Page) {
	if f := r.Server.Failure; f != nil {
		paragraph(p, ui.Red, "Server", f.Error())
	} else {
		paragraph(p, ui.Plain, "Server", r.Server.Address+" answers, version "+cmp.Or(r.Server.Version, "unknown"))
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
	t := ui.NewTable("", "name=26", "size>", "parameters>12", "quantization>12", "context>", "template>")
	for _, m := range r.Models {
		template := map[bool]string{true: "yes", false: "none"}[m.Template]
		if m.Remote {
			template = "remote"
		}
		t.Add(m.Name, fmt.Sprintf("%.1f GB", float64(m.Size)/1e9), m.Parameters, m.Quantization, m.ContextLength, template)
	}
	t.Text(p)
	for _, m := range r.Models {
		if m.Failure != nil {
			paragraph(p, ui.Red, "", m.Name+" is not described; "+m.Failure.Error())
		}
	}
}

func (t *Trial) text(p *ui.Page) {
	p.WriteByte('\n')
	paragraph(p, ui.Bold, "Trial", t.Model+" on dialogues of known quality (assize explain ID)")
	for _, c := range t.Checks {
		p.WriteString("  ")
		p.Put(c.Outcome.style, ui.Pad(c.Outcome.mark, 8))
		p.Paragraph(ui.Plain, ui.Pad(c.ID, 14), strings.Repeat(" ", 24), ui.Visible(c.Says))
	}
	style, verdict := ui.Red, t.Verdict.String()
	if t.Verdict >= SecondOpinion {
		style = ui.Green
	}
	if len(t.Because) > 0 {
		verdict += ", because of: " + strings.Join(t.Because, ", ")
	}
	paragraph(p, style, "Verdict", verdict)
}

func paragraph(p *ui.Page, st ui.Style, heading, says string) {
	p.Paragraph(st, ui.Pad(heading, 9), strings.Repeat(" ", 9), ui.Visible(says))
}

// Finding is what a trial found of a model, asked with certain prompts. Findings are kept in a file of the user's, so
// that every later run knows them.
type Finding struct {
	Verdict string                 `json:"verdict"`
	Prompts localllm.PromptDigests `json:"prompts"`

	// Model puts the model's averages on the scale of satisfaction: from the bad plain dialogues of the trial to the good
	// ones both rise alike. Its weight is 0 for a model that is not good enough for triage.
	Model heuristics.Model `json:"model"`
}

// Counts reports whether the model's judgement is half of satisfaction.
func (f *Finding) Counts() bool { return f.Verdict == Triage.String() }

func (t *Trial) finding() Finding {
	f := Finding{t.Verdict.String(), t.Identity.Prompts, heuristics.Model{Digest: t.Identity.Digest, Name: t.Identity.Name}}
	if !f.Counts() {
		return f
	}
	good, bad, _ := parted(t.scored(true, false), average)
	high, low, _ := parted(t.scored(true, false), func(h Result) float64 { return float64(h.Satisfaction) / 100 })
	f.Model.Weight = heuristics.MillionthsOf((high - low) / (good - bad)) // the gap is triageGap or more
	f.Model.Centre = rubric.Hundredths(math.Round(100 * (good + bad) / 2))
	f.Model.Rating = heuristics.MillionthsOf((high + low) / 2)
	return f
}

// Keep enters what the trials of a report found into the file at path.
func (r *Report) Keep(path string) error {
	list, err := findings(path)
	tried := false
	for _, t := range r.Trials {
		if t.Identity != nil {
			tried = true
			list = append(slices.DeleteFunc(list, func(old Finding) bool { return old.of(t.Identity) }), t.finding())
		}
	}
	switch {
	case err != nil || !tried:
		return err
	case !filepath.IsAbs(path):
		return errors.New("there is no folder for settings on this system")
	}
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Model.Name, b.Model.Name), cmp.Compare(a.Model.Digest, b.Model.Digest))
	})
	data, err := json.MarshalIndent(list, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, append(data, '\n'), 0o600)
	}
	return err
}

// Find gives what is known of a model by the file at path; nil where it was never tried with its prompts.
func Find(path string, id localllm.Identity) (*Finding, error) {
	list, err := findings(path)
	for i := range list {
		if list[i].of(&id) {
			return &list[i], err
		}
	}
	return nil, err
}

func (f *Finding) of(id *localllm.Identity) bool {
	return f.Model.Digest == id.Digest && f.Prompts == id.Prompts
}

// findings reads the file; one that is not there holds none.
func findings(path string) (list []Finding, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // as where the system has no folder for settings
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w; want what assize doctor writes; delete it and try the models again", path, err)
	}
	return list, err
}
