package doctor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// Finding is what a trial found of a model, asked with certain prompts. Findings are kept in a file of the user's, so
// that every later run knows them.
type Finding struct {
	Verdict string                 `json:"verdict"`
	Prompts localllm.PromptDigests `json:"prompts"`

	// Model puts the model's averages on the scale of satisfaction: from the bad dialogues of the trial to the good ones
	// both rise alike. Its weight is 0 for a model that is not good enough for triage.
	Model heuristics.Model `json:"model"`
}

// Counts reports whether the model's judgement is half of satisfaction.
func (f *Finding) Counts() bool { return f.Verdict == Triage.String() }

// finding sums up a trial whose model could be opened.
func (t *Trial) finding() Finding {
	f := Finding{t.Verdict.String(), t.Identity.Prompts, heuristics.Model{Digest: t.Identity.Digest, Name: t.Identity.Name}}
	if !f.Counts() {
		return f
	}
	averages, satisfactions := map[bool][]float64{}, map[bool][]float64{}
	for _, h := range t.scored() {
		averages[h.Good] = append(averages[h.Good], float64(h.Average))
		satisfactions[h.Good] = append(satisfactions[h.Good], float64(h.specimen.Satisfaction)/100)
	}
	bad, good := stats.Mean(averages[false], nil), stats.Mean(averages[true], nil)
	low, high := stats.Mean(satisfactions[false], nil), stats.Mean(satisfactions[true], nil)
	f.Model.Weight = heuristics.MillionthsOf((high - low) / (good - bad)) // the gap is triageGap or more
	f.Model.Centre = rubric.Hundredths(math.Round(100 * (good + bad) / 2))
	f.Model.Rating = heuristics.MillionthsOf((high + low) / 2)
	return f
}

// Keep enters what the trials of a report found into the file at path.
func (r *Report) Keep(path string) error {
	list, err := findings(path)
	tried := 0
	for _, t := range r.Trials {
		if t.Identity == nil {
			continue
		}
		tried++
		f := t.finding()
		list = slices.DeleteFunc(list, func(old Finding) bool { return old.of(t.Identity) })
		list = append(list, f)
	}
	switch {
	case err != nil || tried == 0:
		return err
	case !filepath.IsAbs(path):
		return errors.New("there is no folder for settings on this system")
	}
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Model.Name, b.Model.Name), cmp.Compare(a.Model.Digest, b.Model.Digest))
	})
	data, err := json.MarshalIndent(list, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, append(data, '\n'), 0o600)
	}
	return err
}

// Find gives what is known of a model by the file at path; nil where it was never tried with its prompts.
func Find(path string, id localllm.Identity) (*Finding, error) {
	list, err := findings(path)
	for i := range list {
		if list[i].of(&id) {
			return &list[i], err
		}
	}
	return nil, err
}

func (f *Finding) of(id *localllm.Identity) bool {
	return f.Model.Digest == id.Digest && f.Prompts == id.Prompts
}

// findings reads the file; one that is not there holds none.
func findings(path string) (list []Finding, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // as where the system has no folder for settings
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w; want what assize doctor writes; delete it and try the models again", path, err)
	}
	return list, err
}
