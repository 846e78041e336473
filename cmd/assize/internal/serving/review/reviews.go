package review

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/records/output"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// Save adds a review, which replaces the reviewer's last one of the same dialogue. It is on disk
// when Save returns nil. Save does not validate it. The error is [ErrUnknown] if the dialogue is
// not in the index.
func (s *Store) Save(ctx context.Context, r *run.Review) error {
	verdicts, answers := rubric.AppendJSON(nil, r.Verdicts), rubric.AppendJSON(nil, r.Answers)
	return s.write(ctx, func(c *changes) {
		var known bool
		c.row(`SELECT EXISTS (SELECT 1 FROM dialogues WHERE identity = ?)`, r.Identity)(&known)
		if c.err == nil && !known {
			c.err = ErrUnknown
		}
		c.do(`UPDATE reviews SET last = 0 WHERE identity = ? AND reviewer = ? AND last`, r.Identity,
			r.Reviewer)
		c.do(`INSERT INTO reviews (identity, reviewer, at, satisfaction, verdicts, note, flag,
			blind, answers, last)
			VALUES (?,?,?,?,?,?,?,?,?,1)`, r.Identity, r.Reviewer, r.At.UTC().Format(time.RFC3339),
			r.Satisfaction, string(verdicts), r.Note, r.Flag, r.Blind, string(answers))
	})
}

// Undo withdraws the last review by a reviewer, so that this person's previous review of the same
// dialogue counts again. It returns what it withdrew, or ErrUnknown if there is nothing to undo.
func (s *Store) Undo(ctx context.Context, reviewer string) (*run.Review, error) {
	return s.withdraw(ctx, reviewer, true, `NOT undone ORDER BY review DESC`)
}

// Redo takes the last [Store.Undo] of a reviewer back, unless a review followed it.
func (s *Store) Redo(ctx context.Context, reviewer string) (*run.Review, error) {
	return s.withdraw(ctx, reviewer, false, `undone AND review > (SELECT coalesce(max(review), 0)
		FROM reviews WHERE reviewer = ?1 AND NOT undone) ORDER BY review`)
}

// withdraw marks the first review of a reviewer that meets a condition as undone, or not.
func (s *Store) withdraw(ctx context.Context, reviewer string, undone bool, condition string,
) (*run.Review, error) {
	one := &run.Review{Reviewer: reviewer}
	return one, s.write(ctx, func(c *changes) {
		var number int64
		c.row(`SELECT review, identity, satisfaction, coalesce((SELECT name FROM dialogues d
			WHERE d.identity = r.identity), '') FROM reviews r WHERE reviewer = ?1 AND `+condition+
			` LIMIT 1`, reviewer)(&number, &one.Identity, &one.Satisfaction, &one.Name)
		if none(c.err) {
			c.err = ErrUnknown
		}
		c.do(`UPDATE reviews SET undone = ? WHERE review = ?`, undone, number)
		c.do(`UPDATE reviews SET last = 0 WHERE identity = ? AND reviewer = ?`, one.Identity,
			reviewer)
		c.do(`UPDATE reviews SET last = 1 WHERE review = (SELECT max(review) FROM reviews
			WHERE identity = ? AND reviewer = ?
			AND NOT undone)`, one.Identity, reviewer)
	})
}

// Reviews returns the current reviews of a dialogue, or of all dialogues in the index if identity
// is empty, in the order in which they were saved.
func (s *Store) Reviews(ctx context.Context, identity run.Identity) (list []run.Review, err error) {
	return rows(ctx, s.db, func(scan scanner) (r run.Review, err error) {
		var at, verdicts, answers string
		err = scan(&r.Identity, &r.Name, &r.File, &r.Reviewer, &at, &r.Satisfaction, &verdicts,
			&r.Note, &r.Flag, &r.Blind, &answers)
		if err == nil {
			r.At, err = time.Parse(time.RFC3339, at)
		}
		if err == nil {
			err = rubric.ParseJSON([]byte(verdicts), &r.Verdicts)
		}
		if err == nil {
			err = rubric.ParseJSON([]byte(answers), &r.Answers)
		}
		return r, err
	}, `SELECT r.identity, d.name, d.file, r.reviewer, r.at, r.satisfaction, r.verdicts, r.note,
		r.flag, r.blind, r.answers
		FROM reviews r JOIN dialogues d USING (identity) WHERE r.last AND (r.identity = ?1
		OR ?1 = '') ORDER BY r.review`, identity)
}

