// Package measure measures the rules against people's judgement of rated sets. Each set has two
// parts: words, points and thresholds are chosen on the first, and the second shows how well they
// generalise. The second part is read only for reporting, never while choosing.
package measure

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// Part is the use of a set's dialogues.
type Part int

// The parts.
const (
	Choosing Part = iota
	Reporting
)

func (p Part) String() string { return [...]string{"choosing", "reporting"}[p] }

// PartOf returns the part of a dialogue in a shared set: a quarter, drawn by the ID alone, is for
// reporting.
func PartOf(id string) Part { return partOf(id, 4) }

// partOf returns the part of a dialogue in a set of which one nth is for reporting.
func partOf(id string, n byte) Part {
	if sum := sha256.Sum256([]byte(id)); sum[len(sum)-1]%n == n-1 {
		return Reporting
	}
	return Choosing
}

// ErrMissing is wrapped by the error for a set that is missing.
var ErrMissing = errors.New("NOT MEASURED")

// Sets are the rated sets, judged by a panel.
type Sets struct {
	Shared string // the folder of the sets of others, or empty
	Desk   string // testdata/desk of the repository
	Panel  rubric.Panel
}

// New returns the sets of the repository with this root, judged by the rules. The folder of the
// sets of others is that in the environment variable ASSIZE_SHARED.
func New(root string) *Sets {
	return &Sets{Shared: os.Getenv("ASSIZE_SHARED"), Desk: filepath.Join(root, "testdata", "desk"),
		Panel: Panel()}
}

// Panel returns a panel of the rules.
func Panel() rubric.Panel {
	a := heuristics.New()
	r := rubric.Default()
	return rubric.Panel{Rubric: r, Observe: a.Observe, Evaluator: a.Evaluator(r),
		Critic: a.Critic(r)}
}

// shared returns the path of a file in the sets of others.
func (s *Sets) shared(names ...string) (string, error) {
	if s.Shared == "" {
		return "", fmt.Errorf("%w: ASSIZE_SHARED, the folder of the rated sets, is not set",
			ErrMissing)
	}
	file := filepath.Join(append([]string{s.Shared, "data"}, names...)...)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return file, nil
}

// Judged is a dialogue as judged by the panel.
type Judged struct {
	*rubric.Evaluation
	ID           string
	Satisfaction float64
	people       []float64 // ratings of the whole dialogue in its file
}

// Score returns the final score of a criterion.
func (j *Judged) Score(c rubric.Criterion) float64 { return float64(j.Final[c].Score) }

// rating returns the mean of the ratings, rounded so that equal means tie.
func (j *Judged) rating() float64 { return math.Round(stat.Mean(j.people, nil)*1e9) / 1e9 }

func average(j *Judged) float64  { return float64(j.Average) }
func estimate(j *Judged) float64 { return j.Satisfaction }

func score(c rubric.Criterion) func(*Judged) float64 {
	return func(j *Judged) float64 { return j.Score(c) }
}

// Judge returns the panel's judgement of a dialogue, or nil if it cannot be scored.
func Judge(panel rubric.Panel, id string, d dialogue.Dialogue) (*Judged, error) {
	e, err := panel.Judge(context.Background(), d)
	if errors.As(err, new(*rubric.Unscored)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Judged{Evaluation: e, ID: id,
		Satisfaction: float64(satisfaction.DefaultProfile().Estimate(e).Satisfaction)}, nil
}

// Read calls use with the ID of each dialogue of a file.
func Read(name string, use func(id string, s dialogue.Sample) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for sample, err := range importer.Read(file, name, importer.Options{}) {
		if err == nil {
			err = use(cmp.Or(sample.Source.ID, strconv.Itoa(sample.Dialogue.ID)), sample)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// judge judges the dialogues of a file for which keep returns true, except those that cannot be
// scored.
func judge(panel rubric.Panel, name string, keep func(id string) bool) (list []*Judged, err error) {
	err = Read(name, func(id string, s dialogue.Sample) error {
		if !keep(id) {
			return nil
		}
		j, err := Judge(panel, id, s.Dialogue)
		if j != nil {
			j.people = s.Truth.Overall
			list = append(list, j)
		}
		return err
	})
	if err == nil && list == nil {
		err = fmt.Errorf("%s: no dialogue was scored", name)
	}
	return list, err
}

// judgeShared judges dialogues of a file in the sets of others, as judge does.
func (s *Sets) judgeShared(folder, name string, keep func(id string) bool) ([]*Judged, error) {
	file, err := s.shared(folder, name)
	if err != nil {
		return nil, err
	}
	return judge(s.Panel, file, keep)
}

// table reads a table whose first row names the columns.
func table(name string) (rows []map[string]string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: the table is empty", name)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// sharedTable reads a table of a shared set.
func (s *Sets) sharedTable(names ...string) ([]map[string]string, error) {
	name, err := s.shared(names...)
	if err != nil {
		return nil, err
	}
	return table(name)
}

// bounds returns the ends of a range such as 80-100, or of a single level.
func bounds(text string) (low, high float64, err error) {
	first, last, _ := strings.Cut(text, "-")
	low, err = strconv.ParseFloat(first, 64)
	if err == nil {
		high, err = strconv.ParseFloat(cmp.Or(last, first), 64)
	}
	return low, high, err
}
