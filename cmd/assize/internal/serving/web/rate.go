package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// rate saves the review submitted with the form of a dialogue, and goes on to the next dialogue.
func (s *Server) rate(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	ctx := r.Context()
	d, err := s.find(r, f.Reviewer, r.PostForm.Get("dialogue"))
	if err != nil {
		return err
	}
	next, err := s.Store.Adjacent(ctx, f, d, "after")
	one, err2 := reviewOf(r, d)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	// "flag" with an empty review withdraws a flag
	if one.Empty() && r.PostForm.Get("do") != "flag" {
		return wrong("empty review")
	}
	one.Satisfaction, one.Reviewer = cmp.Or(one.Satisfaction, d.Mine), f.Reviewer
	if err := s.save(ctx, d, one); err != nil {
		why := s.publicError(r, err)
		return s.showDialogue(w, r, why.Status, f, d, one, why.Detail)
	}
	to := "/"
	switch stay := r.PostForm.Get("do") != ""; {
	case stay:
		to = "/d/" + string(d.Identity)
	case next != nil:
		to = "/d/" + string(next.Identity)
	}
	return s.leave(w, r, to, "saved", s.masked(*d).Title, "at", string(d.Identity))
}

// save saves a review of a dialogue. It rejects agreement with hidden scores, because the answer
// would reveal them.
func (s *Server) save(ctx context.Context, d *review.Dialogue, one *run.Review) error {
	const most = 10_000 // characters per text
	if d.Copies == 0 {
		return wrong("repeat", s.shown(d.Also))
	}
	if n := utf8.RuneCountInString(one.Note); n > most ||
		one.Satisfaction < 0 || one.Satisfaction > 5 {
		return wrong("review values", one.Satisfaction, n, most)
	}
	for c, v := range one.Verdicts {
		switch n := utf8.RuneCountInString(v.Reason); {
		case d.Hidden && v.Agree:
			return wrong("hidden scores")
		case v.Level%20 != 0 || v.Level > 100 || v.Agree && v.Level == 0 || n > most:
			return wrong("level", c, v.Level, n, most)
		}
	}
	for q, a := range one.Answers {
		given := d.Checklist.Answer(q)
		agrees := a.Agree && (a.Answer != given || given == rubric.Open)
		switch n := utf8.RuneCountInString(a.Reason); {
		case d.Hidden:
			return wrong("hidden answers")
		case given == "":
			return wrong("no question", q)
		case agrees || n > most || !slices.Contains([]rubric.Answer{"", rubric.Yes, rubric.No,
			rubric.NotApplicable}, a.Answer):
			return wrong("answer", q, a.Answer, n, most)
		}
	}
	one.At, one.Blind = time.Now().UTC().Truncate(time.Second), d.Hidden && !d.Revealed
	*one = s.maskedReview(*one)
	err := s.Store.Save(ctx, one)
	if err == nil {
		s.reviewed.Store(true)
	}
	return err
}

// leave redirects to a page of the same queue, which reports what was done: the pairs are "saved",
// "withdrawn" or "deleted" with a dialogue's name, and "at" with the identity to which it links.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, path string, done ...string) error {
	q := kept(r)
	for i := 0; i < len(done); i += 2 {
		q.Set(done[i], done[i+1])
	}
	http.Redirect(w, r, (&url.URL{Path: path, RawQuery: q.Encode()}).String(), http.StatusSeeOther)
	return nil
}

