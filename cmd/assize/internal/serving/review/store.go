// Package review stores people's reviews of the dialogues in runs. It uses one SQLite file next to
// the run, which also has an index to find the worst dialogues and to search their words.
//
// The index is built from the runs ([Store.Fill]) and can be rebuilt at any time. The reviews
// cannot: each is on disk before it is acknowledged, and its content never changes. A person's last
// review of a dialogue counts.
package review

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"text/template"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
)

var texts = prose.Of("review",
	template.FuncMap{"fewest": func() int { return stats.MinRated }})

// version is the version of the schema, stored in the file's user_version. In a file with an
// earlier one, from oldest on, the reviews are kept and the index is made again.
const oldest, version = 4, 13

// schema creates an empty index, and the tables of reviews unless they exist.
//
//go:embed schema.sql
var schema string

//go:embed queries.sql
var queriesFile string

var queries = template.Must(template.New("").Parse(queriesFile))

func query(name string, data any) string {
	var b strings.Builder
	if err := queries.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the queries are part of the program
	}
	return b.String()
}

// Store holds an index of dialogues, and people's reviews of them. It is safe for concurrent use.
type Store struct {
	Redact bool              // mask personal data before it is stored; set before [Store.Fill]
	Log    func(line string) // reports a file that is kept; may be nil

	db      *sql.DB
	path    string
	headers sync.Map // those already read, *run.Header by number
	masks   sync.Map // of reviewers' names, see [Store.Mask]

	changes, ranked atomic.Int64 // how many there were, in all and when [Store.Missed] ranked

	ranking  sync.Mutex                           // held while the queue is ranked
	deleting sync.Mutex                           // held while a run is written
	profile  atomic.Pointer[satisfaction.Profile] // see [Store.Accept]
}

const ending = ".review.sqlite"

// Path returns the file name of the store of a run: run.review.sqlite next to run.jsonl.
func Path(runFile string) string {
	return strings.TrimSuffix(runFile, filepath.Ext(runFile)) + ending
}

