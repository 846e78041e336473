package web

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/page"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/review"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// asked are the members of a query that say which queue it is of.
var asked = []string{"order", "state", "agent", "queue", "from", "to", "low", "reason", "q", "sat", "overall",
	"by", "as"}

// kept gives those of a request.
func kept(r *http.Request) url.Values {
	kept, all := url.Values{}, r.URL.Query()
	for _, name := range asked {
		if v := all.Get(name); v != "" {
			kept.Set(name, v)
		}
	}
	return kept
}

// query gives them with "?" before them; "" for none.
func query(r *http.Request) string {
	if q := kept(r); len(q) > 0 {
		return "?" + q.Encode()
	}
	return ""
}

// filter reads the queue that a request asks for.
func (s *Server) filter(r *http.Request) (f review.Filter, err error) {
	q := r.URL.Query()
	orders, states := []review.Order{review.Worst, review.Differ, review.Teach, review.Shuffled},
		[]review.State{review.Todo, review.Done, review.Flagged, review.All}
	if s.Blind {
		orders = []review.Order{review.Shuffled, review.Teach} // which tell nothing of what is hidden
	}
	f = review.Filter{Order: cmp.Or(review.Order(q.Get("order")), orders[0]),
		State: cmp.Or(review.State(q.Get("state")), review.Todo),
		Agent: q.Get("agent"), Queue: q.Get("queue"), From: q.Get("from"), To: q.Get("to"), Reason: q.Get("reason"),
		Words: q.Get("q"), By: q.Get("by"), Reviewer: s.reviewer(r), Twice: s.Twice, Blind: s.Blind}
	switch {
	case !slices.Contains(orders, f.Order):
		err = notIn("order", f.Order, orders)
	case !slices.Contains(states, f.State):
		err = notIn("state", f.State, states)
	}
	if low := q.Get("low"); low != "" {
		var wrong error
		f.Low = true
		f.Criterion, wrong = rubric.ParseCriterion(low)
		err = cmp.Or(err, wrong)
	}
	if sat := q.Get("sat"); sat != "" {
		from, wrong := strconv.ParseFloat(sat, 64)
		if wrong != nil || !(from >= 1 && from <= 5) {
			err = cmp.Or(err, fmt.Errorf("sat=%s; want a satisfaction from 1 to 5", sat))
		}
		// That of the half star which the number is in.
		f.Least, f.Below = review.Bin(min(max(int(2*from)-2, 0), len(review.Overview{}.Satisfaction)-1))
	}
	overall, wrong := number(q, "overall", 0, 20, 100)
	f.Overall, err = rubric.Score(overall), cmp.Or(err, wrong)
	for _, day := range []string{f.From, f.To} {
		if _, wrong := time.Parse(time.DateOnly, day); day != "" && wrong != nil {
			err = cmp.Or(err, fmt.Errorf("%q is no day; want one such as 2024-05-31", day))
		}
	}
	if strings.ContainsRune(f.Words, 0) {
		err = cmp.Or(err, fmt.Errorf("%q cannot be searched for; want words", f.Words))
	}
	return f, err
}

// filtered answers with the queue that a request asks for.
func (s *Server) filtered(answer func(http.ResponseWriter, *http.Request, review.Filter) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := s.filter(r)
		if err != nil {
			return wrong(err)
		}
		return answer(w, r, f)
	}
}

// notIn is the error of a member of a query that has none of the values that it can have.
func notIn[T ~string](name string, got T, list []T) error {
	var all []string
	for _, v := range list {
		all = append(all, string(v))
	}
	return fmt.Errorf("%s=%s; want one of %s", name, got, strings.Join(all, ", "))
}

// queuePage lists dialogues.
type queuePage struct {
	review.Filter
	News    []string // of runs that others change
	Low     string   // the criterion that is asked for
	Rows    []row
	Counts  review.Counts
	Shown   int // of the state that is asked for
	Agents  []review.Choice
	Queues  []review.Choice
	Reasons []review.Choice
	Titles  map[string]string
	From    int // the number of the first row, from 1
	To      int
	Back    string // the queries of the pages before and after this one; "" for none
	Next    string
}

// row is a dialogue in the list.
type row struct {
	review.Dialogue
	Hidden bool // its scores are
}

const pageRows = 50

func (s *Server) queue(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	from, _ := strconv.Atoi(r.URL.Query().Get("p"))
	from = max(from, 0)
	p := queuePage{Filter: f, Low: r.URL.Query().Get("low"), From: from + 1, Titles: s.Titles}
	list, err := s.Store.List(r.Context(), f, from, pageRows)
	if err == nil {
		p.Counts, err = s.Store.Count(r.Context(), f)
	}
	if err == nil {
		p.News, err = s.news(r.Context())
	}
	for column, choices := range map[string]*[]review.Choice{"agent": &p.Agents, "queue": &p.Queues, "reason": &p.Reasons} {
		if err == nil {
			*choices, err = s.Store.Choices(r.Context(), column)
		}
		for i := range *choices {
			if c := &(*choices)[i]; s.shown(c.Value) != c.Value {
				c.Value = "" // it cannot be asked for
			}
		}
	}
	if err != nil {
		return err
	}
	for _, d := range list {
		p.Rows = append(p.Rows, row{s.masked(d), s.hidden(&d)})
	}
	p.To = from + len(list)
	p.Shown = p.Counts.Of(f.State)
	at := func(n int) string {
		q := kept(r)
		q.Set("p", strconv.Itoa(n))
		return "?" + q.Encode()
	}
	if from > 0 {
		p.Back = at(max(from-pageRows, 0))
	}
	if p.To < p.Shown {
		p.Next = at(p.To)
	}
	return s.show(w, r, http.StatusOK, "queue", "Queue", p)
}

