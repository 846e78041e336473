package replay

import (
	"errors"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// This is what this program would put into a header.
type This struct {
	Program string // the version
	Lexicon string // the digest of the rule agents' data
}

// Heading is what a run says of itself.
type Heading struct {
	Line        int
	Header      record.Header // as it was before it was changed, where that can be told; as it stands elsewhere
	Differences []Difference
	NoBasis     bool   // it says nothing that records could be held against
	SameLexicon bool   // the lexicon is that of this program
	Server      string // the version of the server whose model judges again; empty where none does
}

// heading reads a header; it gives nil where the line is a record. The error is of a header that cannot be read.
func (t This) heading(l record.Line) (*Heading, error) {
	header, ok, err := l.ParseHeader()
	if !ok && err == nil {
		return nil, nil
	}
	h := &Heading{Line: l.Number, Header: header}
	var changed *record.HeaderError
	switch {
	case errors.As(err, &changed):
		t.restore(h, l.Text, changed)
		err = nil
	case err != nil:
		h.NoBasis = true
	}
	h.SameLexicon = h.Header.Lexicon == t.Lexicon
	return h, err
}

// restore seeks the header of which somebody has made the one that stands in line: the one that the recorded
// fingerprint is of. Where there is none that is near, it tells the contradictions.
func (t This) restore(h *Heading, line []byte, changed *record.HeaderError) {
	for _, was := range t.before(h.Header) {
		if was.Fingerprint() != changed.Fingerprint {
			continue
		}
		h.Header = was
		h.Differences, _ = differ(line, was.Append(nil), func(string) string { return "by the fingerprint it was" })
		return
	}
	h.NoBasis = changed.NoBasis
	tree, err := parse(line)
	if err != nil {
		tree = nil
	}
	for i, p := range changed.Problems {
		d := Difference{Pointer: p.Pointer, Says: p.Msg, Follows: i > 0 && p.Pointer == "/fingerprint"}
		if n := tree.follow(p.Pointer); p.Pointer != "" && n != nil {
			d.Recorded = string(n.raw)
		}
		h.Differences = append(h.Differences, d)
	}
}

// before lists what a header may have been before one thing in it was changed.
func (t This) before(h record.Header) []record.Header {
	headers := []record.Header{h}
	add := func(change func(h *record.Header)) {
		was := h
		change(&was)
		headers = append(headers, was)
	}
	add(func(h *record.Header) { h.Configuration.Redacted = !h.Configuration.Redacted })
	for _, kept := range []string{"full", "cited"} {
		add(func(h *record.Header) { h.Configuration.Transcript = kept })
	}
	add(func(h *record.Header) { h.Configuration.Mapping = h.Basis.Rubric.Mapping.String() })
	if m, err := rubric.ParseMapping(h.Configuration.Mapping); err == nil {
		add(func(h *record.Header) { h.Basis.Rubric.Mapping = m })
		add(func(h *record.Header) { h.Basis.Rubric = rubric.Default(); h.Basis.Rubric.Mapping = m })
	}
	add(func(h *record.Header) { h.Basis.Profile = record.DefaultBasis().Profile })
	for _, who := range []string{"rules", "model", "both"} {
		add(func(h *record.Header) { h.Configuration.Evaluator = who })
		add(func(h *record.Header) { h.Configuration.Critic = who })
	}
	for _, who := range []string{"", "rules"} {
		add(func(h *record.Header) { h.Configuration.Fallback = who })
	}
	add(func(h *record.Header) { h.Program = t.Program })
	add(func(h *record.Header) { h.Lexicon = t.Lexicon })
	for _, f := range append(dialogue.Formats(), "") {
		add(func(h *record.Header) { h.Configuration.InputFormat = string(f) })
	}
	return headers
}
