package view

import (
	"strconv"

	"assize/rubric"
)

// document builds indented JSON. A figure stands on one line.
type document struct {
	b     []byte
	depth int
	first bool
}

// open begins an object or a list.
func (d *document) open(key, bracket string) {
	d.item(key)
	d.b = append(d.b, bracket...)
	d.depth++
	d.first = true
}

// close ends it.
func (d *document) close(bracket string) {
	d.depth--
	if !d.first {
		d.line()
	}
	d.first = false
	d.b = append(d.b, bracket...)
}

// item begins a member of an object, or an element of a list where there is no key.
func (d *document) item(key string) {
	if !d.first {
		d.b = append(d.b, ',')
	}
	if d.depth > 0 {
		d.line()
	}
	d.first = false
	if key != "" {
		d.b = append(rubric.AppendString(d.b, []byte(key)), ": "...)
	}
}

func (d *document) line() {
	d.b = append(d.b, '\n')
	for range d.depth {
		d.b = append(d.b, "  "...)
	}
}

func (d *document) text(key, s string) {
	d.item(key)
	d.b = rubric.AppendString(d.b, []byte(s))
}

// plain adds a number as it is.
func (d *document) plain(key string, v float64) {
	d.item(key)
	d.b = strconv.AppendFloat(d.b, v, 'f', -1, 64)
}

func (d *document) texts(key string, list []string) {
	d.open(key, "[")
	for _, s := range list {
		d.text("", s)
	}
	d.close("]")
}
