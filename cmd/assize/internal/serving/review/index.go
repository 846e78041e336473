package review

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// filling adds dialogues to the index in one transaction after another.
type filling struct {
	*Store
	*changes
	pass  int
	equal map[run.Key]int // numbers by [run.Row.Copy], from 1; keys may be of words that are masked
}

// Changed returns the runs that make the index out of date: those in files that are missing or were
// modified since they were read, and those in the index but not in files. While the queue is being
// ranked, it returns none.
func (s *Store) Changed(ctx context.Context, files []string) (changed []string, err error) {
	if !s.ranking.TryLock() {
		return nil, nil
	}
	defer s.ranking.Unlock()
	changed = ui.Without(files, func(file string) bool {
		same, gone := s.seen(file)
		return same && gone == nil
	})
	keys := ui.Each(files, s.key)
	read, err := rows(ctx, s.db, one[string], `SELECT path FROM runs`)
	isThere := func(known string) bool { return slices.Contains(keys, known) }
	return append(changed, ui.Without(read, isThere)...), err
}

// key is the path under which a run is known, which differs if its dialogues are masked.
func (s *Store) key(file string) string {
	if s.Redact {
		return file + " (redacted)"
	}
	return file
}

// Apart returns the dialogue of each review whose dialogue is not in the index, until it returns.
func (s *Store) Apart(ctx context.Context) ([]string, error) {
	return rows(ctx, s.db, one[string], query("apart", nil))
}

// seen reports whether a run is unchanged since it was read.
func (s *Store) seen(file string) (same bool, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return false, err
	}
	err = s.db.QueryRow(query("seen", nil), s.key(file), info.Size(),
		info.ModTime().UnixNano()).Scan(&same)
	return same, err
}

// Fill reads the runs of a corpus into the index and removes the dialogues that none of them
// contains. Their reviews are kept, and apply again if the dialogues return.
func (s *Store) Fill(ctx context.Context, c *corpus.Corpus) error {
	f := &filling{Store: s, equal: map[run.Key]int{}}
	s.ranking.Lock()
	defer s.ranking.Unlock()
	err := s.db.QueryRow(`SELECT coalesce(max(pass), 0) + 1 FROM dialogues`).Scan(&f.pass)
	if err != nil {
		return err
	}
	files := map[string]os.FileInfo{}
	for _, file := range c.Files { // before reading, so that later writes are noticed the next time
		if info, err := os.Stat(file); err == nil {
			files[file] = info
		}
	}
	const together = 200 // dialogues per transaction
	var waiting []*corpus.Entry
	enter := func(c *changes) {
		f.changes = c
		for _, e := range waiting {
			f.add(e)
		}
		waiting = waiting[:0]
	}
	reviewed, err := rows(ctx, s.db, one[run.Identity], query("reviewed", nil))
	if err != nil {
		return err
	}
	c.Keep = func(id run.Identity) bool {
		_, is := slices.BinarySearch(reviewed, id)
		return is
	}
	err = c.Each(ctx, c.Latest(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
		if waiting = append(waiting, e); len(waiting) < together {
			return true, nil
		}
		return true, s.write(ctx, enter)
	})
	if err != nil {
		return err
	}
	reviewers, err := rows(ctx, s.db, one[string], query("reviewers", nil))
	if err != nil {
		return err
	}
	return s.write(ctx, func(c *changes) {
		enter(c)
		for _, name := range reviewers {
			if s.Redact && redact.Reviewer(name) != name {
				masked := c.mask(name)
				c.do(`UPDATE reviews SET reviewer = ? WHERE reviewer = ?`, masked, name)
			}
		}
		c.do(query("follow", f.pass))
		c.do(`DELETE FROM dialogues WHERE pass <> ?`, f.pass)
		c.do(`DELETE FROM runs`)
		for file, info := range files {
			c.know(s.key(file), info)
		}
		c.number()
	})
}

// know records the size and modification time of a run that was read.
func (c *changes) know(file string, is os.FileInfo) {
	c.do(`INSERT OR REPLACE INTO runs VALUES (?, ?, ?)`, file, is.Size(), is.ModTime().UnixNano())
}

