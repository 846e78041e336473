package web

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/statistics/fit"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// parameters lists the query parameters of a queue; all but the first three exclude dialogues.
var parameters = []string{"order", "state", "as", "agent", "queue", "from", "to", "low", "reason",
	"answer", "q", "sat", "overall", "by"}

// kept returns the parameters of a request that select its queue.
func kept(r *http.Request) url.Values {
	kept, all := url.Values{}, r.URL.Query()
	for _, name := range parameters {
		if v := all.Get(name); v != "" {
			kept.Set(name, v)
		}
	}
	return kept
}

// query returns these parameters as a query string with its "?", or "" if there are none.
func query(r *http.Request) string {
	if q := kept(r); len(q) > 0 {
		return "?" + q.Encode()
	}
	return ""
}

// filter parses the filter of the queue that a request selects.
func (s *Server) filter(r *http.Request) (f review.Filter, err error) {
	q := r.URL.Query()
	orders := []review.Order{review.Worst, review.Differ, review.Missed, review.Failing,
		review.Shuffled}
	states := []review.State{review.Todo, review.Done, review.Flagged, review.Second, review.All}
	if s.Blind {
		orders = []review.Order{review.Shuffled} // which reveals nothing about hidden scores
	}
	f = review.Filter{Order: cmp.Or(review.Order(q.Get("order")), orders[0]),
		State: cmp.Or(review.State(q.Get("state")), review.Todo),
		Agent: q.Get("agent"), Queue: q.Get("queue"), From: q.Get("from"), To: q.Get("to"),
		Reason: q.Get("reason"), Answer: q.Get("answer"), Words: q.Get("q"),
		By: s.named(q.Get("by")), Reviewer: s.reviewer(r), Twice: s.Twice, Blind: s.Blind}
	if low := q.Get("low"); low != "" {
		f.Low = true
		if f.Criterion, err = rubric.ParseCriterion(low); err != nil {
			return f, wrong("of an error", err)
		}
	}
	if sat := q.Get("sat"); sat != "" {
		from, err := strconv.ParseFloat(sat, 64)
		if err != nil || !(from >= 1 && from <= 5) {
			return f, wrong("sat", sat)
		}
		f.Satisfaction = review.Steps()[min(int(2*from)-2, 7)] // the step that contains the number
	}
	for _, day := range []string{f.From, f.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return f, wrong("day", day)
		}
	}
	const most = 200 // characters, each word of which is another search
	if n := utf8.RuneCountInString(f.Words); n > most || strings.ContainsRune(f.Words, 0) {
		return f, wrong("words", f.Words, most)
	}
	overall, err := number(q, "overall", 0, 20, 100)
	f.Overall = rubric.Score(overall)
	err = cmp.Or(err, oneOf("order", f.Order, orders), oneOf("state", f.State, states))
	if f.Order == review.Missed && err == nil {
		if q.Get("state") == "" { // nobody has rated those left to rate
			f.State = review.All
		}
		_, err = s.Store.Missed(r.Context(), true)
	}
	return f, err
}

// filtered returns a handler that parses the filter of a request and calls answer.
func (s *Server) filtered(answer func(http.ResponseWriter, *http.Request, review.Filter) error,
) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := s.filter(r)
		if err != nil {
			return err
		}
		return answer(w, r, f)
	}
}

// oneOf returns the error for a query parameter whose value is not in list, or nil.
func oneOf[T ~string](name string, got T, list []T) error {
	if slices.Contains(list, got) {
		return nil
	}
	return wrong("choice", name, got, strings.Trim(fmt.Sprint(list), "[]"))
}

// queuePage lists dialogues.
type queuePage struct {
	links
	Blind  bool
	News   []string // about runs that other programs have changed
	List   report.List
	Counts review.Counts
	Left   int // in the queue
	Others int // those that the queue leaves out because others have rated them
	Shown  int // in the selected state
	From   int // the number of the first row, counting from 1
	To     int
	Back   string // the addresses of the previous and next pages, or ""
	Next   string
}

