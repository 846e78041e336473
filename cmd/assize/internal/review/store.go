// Package review keeps what people say of the dialogues of runs: in one SQLite file beside the run, with an index of
// the dialogues, so that the worst are at hand and every word can be searched.
//
// The index is made of the runs ([Store.Fill]) and can be made again at any time. The reviews are what people gave: each
// is on disk before it is acknowledged, and none is ever changed; the last of a person about a dialogue counts.
package review

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"assize/heuristics"
)

// version is that of the schema, kept as the file's user_version.
const version = 3

//go:embed schema.sql
var schema string

// Store is what is known of the dialogues of some runs, and what people say of them. Several goroutines may use it.
type Store struct {
	db      *sql.DB
	path    string
	headers sync.Map // those that were used, *run.Header by number

	ranking sync.Mutex                         // held by whoever ranks the queue
	profile atomic.Pointer[heuristics.Profile] // see [Store.Accept]
}

// Path gives the name of the store that belongs to a run: run.jsonl has run.review.sqlite beside it.
func Path(runFile string) string {
	return strings.TrimSuffix(runFile, filepath.Ext(runFile)) + ".review.sqlite"
}

// Open opens a store, or makes it. The error tells of a file that is no store, or one of another version. More pragmas,
// such as max_page_count(100), hold for all that is done with it.
func Open(path string, pragmas ...string) (*Store, error) {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": append([]string{"busy_timeout(10000)", "journal_mode(WAL)",
		"synchronous(FULL)", "secure_delete(ON)", "cache_size(-4000)"}, pragmas...)}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(),
		RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4) // each keeps pages in memory
	s := &Store{db: db, path: path}
	if err := s.prepare(); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: cannot be opened as a store of reviews: %w", path, err)
	}
	return s, nil
}

// prepare makes the tables where there are none, and reads the accepted profile.
func (s *Store) prepare() error {
	return s.write(context.Background(), func(c *changes) {
		has, tables := 0, 0
		c.row(`SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`)(&has, &tables)
		switch {
		case c.err != nil:
		case has == 0 && tables == 0:
			c.do(schema + fmt.Sprintf("PRAGMA user_version = %d", version))
		case has == 0:
			c.err = errors.New("it is a database of another program")
		case has != version:
			c.err = fmt.Errorf("it has version %d; want %d, or the program that wrote it", has, version)
		}
		var text []byte
		if c.row(`SELECT text FROM profile`)(&text); none(c.err) {
			c.err = nil
		} else if c.err == nil {
			var p heuristics.Profile
			p, c.err = heuristics.ParseProfile(s.path, text)
			s.profile.Store(&p)
		}
	})
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Full reports whether an error says that the disk is full.
func Full(err error) bool {
	var failed *sqlite.Error
	return errors.As(err, &failed) && failed.Code() == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC)
}

// scanner is that of [sql.Rows].
type scanner = func(...any) error

// rows reads what a query gives; read scans a row of it.
func rows[T any](ctx context.Context, s *Store, read func(scan scanner) (T, error), query string, args ...any,
) (list []T, err error) {
	found, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		one, err := read(found.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, found.Err()
}

// one reads a row of one column.
func one[T any](scan scanner) (v T, err error) {
	err = scan(&v)
	return v, err
}

// changes are statements of one transaction. After an error, nothing more is done.
type changes struct {
	*sql.Tx
	err error
}

// do carries out a statement.
func (c *changes) do(statement string, args ...any) {
	if c.err == nil {
		_, c.err = c.Exec(statement, args...)
	}
}

// row gives the one row that a query gives.
func (c *changes) row(query string, args ...any) func(to ...any) {
	return func(to ...any) {
		if c.err == nil {
			c.err = c.QueryRow(query, args...).Scan(to...)
		}
	}
}

// write makes changes, which are on disk when it returns without an error.
func (s *Store) write(ctx context.Context, work func(*changes)) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	c := &changes{Tx: tx}
	if work(c); c.err != nil {
		return c.err
	}
	return tx.Commit()
}
