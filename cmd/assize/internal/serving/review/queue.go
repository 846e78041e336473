package review

import (
	"cmp"
	"context"
	"database/sql"
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

// args returns the parameters of the condition "selected" for a filter, and more of a query.
func (f *Filter) args(more ...any) []any {
	return append(more, sql.Named("agent", f.Agent), sql.Named("queue", f.Queue),
		sql.Named("run", f.Run), sql.Named("from", f.From), sql.Named("to", f.To),
		sql.Named("reason", f.Reason), sql.Named("answer", f.Answer),
		sql.Named("words", f.Match()), sql.Named("least", int(f.Satisfaction.From)),
		sql.Named("below", int(f.Satisfaction.To)), sql.Named("overall", int(f.Overall)),
		sql.Named("criterion", int(f.Criterion)), sql.Named("by", f.By),
		sql.Named("reviewer", f.Reviewer), sql.Named("blind", f.Blind),
		sql.Named("twice", share(f.Twice)))
}

// share returns an upper bound of this share of all identities, which are hexadecimal digests.
func share(of float64) string {
	if of >= 1 {
		return "g" // sorts after every digit
	}
	return fmt.Sprintf("%08x", uint32(max(of, 0)*(1<<32)))
}

// Rank returns the column to sort by.
func (f *Filter) Rank() string {
	return cmp.Or(map[Order]string{Differ: "differ", Missed: "missed",
		Failing: "failing", Shuffled: "identity"}[f.Order], "worst")
}

// Match returns an FTS5 query for dialogues that contain all words, or words that so begin.
func (f *Filter) Match() string {
	list := strings.Fields(strings.ReplaceAll(f.Words, `"`, ""))
	return strings.Join(ui.Each(list, func(w string) string { return `"` + w + `"*` }), " ")
}

// List returns up to most dialogues that match the filter, in its order, from an offset on.
func (s *Store) List(ctx context.Context, f Filter, from, most int) ([]Dialogue, error) {
	return s.dialogues(ctx, f, "list", sql.Named("limit", most), sql.Named("offset", from))
}

// Count counts the dialogues that match a filter, by state.
func (s *Store) Count(ctx context.Context, f Filter) (c Counts, err error) {
	f.State = All
	finished := 0
	err = s.db.QueryRowContext(ctx, query("count", &f), f.args()...).Scan(&c.All, &c.Copies,
		&finished, &c.Done, &c.Flagged, &c.Second)
	c.Todo = c.All - finished
	return c, err
}

// Adjacent returns the dialogue "after" or "before" d in the filter's order, or nil if there is
// none. The dialogue d itself need not match the filter.
func (s *Store) Adjacent(ctx context.Context, f Filter, d *Dialogue, side string) (*Dialogue,
	error) {
	list, err := s.dialogues(ctx, f, side, sql.Named("dialogue", d.Entry))
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// Find returns the dialogues with a name, or the one with that identity, or [ErrUnknown].
func (s *Store) Find(ctx context.Context, f Filter, name string) ([]Dialogue, error) {
	list, err := s.dialogues(ctx, f, "find", sql.Named("name", name))
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

// dialogues returns the rows of a query for a filter, which has these parameters as well.
func (s *Store) dialogues(ctx context.Context, f Filter, name string, parameters ...any) (
	[]Dialogue, error) {
	return rows(ctx, s.db, func(scan scanner) (d Dialogue, err error) {
		var others string
		err = readRow(scan, &d.Row, &d.Entry, &d.Title, &d.Twins, &d.Copies, &d.Also, &d.Why,
			&d.Mine, &d.Revealed, &d.Flags, &others)
		if d.Hidden = f.Blind && d.Mine == 0; d.Hidden {
			d.Row, d.Why = unjudged(&d.Row), ""
		}
		if others != "" {
			d.Others = strings.Split(others, "\n")
		}
		d.Reviewers = len(d.Others) + min(d.Mine, 1)
		return d, err
	}, query(name, &f), f.args(parameters...)...)
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
	return rows(ctx, s.db,
		func(scan scanner) (c Choice, err error) { err = scan(&c.Value, &c.Count); return },
		query("choices", column), f.args()...)
}

// none reports whether err means that a query returned no row.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) }
