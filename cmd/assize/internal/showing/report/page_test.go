package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// The policy names the digests of all scripts and the style, and nothing bypasses it.
func TestPolicy(t *testing.T) {
	page := written(t, pageOf(judged(t, 1, lost), judged(t, 2, found)))
	policy, scripts := "", 0
	walk(t, page, func(n *html.Node) {
		if attribute(n, "http-equiv") == "Content-Security-Policy" {
			policy = attribute(n, "content")
		}
		for _, a := range n.Attr {
			assert.False(t, strings.HasPrefix(a.Key, "on"), "<%s %s>: no handlers", n.Data, a.Key)
			assert.NotEqual(t, "style", a.Key, "<%s style>: the policy forbids it", n.Data)
			if a.Key == "src" || a.Key == "href" || a.Key == "action" {
				assert.Regexp(t, `^(#|data:,$)`, a.Val, "<%s %s>: nothing is asked for", n.Data,
					a.Key)
			}
		}
		switch {
		case n.Data == "script" && attribute(n, "type") == "":
			scripts++
			assert.Contains(t,
				policy, "'sha256-"+digest(textOf(n))+"'", "the policy knows the script")
		case n.Data == "style":
			assert.Contains(t, policy, "style-src 'sha256-"+digest(textOf(n))+"'")
		}
	})
	assert.Equal(t, 2, scripts)
	assert.True(t, strings.HasPrefix(policy, "default-src 'none'; "))
	assert.NotContains(t, policy, "unsafe")
}

// Dialogue text is only text on the page: in the data, where < is escaped, and in the part shown
// without scripts.
func TestHostileWords(t *testing.T) {
	r := judged(t, 1, harmful)
	r.Source.File, r.Source.ID = `<img src=x onerror="harm()">.txt`,
		"</script><script>harm()</script>"
	dark := judged(t, 2, lost)
	dark.Evaluation, dark.Reason = nil, "<script>harm()</script> is no reason"
	p := pageOf(r, dark)
	p.Title, p.Notes = "</title><script>harm()</script>", []string{"<script>harm()</script>"}
	page := written(t, p)
	for _, c := range []string{"\u202e", "\u202c", "\u2028", "\x1b", "<script>harm", "<img",
		"<b>bold"} {
		assert.NotContains(t, page, c)
	}
	walk(t, page, func(n *html.Node) {
		if n.Data == "script" && attribute(n, "id") != "data" {
			assert.NotContains(t, textOf(n), "harm")
		}
		assert.NotContains(t, []string{"img", "iframe", "object"}, n.Data)
	})
	var said []string
	walk(t, page, func(n *html.Node) {
		if strings.HasPrefix(attribute(n, "class"), "said") {
			said = append(said, textOf(n))
		}
	})
	assert.Contains(t, said,
		"Hello </script><script>harm()</script> <img src=x onerror=harm()> <!-- <b>bold</b>")
	assert.Contains(t, said,
		`I \u202eevah ti\u202c ␛[31mhere␛[0m \u2028 ]]> {{.}} &lt;i&gt;`)

	var b bytes.Buffer
	require.NoError(t, p.Markdown(&b))
	for _, c := range []string{"\u202e", "\x1b", "<script", "<img"} {
		assert.NotContains(t, b.String(), c)
	}
}

func dataOf(t *testing.T, page string) (text string) {
	walk(t, page, func(n *html.Node) {
		if attribute(n, "id") == "data" {
			text = textOf(n)
		}
	})
	require.NotEmpty(t, text)
	return text
}

// The data of a page of three dialogues, as its script reads it.
func TestData(t *testing.T) {
	p := pageOf(judged(t, 1, lost), judged(t, 2, found),
		judged(t, 3,
			"USER: Hola, ¿dónde está mi paquete? No ha llegado todavía.\nSYSTEM: Lo siento mucho, no lo sabemos todavía.\n"))
	golden(t, "testdata/data.json",
		strings.NewReplacer(`],"`, "],\n\"", `},{`, "},\n{").Replace(dataOf(t, written(t, p)))+"\n")
}

func TestSameBytes(t *testing.T) {
	make := func() string { return written(t, pageOf(judged(t, 1, lost), judged(t, 2, found))) }
	page := make()
	assert.Equal(t, page, make())
	assert.NotContains(t, page, "/home/somebody", "where the run lay is nobody's business")
}

// A mark and the edge of its turn may have opposite colours: the page says what each is about.
func TestMarksAndPoints(t *testing.T) {
	page := written(t, pageOf(judged(t, 1, lost)))
	assert.Contains(t, page, "judged mostly by how the customer answers: <i")
	assert.Contains(t, page, ` points for the turn, mostly by how the customer answers; coloured words are quotes for scores"`)
}

// Without scripts, the page shows figures, the worst dialogues and provenance.
func TestWithoutScript(t *testing.T) {
	page := written(t, pageOf(judged(t, 1, lost), judged(t, 2, found)))
	tables, dialogues, shown := 0, 0, ""
	walk(t, page, func(n *html.Node) {
		switch {
		case n.Data == "table":
			tables++
		case n.Data == "details" && attribute(n, "class") == "static":
			dialogues++
		case n.Data == "main":
			shown = textOf(n)
		}
	})
	assert.Equal(t, 4+1, tables, "and that of the list, which needs the script")
	assert.Equal(t, 2, dialogues)
	for _, words := range []string{"This is useless, nobody helps me.", "The agent", "Fingerprint",
		"R3-contradicted"} {
		assert.Contains(t, shown, words)
	}
}

func TestNothingScored(t *testing.T) {
	page := written(t, pageOf(judged(t, 1, "USER: Hello?\n")))
	assert.Contains(t, page, "No dialogue could be scored.")
	assert.Contains(t, page, "the dialogue has no agent turn with words in it")
}

// The page contains the chart library with its licence, and no script contains an end tag.
func TestAssets(t *testing.T) {
	for _, name := range []string{"plot.min.js", "chart.js", "charts.js", "page.js", "rate.js",
		"list.js", "figures.js"} {
		for _, end := range []string{"</script", "<!--", "<script"} {
			assert.NotContains(t, file("assets/"+name), end, name)
		}
	}
	library := file("assets/plot.min.js")
	for _, notice := range []string{"@observablehq/plot 0.6.17 (ISC)",
		"Copyright 2020-2025 Observable, Inc.", "Mike Bostock", "Permission to use, copy, modify"} {
		assert.Contains(t, library[:8000], notice)
	}
	assert.NotContains(t, file("assets/page.css"), "url(")
}