// Elsewhere returns a note for each other store in the folder that has reviews of the dialogues in
// the index, such as the store that a run had under another name, unless this store has reviews.
// It ignores what cannot be read.
func (s *Store) Elsewhere(ctx context.Context) (notes ui.Sentences) {
	has := false
	conn, err := s.db.Conn(ctx) // a store is attached to one connection
	if err != nil {
		return nil
	}
	defer conn.Close()
	conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM reviews)`).Scan(&has)
	files, _ := os.ReadDir(filepath.Dir(s.path))
	for _, file := range files {
		path, n := filepath.Join(filepath.Dir(s.path), file.Name()), 0
		if has || !strings.HasSuffix(path, ending) || path == filepath.Clean(s.path) {
			continue
		}
		conn.ExecContext(ctx, `ATTACH ? AS other`, address(path, url.Values{"mode": {"rw"}}))
		conn.QueryRowContext(ctx, query("other reviews", nil)).Scan(&n)
		conn.ExecContext(ctx, `DETACH other`)
		notes.If(n > 0, texts.Format("elsewhere"), path, ui.Counted(n, "review"), ui.Word(path))
	}
	return notes
}

// address returns the URI of a database, which is a file even if it is called :memory:.
func address(path string, query url.Values) string {
	if !filepath.IsAbs(path) {
		path = "./" + path
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(),
		RawQuery: query.Encode()}
	return name.String()
}

// Open opens the store at path and creates it if necessary. It returns an error if the file is not
// a store or has another version. The extra pragmas apply to every connection.
func Open(path string, pragmas ...string) (*Store, error) {
	// The driver sets the last busy_timeout first, so that the first one counts.
	settings := url.Values{"_txlock": {"immediate"},
		"_pragma": append(pragmas, "busy_timeout(10000)", "synchronous(FULL)",
			"secure_delete(ON)", "cache_size(-4000)")}
	db, err := sql.Open("sqlite", address(path, settings))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4) // each connection caches pages in memory
	s := &Store{db: db, path: path}
	if err = s.prepare(); err == nil {
		_, err = db.Exec(`PRAGMA journal_mode = WAL`) // changes the file, which may be another's
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: cannot be opened as a store of reviews: %w", path, err)
	}
	return s, nil
}

// prepare creates the tables if they do not exist, and reads the accepted profile.
func (s *Store) prepare() error {
	return s.write(context.Background(), func(c *changes) {
		has, tables := 0, 0
		c.row(query("version", nil))(&has, &tables)
		switch {
		case c.err != nil:
		case has == 0 && tables == 0 || oldest <= has && has < version:
			c.do(schema + fmt.Sprintf("PRAGMA user_version = %d", version))
		case has == 0:
			c.err = errors.New("it is a database of another program")
		case has != version:
			c.err = texts.Error("version", has, version)
		}
		var text []byte
		if c.row(`SELECT text FROM profile`)(&text); none(c.err) {
			c.err = nil
		} else if c.err == nil {
			var p satisfaction.Profile
			p, c.err = satisfaction.ParseProfile(s.path, text)
			s.profile.Store(&p)
		}
	})
}

// SessionTime is how long a session lasts.
const SessionTime = 30 * 24 * time.Hour

// Session returns the digest of the token with which the session of a cookie began, or "" if there
// is no such session, or it cannot be read.
func (s *Store) Session(ctx context.Context, cookie string) (token string) {
	s.db.QueryRowContext(ctx, `SELECT token FROM sessions WHERE cookie = ? AND begun > ?`,
		digestOf(cookie), time.Now().Add(-SessionTime).Unix()).Scan(&token)
	return token
}

// RenewSession ends the session of the cookie last and, if next is not empty, begins one.
func (s *Store) RenewSession(ctx context.Context, last, next, token string) error {
	now := time.Now()
	return s.write(ctx, func(c *changes) {
		c.do(`DELETE FROM sessions WHERE cookie = ? OR begun <= ?`, digestOf(last),
			now.Add(-SessionTime).Unix())
		if next != "" {
			c.do(`INSERT INTO sessions VALUES (?, ?, ?)`, digestOf(next), token, now.Unix())
		}
	})
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Full reports whether err means that the disk is full.
func Full(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code() == sqlite3.SQLITE_FULL ||
		errors.Is(err, syscall.ENOSPC)
}

// Busy reports whether err means that another program has locked the store or a run.
func Busy(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return errors.Is(err, run.ErrBusy) || ok && slices.Contains(
		[]int{sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}, failed.Code()&0xff)
}

// Named adds the file of the store to an error of its database, which does not name it.
func (s *Store) Named(err error) error {
	if errors.As(err, new(*sqlite.Error)) || errors.Is(err, errRow) {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return err
}

// scanner is the type of [sql.Rows.Scan].
type scanner = func(...any) error

// queryer is a database or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// errRow is the error of a row that cannot be read.
var errRow = errors.New("a row is not as assize wrote it")

// rows runs a query and returns its rows, each converted by read.
func rows[T any](ctx context.Context, db queryer, read func(scan scanner) (T, error), query string,
	args ...any) (list []T, err error) {
	found, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		one, err := read(found.Scan)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errRow, err)
		}
		list = append(list, one)
	}
	return list, found.Err()
}

// one reads a row with a single column.
func one[T any](scan scanner) (v T, err error) {
	err = scan(&v)
	return v, err
}

// changes runs statements in one transaction. After the first error, it runs nothing more.
type changes struct {
	*sql.Tx
	err error
}

func (c *changes) do(statement string, args ...any) {
	if c.err == nil {
		_, c.err = c.Exec(statement, args...)
	}
}

// row returns a function that scans the single row of a query.
func (c *changes) row(query string, args ...any) func(to ...any) {
	return func(to ...any) {
		if c.err == nil {
			c.err = c.QueryRow(query, args...).Scan(to...)
		}
	}
}

// write runs work in a transaction, which is on disk when write returns nil.
func (s *Store) write(ctx context.Context, work func(*changes)) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	c := &changes{Tx: tx}
	if work(c); c.err != nil {
		return c.err
	}
	defer s.changes.Add(1)
	return tx.Commit()
}
