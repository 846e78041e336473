package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/localllm"
	"assize/rubric"
)

// Difference is one thing in which the two runs were made differently.
type Difference struct {
	What string // what it is, such as "rubric.weights.Empathy"
	A, B string // its value on either side; empty for none
}

// differences lists in what the first headers of two runs differ: the program, the lexicon, every part of the rubric
// and of the profile, every option. A run without a header has an unknown program and the embedded rubric and profile.
func differences(a, b *Run) []Difference {
	var list sifted
	ha, hb := a.first(), b.first()
	list.add("program", ha.Program, hb.Program)
	list.add("lexicon", ha.Lexicon, hb.Lexicon)
	ra, rb := &ha.Basis.Rubric, &hb.Basis.Rubric
	for _, c := range rubric.Criteria() {
		list.add("rubric.weights."+c.String(), percent(ra.Weights[c]), percent(rb.Weights[c]))
	}
	list.add("rubric.mapping", ra.Mapping.String(), rb.Mapping.String())
	for _, c := range rubric.Criteria() {
		for i, score := range rubric.Scale {
			place := c.String() + "." + score.String()
			list.add("rubric.levels."+place, ra.Levels[c][i], rb.Levels[c][i])
			list.add("rubric.demands."+place, detectors(ra.Demands[c][i]), detectors(rb.Demands[c][i]))
		}
	}
	list.members("profile", ha.Basis.Profile, hb.Basis.Profile)
	ha.Configuration.Mapping, hb.Configuration.Mapping = "", "" // the rubric's, again
	list.members("configuration", ha.Configuration, hb.Configuration)
	if ha.Model != nil && hb.Model != nil {
		list.members("model", ha.Model, hb.Model)
	} else {
		list.add("model", named(ha.Model), named(hb.Model))
	}
	return list
}

// named gives a model's name with the beginning of its digest; "" for no model.
func named(m *localllm.Identity) string {
	if m == nil {
		return ""
	}
	return fmt.Sprintf("%s sha256:%.12s", m.Name, m.Digest)
}

// first gives what is known of how the run was made.
func (r *Run) first() record.Header {
	if len(r.Headers) == 0 || r.Headers[0] == nil {
		return record.Header{Basis: record.DefaultBasis()}
	}
	return *r.Headers[0]
}

// sifted keeps what differs.
type sifted []Difference

func (s *sifted) add(what, a, b string) {
	if a != b {
		*s = append(*s, Difference{what, a, b})
	}
}

// members compares two values of a type that is written as a JSON object, member by member in the order of their names.
func (s *sifted) members(what string, a, b any) {
	ma, mb := object(a), object(b)
	both := maps.Clone(ma)
	maps.Copy(both, mb)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		s.add(what+"."+name, plain(ma[name]), plain(mb[name]))
	}
}

func object(v any) map[string]json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // headers are of strings, numbers and lists
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		panic(err) // both are structs
	}
	return members
}

// plain gives a JSON value as people read it: a string without its quotes.
func plain(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

func percent(weight int) string { return fmt.Sprintf("%d %%", weight) }

func detectors(ids []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(ids))), ", ")
}

// Concerns reports whether what differs begins with one of the prefixes.
func (d *Difference) Concerns(prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(d.What, p) })
}
