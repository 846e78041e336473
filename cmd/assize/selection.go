package main

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// selection lets only the dialogues through that --id names, or an experiment. Without either it lets everything through.
type selection struct {
	wanted []string
	only   func(dialogue.Sample) bool
	found  []string
}

func (s *selection) from(all iter.Seq[item]) iter.Seq[item] {
	pass := func(it item) bool { return it.err != nil || s.has(it.sample) }
	switch {
	case s.only != nil:
		pass = func(it item) bool { return it.err == nil && s.only(it.sample) }
	case len(s.wanted) == 0:
		return all
	}
	return func(yield func(item) bool) {
		for it := range all {
			if pass(it) && !yield(it) {
				return
			}
		}
	}
}

// has reports whether a dialogue is wanted, by its number or by its source's own id.
func (s *selection) has(d dialogue.Sample) bool {
	for _, id := range s.wanted {
		if id == strconv.Itoa(d.Dialogue.ID) || id == d.Source.ID {
			if !slices.Contains(s.found, id) {
				s.found = append(s.found, id)
			}
			return true
		}
	}
	return false
}

// missing tells which ids no dialogue has.
func (s *selection) missing() error {
	var none []string
	for _, id := range s.wanted {
		if !slices.Contains(s.found, id) {
			none = append(none, id)
		}
	}
	if len(none) == 0 {
		return nil
	}
	return withHints(fmt.Errorf("--id %s: no dialogue has this id", strings.Join(none, ",")), "--format csv without --id lists the ids")
}
