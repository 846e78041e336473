package review

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Review is what one person says of a dialogue, as the HTTP API takes and gives it.
type Review struct {
	Identity     string                       `json:"dialogue"` // of the dialogue, see [Dialogue]
	Name         string                       `json:"-"`        // and its name and file, where the review was read
	File         string                       `json:"-"`
	Reviewer     string                       `json:"reviewer"`
	At           time.Time                    `json:"at"`
	Satisfaction int                          `json:"satisfaction,omitempty"` // 1 to 5; 0 for none
	Verdicts     map[rubric.Criterion]Verdict `json:"verdicts,omitempty"`
	Note         string                       `json:"note,omitempty"`
	Flag         bool                         `json:"flag,omitempty"`
	Blind        bool                         `json:"blind,omitempty"` // the scores were hidden
}

// Verdict is what a person says of the score on a criterion.
type Verdict struct {
	Level  rubric.Score `json:"level,omitempty"` // what it should be: the score itself where one agrees; 0 for nothing
	Agree  bool         `json:"agree,omitempty"`
	Reason string       `json:"reason,omitempty"`
}

// Empty reports whether the review says nothing.
func (r *Review) Empty() bool {
	return r.Satisfaction == 0 && len(r.Verdicts) == 0 && r.Note == "" && !r.Flag
}

// Save adds a review, which takes the place of the reviewer's last one of the dialogue. It is on disk when Save returns
// nil. Nothing of it is checked. The error is [ErrUnknown] where the dialogue is not in the index.
func (s *Store) Save(ctx context.Context, r *Review) error {
	verdicts, err := json.Marshal(r.Verdicts)
	if err != nil {
		return err
	}
	return s.write(ctx, func(c *changes) {
		var known bool
		c.row(`SELECT EXISTS (SELECT 1 FROM dialogues WHERE identity = ?)`, r.Identity)(&known)
		if c.err == nil && !known {
			c.err = ErrUnknown
		}
		c.do(`UPDATE reviews SET last = 0 WHERE identity = ? AND reviewer = ? AND last`, r.Identity, r.Reviewer)
		c.do(`INSERT INTO reviews (identity, reviewer, at, satisfaction, verdicts, note, flag, blind, last)
			VALUES (?,?,?,?,?,?,?,?,1)`, r.Identity, r.Reviewer, r.At.UTC().Format(time.RFC3339),
			r.Satisfaction, string(verdicts), r.Note, r.Flag, r.Blind)
	})
}

// Undo takes back the last review of a reviewer, whatever it is of: what this person said of that dialogue before
// counts again. It gives the identity of the dialogue, or ErrUnknown where there is nothing to take back.
func (s *Store) Undo(ctx context.Context, reviewer string) (identity string, err error) {
	err = s.write(ctx, func(c *changes) {
		var number int64
		c.row(`SELECT review, identity FROM reviews WHERE reviewer = ? AND NOT undone ORDER BY review DESC LIMIT 1`,
			reviewer)(&number, &identity)
		if none(c.err) {
			c.err = ErrUnknown
		}
		c.do(`UPDATE reviews SET last = 0, undone = 1 WHERE review = ?`, number)
		c.do(`UPDATE reviews SET last = 1 WHERE review = (SELECT max(review) FROM reviews WHERE identity = ? AND reviewer = ?
			AND NOT undone)`, identity, reviewer)
	})
	return identity, err
}

// Reviews gives what people say of dialogues now, in the order in which they said it: of one dialogue, or of all in the
// index where identity is empty.
func (s *Store) Reviews(ctx context.Context, identity string) (list []Review, err error) {
	return rows(ctx, s, func(scan scanner) (r Review, err error) {
		var at, verdicts string
		err = scan(&r.Identity, &r.Name, &r.File, &r.Reviewer, &at, &r.Satisfaction, &verdicts, &r.Note, &r.Flag, &r.Blind)
		if err == nil {
			r.At, err = time.Parse(time.RFC3339, at)
		}
		if err == nil {
			err = json.Unmarshal([]byte(verdicts), &r.Verdicts)
		}
		return r, err
	}, `SELECT r.identity, d.name, d.file, r.reviewer, r.at, r.satisfaction, r.verdicts, r.note, r.flag, r.blind
		FROM reviews r JOIN dialogues d USING (identity) WHERE r.last AND (r.identity = ?1 OR ?1 = '') ORDER BY r.review`, identity)
}

// WriteRatings writes what [Store.Ratings] gives into a file, which is whole at any time; without a path it does
// nothing.
func (s *Store) WriteRatings(ctx context.Context, path string) error {
	return output.WriteFile(path, func(w io.Writer) error { return s.Ratings(ctx, w, nil) })
}

// Ratings writes what people gave as a table that fit and agree read: one row for each dialogue and reviewer, in the
// order in which they were given. A criterion has the level that it should have, from 1 to 5. The identity tells dialogues
// with the same id apart. Where show is not nil, it says which reviews are written, and may change them.
func (s *Store) Ratings(ctx context.Context, to io.Writer, show func(*Review) bool) error {
	heading := []string{"dialogue_id", "file", "rating", "rater", "at"}
	for _, c := range rubric.Criteria() {
		heading = append(heading, c.String())
	}
	t := ui.NewTable("", append(heading, "note", "flag", "identity")...)
	reviews, err := s.Reviews(ctx, "")
	if err != nil {
		return err
	}
	number := func(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") } // none is empty
	for _, r := range reviews {
		if r.Empty() || show != nil && !show(&r) { // empty: a flag that was taken back
			continue
		}
		row := []any{r.Name, r.File, number(r.Satisfaction), r.Reviewer, r.At.Format(time.RFC3339)}
		for _, c := range rubric.Criteria() {
			row = append(row, number(int(r.Verdicts[c].Level/20)))
		}
		flag := ""
		if r.Flag {
			flag = "yes"
		}
		t.Add(append(row, r.Note, flag, r.Identity)...)
	}
	return t.CSV(to)
}
