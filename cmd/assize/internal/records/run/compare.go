package run

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Difference is one value of a line that is wrong or cannot be read.
type Difference struct {
	// a JSON pointer (RFC 6901) into the line; empty for the whole line
	Path       string         `json:"path"`
	Follows    bool           `json:"follows"` // it may follow from an earlier difference
	Recorded   jsontext.Value `json:"recorded,omitempty"`
	Recomputed jsontext.Value `json:"recomputed,omitempty"`
	Message    string         `json:"message"` // "is 80; its evidence yields 60"
}

// Error returns a sentence with the path and the message.
func (d *Difference) Error() string {
	return cmp.Or(d.Path, "the line") + " " + d.Message
}

// Diff returns the values of a line that differ from the recomputed ones.
func Diff(recorded, recomputed []byte, verb string) []Difference {
	// a record has about five hundred values, and a hundredth of the bytes
	const maxListed, maxCompared = 1000, 4 << 20
	switch {
	case bytes.Equal(recorded, recomputed):
		return nil
	case max(len(recorded), len(recomputed)) > maxCompared:
		return []Difference{{Message: texts.Text("too long", verb, maxCompared>>20)}}
	}
	if list := compare(recorded, recomputed, verb, maxListed); list != nil {
		return list
	}
	return []Difference{{Message: texts.Text("other order")}}
}

// compare returns up to limit values in which two JSON texts differ. Values that only recomputed
// contains come last. Differences in the order of members, in white space, in escapes or in the
// digits of a number, such as 84.0 for 84.00, are ignored. verb is the phrase that introduces the
// recomputed value in messages, such as "its evidence yields". If a text is not valid JSON to its
// end, the valid part is compared.
func compare(recorded, recomputed []byte, verb string, limit int) (list []Difference) {
	add := func(path string, was, is jsontext.Value) bool {
		x := "missing"
		if was != nil {
			x = display(was, is)
		}
		list = append(list, Difference{path, len(list) > 0, was, is, fmt.Sprintf("is %s; %s %s", x,
			verb, display(is, was))})
		return len(list) < limit
	}
	left := maps.Collect(scalars(recomputed))
	for path, was := range scalars(recorded) {
		is := left[path]
		delete(left, path)
		x, err := strconv.ParseFloat(string(was), 64)
		y, err2 := strconv.ParseFloat(string(is), 64)
		// integers are compared as they are, because float64 holds them only up to 2^53
		isFloat := bytes.ContainsAny(was, ".eE") || bytes.ContainsAny(is, ".eE")
		isEqual := bytes.Equal(was, is) || isFloat && err == nil && err2 == nil && x == y
		if !isEqual && !add(path, was, is) {
			return list
		}
	}
	for path, is := range scalars(recomputed) {
		if _, ok := left[path]; ok && !add(path, nil, is) {
			break
		}
	}
	return list
}