func (s *Server) queue(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	const pageRows = 50
	from, _ := strconv.Atoi(r.URL.Query().Get("p"))
	from = max(from, 0)
	list, err := s.Store.List(r.Context(), f, from, pageRows)
	counts, err2 := s.Store.Count(r.Context(), f)
	if f.Words != "" && len(list) < counts.All && counts.Of(f.State) == 0 {
		q := r.URL.Query() // what is searched for has been rated
		q.Set("state", string(review.All))
		http.Redirect(w, r, "/?"+q.Encode(), http.StatusSeeOther)
		return nil
	}
	news, err3 := s.news(r.Context())
	p := queuePage{links: links{kept(r)}, Blind: f.Blind, From: from + 1, To: from + len(list),
		Counts: counts, News: news, Shown: counts.Of(f.State), Left: counts.Left(f.State)}
	var entries []report.Entry
	for _, d := range list {
		d = s.masked(d)
		entries = append(entries, report.Entry{Row: &d.Row, Title: d.Title, Extra: d.Values(),
			Link: "/d/" + string(d.Identity) + query(r)})
	}
	p.List = report.NewList(entries)
	if err := cmp.Or(err, err2, err3, s.controls(r, &f, &p)); err != nil {
		return err
	}
	if f.State == review.Todo && f.Twice == 0 {
		p.Others = p.Counts.Second
	}
	if from > 0 {
		p.Back = p.Link("p", strconv.Itoa(max(from-pageRows, 0)))
	}
	if p.To < p.Shown {
		p.Next = p.Link("p", strconv.Itoa(p.To))
	}
	return s.show(w, r, http.StatusOK, "queue", "Queue", p)
}

//go:embed controls.json
var controlsFile []byte

// controls sets the form of a queue: the controls of the file whose values can select dialogues.
func (s *Server) controls(r *http.Request, f *review.Filter, p *queuePage) (err error) {
	p.List.Action = "/"
	var all []report.Control
	err = rubric.ParseJSON(controlsFile, &all)
	found := func(column string) []review.Choice {
		list, failed := s.Store.Choices(r.Context(), column, *f)
		err = cmp.Or(err, failed)
		return list
	}
	criteria := rubric.Criteria()
	options := map[string][]report.Option{"low": report.Options(criteria[:]),
		"overall": report.Options(rubric.Scale[:])}
	for _, b := range review.Steps() {
		options["sat"] = append(options["sat"],
			report.Option{Value: b.From.String(), Text: b.Name})
	}
	noDay := found("day") == nil && f.From+f.To == ""
	missing := map[string]bool{"by": f.By == "", "from": noDay, "to": noDay, "checklist": true,
		"differ": found("differ") == nil, "missed": p.Counts.Done+p.Counts.Second == 0}
	for _, column := range []string{"agent", "queue", "reason", "answer"} {
		for _, c := range found(column) {
			if s.shown(c.Value) == c.Value {
				text := fmt.Sprintf("%s (%d)", s.title(c.Value), c.Count)
				options[column] = append(options[column], report.Option{Value: c.Value, Text: text})
			}
			if column == "answer" && !strings.HasPrefix(c.Value, review.ClaimAnswer) {
				missing["checklist"] = false
			}
		}
		missing[column] = options[column] == nil
	}
	q := r.URL.Query()
	q.Set("state", string(f.State))
	if f.Satisfaction.To > 0 { // the address may have any number of the step
		q.Set("sat", f.Satisfaction.From.String())
	}
	for _, c := range all {
		isMissing := func(o report.Option) bool { return missing[o.Value] }
		c.Options = append(ui.Without(c.Options, isMissing), options[c.Name]...)
		if c.Name == "order" && f.Blind {
			c.Options = []report.Option{{Text: "Random sample"}}
		}
		if c.Value = q.Get(c.Name); !missing[c.Name] {
			p.List.Filter = append(p.List.Filter, c)
		}
	}
	return err
}

// masked returns a row of the queue, redacted if the server redacts.
func (s *Server) masked(d review.Dialogue) review.Dialogue {
	for _, t := range []*string{&d.Name, &d.Title, &d.File, &d.Agent, &d.Queue, &d.Why, &d.Also} {
		*t = ui.Visible(s.shown(*t))
	}
	return d
}

// shown returns a text, redacted if the server redacts.
func (s *Server) shown(text string) string {
	if s.Redact {
		return redact.Text(text)
	}
	return text
}

// record returns a dialogue's record, redacted if the server redacts and unscored if the scores are
// hidden from the reviewer, and its run's header.
func (s *Server) record(ctx context.Context, d *review.Dialogue) (*run.Record, *run.Header, error) {
	rec, header, err := s.Store.Record(ctx, d.Entry)
	if err == nil && s.Redact {
		redact.Record(rec)
	}
	if err == nil && d.Hidden {
		rec = &run.Record{Dialogue: rec.Dialogue, Source: rec.Source, Voices: rec.Voices,
			Hidden: true, Reason: "the scores are hidden until you have rated the dialogue"}
	}
	return rec, header, err
}

