package doctor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
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

// NewReport reports on a server, which cannot be used where there is a failure, and on the trials.
func NewReport(inv localllm.Inventory, failure *localllm.Failure, trials []*Trial) *Report {
	r := &Report{
		Version: 1, Server: Server{inv.Address, inv.Server, failure == nil, failure},
		Models: append([]localllm.Installed{}, inv.Models...), Trials: append([]*Trial{}, trials...),
	}
	r.advise()
	return r
}

// CanJudge reports whether a model can be an agent without anything leaving the server's machine.
func CanJudge(m localllm.Installed) bool { return m.Template && !m.Remote }

// best gives the trial with the best verdict, AUC and time, in this order, among the models that are of use; nil for none.
func best(trials []*Trial) (best *Trial) {
	for _, t := range trials {
		if t.Verdict >= SecondOpinion && (best == nil || cmp.Or(cmp.Compare(t.Verdict, best.Verdict),
			cmp.Compare(t.Figures.AUC, best.Figures.AUC), cmp.Compare(best.Figures.Seconds, t.Figures.Seconds)) > 0) {
			best = t
		}
	}
	return best
}

// candidate gives the installed model that is most worth a trial: the largest one that can judge, of 1.5 billion
// parameters or more, give or take rounding. The scores of models of half a billion and less were found to be noise. It
// is empty for none.
func candidate(models []localllm.Installed, tried []*Trial) (name string) {
	largest := 1.4e9
	for _, m := range models {
		was := slices.ContainsFunc(tried, func(t *Trial) bool { return t.Identity != nil && t.Identity.Name == m.Name })
		if n := parameters(m.Parameters); CanJudge(m) && !was && n > largest {
			name, largest = m.Name, n
		}
	}
	return name
}

// parameters reads a number of parameters such as 1.5B or 134.52M; 0 for what it cannot read.
func parameters(s string) (n float64) {
	var unit string
	if _, err := fmt.Sscanf(strings.ToUpper(s), "%f%1s", &n, &unit); err != nil || !(n > 0 && n < 1e6) {
		return 0
	}
	return n * map[string]float64{"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}[unit]
}

// advise says what to do.
func (r *Report) advise() {
	const without = "ollama pull qwen2.5:1.5b gets a model of the smallest size that was found to be useful. Without --model the rules judge alone."
	use, try := best(r.Trials), candidate(r.Models, r.Trials)
	none := "No model was tried."
	if len(r.Trials) > 0 {
		none = "None of the models that were tried."
	}
	switch {
	case r.Server.Failure != nil:
		r.Advice = explain.Sentence(r.Server.Failure.Hint)
	case use != nil:
		r.Use, r.Advice = &use.Identity.Name, use.Identity.Name
		if use.Verdict < Triage {
			r.Advice += ", and where it contradicts the rules, read the dialogue yourself"
		}
		r.Advice += ": assize score --model " + use.Identity.Name + " …"
	case try != "":
		r.Advice = fmt.Sprintf("%s %s is large enough to be worth a trial: assize doctor --model %[2]s", none, try)
	case len(r.Models) == 0 && len(r.Trials) == 0:
		r.Advice = without
	default:
		r.Advice = none + " No untried model here has both a chat template and 1.5 billion parameters, below which scores were found to be noise. " + without
	}
}

// Text writes the report for people.
func (r *Report) Text(p *ui.Page) {
	switch {
	case r.Server.Failure != nil:
		paragraph(p, ui.Red, "Server", r.Server.Failure.Error())
	default:
		version := "version " + r.Server.Version
		if r.Server.Version == "" {
			version = "without saying its version"
		}
		paragraph(p, ui.Plain, "Server", r.Server.Address+" answers, "+version)
		r.models(p)
	}
	for _, t := range r.Trials {
		p.WriteByte('\n')
		t.text(p)
	}
	if r.Advice != "" {
		p.WriteByte('\n')
		paragraph(p, ui.Bold, "Use", r.Advice)
	}
}

// models lists what is installed.
func (r *Report) models(p *ui.Page) {
	if len(r.Models) == 0 {
		paragraph(p, ui.Red, "Models", "none; get one with: ollama pull NAME")
		return
	}
	paragraph(p, ui.Plain, "Models", ui.Counted(len(r.Models), "model"))
	t := ui.Table{Columns: []ui.Column{{Title: "name"}}}
	for _, title := range []string{"size", "parameters", "quantization", "family", "context", "template"} {
		t.Columns = append(t.Columns, ui.Column{Title: title, Right: true})
	}
	cell := func(s string) string { return ui.Clip(ui.Visible(cmp.Or(s, "–")), 14) }
	for _, m := range r.Models {
		context, template := "–", "none"
		if m.ContextLength > 0 {
			context = strconv.Itoa(m.ContextLength)
		}
		switch {
		case m.Failure != nil:
			template = "–"
		case m.Remote:
			template = "remote"
		case m.Template:
			template = "yes"
		}
		name := ui.Clip(ui.Visible(m.Name), 26)
		t.Add(name, size(m.Size), cell(m.Parameters), cell(m.Quantization), cell(m.Family), context, template)
	}
	t.Text(p)
	for _, m := range r.Models {
		if m.Failure != nil {
			paragraph(p, ui.Red, "", m.Name+" is not described; "+m.Failure.Error())
		}
	}
}

func (t *Trial) text(p *ui.Page) {
	if t.Failure != nil {
		paragraph(p, ui.Bold, "Trial", t.Model)
		paragraph(p, ui.Red, "Verdict", t.Verdict.String()+": "+t.Failure.Error())
		if t.Failure.Hint != "" {
			paragraph(p, ui.Plain, "", explain.Sentence(t.Failure.Hint))
		}
		return
	}
	paragraph(p, ui.Bold, "Trial", t.Identity.Name+" on dialogues of known quality (assize explain ID)")
	checks := t.Checks
	if speed := t.Figures.speed(); speed != "" {
		checks = append(slices.Clip(checks), Check{"speed", Told, speed})
	}
	for _, c := range checks {
		mark := map[Outcome]string{Fine: "ok", Doubt: "in part", Unknown: "?", Fails: "no"}[c.Outcome]
		style := map[Outcome]ui.Style{Fine: ui.Green, Doubt: ui.Yellow, Unknown: ui.Yellow, Fails: ui.Red}[c.Outcome]
		p.WriteString("  ")
		p.Put(style, ui.Pad(mark, 8))
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

// speed tells what the server took, and what that makes for a thousand dialogues; empty where nothing was scored.
func (f *Figures) speed() string {
	if f.Scored == 0 {
		return ""
	}
	s := fmt.Sprintf("%.1f s a dialogue of %.0f turns, %.0f tokens generated for the scores", f.Seconds, f.Turns, f.Generated)
	if !math.IsNaN(float64(f.Rate)) {
		s += fmt.Sprintf(", %.0f tokens a second", f.Rate)
	}
	return s + "; 1,000 such dialogues take about " + ui.Duration(float64(f.PerThousand))
}

// size words a number of bytes as Ollama does, in powers of a thousand.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%d kB", n/1000)
}

// paragraph writes a paragraph under a heading.
func paragraph(p *ui.Page, st ui.Style, heading, says string) {
	p.Paragraph(st, ui.Pad(heading, 9), strings.Repeat(" ", 9), ui.Visible(says))
}
