package review

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assize/rubric"
)

// ErrUnknown is the error of a dialogue that is not in the index.
var ErrUnknown = errors.New("no such dialogue")

// Order is what the queue is sorted by.
type Order string

// The orders.
const (
	Worst  Order = "worst"  // the lowest satisfaction first
	Differ Order = "differ" // where rules and model are furthest apart
	Teach  Order = "teach"  // those whose rating teaches a profile most, see [triage.Lessons]; says nothing of scores
	// Shuffled says nothing of scores either: it is that of identities, which are digests.
	Shuffled Order = "shuffled"
)

// State is how far the review of dialogues is.
type State string

// The states, for one reviewer.
const (
	Todo    State = "todo"    // not rated by this person, nor by as many others as shall rate it
	Done    State = "done"    // rated by this person
	Flagged State = "flagged" // flagged by anybody
	All     State = "all"
)

// Filter says which dialogues are wanted, in which order, and for whom. Empty members want everything.
type Filter struct {
	Order        Order
	State        State
	Agent, Queue string
	From, To     string           // days, as 2024-05-31
	Criterion    rubric.Criterion // wants a score below 60 on it; only where Low
	Low          bool
	Reason       string // the id of a detector that speaks against the dialogue
	Words        string // all of them were said
	Satisfaction Step   // that it is in
	Overall      rubric.Score
	By           string // this person rated it

	Blind    bool // scores are hidden from the reviewer until the dialogue is rated, and not only those of the control
	Reviewer string
	Twice    float64 // the share of dialogues that two people rate
}

// Dialogue is a row of the queue, with the tags of the HTTP API.
type Dialogue struct {
	ID           int64                            `json:"-"`
	Name         string                           `json:"id"`
	Identity     string                           `json:"identity"` // tells it from others with the same name
	Number       int                              `json:"-"`        // in its file
	File         string                           `json:"file"`
	Twins        int                              `json:"-"` // how many dialogues are found by the name, itself counted
	Agent        string                           `json:"agent,omitempty"`
	Queue        string                           `json:"queue,omitempty"`
	Day          string                           `json:"day,omitempty"`
	Turns        int                              `json:"turns"`
	Hidden       bool                             `json:"-"` // its scores and ratings are, and left out
	Satisfaction rubric.Hundredths                `json:"satisfaction,omitzero"`
	Average      rubric.Hundredths                `json:"average,omitzero"`
	Overall      rubric.Score                     `json:"overall,omitzero"`
	Levels       [rubric.NumCriteria]rubric.Score `json:"-"`
	Gap          *rubric.Hundredths               `json:"gap,omitempty"`   // levels; nil where no model judged
	Why          string                           `json:"-"`               // what failed most; empty for nothing
	Rated        *float64                         `json:"rated,omitempty"` // the mean of the ratings of the source
	Control      bool                             `json:"-"`               // always reviewed blind
	Mine         int                              `json:"yours,omitempty"` // this reviewer gave it, 1 to 5; 0 for nothing
	Revealed     bool                             `json:"-"`               // rated before, perhaps undone: scores may be known
	Reviewers    int                              `json:"reviewers"`       // how many people rated it
	Flags        int                              `json:"flags"`           // and how many flagged it
	Others       []string                         `json:"-"`               // the names of the other reviewers, sorted
}

// Scored reports whether the dialogue has scores that are not hidden.
func (d Dialogue) Scored() bool { return d.Overall != 0 }

// Counts are those of a filter, for its reviewer.
type Counts struct {
	Todo    int `json:"todo"`
	Done    int `json:"done"`
	Flagged int `json:"flagged"`
	All     int `json:"all"`
}

// Of gives that of a state.
func (c *Counts) Of(s State) int {
	return map[State]int{Todo: c.Todo, Done: c.Done, Flagged: c.Flagged, All: c.All}[s]
}

// current are the reviews that count as ratings.
const current = `FROM reviews r WHERE r.identity = d.identity AND r.last AND r.satisfaction > 0`

