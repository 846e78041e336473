package main

import (
	"fmt"
	"iter"

	"assize/cmd/assize/internal/record"
)

// roll calls the dialogues of several runs, so that one that stands in two of them counts once, as the run has it that was
// read first. It needs some forty bytes a dialogue.
type roll struct {
	runs  []string                // the files that they are in
	last  record.Line             // the one before, to see where a run ends
	first map[record.Identity]int // by dialogue, the run that had it first
	again []repeat                // those of a run one behind the other
}

// repeat is how many dialogues of a run stand in an earlier one.
type repeat struct{ run, earlier, dialogues int }

// once leaves out what an earlier run had, and tells of it. Dialogues are the same where file, id and turns are; those from
// standard input have no file by which they could be known again.
func (p *program) once(all iter.Seq[entry]) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		r := roll{first: map[record.Identity]int{}}
		for e := range all {
			if (e.err != nil || !r.had(e.line, e.record)) && !yield(e) {
				return
			}
		}
		for _, remark := range r.remarks() {
			p.remark(remark)
		}
	}
}

// had reports whether an earlier run had the dialogue of a record.
func (r *roll) had(line record.Line, rec *record.Record) bool {
	if len(r.runs) == 0 || line.File != r.last.File || line.Header != r.last.Header {
		r.runs, r.last = append(r.runs, line.File), line
	}
	if rec.Source.File == stdinName {
		return false
	}
	run := len(r.runs) - 1
	is := rec.Identity()
	earlier, known := r.first[is]
	switch {
	case !known:
		r.first[is] = run
		return false
	case earlier == run: // a run may hold two of a kind, and says so itself
		return false
	}
	for i := len(r.again) - 1; i >= 0 && r.again[i].run == run; i-- {
		if r.again[i].earlier == earlier {
			r.again[i].dialogues++
			return true
		}
	}
	r.again = append(r.again, repeat{run, earlier, 1})
	return true
}

// remarks tell what was left out of which run, and which run counts.
func (r *roll) remarks() (list []string) {
	told := len(r.again)
	if told > mostTold {
		told = mostTold - 1 // and how many more there are
	}
	for _, a := range r.again[:told] {
		in := r.runs[a.earlier]
		if in == r.runs[a.run] {
			in = "an earlier run of this file"
		}
		list = append(list, fmt.Sprintf("%s: %d of its dialogues %s in %s too; what stands there counts", r.runs[a.run], a.dialogues, is(a.dialogues), in))
	}
	if rest := len(r.again) - told; rest > 0 {
		list = append(list, fmt.Sprintf("%d more cases of dialogues that an earlier run has", rest))
	}
	return list
}
