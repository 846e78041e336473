package dialogue

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// Row is one turn of a format that writes dialogues turn by turn, or one request to a model.
type Row struct {
	ID       string  // of the conversation; empty for that of the row above
	Turn     float64 // its number in the conversation; NaN where the source has none
	Time     string  // as the source writes it; see ParseTime
	Name     string
	Text     string
	Role     Role   // of the speaker, where the source tells it; else Other
	Side     Role   // who is likely to speak; Other where nothing tells it
	IsNote   bool   // nobody said this to the other side
	Answer   string // to the text, where the row is a question and its answer
	IsPair   bool
	Rating   string
	Agent    []string // the names of those who serve in this conversation, where the source has a place for them
	Customer []string // and of those who are served
	Meta     []Field  // what else it says
	Line     int
	Err      *SyntaxError // what is wrong with the row itself
	Request  *Request     // the text is the JSON of this request
	whole    bool         // the text is a whole conversation
}

// Shelf holds the rows of a file until all of them are known: those of a conversation may lie apart, and the newest may
// come first.
type Shelf interface {
	Put(r Row) error
	// Take gives the rows in their order. Dates is that of Options. Where the stream broke off, what may not be whole is
	// left out.
	Take(dates string, isCut bool) (Taken, error)
	Close()
}

// Taken are the rows of a shelf.
type Taken struct {
	Dialogues int
	Told      []string // what had to be done to put them in order
	Rows      iter.Seq2[Placed, error]
}

// Placed is a row in its place.
type Placed struct {
	Row
	Begins bool // a dialogue
}

// asWritten is the shelf of readers without Options.Shelf: it puts the rows of a conversation together, in the order of
// their numbers or else of the file.
type asWritten struct {
	list [][]Row
	at   map[string]int // the place of a conversation in the list
	last int            // that of the latest row
}

func (s *asWritten) Put(r Row) error {
	isOwn := r.Request != nil || r.IsPair && r.ID == ""
	n, ok := s.at[r.ID]
	if isOwn || !ok {
		n = len(s.list)
		s.list = append(s.list, nil)
	}
	if !isOwn {
		s.at[r.ID] = n
	}
	s.last, s.list[n] = n, append(s.list[n], r)
	return nil
}

func (s *asWritten) Take(_ string, isCut bool) (Taken, error) {
	if isCut {
		s.list = slices.Delete(s.list, s.last, s.last+1)
	}
	return Taken{Dialogues: len(s.list), Rows: func(yield func(Placed, error) bool) {
		for _, list := range s.list {
			if !slices.ContainsFunc(list, func(r Row) bool { return math.IsNaN(r.Turn) }) {
				slices.SortStableFunc(list, func(a, b Row) int { return cmp.Compare(a.Turn, b.Turn) })
			}
			for i, r := range list {
				if !yield(Placed{r, i == 0}, nil) {
					return
				}
			}
		}
	}}, nil
}

func (*asWritten) Close() {}

// shelf gives a place for rows.
func (f *file) shelf() Shelf {
	if f.opt.Shelf == nil {
		return &asWritten{at: map[string]int{}}
	}
	return f.opt.Shelf()
}

// rows gathers the rows of a file, and yields them as dialogues when all of them are known.
type rows struct {
	file   *file
	shelf  Shelf
	n      int
	id     string   // of the row before
	hasID  bool     // of any row
	above  int      // rows that have the id of the row above
	merged bool     // questions and answers, too, belong to the id above
	told   []string // what was guessed of the columns
	unit   string   // what a row is, if it is no turn
}

// put puts a row aside.
func (g *rows) put(r *Row) error {
	f := g.file
	if most := f.most.rows; g.n == most {
		return f.wrong("more than "+Counted(most, "row")+" that must be put in order",
			"split it between two conversations, or allow more with --max-dialogue")
	}
	if g.n == 0 {
		g.shelf = f.shelf()
	}
	g.n++
	if g.hasID = g.hasID || r.ID != ""; r.ID == "" && g.id != "" && (!r.IsPair || g.merged) {
		r.ID = g.id
		g.above++
	}
	g.id = r.ID
	if r.Side = r.Role; r.Side == Other {
		r.Side, _ = f.who.role(r.Name)
	}
	f.addAgents(r.Agent)
	return g.shelf.Put(*r)
}