// WriteRatings writes the table of [Store.Ratings] to a file, which it replaces atomically. It does
// nothing if path is empty.
func (s *Store) WriteRatings(ctx context.Context, path string) error {
	return output.WriteFile(path, func(w io.Writer) error { return s.Ratings(ctx, w, nil) })
}

// CheckRatings returns an error if the file that [Store.WriteRatings] would replace contains
// anything but ratings of this store, such as those of a store that was lost.
func (s *Store) CheckRatings(ctx context.Context, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return nil // it does not exist, or cannot be written either
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil && info.Size() == 0 {
		return nil
	}
	type key struct{ identity, reviewer string }
	known := map[key]bool{}
	if _, err := rows(ctx, s.db, func(scan scanner) (k key, err error) {
		err = scan(&k.identity, &k.reviewer)
		known[k] = true
		return k, err
	}, `SELECT identity, reviewer FROM reviews`); err != nil {
		return err
	}
	for row, err := range importer.ReadCells(in, path) {
		identity, rater := slices.Index(row.Names, "identity"), slices.Index(row.Names, "rater")
		isOurs := err == nil && identity >= 0 && rater >= 0
		if isOurs && row.Cells != nil {
			// a name that a spreadsheet would compute is written after an apostrophe
			of, by := row.Cells[identity], row.Cells[rater]
			isOurs = known[key{of, by}] || known[key{of, strings.TrimPrefix(by, "'")}]
		}
		if !isOurs {
			return fmt.Errorf("%s: contains more than the ratings in %s, and nothing that "+
				"people wrote is overwritten; rename it (assize agree RUN --ratings reads it), "+
				"or use the store that it comes from", path, s.path)
		}
	}
	return nil
}

// Ratings writes the reviews as a table that fit and agree can read, with one row for each dialogue
// and reviewer, in the order in which they were saved. A criterion has the level that it should
// have, from 1 to 5. A question of a scorecard has a column if somebody answered it. The identity
// distinguishes dialogues with the same ID. The probability is that of the random sample. If show
// is not nil, it reports whether to write a review, and may change it.
func (s *Store) Ratings(ctx context.Context, to io.Writer, show func(*run.Review) bool) error {
	heading := []string{"dialogue_id", "file", "rating", "rater", "at"}
	for _, c := range rubric.Criteria() {
		heading = append(heading, c.String())
	}
	reviews, err := s.Reviews(ctx, "")
	if err != nil {
		return err
	}
	questions, err := s.answered(ctx, reviews)
	if err != nil {
		return err
	}
	heading = append(heading, questions...)
	t := ui.NewTable("", append(heading, "note", "flag", "probability", "identity")...)
	drawn, err := s.Sample(ctx, Filter{})
	if err != nil {
		return err
	}
	// 0 is written as ""
	number := func(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") }
	for _, r := range reviews {
		if r.Empty() || show != nil && !show(&r) { // empty if a flag was withdrawn
			continue
		}
		row := []any{r.Name, r.File, number(r.Satisfaction), r.Reviewer, r.At.Format(time.RFC3339)}
		for _, c := range rubric.Criteria() {
			row = append(row, number(int(r.Verdicts[c].Level/20)))
		}
		for _, q := range questions {
			row = append(row, string(r.Answers[q].Answer))
		}
		flag := ""
		if r.Flag {
			flag = "yes"
		}
		probability := any("")
		if p := drawn.probability(r.Identity); p > 0 {
			probability = p
		}
		t.Add(append(row, r.Note, flag, probability, r.Identity)...)
	}
	return t.CSV(to)
}

// answered returns the questions that reviews answer, in the order of the rubrics.
func (s *Store) answered(ctx context.Context, reviews []run.Review) (questions []string,
	err error) {
	has := map[string]bool{}
	for i := range reviews {
		for q := range reviews[i].Answers {
			has[q] = true
		}
	}
	headers, err := s.allHeaders(ctx)
	for _, h := range headers {
		for _, q := range h.Basis.Rubric.Questions {
			if has[q.ID] {
				questions = append(questions, q.ID)
				delete(has, q.ID)
			}
		}
	}
	return questions, err
}
