package ratings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/record"
	"assize/rubric/dialogue"
)

// sample is a rated dialogue of a transcript.
type sample struct {
	turns      int
	id, digest string
	marks      []float64
}

// readTranscript reads ratings from a transcript. Dialogues without ratings are left out.
func (f *File) readTranscript(data []byte) error {
	for s, err := range dialogue.Read(bytes.NewReader(data), f.name, dialogue.Options{}) {
		if syntax := (*dialogue.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Position == 0 {
			return fmt.Errorf("%s: neither a table of ratings nor a transcript: %s; %s, or a transcript that carries ratings",
				f.name, syntax.Msg, wantColumns)
		} else if err != nil {
			return err
		}
		if len(s.Truth.Overall) > 0 {
			f.samples = append(f.samples, sample{
				turns: len(s.Dialogue.Turns), id: cmp.Or(s.Source.ID, strconv.Itoa(s.Dialogue.ID)),
				digest: s.Dialogue.Digest(), marks: s.Truth.Overall,
			})
		}
	}
	if len(f.samples) == 0 {
		return fmt.Errorf("%s: is a transcript without ratings; want one with ratings, or a table: %s", f.name, strings.TrimPrefix(wantColumns, "want "))
	}
	return nil
}

// The ways to know a dialogue again, the surest first. What was said tells most; a run that is redacted has other
// words, but the same file, id and number of turns.
var keys = [...]struct {
	ofRecord func(*record.Record) string
	ofSample func(f *File, s *sample) string
}{
	{
		func(r *record.Record) string { return r.Source.Digest + " " + r.Name() },
		func(_ *File, s *sample) string { return s.digest + " " + s.id },
	},
	{
		func(r *record.Record) string { return r.Source.Digest },
		func(_ *File, s *sample) string { return s.digest },
	},
	{
		func(r *record.Record) string {
			return fmt.Sprintf("%d %s %s", r.Source.Turns, r.Name(), base(r.Source.File))
		},
		func(f *File, s *sample) string { return fmt.Sprintf("%d %s %s", s.turns, s.id, base(f.name)) },
	},
}

// place finds the record of each sample: nth of a key to the nth record that has it. A sample that finds none gets -1.
func (f *File) place(records []*record.Record) []int {
	places := make([]int, len(f.samples))
	for i := range places {
		places[i] = -1
	}
	taken := make([]bool, len(records))
	for _, key := range keys {
		free := map[string][]int{}
		for i, r := range records {
			if k := key.ofRecord(r); !taken[i] {
				free[k] = append(free[k], i)
			}
		}
		for i := range f.samples {
			k := key.ofSample(f, &f.samples[i])
			if places[i] < 0 && len(free[k]) > 0 {
				places[i], free[k] = free[k][0], free[k][1:]
				taken[places[i]] = true
			}
		}
	}
	return places
}
