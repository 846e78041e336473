package review

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// Save adds a review, which replaces the reviewer's last one of the same dialogue. It is on disk
// when Save returns nil. Save does not validate it. The error is [ErrUnknown] for an unknown
// dialogue.
func (s *Store) Save(ctx context.Context, r *run.Review) error {
	verdicts, answers := rubric.AppendJSON(nil, r.Verdicts), rubric.AppendJSON(nil, r.Answers)
	return s.write(ctx, func(c *changes) {
		var known bool
		c.row(`SELECT EXISTS (SELECT 1 FROM dialogues WHERE identity = ?)`, r.Identity)(&known)
		if c.err == nil && !known {
			c.err = ErrUnknown
		}
		c.do(query("not last", nil), r.Identity, r.Reviewer)
		c.do(query("save", nil), r.Identity, r.Reviewer, r.At.UTC().Format(time.RFC3339),
			r.Satisfaction, string(verdicts), r.Note, r.Flag, r.Blind, string(answers))
	})
}

// Undo withdraws the last review of a dialogue by a reviewer, so that this person's previous review
// of it counts again; if back is set, it takes the last Undo back, unless a review followed. An
// empty identity means any dialogue. It returns the review, or ErrUnknown if there is none.
func (s *Store) Undo(ctx context.Context, reviewer string, identity run.Identity, back bool,
) (*run.Review, error) {
	one := &run.Review{Reviewer: reviewer}
	return one, s.write(ctx, func(c *changes) {
		var number int64
		c.row(query("undo", back), reviewer, identity)(&number, &one.Identity, &one.Satisfaction,
			&one.Name)
		if none(c.err) {
			c.err = ErrUnknown
		}
		c.do(query("withdraw", nil), back, number)
		c.do(query("not last", nil), one.Identity, reviewer)
		c.do(query("last", nil), one.Identity, reviewer)
	})
}

// Mask returns the name under which the reviews of a person are stored if personal data is masked:
// see [redact.Reviewer]. It is the same each time, and no other's: the second "anna" is "anna 2".
func (s *Store) Mask(name string) (masked string) {
	if masked = redact.Reviewer(name); masked == name {
		return name
	}
	if known, ok := s.masks.Load(name); ok {
		return known.(string)
	}
	err := s.write(context.Background(), func(c *changes) { masked = c.mask(name) })
	if err == nil {
		s.masks.Store(name, masked)
	}
	return masked
}

// mask returns the masked name of a reviewer, and stores it with a digest of the full name.
func (c *changes) mask(name string) (masked string) {
	first, digest := redact.Reviewer(name), digestOf(name)[:16]
	c.row(`SELECT coalesce((SELECT name FROM masks WHERE digest = ?), '')`, digest)(&masked)
	for n := 1; masked == "" && c.err == nil; n++ {
		one, taken := first, false
		if n > 1 {
			one += " " + strconv.Itoa(n)
		}
		c.row(query("taken", nil), one)(&taken)
		if !taken {
			c.do(`INSERT INTO masks VALUES (?, ?)`, digest, one)
			masked = one
		}
	}
	return masked
}

// digestOf returns a digest of a name or a secret, which the store does not contain itself.
func digestOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// Reviews returns the current reviews of a dialogue, or of all dialogues in the index if identity
// is empty, in the order in which they were saved.
func (s *Store) Reviews(ctx context.Context, identity run.Identity) (list []run.Review, err error) {
	return s.reviews(ctx, `d.identity IS NOT NULL AND r.last AND ? IN ('', r.identity)`, identity)
}

// reviews returns the reviews r, of dialogues d, that meet a condition.
func (s *Store) reviews(ctx context.Context, where string, args ...any) ([]run.Review, error) {
	return rows(ctx, s.db, func(scan scanner) (r run.Review, err error) {
		var at, verdicts, answers string
		err = scan(&r.Identity, &r.Name, &r.File, &r.Reviewer, &at, &r.Satisfaction, &verdicts,
			&r.Note, &r.Flag, &r.Blind, &answers)
		if err != nil {
			return r, err
		}
		r.At, err = time.Parse(time.RFC3339, at)
		return r, cmp.Or(err, rubric.ParseJSON([]byte(verdicts), &r.Verdicts),
			rubric.ParseJSON([]byte(answers), &r.Answers))
	}, query("reviews", where), args...)
}

// WriteRatings writes the table of [Store.Ratings] to a file, which it replaces atomically unless
// [Store.CheckRatings] returns an error. A file with ratings of dialogues that are not in the index
// is kept under another name. WriteRatings does nothing if path is empty.
func (s *Store) WriteRatings(ctx context.Context, path string) error {
	apart, err := s.CheckRatings(ctx, path)
	if err == nil && apart > 0 {
		kept := run.FreePath(path, "old")
		if err = os.Rename(path, kept); err == nil && s.Log != nil {
			s.Log(texts.Text("kept", path, ui.Counted(apart, "rating"), kept))
		}
	}
	if err != nil {
		return err
	}
	return output.WriteFile(path, func(w io.Writer) error { return s.Ratings(ctx, w, nil) })
}