// where gives the condition of a filter, with a state in the place of its own, and the values in it.
func (f *Filter) where(s State) (condition string, args []any) {
	list := []string{`TRUE`}
	add := func(condition string, values ...any) { list, args = append(list, condition), append(args, values...) }
	for _, is := range []struct{ condition, value string }{{`d.agent = ?`, f.Agent}, {`d.queue = ?`, f.Queue},
		{`d.day >= ?`, f.From}, {`d.day <> '' AND d.day <= ?`, f.To},
		{`d.dialogue IN (SELECT dialogue FROM reasons WHERE reason = ?)`, f.Reason},
		{`d.dialogue IN (SELECT rowid FROM words WHERE words MATCH ?)`, match(f.Words)}} {
		if is.value != "" {
			add(is.condition, is.value)
		}
	}
	for condition, value := range map[string]int{`d.satisfaction >= ?`: int(f.Satisfaction.Least),
		`d.satisfaction < ?`: int(f.Satisfaction.Below), `d.overall = ?`: int(f.Overall)} {
		if value != 0 {
			add(condition, value)
		}
	}
	const mine = `EXISTS (SELECT 1 ` + current + ` AND r.reviewer = ?)`
	// To find what is hidden would tell its scores.
	if f.Low || f.Reason != "" || f.Satisfaction != (Step{}) || f.Overall != 0 {
		add(`(NOT (? OR d.control) OR `+mine+`)`, f.Blind, f.Reviewer)
	}
	if f.By != "" {
		add(mine, f.By)
	}
	if f.Low {
		add(`substr(d.levels, ?, 1) < '3'`, int(f.Criterion)+1)
	}
	if f.Order == Differ || f.Order == Teach {
		add(`d.` + f.rank() + ` IS NOT NULL`)
	}
	switch s {
	case Todo:
		add(`(NOT `+mine+` AND (SELECT count(*) `+current+`) < 1 + (d.identity < ?))`, f.Reviewer, share(f.Twice))
	case Done:
		add(mine, f.Reviewer)
	case Flagged:
		add(`EXISTS (SELECT 1 FROM reviews r WHERE r.identity = d.identity AND r.last AND r.flag)`)
	}
	return strings.Join(list, " AND "), args
}

// share gives the bound below which the identities of this share of all dialogues are: they are digests.
func share(of float64) string {
	if of >= 1 {
		return "g" // behind every digit
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, uint32(max(of, 0)*(1<<32))))
}

// rank gives the column of the order.
func (f *Filter) rank() string {
	switch f.Order {
	case Differ, Teach:
		return string(f.Order)
	case Shuffled:
		return "identity"
	}
	return string(Worst)
}

// match gives a query for all of some words (SQLite, FTS5 3.1), each also as the beginning of a longer one.
func match(words string) string {
	var list []string
	for _, w := range strings.Fields(words) {
		if w = strings.ReplaceAll(w, `"`, ""); w != "" {
			list = append(list, `"`+w+`"*`)
		}
	}
	return strings.Join(list, " ")
}

// List gives the dialogues of a filter in its order, from a place on; at most so many.
func (s *Store) List(ctx context.Context, f Filter, from, most int) ([]Dialogue, error) {
	where, args := f.where(f.State)
	return s.dialogues(ctx, f, where, args, `NULLS LAST LIMIT ? OFFSET ?`, most, from)
}

