// Package prose reads the sentences that the program says from the files in the folder texts, so
// that they can be read and changed as English. Sentences of reports are templates; those of most
// errors and notes are formats of package fmt.
package prose

import (
	"embed"
	"fmt"
	"math"
	"strings"
	"sync"
	"text/template"

	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Texts returns the templates of a file, by name.
type Texts func() *template.Template

var functions = template.FuncMap{"counted": ui.Counted, "percent": ui.Percent, "is": ui.Is,
	"visible": ui.Visible, "join": strings.Join, "duration": ui.Duration, "counts": ui.Counts,
	"byFrequency": ui.ByFrequency, "unknown": math.IsNaN, "abs": math.Abs,
	"first": ui.First, "arrow": ui.Arrow[any],
	"criterion": func(c int) string { return rubric.Criterion(c).String() },
	"short":     func(v float64) string { return stats.Short(v, 2) },
	"product":   func(a, b float64) float64 { return a * b },
	"states":    rubric.DeedStates,
	// how often a skill, such as Somers' D, tells two cases apart, in percent
	"chance": func(skill float64) string { return fmt.Sprintf("%.0f", 50+50*skill) }}

//go:embed texts
var files embed.FS

// Of returns the texts of a package, whose file has its name. Functions of its own come before
// those of the same name here.
func Of(name string, own ...template.FuncMap) Texts {
	text, err := files.ReadFile("texts/" + name + ".tmpl")
	if err != nil {
		panic(err) // the files are part of the program
	}
	return parse(string(text), own...)
}

// parse returns the texts of a file, which is parsed when one is first needed.
func parse(file string, own ...template.FuncMap) Texts {
	return sync.OnceValue(func() *template.Template {
		t := template.New("").Funcs(functions)
		for _, f := range own {
			t.Funcs(f)
		}
		return template.Must(t.Parse(file))
	})
}

// Say returns the sentence of a template, or "". In it, any white space is a space.
func (t Texts) Say(name string, data any) string {
	return strings.Join(strings.Fields(t.execute(name, data)), " ")
}

// List returns the sentences of a template, each of which begins with a dash on a line of its own.
// Values that strangers wrote must be made visible, so that none begins a sentence.
func (t Texts) List(name string, data any) (list ui.Sentences) {
	for _, s := range strings.Split("\n"+t.execute(name, data), "\n- ") {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// Format returns a text that is a format of package fmt.
func (t Texts) Format(name string) string { return t.Say(name, nil) }

// Text returns a text with values in place of its verbs.
func (t Texts) Text(name string, values ...any) string {
	return fmt.Sprintf(t.Format(name), values...)
}

// Error is like Text, for an error.
func (t Texts) Error(name string, values ...any) error {
	return fmt.Errorf(t.Format(name), values...)
}

func (t Texts) execute(name string, data any) string {
	var b strings.Builder
	if err := t().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the templates are part of the program
	}
	return b.String()
}
