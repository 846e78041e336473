package review

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// ErrUnknown is returned for a dialogue that is not in the index.
var ErrUnknown = errors.New("no such dialogue")

// Order is the order in which the queue is sorted.
type Order string

// The orders of the queue.
const (
	Worst  Order = "worst"  // the lowest satisfaction first
	Differ Order = "differ" // the largest difference between rules and model first
	Missed Order = "missed" // satisfaction farthest from people's ratings first
	// Failing sorts by the score of the scorecard, the lowest first.
	Failing Order = run.ChecklistName
	// Shuffled sorts by identity, a digest, and so reveals nothing about scores; see [Sample].
	Shuffled Order = "shuffled"
)

// State is the state of a dialogue's review.
type State string

// The states, as seen by one reviewer.
const (
	// Todo means that neither this person nor the required number of others have rated it.
	Todo    State = "todo"
	Done    State = "done"    // rated by this person
	Flagged State = "flagged" // flagged by anybody
	Second  State = "second"  // rated by others, but not by this person
	All     State = "all"
)

// Filter selects dialogues and their order for a reviewer. A field that is zero selects all.
type Filter struct {
	Order        Order
	State        State
	Agent, Queue string
	From, To     string           // inclusive, such as 2024-05-31
	Criterion    rubric.Criterion // with Low, selects scores below 60 on this criterion
	Low          bool
	Reason       string     // the ID of a detector that lowered a score
	Answer       string     // to a question, "identified: no", or a state, "claim: unproven"
	Words        string     // that all occur in the dialogue, its name or its file
	Satisfaction report.Bin // the step of the estimated satisfaction
	Overall      rubric.Score
	By           string // a reviewer who rated the dialogue
	Run          string // the file of the run

	// Blind hides the scores of every dialogue from the reviewer until they have rated it.
	Blind    bool
	Reviewer string
	Twice    float64 // the share of dialogues that two people rate
}

// Dialogue is a row of the queue, as a reviewer sees it: of the index, without hidden scores.
type Dialogue struct {
	run.Row
	Entry  int64  // its key in the index
	Title  string // see [report.Titles]
	Twins  int    // how many dialogues have this title, including this one
	Copies int    // how many have its turns, and are represented by it; 0 if it is not the first
	// the names of the first 20 that it represents, or of the one that represents it
	Also   string
	Hidden bool
	Why    string // the main reason for the lowest score, or ""
	Mine   int    // the reviewer's rating, 1 to 5; 0 if none

	Revealed  bool     // was rated before, so the reviewer may know the scores
	Reviewers int      // how many people rated it
	Flags     int      // how many people flagged it
	Others    []string // the names of the other reviewers, sorted
}

// Values returns the values of the dialogue, see [run.Row.Values].
func (d *Dialogue) Values() table.Values {
	v := d.Row.Values()
	if d.Hidden {
		v["status"] = "hidden"
	}
	v["yours"], v["reviewers"], v["flags"] = table.Only(d.Mine > 0, d.Mine), d.Reviewers, d.Flags
	said := d.Others
	if d.Mine > 0 {
		said = slices.Concat([]string{fmt.Sprint("you ", d.Mine)}, said)
	}
	reviews := strings.Join(said, ", ")
	if d.Flags > 0 {
		reviews += " ⚑"
	}
	v["reviews"] = reviews
	v["duplicates"], v["also"] = table.Only(d.Copies > 1, d.Copies-1), d.Also
	v["why"], v["twin"] = d.Why, table.Only(d.Twins > 1, d.File)
	return v
}

// Counts holds the number of dialogues in each state, for the reviewer of a filter.
type Counts struct {
	Todo    int `json:"todo"`
	Done    int `json:"done"`
	Flagged int `json:"flagged"`
	Second  int `json:"second"`
	All     int `json:"all"`
	Copies  int `json:"-"` // left out: see Dialogue.Copies
}

// Of returns the count for a state.
func (c *Counts) Of(s State) int {
	return map[State]int{Todo: c.Todo, Done: c.Done, Flagged: c.Flagged, Second: c.Second,
		All: c.All}[s]
}

// Left returns how many dialogues of a queue the reviewer has yet to rate.
func (c *Counts) Left(queue State) int {
	if queue == Second {
		return c.Second
	}
	return c.Todo
}

