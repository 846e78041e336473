package run

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unique"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// Row is the part of a record that statistics need: 376 bytes, without any text of the
// dialogue. Everything that summarises, compares, ranks or learns works on rows.
type Row struct {
	Place    int    // position in reading order, as counted by the caller
	Name     string // the source's ID or, if it has none, the number
	ID       int    // the dialogue's number in its file
	File     string // as the user named it
	Turns    int
	Identity Identity
	Said     Key // identifies text and speakers, before they were masked if that is known
	copied   Key // see [Row.Copy]; zero for that of the words
	Opening  Key // identifies the USER's first turn of 12 bytes or more; zero if there is none
	// of the source, with the field "agent" if only the speakers of turns say who it is
	Meta dialogue.Meta
	// who served the customer, and the team or queue; "" if the source does not say
	Agent, Queue string
	Day          string // the date, such as 2024-05-31, see [Record.Date]
	Reason       string // why it is unscored; empty if it is scored
	Ratings      []float64

	satisfaction.Estimate                   // zero if unscored, like all following fields
	Average               rubric.Hundredths // the weighted average, 20.00 to 100.00
	Overall               rubric.Score      // OverallExperience
	Proposed, Final       [rubric.NumCriteria]rubric.Score
	Unshown               rubric.Set // the criteria of which the dialogue shows nothing
	Rulings               [rubric.NumCriteria]rubric.RulingID
	Masked                bool               // the words are masked
	HasCalls              bool               // of tools
	CrossCheck            *rubric.CrossCheck // nil unless a model proposed all six scores
	Deeds                 rubric.DeedCounts  // of deeds; zero without calls of tools
	Checklist             *rubric.Checklist  // without quotes; nil if the rubric has no question
	// Facts holds what the SYSTEM says of facts of the rubric, by ID; nil if it speaks of none
	Facts map[string]rubric.Answer
}

// The answers to a fact, by what the SYSTEM states. If it states both, the second counts.
const (
	FactAgrees       rubric.Answer = "agrees"
	FactContradicted rubric.Answer = "contradicted"
)

// Names returns the names that a user may give to a dialogue: its number, the source's own ID, that
// of its file, or both as in "7 of FILE" and "FILE:7". The name of a file without the extension is
// that of its first dialogue, if that has no own ID.
func Names(number int, own, file string) (list []string) {
	own = cmp.Or(own, strconv.Itoa(number))
	list = []string{own, strconv.Itoa(number)}
	for _, file := range []string{file, filepath.Base(file)} {
		list = append(list, file, file+":"+own, own+" of "+file)
		if own == "1" {
			list = append(list, strings.TrimSuffix(file, filepath.Ext(file)))
		}
	}
	return ui.Distinct(list)
}

// Row returns the row of the record; place is its position in reading order.
func (r *Record) Row(place int) Row {
	row := Row{
		Place: place, Name: r.Name(), ID: r.Dialogue.ID, File: shared(r.Source.File),
		Turns: r.Source.Turns, Identity: r.Identity(), Said: KeyOf(r.Source.Digest),
		Meta: r.Source.Meta, Reason: r.Reason, Ratings: r.Truth.Overall, Masked: r.Masked,
		Day: shared(r.Date("")),
	}
	for _, t := range r.Dialogue.Turns {
		if t.Role == dialogue.User && len(t.Text) >= 12 {
			row.Opening = sha256.Sum256([]byte(t.Text))
			break
		}
	}
	if name := r.agent(); name != "" && row.of("agent") == "" {
		row.Meta = dialogue.NewMeta(append(slices.Clone(row.Meta),
			dialogue.Field{Name: "agent", Value: name}))
	}
	row.Agent, row.Queue = shared(row.of("agent")), shared(row.of("queue"))
	if is := r.Keys; is != nil {
		row.Said, row.copied = is.Said, is.Copy
	} else if r.Masked { // the same masked words may have been other words
		row.copied = row.copyOf(*cmp.Or(r.Source.DuplicateOf, new(r.Origin())))
	}
	if !r.Scored() {
		return row
	}
	e := r.Evaluation
	row.Estimate, row.Average, row.Overall, row.CrossCheck = r.Estimate, e.Average, e.Overall,
		r.CrossCheck
	row.Checklist, row.Deeds = r.Checklist.WithoutQuotes(), rubric.CountDeeds(r.Deeds)
	row.HasCalls = len(r.Deeds) > 0 || len(r.Dialogue.Listed) > 0 || len(r.Dialogue.Tools()) > 0
	row.Proposed, row.Final = e.Evaluator.Scores(), e.Final.Scores()
	for i := range e.Rulings {
		row.Rulings[i] = e.Rulings[i].ID
		if e.Final[i].Unshown() {
			row.Unshown |= rubric.SetOf(rubric.Criterion(i))
		}
	}
	for i := range e.Signals {
		s := &e.Signals[i]
		if s.Fact != "" && row.Facts == nil {
			row.Facts = map[string]rubric.Answer{}
		}
		if s.Fact != "" && row.Facts[s.Fact] != FactContradicted {
			is := map[bool]rubric.Answer{true: FactContradicted, false: FactAgrees}[s.Points < 0]
			row.Facts[shared(s.Fact)] = is
		}
	}
	return row
}

