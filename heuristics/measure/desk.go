package measure

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"assize/rubric"
)

// keptParts are the parts of the desk that are for reporting.
var keptParts = []string{"last", "more-b", "last-e", "last-g", "last-i", "last-n", "last-x",
	"last-ag", "last-ah", "last-ai", "last-aj", "last-ak", "last-al"}

// hardParts are the parts of the desk whose surface is misleading, according to
// testdata/desk/README.md.
var hardParts = []string{"more-am", "more-an", "more-ao", "more-ap"}

// Rows are the reader's scores for dialogues of the desk, by ID.
type Rows map[string]map[string]string

// Hard reports whether a dialogue was written to mislead a quick reader.
func (r Rows) Hard(id string) bool { return slices.Contains(hardParts, r[id]["part"]) }

// Range returns the reader's range for a criterion of a dialogue.
func (r Rows) Range(id string, c rubric.Criterion) (low, high float64, err error) {
	if low, high, err = bounds(r[id][c.String()]); err != nil {
		err = fmt.Errorf("ranges.csv: %s, %s: %w", id, c, err)
	}
	return low, high, err
}

// DeskRows returns the rows of a part.
func (s *Sets) DeskRows(p Part) (Rows, error) {
	list, err := table(filepath.Join(s.Desk, "ranges.csv"))
	rows := Rows{}
	for _, row := range list {
		if slices.Contains(keptParts, row["part"]) == (p == Reporting) {
			rows[row["id"]] = row
		}
	}
	return rows, err
}

// JudgeDesk judges the dialogues of rows by a panel.
func (s *Sets) JudgeDesk(panel rubric.Panel, rows Rows) ([]*Judged, error) {
	file := filepath.Join(s.Desk, "dialogues.jsonl")
	list, err := judge(panel, file, func(id string) bool { return rows[id] != nil })
	if err == nil && len(list) != len(rows) {
		err = fmt.Errorf("%s: %d of %d dialogues are scored", file, len(list), len(rows))
	}
	return list, err
}

// desk compares our help-desk dialogues with the ranges of their reader, except those written to
// mislead.
func (s *Sets) desk(p Part) (Figures, error) {
	rows, err := s.DeskRows(p)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(rows, func(id string, _ map[string]string) bool { return rows.Hard(id) })
	list, err := s.JudgeDesk(s.Panel, rows)
	if err != nil {
		return nil, err
	}
	return DeskFigures(list, rows)
}

// DeskFigures compares judged dialogues of the desk with their rows.
func DeskFigures(list []*Judged, rows Rows) (Figures, error) {
	by := map[string]*Judged{}
	var off, within, scores float64
	var ours, theirs []float64 // scores and midpoints, minus the mean of their dialogue
	for _, j := range list {
		by[j.ID] = j
		var own, reader []float64
		for _, c := range rubric.Criteria() {
			low, high, err := rows.Range(j.ID, c)
			if err != nil {
				return nil, err
			}
			found := j.Score(c)
			own, reader = append(own, found), append(reader, (low+high)/2)
			switch scores++; {
			case low-found >= 40 || found-high >= 40:
				off++
			case found >= low && found <= high:
				within++
			}
		}
		for i := range own {
			ours = append(ours, own[i]-stat.Mean(own, nil))
			theirs = append(theirs, reader[i]-stat.Mean(reader, nil))
		}
	}
	right, pairs := 0.0, 0.0
	for id, a := range by {
		b := by[strings.TrimSuffix(id, "a")+"b"]
		if !strings.HasSuffix(id, "a") || b == nil || rows[id]["quality"] == rows[b.ID]["quality"] {
			continue
		}
		good, bad := a, b
		if rows[id]["quality"] == "bad" {
			good, bad = b, a
		}
		if pairs++; bad.Satisfaction < good.Satisfaction {
			right++
		}
	}
	below := func(quality string) float64 {
		of := slices.DeleteFunc(slices.Clone(list),
			func(j *Judged) bool { return rows[j.ID]["quality"] != quality })
		return share(of, func(j *Judged) bool { return j.Overall < 60 })
	}
	return Figures{
		"own desk: within the reader's range":            within / scores,
		"own desk: two levels or more off":               off / scores,
		"own desk: pairs by satisfaction":                right / pairs,
		"own desk: profile within a dialogue":            stat.Correlation(ours, theirs, nil),
		"own desk: bad ones below OverallExperience 60":  below("bad"),
		"own desk: good ones below OverallExperience 60": below("good"),
	}, nil
}

// contrast judges minimal edits, each of which spoils one criterion of a good dialogue. The first
// twelve dialogues are for choosing, the others for reporting.
func (s *Sets) contrast(p Part) (Figures, error) {
	list, err := s.judgeShared("contrast", "dialogues.jsonl",
		func(id string) bool { return (id[:min(len(id), 3)] <= "c12") == (p == Choosing) })
	if err != nil {
		return nil, err
	}
	by := map[string]*Judged{}
	for _, j := range list {
		by[j.ID] = j
	}
	rows, err := s.sharedTable("contrast", "expect.csv")
	if err != nil {
		return nil, err
	}
	falls, all := map[string]float64{}, map[string]float64{}
	var n, spill, within, failures, low, cold, near float64
	for _, row := range rows {
		v, base := by[row["id"]], by[row["base"]]
		if v == nil || row["kind"] == "base" {
			continue
		}
		if base == nil {
			return nil, fmt.Errorf("expect.csv: %s: the base %q is unknown", row["id"], row["base"])
		}
		target, err := rubric.ParseCriterion(row["target"])
		if err != nil {
			return nil, fmt.Errorf("expect.csv: %s: %w", row["id"], err)
		}
		least, most, err := bounds(row[target.String()])
		if err != nil {
			return nil, fmt.Errorf("expect.csv: %s, %s: %w", row["id"], target, err)
		}
		fall := func(c rubric.Criterion) float64 { return base.Score(c) - v.Score(c) }
		n, all[row["kind"]] = n+1, all[row["kind"]]+1
		if fall(target) > 0 {
			falls[row["kind"]]++
		}
		worst := 0.0
		for _, c := range rubric.Criteria() {
			exempt := row["kind"] == "T" && c == rubric.Helpfulness || row["kind"] == "X" &&
				c == rubric.Fluency
			if c != target && !exempt {
				worst = max(worst, fall(c))
			}
		}
		if worst >= 40 || worst > 0 && worst >= fall(target) {
			spill++
		}
		if found := v.Score(target); found >= least && found <= most {
			within++
		}
		switch task := v.Score(rubric.TaskSuccess); row["kind"] {
		case "T":
			if failures++; task <= 60 {
				low++
			}
		case "X":
			if cold++; fall(rubric.TaskSuccess) <= 20 {
				near++
			}
		}
	}
	mean := 0.0
	for kind, of := range all {
		mean += falls[kind] / of / float64(len(all))
	}
	return Figures{
		"contrast: the target falls, mean of the kinds": mean,
		"contrast: another falls by two, or as much":    spill / n,
		"contrast: the target is within its range":      within / n,
		"contrast: friendly failures at 60 or less":     low / failures,
		"contrast: cold successes within a level":       near / cold,
	}, nil
}