// hidden reports whether the scores of a dialogue are hidden from the one it was read for.
func (s *Server) hidden(d *review.Dialogue) bool { return (s.Blind || d.Control) && d.Mine == 0 }

// masked gives a row as it may be shown.
func (s *Server) masked(d review.Dialogue) review.Dialogue {
	for _, text := range []*string{&d.Name, &d.File, &d.Agent, &d.Queue, &d.Why} {
		*text = ui.Visible(s.shown(*text))
	}
	return d
}

// shown gives what may be shown of a text.
func (s *Server) shown(text string) string {
	if s.Redact {
		return redact.Text(text)
	}
	return text
}

// record gives the record of a dialogue as it may be shown, and the header of its run.
func (s *Server) record(ctx context.Context, d *review.Dialogue) (*run.Record, *run.Header, error) {
	rec, header, err := s.Store.Record(ctx, d.ID)
	if err == nil && s.Redact {
		redact.Record(rec)
	}
	return rec, header, err
}

// short gives a number with at most two decimals.
func short(v float64) string { return strconv.FormatFloat(math.Round(100*v)/100, 'f', -1, 64) }

// dialoguePage shows a dialogue and the form to review it.
type dialoguePage struct {
	row
	page.Transcript
	Link       string // the address of its ticket
	Facts      dialogue.Meta
	Mine       review.Review
	Verdicts   []verdict
	Others     []review.Review // of other people, and only once one has rated oneself
	Back, Next string          // the addresses of the dialogues before and after it; "" for none
	Left       int
	PeopleMean string
	Failed     string // why the review in the form is not saved; "" where it is, or there is none
}

// verdict is what the form says of a criterion.
type verdict struct {
	Criterion rubric.Criterion
	Decided   rubric.Score // 0 where it is hidden or unscored
	review.Verdict
}

func (s *Server) dialogue(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	list, err := s.Store.Find(r.Context(), f, r.PathValue("name"))
	if err != nil {
		return err
	}
	if len(list) > 1 {
		for i := range list {
			list[i] = s.masked(list[i])
		}
		return s.show(w, r, http.StatusMultipleChoices, "several", "Several dialogues", list)
	}
	return s.showDialogue(w, r, http.StatusOK, f, &list[0], nil, "")
}

// showDialogue shows a dialogue. Where a review could not be saved, the form has it again, and the page says why.
func (s *Server) showDialogue(w http.ResponseWriter, r *http.Request, status int, f review.Filter, d *review.Dialogue,
	unsaved *review.Review, why string) error {
	ctx := r.Context()
	p := dialoguePage{row: row{s.masked(*d), s.hidden(d)}, Failed: why}
	rec, _, err := s.record(ctx, d)
	if err != nil {
		return err
	}
	if s.Link != "" {
		p.Link = strings.ReplaceAll(s.Link, "{id}", url.PathEscape(d.Name))
	}
	p.fill(rec)
	said, err := s.Store.Reviews(ctx, d.Identity)
	if err != nil {
		return err
	}
	me := s.reviewer(r)
	for _, one := range said {
		if one.Reviewer == me {
			p.Mine = one
		} else if d.Mine > 0 {
			one.Note = s.shown(one.Note)
			p.Others = append(p.Others, one)
		}
	}
	if unsaved != nil {
		p.Mine = *unsaved
	}
	for i, c := range rubric.Criteria() {
		v := verdict{Criterion: c, Verdict: p.Mine.Verdicts[i]}
		if rec.Scored() && !p.Hidden {
			v.Decided = rec.Evaluation.Final[i].Score
		}
		p.Verdicts = append(p.Verdicts, v)
	}
	for back, address := range map[bool]*string{true: &p.Back, false: &p.Next} {
		beside, err := s.Store.Beside(ctx, f, d, back)
		if err != nil {
			return err
		}
		if beside != nil {
			*address = "/d/" + beside.Identity + query(r)
		}
	}
	counts, err := s.Store.Count(ctx, f)
	if err != nil {
		return err
	}
	p.Left = counts.Todo
	return s.show(w, r, status, "dialogue", p.Name, p)
}

// fill lays out a record. Where its scores are hidden, there are only the turns.
func (p *dialoguePage) fill(rec *run.Record) {
	p.Transcript = page.NewTranscript(rec)
	p.Transcript.Identity = p.row.Identity // that of the index, which a masked record no longer has
	for _, field := range rec.Source.Meta {
		p.Facts = append(p.Facts, dialogue.Field{Name: ui.Visible(field.Name), Value: ui.Visible(field.Value)})
	}
	if p.Rated != nil {
		p.PeopleMean = short(*p.Rated)
	}
	if p.Hidden {
		p.Scores, p.Because, p.Warnings = nil, nil, nil
		for i := range p.Transcript.Turns {
			p.Transcript.Turns[i].Points = 0
		}
	}
	p.Mark()
}
