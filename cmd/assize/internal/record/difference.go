package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Differences lists in words what the header of a run has otherwise than another, one thing each: "mapping: down in the
// run, nearest now".
func (h *Header) Differences(now *Header) (list []string) {
	was, is := settings(h), settings(now)
	if h.Model == nil || now.Model == nil { // all that is said of a model would be told one by one
		was, is = without(was, "provenance/model/"), without(is, "provenance/model/")
		if model, other := modelOf(h), modelOf(now); model != other {
			list = append(list, fmt.Sprintf("model: %s in the run, %s now", model, other))
		}
	}
	tell := func(s setting, was, is string) {
		list = append(list, fmt.Sprintf("%s: %s in the run, %s now", s.name(), was, is))
	}
	for _, s := range was {
		if i := find(is, s.path); i < 0 {
			tell(s, s.value, "nothing")
		} else if is[i].value != s.value {
			tell(s, s.value, is[i].value)
		}
	}
	for _, s := range is {
		if find(was, s.path) < 0 {
			tell(s, "nothing", s.value)
		}
	}
	return list
}

// setting is a value in a header.
type setting struct {
	path  string // as a JSON pointer without its first slash
	value string // short enough to be shown
}

func find(list []setting, path string) int {
	return slices.IndexFunc(list, func(s setting) bool { return s.path == path })
}

func without(list []setting, prefix string) []setting {
	return slices.DeleteFunc(list, func(s setting) bool { return strings.HasPrefix(s.path, prefix) })
}

func modelOf(h *Header) string {
	if h.Model == nil {
		return "nothing"
	}
	return h.Model.Name
}

// settings lists what a header holds, without what follows from the rest.
func settings(h *Header) (list []setting) {
	dec := json.NewDecoder(bytes.NewReader(h.Append(nil)))
	dec.UseNumber()
	flatten(dec, "", func(path, value string) {
		for _, derived := range []string{"assize_run", "fingerprint", "provenance/rubric", "provenance/profile", "rubric/mapping"} {
			if path == derived {
				return
			}
		}
		list = append(list, setting{path, value})
	})
	return list
}

// flatten yields the values of the next piece of JSON that hold no others, in their order.
func flatten(dec *json.Decoder, path string, yield func(path, value string)) {
	token, err := dec.Token()
	if err != nil {
		panic(err) // this program has just written it
	}
	below := func(name string) string { return strings.TrimPrefix(path+"/"+name, "/") }
	switch token {
	case json.Delim('{'):
		for dec.More() {
			name, _ := dec.Token()
			flatten(dec, below(name.(string)), yield)
		}
	case json.Delim('['):
		for i := 1; dec.More(); i++ {
			flatten(dec, below(strconv.Itoa(i)), yield)
		}
	default:
		yield(path, shortened(fmt.Sprint(token)))
		return
	}
	_, _ = dec.Token() // the closing bracket
}

// shortened gives the beginning of a long value: a dozen digits of a digest, half a line of a text.
func shortened(value string) string {
	const most, digest = 40, 12
	switch runes := []rune(value); {
	case value == "":
		return "nothing"
	case len(value) == 64 && strings.Trim(value, "0123456789abcdef") == "":
		return value[:digest] + "…"
	case len(runes) > most:
		return string(runes[:most]) + "…"
	}
	return value
}

// partTitles are what parts of a header are called, by the beginning of their path; the first that fits counts.
var partTitles = []struct{ path, title string }{
	{"configuration/evaluator", "Evaluator"},
	{"configuration/critic", "Critic"},
	{"configuration/fallback", "--fallback"},
	{"configuration/mapping", "mapping"},
	{"configuration/input_format", "--input-format"},
	{"configuration/system_names", "--system-name"},
	{"configuration/roles", "--role-map"},
	{"configuration/transcript", "the turns that are kept"},
	{"configuration/redacted", "--redact"},
	{"configuration", "configuration"},
	{"provenance", ""},
}

// name says which setting it is: "mapping", "rubric weights TaskSuccess", "model options num_ctx".
func (s setting) name() string {
	rest := s.path
	for _, t := range partTitles {
		if tail, ok := strings.CutPrefix(s.path, t.path); ok {
			rest = t.title + tail
			break
		}
	}
	return strings.ReplaceAll(strings.TrimPrefix(rest, "/"), "/", " ")
}
