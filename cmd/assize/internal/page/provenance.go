package page

import (
	"fmt"
	"path"
	"strings"

	"assize/cmd/assize/internal/overview"
	"assize/cmd/assize/internal/report"
)

// maker says how some of the records were made.
type maker struct {
	Title string
	Facts []fact
}

// fact is a name with what it names.
type fact struct{ Name, Value string }

func (p *Page) makers() (list []maker) {
	for i := range p.Overview.Made {
		m := &p.Overview.Made[i]
		list = append(list, maker{counted(m.N, "record") + " of " + strings.Join(runNames(m), ", "), provenance(m)})
	}
	return list
}

// runNames gives the names of the runs without their folders, which are nobody's business.
func runNames(m *overview.Made) (names []string) {
	for _, f := range m.Files {
		if f == "-" {
			names = append(names, "standard input")
			continue
		}
		names = append(names, path.Base(strings.ReplaceAll(report.Visible(f), `\`, "/")))
	}
	return names
}

func provenance(m *overview.Made) []fact {
	h := m.Header
	if h == nil {
		return []fact{{"Made by", "not told: the run has no header"}}
	}
	c, is := h.Configuration, h.Provenance()
	list := []fact{
		{"Made by", "assize " + h.Program},
		{"Evaluator", c.Evaluator},
		{"Critic", c.Critic},
		{"Mapping", c.Mapping},
		{"Transcripts", kept(c.Transcript, c.Redacted)},
		{"Rubric", is.Rubric},
		{"Lexicon", is.Lexicon},
		{"Profile", is.Profile},
	}
	if c.Fallback != "" {
		list = append(list, fact{"Fallback", c.Fallback})
	}
	if l := h.Basis.Profile.Learned; l != nil {
		list = append(list, fact{"Profile learnt from", counted(l.Dialogues, "rated dialogue")})
	}
	if id := h.Model; id != nil {
		list = append(list,
			fact{"Model", fmt.Sprintf("%s, %s %s, %s", id.Name, id.Family, id.Parameters, id.Quantization)},
			fact{"Model's digest", id.Digest},
			fact{"Server", id.Server},
			fact{"Options", fmt.Sprintf("%+v", id.Options)})
	}
	list = append(list, fact{"Fingerprint", h.Fingerprint()})
	for i := range list {
		list[i].Value = report.Visible(list[i].Value)
	}
	return list
}

func kept(transcript string, redacted bool) string {
	if redacted {
		return transcript + ", masked"
	}
	return transcript
}
