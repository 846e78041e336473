package main

import (
	"assize/cmd/assize/internal/record"
	pool "assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/triage"
)

// kinds counts the dialogues that have the same turns, of which the first stands for all. The nil kinds count nothing.
type kinds map[pool.Key]int

// again counts a dialogue, and reports whether one with the same turns came before.
func (k kinds) again(r *record.Record) bool {
	if k == nil {
		return false
	}
	kind := pool.KeyOf(r.Source.Digest)
	k[kind]++
	return k[kind] > 1
}

// enter tells every row for how many others it stands.
func (k kinds) enter(rows []triage.Row) {
	for i := range rows {
		rows[i].Duplicates = max(k[pool.KeyOf(rows[i].Record.Source.Digest)]-1, 0)
	}
}