// Count counts the dialogues of a filter by state.
func (s *Store) Count(ctx context.Context, f Filter) (c Counts, err error) {
	where, args := f.where(All)
	finished := 0
	// As where has it, for all states in one pass over the dialogues that were reviewed: most are not.
	err = s.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM dialogues d WHERE `+where+`),
		coalesce(sum(t.mine OR t.n >= 1 + (d.identity < ?)), 0), coalesce(sum(t.mine), 0), coalesce(sum(t.flag), 0) FROM
		(SELECT identity, sum(satisfaction > 0) AS n, max(satisfaction > 0 AND reviewer = ?) AS mine, max(flag) AS flag
		FROM reviews WHERE last GROUP BY identity) t JOIN dialogues d ON t.identity = d.identity WHERE `+where,
		slices.Concat(args, []any{share(f.Twice), f.Reviewer}, args)...).Scan(&c.All, &finished, &c.Done, &c.Flagged)
	c.Todo = c.All - finished
	return c, err
}

// Beside gives the dialogue after one in the order of a filter, or with back the one before it; nil for none. The one
// itself need not be among those of the filter.
func (s *Store) Beside(ctx context.Context, f Filter, d *Dialogue, back bool) (*Dialogue, error) {
	where, args := f.where(f.State)
	than, direction := ` > `, ``
	if back {
		than, direction = ` < `, ` DESC`
	}
	where += ` AND d.` + f.rank() + than + `coalesce((SELECT ` + f.rank() + ` FROM dialogues WHERE dialogue = ?), 0)`
	list, err := s.dialogues(ctx, f, where, append(args, d.ID), direction+` NULLS LAST LIMIT 1`)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// Find gives the dialogues with a name, or the one with an identity. The error is [ErrUnknown] where there is none.
func (s *Store) Find(ctx context.Context, f Filter, name string) ([]Dialogue, error) {
	order := Filter{Order: f.Order, Reviewer: f.Reviewer, Blind: f.Blind}
	list, err := s.dialogues(ctx, order, `(d.name = ? OR d.identity = ?)`, []any{name, name}, `NULLS LAST`)
	if err == nil && len(list) == 0 {
		err = ErrUnknown
	}
	if at := slices.IndexFunc(list, func(d Dialogue) bool { return d.Identity == name }); at >= 0 {
		list = list[at : at+1] // whatever others are called
	}
	return list, err
}

// dialogues reads rows that meet a condition, in the order of a filter; tail is what follows it.
func (s *Store) dialogues(ctx context.Context, f Filter, where string, args []any, tail string, tailArgs ...any,
) (list []Dialogue, err error) {
	query := fmt.Sprintf(`SELECT d.dialogue, d.identity, d.number, d.name, d.file,
		(SELECT count(*) FROM dialogues e WHERE e.name = d.name OR e.identity = d.name), d.agent, d.queue, d.day, d.turns,
		coalesce(d.satisfaction, 0), coalesce(d.average, 0), coalesce(d.overall, 0), coalesce(d.levels, ''), d.gap, d.why,
		d.rated, d.control,
		coalesce((SELECT r.satisfaction %s AND r.reviewer = ?), 0),
		EXISTS (SELECT 1 FROM reviews r WHERE r.identity = d.identity AND r.reviewer = ? AND r.satisfaction > 0),
		(SELECT count(*) FROM reviews r WHERE r.identity = d.identity AND r.last AND r.flag),
		coalesce((SELECT group_concat(r.reviewer, char(10)) %s AND r.reviewer <> ?), '')
		FROM dialogues d WHERE %s ORDER BY d.%s %s`, current, current, where, f.rank(), tail)
	args = slices.Concat([]any{f.Reviewer, f.Reviewer, f.Reviewer}, args, tailArgs)
	return rows(ctx, s, func(scan scanner) (d Dialogue, err error) {
		var levels, others string
		err = scan(&d.ID, &d.Identity, &d.Number, &d.Name, &d.File, &d.Twins, &d.Agent, &d.Queue, &d.Day, &d.Turns,
			&d.Satisfaction, &d.Average, &d.Overall, &levels, &d.Gap, &d.Why, &d.Rated, &d.Control, &d.Mine, &d.Revealed, &d.Flags, &others)
		if d.Hidden = (f.Blind || d.Control) && d.Mine == 0; d.Hidden {
			d.Satisfaction, d.Average, d.Overall, levels, d.Gap, d.Why, d.Rated = 0, 0, 0, "", nil, "", nil
		}
		for i := range min(len(levels), len(d.Levels)) {
			d.Levels[i] = rubric.Score(levels[i]-'0') * 20
		}
		if others != "" {
			d.Others = strings.Split(others, "\n")
			slices.Sort(d.Others)
		}
		d.Reviewers = len(d.Others) + min(d.Mine, 1)
		return d, err
	}, query, args...)
}

// Choice is a value that a filter may have, and how many dialogues have it.
type Choice struct {
	Value string
	Count int
}

// Choices gives the values of agent, queue or reason, the most frequent first, at most a hundred.
func (s *Store) Choices(ctx context.Context, column string) ([]Choice, error) {
	table := "dialogues"
	if column == "reason" {
		table = "reasons"
	}
	return rows(ctx, s, func(scan scanner) (c Choice, err error) { err = scan(&c.Value, &c.Count); return },
		`SELECT `+column+`, count(*) AS n FROM `+table+` WHERE `+column+` <> '' GROUP BY 1 ORDER BY n DESC, 1 LIMIT 100`)
}

// none reports whether an error says that there is no row.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) }