// where returns the SQL condition of a filter, with the state s, and its arguments.
func (f *Filter) where(s State) (condition string, args []any) {
	list := []string{`d.copies > 0`} // one of each
	if f.By != "" {
		list[0] = `TRUE`
	}
	add := func(condition string, values ...any) {
		list, args = append(list, condition), append(args, values...)
	}
	for _, is := range []struct {
		condition string
		value     any
	}{{`d.agent = ?`, f.Agent}, {`d.queue = ?`, f.Queue}, {`d.run = ?`, f.Run},
		{`d.day >= ?`, f.From}, {`d.day <> '' AND d.day <= ?`, f.To},
		{`d.dialogue IN (SELECT dialogue FROM reasons WHERE reason = ?)`, f.Reason},
		{`d.dialogue IN (SELECT dialogue FROM answers WHERE answer = ?)`, f.Answer},
		{`d.equal IN (SELECT equal FROM dialogues WHERE dialogue IN
			(SELECT rowid FROM words WHERE words MATCH ?))`, match(f.Words)},
		{`d.satisfaction >= ?`, int(f.Satisfaction.From)},
		{`d.satisfaction < ?`, int(f.Satisfaction.To)}, {`d.overall = ?`, int(f.Overall)}} {
		if is.value != "" && is.value != 0 {
			add(is.condition, is.value)
		}
	}
	current := query("current", nil)
	mine := `EXISTS (SELECT 1 ` + current + ` AND r.reviewer = ?)`
	// Finding hidden dialogues by their scores would reveal the scores.
	if f.Low || f.Reason != "" || f.Answer != "" || f.Satisfaction.To != 0 || f.Overall != 0 {
		add(`(NOT ? OR `+mine+`)`, f.Blind, f.Reviewer)
	}
	if f.By != "" {
		add(mine, f.By)
	}
	if f.Low {
		add(`d.final ->> ? < 60`, int(f.Criterion))
	}
	if slices.Contains([]Order{Differ, Missed, Failing}, f.Order) {
		add(`d.` + f.rank() + ` IS NOT NULL`)
	}
	switch s {
	case Todo:
		add(`(NOT `+mine+` AND (SELECT count(*) `+current+`) < 1 + (d.identity < ?))`, f.Reviewer,
			share(f.Twice))
	case Done:
		add(mine, f.Reviewer)
	case Second:
		add(`(NOT `+mine+` AND EXISTS (SELECT 1 `+current+`))`, f.Reviewer)
	case Flagged:
		add(`EXISTS (SELECT 1 FROM reviews r WHERE r.identity = d.identity AND r.last AND r.flag)`)
	}
	return strings.Join(list, " AND "), args
}

// share returns an upper bound of this share of all identities, which are hexadecimal digests.
func share(of float64) string {
	if of >= 1 {
		return "g" // sorts after every digit
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, uint32(max(of, 0)*(1<<32))))
}

// rank returns the column to sort by.
func (f *Filter) rank() string {
	return cmp.Or(map[Order]string{Differ: "differ", Missed: "missed",
		Failing: "failing", Shuffled: "identity"}[f.Order], "worst")
}

// match returns an FTS5 query for dialogues that contain all of the words, or words that so begin.
func match(words string) string {
	list := strings.Fields(strings.ReplaceAll(words, `"`, ""))
	return strings.Join(ui.Each(list, func(w string) string { return `"` + w + `"*` }), " ")
}

// List returns up to most dialogues that match the filter, in its order, from an offset on.
func (s *Store) List(ctx context.Context, f Filter, from, most int) ([]Dialogue, error) {
	where, args := f.where(f.State)
	return s.dialogues(ctx, f, where, args, `NULLS LAST LIMIT ? OFFSET ?`, most, from)
}

// Count counts the dialogues that match a filter, by state.
func (s *Store) Count(ctx context.Context, f Filter) (c Counts, err error) {
	where, args := f.where(All)
	finished := 0
	err = s.db.QueryRowContext(ctx, query("count", where), slices.Concat(args, args,
		[]any{share(f.Twice), f.Reviewer}, args)...).Scan(&c.All, &c.Copies, &finished, &c.Done,
		&c.Flagged, &c.Second)
	c.Todo = c.All - finished
	return c, err
}