// CheckRatings returns an error if the file that [Store.WriteRatings] would replace contains
// anything but ratings that were saved in this store, such as those of a store that was lost, or
// some that were edited in the file. Ratings of deleted dialogues may be replaced. It also counts
// the ratings of dialogues that are not in the index.
func (s *Store) CheckRatings(ctx context.Context, path string) (apart int, err error) {
	in, err := os.Open(path)
	if err != nil {
		return 0, nil // it does not exist, or cannot be written either
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil && info.Size() == 0 {
		return 0, nil
	}
	// what was written last may be superseded or withdrawn
	reviews, err := s.reviews(ctx, `TRUE`)
	deleted, err2 := rows(ctx, s.db, one[string], `SELECT identity FROM deleted`)
	var saved bytes.Buffer
	err3 := writeTable(&saved, reviews, nil, &Sample{})
	gone, err4 := s.Apart(ctx)
	var text []byte
	err5 := s.db.QueryRowContext(ctx, `SELECT json_group_object(was, identity) FROM moved`).
		Scan(&text)
	moved, known := map[string]string{}, map[string]bool{}
	err6 := rubric.ParseJSON(text, &moved)
	if err := cmp.Or(err, err2, err3, err4, err5, err6); err != nil {
		return 0, err
	}
	for row, err := range importer.ReadCells(&saved, path) {
		if err != nil {
			return 0, err
		}
		known[s.written(row.Names, row.Cells, moved)] = true
	}
	for row, err := range importer.ReadCells(in, path) {
		identity := slices.Index(row.Names, "identity")
		isOurs := err == nil && identity >= 0 && slices.Contains(row.Names, "rater")
		if isOurs && row.Cells != nil {
			isOurs = known[s.written(row.Names, row.Cells, moved)] ||
				slices.Contains(deleted, row.Cells[identity])
		}
		if !isOurs {
			place := ""
			if row.Cells != nil {
				place = fmt.Sprintf(" (line %d)", row.Line)
			}
			return 0, texts.Error("not ours", path, s.path, place)
		}
		if row.Cells != nil && slices.Contains(gone, row.Cells[identity]) {
			apart++
		}
	}
	return apart, nil
}

// written returns a string of what a reviewer wrote in a row of a table of ratings, with the
// dialogue, which may have moved, and the reviewer. It does not depend on the order of the columns.
func (s *Store) written(names, cells []string, moved map[string]string) string {
	var list []string
	for i, value := range cells {
		if value != "" && !slices.Contains([]string{"dialogue_id", "file", "at", "probability"},
			names[i]) {
			if names[i] == "rater" && s.Redact { // the file may be of before
				value = s.Mask(value)
			}
			if names[i] == "identity" {
				value = cmp.Or(moved[value], value)
			}
			list = append(list, names[i]+"\x00"+strings.ReplaceAll(value, "\r\n", "\n"))
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\x00")
}

// Ratings writes the reviews as a table that fit and agree can read, with one row for each dialogue
// and reviewer, in the order in which they were saved. A criterion has the level that it should
// have, from 1 to 5. A question of a scorecard has a column if somebody answered it. The identity
// distinguishes dialogues with the same ID. The probability is that of the random sample. If show
// is not nil, it reports whether to write a review, and may change it.
func (s *Store) Ratings(ctx context.Context, to io.Writer, show func(*run.Review) bool) error {
	reviews, err := s.Reviews(ctx, "")
	drawn, err2 := s.drawn(ctx)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	return writeTable(to, reviews, show, drawn)
}

// writeTable writes the table of [Store.Ratings].
func writeTable(to io.Writer, reviews []run.Review, show func(*run.Review) bool,
	drawn *Sample) error {
	answered := map[string]bool{}
	for i := range reviews {
		for q := range reviews[i].Answers {
			answered[q] = true
		}
	}
	questions := slices.Sorted(maps.Keys(answered))
	t := ui.NewTable("", slices.Concat([]string{"dialogue_id", "file", "rating", "rater", "at"},
		run.ScoreNames(), questions, []string{"note", "flag", "probability", "identity"})...)
	number := func(n int) any { return table.Only(n > 0, n) }
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
		p := drawn.probability[r.Identity]
		t.Add(append(row, r.Note, table.Only(r.Flag, "yes"), table.Only(p > 0, p), r.Identity)...)
	}
	return t.CSV(to)
}