// Answer returns the answer to a question or a fact, or "" if there is none.
func (r *Row) Answer(id string) rubric.Answer {
	return cmp.Or(r.Facts[id], r.Checklist.Answer(id))
}

// Copy returns a key that is equal for dialogues of which lists, groups and samples have one: with
// the same turns, before they were masked, and the same agent and queue.
func (r *Row) Copy() Key {
	if r.copied != (Key{}) {
		return r.copied
	}
	return r.copyOf(Origin{})
}

func (r *Row) copyOf(first Origin) Key {
	return sha256.Sum256(fmt.Appendf(nil, "%x%q%q%q", r.Said, first, r.Agent, r.Queue))
}

// Copies contains the dialogues seen so far, by [Row.Copy].
type Copies map[Key]bool

// CopiesOf returns the dialogues in rows, of which a sample has one each.
func CopiesOf(rows []*Row) Copies {
	c := Copies{}
	for _, r := range rows {
		c.Again(r)
	}
	return c
}

// Again adds a dialogue and reports whether one that is equal to it was added before.
func (c *Copies) Again(r *Row) bool {
	if *c == nil {
		*c = Copies{}
	}
	is := r.Copy()
	again := (*c)[is]
	(*c)[is] = true
	return again
}

// Seen contains the dialogues of runs so far, with the header of the first run that has each.
type Seen map[Identity]*Header

// Earlier adds a record of the run with the header h, and reports whether an earlier run has it.
// Two dialogues from standard input are never the same, since they have no file name.
func (s *Seen) Earlier(r *Record, h *Header) bool {
	if *s == nil {
		*s = Seen{}
	}
	id := r.Identity()
	(*s)[id] = cmp.Or((*s)[id], h)
	return (*s)[id] != h && r.Source.File != ui.Stdin
}

// agent returns the name of the person who has most turns of the SYSTEM, the first of several; ""
// if no name is known.
func (r *Record) agent() (agent string) {
	turns := map[string]int{}
	for i, v := range r.Voices[:min(len(r.Voices), len(r.Dialogue.Turns))] {
		if r.Dialogue.Turns[i].Role == dialogue.System && v.Speaker != "" {
			turns[v.Speaker]++
		}
	}
	for _, v := range r.Voices {
		if turns[v.Speaker] > turns[agent] {
			agent = v.Speaker
		}
	}
	return agent
}

// shared returns s in memory that equal strings share, since many dialogues have the same agent.
func shared[T ~string](s T) T { return unique.Make(s).Value() }

// Scored reports whether the panel judged the dialogue.
func (r *Row) Scored() bool { return r.Overall != 0 }

// DateColumns are the columns of [Row.Column] that depend on the day.
func DateColumns() []string { return []string{"day", "week", "month"} }

// Column returns the value of a column of the source, ignoring case. If the source has no column of
// that name, "agent" and "queue" are the columns that serve as such, "file" is the file's name,
// "day" the date, "week" the date of its Monday, and "month" such as 2024-05; "agent,week" is both.
func (r *Row) Column(name string) (value string, ok bool) {
	if value, ok = r.Meta.Value(name); ok {
		return value, ok
	}
	switch strings.ToLower(name) {
	case "agent":
		value = r.Agent
	case "queue":
		value = r.Queue
	case "file":
		return r.File, true
	case "day":
		value = r.Day
	case "week":
		if at, err := time.Parse(time.DateOnly, r.Day); err == nil {
			value = at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
		}
	case "month":
		value = r.Day[:min(len(r.Day), len("2024-05"))]
	default:
		first, more, isCrossed := strings.Cut(name, ",")
		if value, ok = "", isCrossed; ok {
			a, isA := r.Column(strings.TrimSpace(first))
			b, isB := r.Column(strings.TrimSpace(more))
			return a + ", " + b, isA && isB
		}
	}
	return value, value != ""
}

// of returns the nonempty value of the column with the given use; "" if there is none.
func (r *Row) of(use string) string {
	names := ui.Each(r.Meta, func(f dialogue.Field) string { return f.Name })
	if i := importer.FindColumn(names, use); i >= 0 {
		return r.Meta[i].Value
	}
	return ""
}

// Date returns the date of the dialogue in the form 2024-05-31: that of the first turn with a time
// or else that of a column. It returns "" if the source does not say, or if a date such as
// 03/12/2024 is ambiguous, neither the user nor the file decides, and order is not "us" or "eu".
func (r *Record) Date(order string) string {
	for _, at := range importer.Dates(r.Voices, r.Source.Meta) {
		if day := at.Day(cmp.Or(r.Source.Dates, order)); day != "" {
			return day
		}
	}
	return ""
}
