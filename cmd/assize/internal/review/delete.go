package review

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"

	"assize/cmd/assize/internal/run"
)

// Deleted gives the dialogues that were deleted; none where there is no store at a path.
func Deleted(path string) (all map[run.Identity]bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	all = map[run.Identity]bool{}
	list, err := rows(context.Background(), s, one[string], `SELECT identity FROM deleted`)
	for _, text := range list {
		is, wrong := run.ParseIdentity(text)
		all[is], err = true, cmp.Or(err, wrong)
	}
	return all, err
}

// Delete removes a dialogue and all that is known of it: from its run, the index and what people said. It never comes
// back, even where the transcripts are scored again. What it was read from, such as an export, is not touched.
func (s *Store) Delete(ctx context.Context, d *Dialogue) error {
	is, err := run.ParseIdentity(d.Identity)
	file := ""
	if err == nil {
		err = s.db.QueryRowContext(ctx, `SELECT run FROM dialogues WHERE dialogue = ?`, d.ID).Scan(&file)
	}
	if err != nil {
		return err
	}
	defer s.changed()
	same, err := s.seen(file)
	if err == nil {
		err = run.Remove(file, d.Number, is)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = s.write(ctx, func(c *changes) {
		for _, statement := range []string{`DELETE FROM words WHERE rowid = ?1`, `DELETE FROM reasons WHERE dialogue = ?1`,
			`DELETE FROM records WHERE dialogue = ?1`, `DELETE FROM dialogues WHERE dialogue = ?1`,
			`DELETE FROM reviews WHERE identity = ?2`, `INSERT OR IGNORE INTO deleted VALUES (?2)`} {
			c.do(statement, d.ID, d.Identity)
		}
		c.do(`INSERT INTO words (words) VALUES ('optimize')`) // or the words stay in the index
		if info, err := os.Stat(file); err == nil && same {
			c.know(file, info)
		}
	})
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`) // what was deleted is in no other file either
	return err
}