// add adds a dialogue to the index, unless it was deleted.
func (f *filling) add(e *corpus.Entry) {
	r := e.Record
	rate(f.Profile(), r, e.Line.Header)
	identity := r.Identity()
	var deleted bool
	f.row(`SELECT EXISTS (SELECT 1 FROM deleted WHERE identity = ?)`, identity)(&deleted)
	if deleted {
		return
	}
	if f.Redact { // the identity remains, which finds the dialogue in its run
		redact.Record(r)
		e.Line.Text = r.Append(nil)
	}
	id := f.enter(e, identity)
	said := append([]string{r.Name(), r.Source.File},
		ui.Each(r.Dialogue.Turns, func(t dialogue.Turn) string { return t.Text })...)
	f.do(`INSERT INTO words (rowid, text) VALUES (?, ?)`, id, strings.Join(said, "\n"))
	var b bytes.Buffer
	// the level is valid, and writes to a buffer do not fail
	w, _ := flate.NewWriter(&b, flate.BestSpeed)
	w.Write(e.Line.Text)
	w.Close()
	header := string(e.Line.Header.Append(nil))
	f.do(`INSERT OR IGNORE INTO headers (text) VALUES (?)`, header)
	f.do(query("enter record", nil), id, b.Bytes(), header)
	if r.Scored() {
		for _, s := range r.Evaluation.Signals {
			if s.Points < 0 && s.Criteria != 0 {
				t, _ := r.Dialogue.Turn(s.Turn)
				f.do(`INSERT OR IGNORE INTO reasons VALUES (?, ?, ?)`, id, s.ID,
					rubric.Excerpt(s.Turn, t.Text, s.Start, s.End).Text)
			}
		}
	}
}

// enter writes the row of a dialogue. Triggers remove what was derived from its earlier row.
func (f *filling) enter(e *corpus.Entry, identity run.Identity) (id int64) {
	row := e.Record.Row(e.Index)
	copied := row.Copy()
	f.equal[copied] = cmp.Or(f.equal[copied], 1+len(f.equal))
	row.Identity, row.Said = identity, run.KeyOf(e.Record.Source.Digest)
	var why triage.Explanation
	if row.Scored() {
		why = triage.Explain(e.Record.Evaluation)
	}
	x := unjudged(&row) // the part that the index contains
	x.Satisfaction, x.Average, x.Overall = row.Satisfaction, row.Average, row.Overall
	x.Final, x.Unshown, x.Checklist, x.Facts = row.Final, row.Unshown, row.Checklist, row.Facts
	if len(row.Ratings) > 0 {
		x.Ratings = []float64{stats.Mean(row.Ratings, nil)}
	}
	if row.CrossCheck != nil {
		x.CrossCheck = &rubric.CrossCheck{Disagreement: row.CrossCheck.Disagreement}
	}
	f.row(query("enter", nil), f.pass, e.Line.File, row.Place, f.equal[copied],
		table.Only(row.Scored(), int(row.Satisfaction)), why.Reason(), row.Name,
		string(rubric.AppendJSON(nil, x, json.OmitZeroStructFields(true))))(&id)
	if row.Checklist != nil {
		for _, a := range row.Checklist.Answers {
			f.do(`INSERT INTO answers VALUES (?, ?)`, id, a.Question+": "+string(a.Answer))
		}
	}
	for _, fact := range slices.Sorted(maps.Keys(row.Facts)) {
		f.do(`INSERT INTO answers VALUES (?, ?)`, id, fact+": "+string(row.Facts[fact]))
	}
	for i, state := range rubric.DeedStates() {
		if row.Deeds[i] > 0 { // a question may have the same name
			f.do(`INSERT OR IGNORE INTO answers VALUES (?, ?)`, id, ClaimAnswer+string(state))
		}
	}
	return id
}

// ClaimAnswer begins the answers for the states of claims, such as "claim: unproven".
const ClaimAnswer = run.ClaimName + ": "

// unjudged returns the part of a row that is known without scores and ratings.
func unjudged(r *run.Row) run.Row {
	return run.Row{Identity: r.Identity, Said: r.Said, ID: r.ID, Name: r.Name, File: r.File,
		Agent: r.Agent, Queue: r.Queue, Day: r.Day, Turns: r.Turns}
}

// number names the dialogues, and numbers them in the orders that depend on scores, which are those
// of assize triage. Of several that are equal by [run.Row.Copy], the first stands for all.
func (c *changes) number() {
	c.do(query("copies", nil))
	if c.err != nil {
		return
	}
	type entry struct {
		id int64
		run.Row
	}
	var list []entry
	list, c.err = rows(context.Background(), c.Tx, func(scan scanner) (e entry, err error) {
		return e, readRow(scan, &e.Row, &e.id, &e.Place)
	}, `SELECT `+query("row", nil)+`, dialogue, place FROM dialogues d`)
	titles := map[int64]string{}
	for i, title := range report.Titles(ui.Each(list, func(e entry) *run.Row { return &e.Row })) {
		titles[list[i].id] = title
	}
	c.do(query("titles", nil), string(rubric.AppendJSON(nil, titles)))
	store := func(column string, by run.Order) {
		slices.SortFunc(list, func(a, b entry) int { return by.Compare(&a.Row, &b.Row) })
		c.rank(column, ui.Each(list, func(e entry) int64 { return e.id }))
	}
	store("worst", run.BySatisfaction)
	scored := slices.Clone(list)
	list = slices.DeleteFunc(list, func(e entry) bool { return e.CrossCheck == nil })
	store("differ", run.ByDisagreement)
	list = slices.DeleteFunc(scored, func(e entry) bool { return e.Checklist.Value() == nil })
	store("failing", run.ByChecklist)
}