// Adjacent returns the dialogue after d in the filter's order or, if back is set, the one before
// it. It returns nil if there is none. The dialogue d itself need not match the filter.
func (s *Store) Adjacent(ctx context.Context, f Filter, d *Dialogue, back bool) (*Dialogue, error) {
	where, args := f.where(f.State)
	than, direction := ` > `, ``
	if back {
		than, direction = ` < `, ` DESC`
	}
	where += ` AND d.` + f.rank() + than + `coalesce((SELECT ` + f.rank() +
		` FROM dialogues WHERE dialogue = ?), 0)`
	list, err := s.dialogues(ctx, f, where, append(args, d.Entry), direction+` NULLS LAST LIMIT 1`)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// Find returns the dialogues with a name, or the one with that identity, or [ErrUnknown].
func (s *Store) Find(ctx context.Context, f Filter, name string) ([]Dialogue, error) {
	order := Filter{Order: f.Order, Reviewer: f.Reviewer, Blind: f.Blind}
	list, err := s.dialogues(
		ctx, order, `(d.name = ? OR d.identity = ?)`, []any{name, name}, `NULLS LAST`)
	if err == nil && len(list) == 0 {
		err = ErrUnknown
	}
	if at := slices.IndexFunc(list, func(d Dialogue) bool {
		return string(d.Identity) == name
	}); at >= 0 {
		list = list[at : at+1] // an identity takes precedence over names
	}
	return list, err
}

// dialogues returns the rows that meet a condition, in the order of a filter; tail ends the query.
func (s *Store) dialogues(ctx context.Context, f Filter, where string, args []any, tail string,
	tailArgs ...any) (list []Dialogue, err error) {
	args = slices.Concat([]any{f.Reviewer, f.Reviewer, f.Reviewer}, args, tailArgs)
	return rows(ctx, s.db, func(scan scanner) (d Dialogue, err error) {
		var others string
		err = readRow(scan, &d.Row, &d.Entry, &d.Title, &d.Twins, &d.Copies, &d.Also, &d.Why,
			&d.Mine, &d.Revealed, &d.Flags, &others)
		if d.Hidden = f.Blind && d.Mine == 0; d.Hidden {
			d.Row, d.Why = unjudged(&d.Row), ""
		}
		if others != "" {
			d.Others = strings.Split(others, "\n")
			slices.Sort(d.Others)
		}
		d.Reviewers = len(d.Others) + min(d.Mine, 1)
		return d, err
	}, query("dialogues",
		map[string]string{"Where": where, "Rank": f.rank(), "Tail": tail}), args...)
}

// readRow reads the columns of the query "row" into a row, and further columns into more.
func readRow(scan scanner, row *run.Row, more ...any) error {
	var text []byte
	var satisfaction rubric.Hundredths
	err := scan(append([]any{&text, &satisfaction}, more...)...)
	if err == nil {
		err = rubric.ParseJSON(text, row)
	}
	row.Satisfaction = satisfaction
	return err
}

// Choice is a possible value of a filter and the number of dialogues that have it.
type Choice struct {
	Value string
	Count int
}

// Choices returns up to 100 values of the column agent, queue, reason or answer, the most frequent
// first; answers are sorted by name. Reasons and answers are only those that the reviewer may see.
func (s *Store) Choices(ctx context.Context, column string, f Filter) ([]Choice, error) {
	from, by, args := `dialogues d WHERE TRUE`, "n DESC, 1", []any(nil)
	if column == "reason" || column == "answer" {
		from = column + `s JOIN dialogues d USING (dialogue) WHERE (NOT ? OR EXISTS (SELECT 1 ` +
			query("current", nil) + ` AND r.reviewer = ?))`
		args = []any{f.Blind, f.Reviewer}
	}
	if column == "answer" {
		by = "1" // questions together
	}
	return rows(ctx, s.db,
		func(scan scanner) (c Choice, err error) { err = scan(&c.Value, &c.Count); return },
		query("choices", map[string]string{"Column": column, "From": from, "By": by}), args...)
}

// none reports whether err means that a query returned no row.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) }
