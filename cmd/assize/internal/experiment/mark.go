package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"assize/cmd/assize/internal/record"
)

// Mark is kept beside the run of a cell: what a run itself must not hold, since it differs from day to day, and what tells
// that the run is complete without asking the model's server. The zero Mark is that of a run that has not begun.
type Mark struct {
	Settings string  `json:"settings"` // digest of all that the cell was run with
	Complete int64   `json:"complete"` // bytes of the run when it was complete; 0 while it is not
	Timed    int     `json:"timed"`    // dialogues that the model was on the bench for, save those answered from a cache
	Seconds  float64 `json:"seconds"`  // of the server, for these
}

// MarkOf names the file of a run's mark.
func MarkOf(run string) string { return strings.TrimSuffix(run, ".jsonl") + ".mark.json" }

// ReadMark reads the mark of a run; the zero Mark where there is none.
func ReadMark(run string) (m Mark, err error) {
	data, err := os.ReadFile(MarkOf(run))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Timed < 0 || m.Seconds < 0 {
		return Mark{}, fmt.Errorf("%s: not as assize experiment writes it; remove it, and only the times are lost", MarkOf(run))
	}
	return m, nil
}

// Write writes the mark of a run.
func (m Mark) Write(run string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(MarkOf(run), append(data, '\n'), 0o666)
}

// Done reports whether the run is there and complete, as these settings made it.
func (m Mark) Done(run, settings string) bool {
	info, err := os.Stat(run)
	return err == nil && m.Complete > 0 && info.Size() == m.Complete && m.Settings == settings
}

// Time adds what a model took for a dialogue, which may be nothing where the Critic has no doubt to ask about. Where an
// answer came from a cache, nobody can tell.
func (m *Mark) Time(r *record.Record) {
	if r.Model == nil {
		return
	}
	took := r.Model.Timings.Primed
	for _, c := range r.Model.Timings.Calls {
		if c.Cached {
			return
		}
		took += c.Total
	}
	m.Timed++
	m.Seconds += took.Seconds()
}