// rank stores the numbers of dialogues in an order, and that the others are not in it.
func (c *changes) rank(column string, dialogues []int64) {
	list := string(rubric.AppendJSON(nil, dialogues))
	c.do(query("no rank", column), list)
	c.do(query("rank", column), list)
}

// Record returns the record of a dialogue, estimated by the accepted profile, and its run's header.
func (s *Store) Record(ctx context.Context, id int64) (*run.Record, *run.Header, error) {
	r, header, err := s.stored(ctx, id)
	if err == nil {
		rate(s.Profile(), r, header)
	}
	return r, header, err
}

// stored returns the record of a dialogue as its run has it.
func (s *Store) stored(ctx context.Context, id int64) (*run.Record, *run.Header, error) {
	var packed []byte
	var number int64
	err := s.db.QueryRowContext(
		ctx, `SELECT header, text FROM records WHERE dialogue = ?`, id).Scan(&number, &packed)
	if none(err) {
		return nil, nil, ErrUnknown
	} else if err != nil {
		return nil, nil, err
	}
	header, err := s.header(ctx, number)
	text, err2 := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err := cmp.Or(err, err2); err != nil {
		return nil, nil, err
	}
	r, err := run.Line{File: s.path, Number: int(id), Text: text, Header: header}.Decode()
	return r, header, err
}

// header returns the header with a number. Runs have few headers, and their records share them.
func (s *Store) header(ctx context.Context, number int64) (*run.Header, error) {
	if h, ok := s.headers.Load(number); ok {
		return h.(*run.Header), nil
	}
	var text []byte
	err := s.db.QueryRowContext(ctx, `SELECT text FROM headers WHERE header = ?`,
		number).Scan(&text)
	if err != nil {
		return nil, err
	}
	h, err := run.ParseHeader(text)
	if err == nil {
		s.headers.Store(number, &h)
	}
	return &h, err
}

// allHeaders returns the headers of all runs, the latest first.
func (s *Store) allHeaders(ctx context.Context) (list []*run.Header, err error) {
	numbers, err := rows(ctx, s.db, one[int64], `SELECT header FROM headers ORDER BY header DESC`)
	for _, number := range numbers {
		h, failed := s.header(ctx, number)
		if failed != nil {
			return nil, failed
		}
		list = append(list, h)
	}
	return list, err
}

// Deleted returns the identities of the deleted dialogues in the store at path, if it exists.
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
	list, err := rows(context.Background(), s.db, one[run.Identity], `SELECT identity FROM deleted`)
	for _, is := range list {
		all[is] = true
	}
	return all, err
}

// Delete removes a dialogue from its run and the index, together with its reviews. The dialogue is
// skipped from then on, even if its transcript is scored again. Its source is not changed.
func (s *Store) Delete(ctx context.Context, d *Dialogue) error {
	s.deleting.Lock()
	defer s.deleting.Unlock()
	file := ""
	err := s.db.QueryRowContext(
		ctx, `SELECT run FROM dialogues WHERE dialogue = ?`, d.Entry).Scan(&file)
	if none(err) {
		return nil // it was deleted meanwhile
	} else if err != nil {
		return err
	}
	same, err := s.seen(file)
	if err == nil {
		err = run.Remove(file, d.Identity)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = s.write(ctx, func(c *changes) {
		c.do(`DELETE FROM dialogues WHERE dialogue = ?`, d.Entry)
		c.do(`DELETE FROM reviews WHERE identity = ?`, d.Identity)
		c.do(`INSERT OR IGNORE INTO deleted VALUES (?)`, d.Identity)
		// otherwise the words stay in the index
		c.do(`INSERT INTO words (words) VALUES ('optimize')`)
		c.number()
		if info, err := os.Stat(file); err == nil && same {
			c.know(s.key(file), info)
		}
	})
	if err != nil {
		return err
	}
	// otherwise the deleted text stays in the write-ahead log
	_, err = s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}
