package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite golden files")

// judged returns the record of a transcript with one turn per line, as judged by the rules.
func judged(t testing.TB, id int, transcript string) *run.Record {
	t.Helper()
	agents := heuristics.New()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	d := dialogue.Dialogue{ID: id}
	for line := range strings.Lines(transcript) {
		speaker, words, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		role := map[string]dialogue.Role{"USER": dialogue.User, "SYSTEM": dialogue.System}[speaker]
		d.Turns = append(d.Turns, dialogue.Turn{Role: role, Text: words})
	}
	rec := run.New(dialogue.Sample{Dialogue: d, Source: dialogue.Source{File: "chats/monday.txt",
		Position: id,
		Meta: dialogue.Meta{{Name: "agent", Value: "Ines"},
			{Name: "created_at", Value: "2026-05-14T10:21:00Z"}, {Name: "queue", Value: "mail"}}}})
	e, err := panel.Judge(t.Context(), d)
	if err != nil {
		rec.Reason = strings.TrimPrefix(err.Error(), "unscored: ")
		return rec
	}
	rec.Evaluation, rec.Estimate = e, satisfaction.DefaultProfile().Estimate(e)
	return rec
}

// pageOf returns a page of records.
func pageOf(records ...*run.Record) *Page {
	p := New(20, 10)
	header := &run.Header{Program: "v1", Basis: run.DefaultBasis(),
		Configuration: run.Configuration{Evaluator: "rules",
			Critic: "rules", Mapping: "down"}}
	for _, r := range records {
		p.Add(&run.Line{File: "/home/somebody/run.jsonl", Header: header}, r)
	}
	p.Title = "Monday"
	return p
}

func written(t testing.TB, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

// walk visits the nodes of a page.
func walk(t testing.TB, page string, visit func(*html.Node)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// textOf returns the text in a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// golden compares output with a file.
func golden(t *testing.T, name, made string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(made), 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err, "go test -update makes it")
	require.Equal(t, string(want), made, fmt.Sprintf("%s; go test -update rewrites it", name))
}

// Dialogues for tests.
const (
	lost = "USER: Hello, where is my parcel?\nSYSTEM: Do you want to send a parcel?\nUSER: No, that is not what I asked for.\n" +
		"SYSTEM: I am sorry, I could not find that.\nUSER: This is useless, nobody helps me.\n"
	found = "USER: Hello, does my parcel come at nine tomorrow?\nSYSTEM: It is in our shop in Mill Lane and will be with you at nine tomorrow.\n" +
		"USER: Perfect, thank you so much!\nSYSTEM: You are very welcome. Have a nice day!\n"
	harmful = "USER: Hello </script><script>harm()</script> <img src=x onerror=harm()> <!-- <b>bold</b>\n" +
		"SYSTEM: I \u202eevah ti\u202c \x1b[31mhere\x1b[0m \u2028 ]]> {{.}} &lt;i&gt;\nUSER: No, that is wrong.\nSYSTEM: I am sorry.\n"
)
