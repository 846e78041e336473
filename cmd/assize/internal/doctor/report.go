package doctor

import (
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/report"
	"assize/localllm"
)

// Report is all that the doctor found.
type Report struct {
	Inventory localllm.Inventory // of the server
	Failure   *localllm.Failure  // why the server cannot be used; nil if it can
	Trials    []*Trial
}

// Use gives the name of the installed model to judge with; empty where none was found to be of use.
func (r *Report) Use() string {
	if best := Best(r.Trials); best != nil {
		return best.Identity.Name
	}
	return ""
}

// Playable reports whether the server has any model that could play an agent.
func (r *Report) Playable() bool { return slices.ContainsFunc(r.Inventory.Models, CanPlay) }

// Advice says in sentences what to do.
func (r *Report) Advice() string {
	best := Best(r.Trials)
	candidate := Candidate(r.Inventory.Models, r.Trials)
	switch {
	case r.Failure != nil:
		return sentence(r.Failure.Hint)
	case best != nil && best.Verdict() == Triage:
		return fmt.Sprintf("%s: assize score --model %[1]s …", best.Identity.Name)
	case best != nil:
		return fmt.Sprintf("%s, and where it contradicts the rules, read the dialogue yourself: assize score --model %[1]s …", best.Identity.Name)
	case candidate != "" && len(r.Trials) > 0:
		return fmt.Sprintf("None of those that were tried. %s is large enough to be worth a trial: assize doctor --model %[1]s", candidate)
	case candidate != "":
		return fmt.Sprintf("No model was tried. %s is large enough to be worth it: assize doctor --model %[1]s", candidate)
	case len(r.Trials) > 0:
		return "None of those that were tried, and no other here has both a chat template and 1.5 billion parameters. " + withoutModel
	case len(r.Inventory.Models) == 0:
		return withoutModel
	}
	return "No model here has both a chat template and 1.5 billion parameters, below which scores were found to be noise; assize doctor --model NAME tries one all the same. " + withoutModel
}

// withoutModel is what is left to do where no model is of use.
const withoutModel = "ollama pull qwen2.5:1.5b gets one of the smallest size that was found to be of use. Without --model the rules judge alone."

// Text writes the report for people.
func (r *Report) Text(p *report.Page) {
	r.server(p)
	if r.Failure == nil {
		r.models(p)
	}
	for _, t := range r.Trials {
		p.WriteByte('\n')
		t.text(p)
	}
	if advice := r.Advice(); advice != "" {
		p.WriteByte('\n')
		entry(p, report.Bold, "Use", advice)
	}
}

func (r *Report) server(p *report.Page) {
	if r.Failure != nil {
		entry(p, report.Red, "Server", r.Failure.Error())
		return
	}
	says := r.Inventory.Address + " answers, version " + r.Inventory.Server
	if r.Inventory.Server == "" {
		says = r.Inventory.Address + " answers, without saying its version"
	}
	entry(p, report.Plain, "Server", says)
}

// models lists what is installed.
func (r *Report) models(p *report.Page) {
	if len(r.Inventory.Models) == 0 {
		entry(p, report.Red, "Models", "none; get one with: ollama pull NAME")
		return
	}
	entry(p, report.Plain, "Models", report.Counted(len(r.Inventory.Models), "model"))
	rows := [][]string{{"name", "size", "parameters", "quantization", "family", "context", "template"}}
	for _, m := range r.Inventory.Models {
		context, template := "–", "none"
		if m.ContextLength > 0 {
			context = fmt.Sprint(m.ContextLength)
		}
		if m.Template {
			template = "yes"
		}
		if m.Remote {
			template = "remote"
		}
		if m.Failure != nil {
			template = "–"
		}
		rows = append(rows, []string{report.Clip(report.Visible(m.Name), 26), bytes(m.Size), or(m.Parameters), or(m.Quantization), or(m.Family), context, template})
	}
	table(p, rows)
	for _, m := range r.Inventory.Models {
		if m.Failure != nil {
			entry(p, report.Red, "", m.Name+" is not described; "+m.Failure.Error())
		}
	}
}

// table aligns columns: the first to the left, the others to the right.
func table(p *report.Page, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], report.Cells(cell))
		}
	}
	for n, row := range rows {
		var b strings.Builder
		b.WriteString("  " + report.Pad(row[0], widths[0]))
		for i, cell := range row[1:] {
			b.WriteString(strings.Repeat(" ", 2+widths[i+1]-report.Cells(cell)) + cell)
		}
		style := report.Plain
		if n == 0 {
			style = report.Dim
		}
		p.Line(style, b.String())
	}
}

// text writes a trial.
func (t *Trial) text(p *report.Page) {
	if t.Failure != nil {
		entry(p, report.Bold, "Trial", t.Model)
		entry(p, report.Red, "Verdict", t.Sentence())
		if t.Failure.Hint != "" {
			entry(p, report.Plain, "", sentence(t.Failure.Hint))
		}
		return
	}
	entry(p, report.Bold, "Trial", t.Identity.Name+" on dialogues of known quality (assize explain ID)")
	for _, c := range t.Checks() {
		mark, style := c.mark()
		p.WriteString("  ")
		p.Put(style, report.Pad(mark, 8))
		first := report.Pad(c.ID, 14)
		indent := strings.Repeat(" ", 10+14)
		for i, line := range report.Wrap(report.Visible(c.Says), report.Columns-24) {
			if i == 0 {
				p.WriteString(first)
			} else {
				p.WriteString(indent)
			}
			p.Line(report.Plain, line)
		}
	}
	if speed := t.Measure().Speed(); speed != "" {
		p.Paragraph(report.Plain, "          "+report.Pad("speed", 14), strings.Repeat(" ", 24), speed)
	}
	style := report.Red
	if t.Verdict() >= SecondOpinion {
		style = report.Green
	}
	entry(p, style, "Verdict", t.Sentence())
}

// Sentence gives the verdict with what decided it.
func (t *Trial) Sentence() string {
	says := t.Verdict().String()
	switch ids := t.because(); {
	case t.Failure != nil:
		return says + ": " + t.Failure.Error()
	case len(ids) > 0:
		return says + "; what decides is: " + strings.Join(ids, ", ")
	}
	return says
}

// because lists the checks that decided the verdict: none for the best.
func (t *Trial) because() (ids []string) {
	v := t.Verdict()
	for _, c := range t.Checks() {
		if v < SecondOpinion && c.Outcome == Fails || v == SecondOpinion && (c.Outcome == Doubt || c.Outcome == Unknown) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// mark gives what stands before a check.
func (c Check) mark() (string, report.Style) {
	switch c.Outcome {
	case Fine:
		return "ok", report.Green
	case Doubt:
		return "in part", report.Yellow
	case Unknown:
		return "?", report.Yellow
	case Fails:
		return "no", report.Red
	}
	return "", report.Plain
}

// entry writes a paragraph under a heading.
func entry(p *report.Page, st report.Style, heading, says string) {
	p.Paragraph(st, report.Pad(heading, 9), strings.Repeat(" ", 9), report.Visible(says))
}

// sentence makes a sentence of a clause.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func or(s string) string {
	if s == "" {
		return "–"
	}
	return report.Clip(report.Visible(s), 14)
}

// bytes words a size as Ollama does, in powers of a thousand.
func bytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%d kB", n/1000)
}