// take takes rows from a shelf. What is wrong with all of them is what is wrong with the file.
func (f *file) take(shelf Shelf, isCut bool) (Taken, error) {
	t, err := shelf.Take(f.opt.Dates, isCut)
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		err = f.wrong(syntax.Msg, syntax.Hint)
	}
	return t, err
}

// finish yields the dialogues. What an error of the stream cuts off is not yielded as if it were whole.
func (g *rows) finish(isCut bool) error {
	if g.n == 0 {
		return nil
	}
	defer g.shelf.Close()
	defer func() { *g = rows{file: g.file} }()
	f := g.file
	taken, err := f.take(g.shelf, isCut)
	if err != nil {
		return err
	}
	if _, asked := f.opt.Columns[uses[idColumn]]; taken.Dialogues == 1 && !g.hasID && g.n > 2 && !asked {
		taken.Told = append(taken.Told, "since nothing tells conversations apart")
	}
	if g.above > 0 {
		taken.Told = append(taken.Told, Counted(g.above, "row")+" without an id taken with the one above")
	}
	if taken.Dialogues > 0 && len(g.told)+len(taken.Told) > 0 {
		read := strings.Join(g.told, ", ")
		if read != "" {
			read += ": "
		}
		found := []string{Counted(taken.Dialogues, "dialogue"), Counted(g.n, cmp.Or(g.unit, "turn"))}
		if err := f.note(read + strings.Join(append(found, taken.Told...), ", ")); err != nil {
			return err
		}
	}
	var list []Row
	size := 0
	end := func() error {
		if len(list) == 0 {
			return nil
		}
		return f.emitRows(list, size)
	}
	for r, err := range taken.Rows {
		if err != nil {
			return err
		}
		if r.Begins {
			if err := end(); err != nil {
				return err
			}
			list, size = list[:0], 0
		}
		if size += len(r.Text) + len(r.Answer); size <= f.most.text && len(list) <= f.most.turns || len(list) == 0 {
			list = append(list, r.Row)
		}
	}
	return end()
}

// Counted gives a number with its noun: "1 row", "1,808 rows".
func Counted(n int, noun string) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return s + " " + noun
}

// emitRows yields a conversation. Its rows have so many bytes; not all of them are there where these are too many.
func (f *file) emitRows(list []Row, size int) error {
	first := slices.MinFunc(list, func(a, b Row) int { return cmp.Compare(a.Line, b.Line) })
	d := f.draft(first.Line, first.ID)
	if size > f.most.text || len(list) > f.most.turns {
		d.wrong(d.line, f.most.String(), longHint)
		return d.emit()
	}
	var turns []Row
	var bad *SyntaxError
	for _, r := range list {
		if r.Err != nil && (bad == nil || r.Err.Line < bad.Line) {
			bad = r.Err
		}
		d.meta = agree(d.meta, r.Meta)
		d.addNames(r.Agent, System)
		d.addNames(r.Customer, User)
		if r.IsPair {
			if r.Text != "" {
				turns = append(turns, Row{Line: r.Line, Name: r.Name, Text: r.Text, Time: r.Time})
			}
			r = Row{Line: r.Line, Name: "assistant", Text: r.Answer, Rating: r.Rating, Time: r.Time}
		}
		turns = append(turns, r)
	}
	if bad != nil {
		d.wrong(bad.Line, bad.Msg, bad.Hint)
		return d.emit()
	}
	names := make([]string, len(turns))
	for i, r := range turns {
		if r.Role == Other && !r.IsNote {
			names[i] = r.Name
		}
	}
	d.settleRest(names)
	for _, r := range turns {
		d.at = r.Time
		switch {
		case r.IsNote:
		case r.Role != Other:
			d.sayAs(r.Name, r.Role, true, r.Text)
		default:
			d.sayOrPrompt(r.Line, r.Name, r.Text)
		}
	}
	if d.err == nil {
		d.rateTurns(turns)
	}
	return d.emit()
}

// rateTurns reads the ratings. Where all rows that have one say the same, it is the rating of the dialogue, which
// exports repeat in every row; where they differ, they are ratings of turns.
func (d *draft) rateTurns(list []Row) {
	turns := make([][]float64, len(list))
	same, first := true, ""
	for i, r := range list {
		given, ok := ParseRatings(r.Rating)
		if !ok {
			d.misrated(r.Line, r.Rating)
		}
		if given == nil {
			continue
		}
		turns[i] = given
		if first == "" {
			first, d.truth.Overall = r.Rating, given
		}
		same = same && r.Rating == first
	}
	if !same {
		d.truth = Truth{Turns: turns}
	}
}