// scalars yields the scalar values of a JSON text and its empty objects and lists, with their
// pointers. A value nested deeper than any record is yielded as a whole.
func scalars(data []byte) iter.Seq2[string, jsontext.Value] {
	const deepest = 20
	// empty lists and objects, by their closing delimiter
	empties := map[jsontext.Kind]string{'}': "{}", ']': "[]"}
	return func(yield func(string, jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
		for {
			kind := dec.PeekKind()
			in, n := dec.StackIndex(dec.StackDepth())
			opens := (kind == '{' || kind == '[') && dec.StackDepth() < deepest
			if name := in == '{' && n%2 == 0; name || opens || kind == '}' || kind == ']' {
				if _, err := dec.ReadToken(); err != nil {
					return
				}
				empty, ok := empties[dec.PeekKind()]
				if opens && ok && !yield(string(dec.StackPointer()), jsontext.Value(empty)) {
					return
				}
				continue
			}
			value, err := dec.ReadValue()
			if value = value.Clone(); err != nil ||
				value.Format(jsontext.AllowInvalidUTF8(true)) != nil ||
				!yield(string(dec.StackPointer()), value) {
				return
			}
		}
	}
}

// display returns a value for people, shortened if it is a digest, or to the part where it differs
// from another if it is long.
func display(v, other jsontext.Value) string {
	const longest = 60 // columns
	if len(v) == 66 && strings.Trim(string(v), `"0123456789abcdef`) == "" {
		return string(v[1:13]) + "…"
	}
	s, at := string(v), 0
	for at < min(len(v), len(other)) && v[at] == other[at] {
		at++
	}
	if at -= longest / 3; len(v) > longest && at > 1 {
		s = `"…` + strings.ToValidUTF8(s[at:], "")
	}
	if clipped := ui.Clip(s, longest); clipped != s && v.Kind() == '"' {
		return clipped + `"`
	}
	return cmp.Or(s, "nothing")
}

// Change is one setting in which two runs differ.
type Change struct {
	What string `json:"what"` // its path in the header, such as "rubric.weights.Empathy"
	A    string `json:"a"`    // empty if not set
	B    string `json:"b"`
}

// maxProfile is how many values Differences lists of a profile, which may have a thousand.
const maxProfile = 8

// Differences returns the settings in which two headers differ. It omits digests that follow from
// the rest. If many values of the profile differ, its digests replace them.
func (h Header) Differences(other Header) (list []Change) {
	for _, d := range compare(h.Append(nil), other.Append(nil), "", 10_000) {
		what := strings.ReplaceAll(strings.TrimPrefix(d.Path, "/provenance")[1:], "/", ".")
		switch {
		case slices.Contains([]string{"fingerprint", "rubric", "configuration.mapping"}, what),
			strings.HasPrefix(what, "rubric.questions"), strings.HasPrefix(what, "rubric.facts"),
			strings.HasPrefix(what, "fact_lines"):
		// other changes show the difference, or nothing depends on it
		case string(d.Recorded) == "[]" || string(d.Recomputed) == "[]":
		case (h.Model == nil) != (other.Model == nil) && strings.HasPrefix(what, "model.") &&
			what != "model.name":
		default:
			list = append(list, Change{what, text(d.Recorded), text(d.Recomputed)})
		}
	}
	r, s := h.Basis.Rubric, other.Basis.Rubric
	list = append(list, itemsChange("rubric.questions", r.Questions, s.Questions,
		func(q *rubric.Question) string { q.Examples = rubric.Examples{}; return q.ID })...)
	list = append(list, itemsChange("rubric.facts", r.Facts, s.Facts,
		func(f *rubric.Fact) string { f.Examples = rubric.Examples{}; return f.ID })...)
	inProfile := func(c Change) bool { return strings.HasPrefix(c.What, "profile.") }
	if rest := ui.Without(list, inProfile); len(list)-len(rest) > maxProfile {
		return rest
	}
	return ui.Without(list, func(c Change) bool { return c.What == "profile" })
}

// itemsChange returns how the questions or facts changed from a to b, by ID; nil if they are the
// same. The function key returns the ID of an item, after removing what does not count.
func itemsChange[T any](what string, a, b []T, key func(*T) string) []Change {
	var ids [2][]string
	contents := [2]map[string]string{{}, {}}
	for i, items := range [][]T{a, b} {
		for _, item := range items {
			id := key(&item)
			ids[i], contents[i][id] = append(ids[i], id), string(rubric.AppendJSON(nil, item))
		}
	}
	var sides [2]string
	for i := range sides {
		var only, changed []string
		for _, id := range ids[i] {
			if other, both := contents[1-i][id]; !both {
				only = append(only, id)
			} else if other != contents[i][id] {
				changed = append(changed, id)
			}
		}
		var parts ui.Sentences
		parts.If(only != nil, "%d more: %s", len(only), strings.Join(only, ", "))
		parts.If(changed != nil, "%d changed: %s", len(changed), strings.Join(changed, ", "))
		sides[i] = strings.Join(parts, "; ")
	}
	switch {
	case sides != [2]string{}:
		return []Change{{what, sides[0], sides[1]}}
	case !slices.Equal(ids[0], ids[1]):
		return []Change{{what, "", "another order"}}
	}
	return nil
}

// text returns the content of a JSON string, and any other value unchanged.
func text(v jsontext.Value) string {
	if s, err := jsontext.AppendUnquote(nil, v); err == nil {
		return string(s)
	}
	return string(v)
}