// dialoguePage shows a dialogue and the form to review it.
type dialoguePage struct {
	review.Dialogue
	Transcript *report.Transcript
	Link       string // the address of its ticket
	Facts      dialogue.Meta
	Back, Next string // the addresses of the dialogues before and after it, or ""
	Left       int
}

func (s *Server) dialogue(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	list, err := s.Store.Find(r.Context(), f, r.PathValue("name"))
	if err != nil {
		return err
	}
	if len(list) > 1 {
		return s.show(w, r, http.StatusMultipleChoices, "several", "Several dialogues",
			ui.Each(list, s.masked))
	}
	return s.showDialogue(w, r, http.StatusOK, f, &list[0], nil, "")
}

// showDialogue shows a dialogue. The form keeps a review that could not be saved, and says why.
func (s *Server) showDialogue(w http.ResponseWriter, r *http.Request, status int, f review.Filter,
	d *review.Dialogue, unsaved *run.Review, why string) error {
	ctx := r.Context()
	rec, _, err := s.record(ctx, d)
	said, err2 := s.Store.Reviews(ctx, d.Identity)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	t := report.NewTranscript(rec, "")
	if d.Hidden { // the page says so
		t.Warnings = nil
	}
	p := dialoguePage{Dialogue: s.masked(*d), Transcript: t, Facts: rec.Source.Meta}
	if t.Scores == nil { // people rate the criteria of any dialogue
		for _, c := range rubric.Criteria() {
			t.Scores = append(t.Scores, report.Judgement{Criterion: c})
		}
	}
	shown := report.Entry{Row: &p.Row, Extra: p.Values()}
	t.Identity, t.Facts, t.File = string(d.Identity), shown.Facts(), report.Base(p.File)
	if s.Link != "" {
		p.Link = strings.ReplaceAll(s.Link, "{id}", url.PathEscape(d.Name))
	}
	t.Form = report.Form{Served: true, Query: query(r), Failed: why}
	me := s.reviewer(r)
	for i := range said {
		if said[i].Reviewer != me && d.Mine > 0 {
			t.Reviews = append(t.Reviews, s.maskedReview(said[i]))
		} else if said[i].Reviewer == me && unsaved == nil {
			unsaved = &said[i]
		}
	}
	if unsaved != nil {
		t.Form.Review = *unsaved
	}
	beside := func(side string) (address string) {
		other, failed := s.Store.Adjacent(ctx, f, d, side)
		if err = cmp.Or(err, failed); other != nil {
			address = "/d/" + string(other.Identity) + query(r)
		}
		return address
	}
	p.Back, p.Next = beside("before"), beside("after")
	counts, failed := s.Store.Count(ctx, f)
	p.Left = counts.Left(f.State)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	return s.show(w, r, status, "dialogue", p.Title, p)
}

// learnPage shows what can be learnt from the ratings.
type learnPage struct {
	review.Learning
	Rated     int // rated dialogues
	Different int // those with different texts
	Wanted    int // how many more of these learning needs
	Profile   *satisfaction.Profile
}

// learn shows the state of learning. While work is in progress, the page reloads every second.
func (s *Server) learn(w http.ResponseWriter, r *http.Request) (err error) {
	p := learnPage{Learning: s.Learner.State(), Profile: s.Store.Profile()}
	if p.Rated, p.Different, err = s.Store.Rated(r.Context()); err != nil {
		return err
	}
	p.Wanted = max(fit.Fewest-p.Different, 0)
	if p.Doing != "" {
		w.Header().Set("Refresh", "1")
	}
	return s.show(w, r, http.StatusOK, "learn", "Learn", p)
}

// learnDo performs the action of a button on the page.
func (s *Server) learnDo(w http.ResponseWriter, r *http.Request) error {
	do := map[string]func(){"learn": s.Learner.Learn, "stop": s.Learner.Stop,
		"accept": s.Learner.Accept, "reset": s.Learner.Reset}[r.PostForm.Get("do")]
	if do == nil {
		return wrong("no button")
	}
	do()
	return s.leave(w, r, "/learn")
}
