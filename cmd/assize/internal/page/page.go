package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"

	"assize/cmd/assize/internal/accord/view"
	"assize/cmd/assize/internal/overview"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/segment"
)

// Page is what a report shows.
type Page struct {
	Title    string // in front of everything; the runs are named below it
	Overview *overview.Overview
	Groups   []*segment.Table // by columns of the source
	People   *view.Sheet      // how the runs agree with people; nil where nobody rated
	Rated    []ratings.Rated  // what People is of
	Notes    []string         // what a reader must know before believing a figure, a sentence each
}

//go:embed page.tmpl assets
var files embed.FS

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	kept := p.transcripts()
	data, err := p.data(kept)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := bodyTemplate.Execute(&body, p.sheet(kept)); err != nil {
		return err
	}
	return shell{
		title: p.Title,
		style: asset("page.css"),
		body:  body.Bytes(),
		data:  data,
		scripts: []string{
			asset("plot.min.js"),
			script("chart.js", "charts.js", "strip.js", "transcript.js", "filter.js", "list.js", "main.js"),
		},
	}.write(w)
}

var bodyTemplate = template.Must(template.New("page.tmpl").ParseFS(files, "page.tmpl"))

func asset(name string) string {
	b, err := files.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// script puts the page's own scripts together, in a scope of their own.
func script(names ...string) string {
	var b bytes.Buffer
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\n// %s\n%s", name, asset(name))
	}
	b.WriteString("})();\n")
	return b.String()
}