// reviewOf reads a review from a form. The last satisfaction counts, which is the button's.
func reviewOf(r *http.Request, d *review.Dialogue) (*run.Review, error) {
	one := &run.Review{Identity: d.Identity, Note: typed(r, "note"),
		Flag:     r.PostForm.Get("flag") != "",
		Verdicts: map[rubric.Criterion]run.Verdict{}, Answers: map[string]run.Opinion{}}
	if r.PostForm.Get("do") == "flag" {
		one.Flag = !one.Flag
	}
	for _, value := range r.PostForm["satisfaction"] {
		n, err := number(url.Values{"satisfaction": {value}}, "satisfaction", 0, 0, 5)
		if err != nil {
			return nil, err
		}
		one.Satisfaction = n
	}
	for _, c := range rubric.Criteria() {
		v := run.Verdict{Reason: typed(r, "reason."+c.String())}
		level := "level." + c.String()
		if v.Agree = r.PostForm.Get(level) == "agree"; !v.Agree {
			n, err := number(r.PostForm, level, 0, 20, 100)
			if err != nil {
				return nil, err
			}
			v.Level = rubric.Score(n)
		}
		one.Verdicts[c] = v
	}
	if d.Checklist != nil {
		for i := range d.Checklist.Answers {
			q := d.Checklist.Answers[i].Question
			a := run.Opinion{Answer: rubric.Answer(r.PostForm.Get("answer." + q)),
				Reason: typed(r, "why."+q)}
			if a.Answer == "agree" {
				a.Agree, a.Answer = true, ""
			}
			one.Answers[q] = a
		}
	}
	complete(one, d)
	return one, nil
}

// complete adds the levels and answers with which a review agrees, and removes what says nothing.
func complete(one *run.Review, d *review.Dialogue) {
	for c, v := range one.Verdicts {
		if v.Agree && v.Level == 0 {
			v.Level = d.Final[c]
		}
		if one.Verdicts[c] = v; v == (run.Verdict{}) {
			delete(one.Verdicts, c)
		}
	}
	for q, a := range one.Answers {
		if a.Agree && a.Answer == "" {
			a.Answer = d.Checklist.Answer(q)
		}
		if one.Answers[q] = a; a == (run.Opinion{}) {
			delete(one.Answers, q)
		}
	}
}

// typed returns a text of a form with line breaks of one character, as the page counts them.
func typed(r *http.Request, name string) string {
	return strings.TrimSpace(strings.ReplaceAll(r.PostForm.Get(name), "\r\n", "\n"))
}

// undo withdraws the reviewer's last review of the dialogue in the form or, without one, of any, or
// takes that back, and shows its dialogue.
func (s *Server) undo(w http.ResponseWriter, r *http.Request) error {
	of, back := run.Identity(r.PostForm.Get("dialogue")), r.PostForm.Get("do") == "redo"
	one, err := s.Store.Undo(r.Context(), s.reviewer(r), of, back)
	if err != nil {
		return err
	}
	s.reviewed.Store(true)
	name := ui.Visible(s.shown(one.Name))
	if one.Satisfaction > 0 {
		name = fmt.Sprintf("%s, rated %d", name, one.Satisfaction)
	}
	done := "withdrawn"
	if back {
		done = "saved"
	}
	return s.leave(w, r, "/d/"+string(one.Identity), done, name)
}

// as sets the name under which the user reviews.
func (s *Server) as(w http.ResponseWriter, r *http.Request) error {
	if s.Tokens != nil {
		return refuse(http.StatusForbidden, "name of token")
	}
	as := name(r.PostForm.Get("name"))
	if as == "" {
		return wrong("name")
	}
	http.SetCookie(w, &http.Cookie{Name: "reviewer", Value: as, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600})
	q := r.URL.Query()
	q.Del("as") // the parameter would take precedence over the cookie
	r.URL.RawQuery = q.Encode()
	return s.leave(w, r, "/")
}

// delete removes a dialogue and everything stored about it.
func (s *Server) delete(w http.ResponseWriter, r *http.Request) error {
	d, err := s.find(r, "", r.PostForm.Get("dialogue"))
	if err == nil {
		err = s.Store.Delete(r.Context(), d)
	}
	if err != nil {
		return err
	}
	s.reviewed.Store(true)
	return s.leave(w, r, "/", "deleted", s.masked(*d).Title)
}
