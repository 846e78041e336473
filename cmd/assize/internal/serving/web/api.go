package web

import (
	"cmp"
	_ "embed"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/records/table"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// apiPath is the prefix of all paths of the HTTP API. Its answers, errors included, are JSON.
const apiPath = "/v1/"

//go:embed openapi.json
var openAPI []byte

func answer(w http.ResponseWriter, status int, v any) error {
	kind := "application/json"
	if status >= http.StatusBadRequest {
		kind = "application/problem+json"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	return ui.WriteJSON(w, v, "")
}

// apiFormat is a dialogue of the queue in the API.
var apiFormat = run.Columns("queue api")

// apiRow returns a dialogue of the queue for the API, without what is hidden from the reviewer.
func (s *Server) apiRow(d review.Dialogue) table.Object {
	d = s.masked(d)
	v := d.Values()
	v["page"] = "/d/" + d.Identity
	return apiFormat.Object(v)
}

// apiDialogues lists dialogues, with the same filters as the queue.
func (s *Server) apiDialogues(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	const usual, most = 50, 500
	q := r.URL.Query()
	known := append(slices.Clone(parameters), "limit", "offset")
	for name := range q {
		if !slices.Contains(known, name) {
			return wrong("parameter", name, strings.Join(known, ", "))
		}
	}
	limit, err := number(q, "limit", usual, 1, most)
	offset, err2 := number(q, "offset", 0, 0, 1<<31-1)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	list, err := s.Store.List(r.Context(), f, offset, limit)
	counts, err2 := s.Store.Count(r.Context(), f)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	page := struct {
		Dialogues []table.Object `json:"dialogues"`
		Counts    review.Counts  `json:"counts"` // of the dialogues that match the filter, by state
		Next      string         `json:"next,omitempty"`
	}{Dialogues: ui.Each(list, s.apiRow), Counts: counts}
	if next := offset + len(list); len(list) > 0 && next < counts.Of(f.State) {
		q.Set("offset", strconv.Itoa(next))
		page.Next = r.URL.Path + "?" + q.Encode()
	}
	return answer(w, http.StatusOK, page)
}

// number returns the numeric query parameter name, or usual if it is missing.
func number(q url.Values, name string, usual, least, most int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, wrong("number", name, text, least, most)
	}
	return n, nil
}

// find returns the one dialogue with a name or identity.
func (s *Server) find(r *http.Request, as, id string) (*review.Dialogue, error) {
	f := review.Filter{Reviewer: as, Blind: s.Blind}
	list, err := s.Store.Find(r.Context(), f, id)
	if errors.Is(err, review.ErrUnknown) { // the store has the masked names
		list, err = s.Store.Find(r.Context(), f, s.shown(id))
	}
	switch {
	case errors.Is(err, review.ErrUnknown):
		return nil, refuse(http.StatusNotFound, "unknown", s.shown(id))
	case err != nil:
		return nil, err
	case len(list) > 1:
		identities := ui.Each(list, func(d review.Dialogue) string { return string(d.Identity) })
		return nil, refuse(http.StatusConflict, "several", len(list), s.shown(id),
			strings.Join(identities, ", "))
	}
	return &list[0], nil
}

// apiDialogue returns a dialogue: its record as [Server.record] returns it, and its reviews.
func (s *Server) apiDialogue(w http.ResponseWriter, r *http.Request) error {
	me := s.reviewer(r)
	d, err := s.find(r, me, r.PathValue("id"))
	if err != nil {
		return err
	}
	rec, _, err := s.record(r.Context(), d)
	reviews, err2 := s.Store.Reviews(r.Context(), d.Identity)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	full := append(s.apiRow(*d),
		table.Member{Name: "record", Value: jsontext.Value(rec.Append(nil))})
	var shown []run.Review // other people's only once the reviewer has rated it
	nobody := !s.Blind && s.Tokens == nil && me == s.Reviewer && r.URL.Query().Get("as") == ""
	for _, one := range reviews {
		if one.Reviewer == me || d.Mine > 0 || nobody {
			shown = append(shown, s.maskedReview(one))
		}
	}
	full = append(full, table.Member{Name: "reviews", Value: shown})
	if n := len(reviews) - len(shown); n > 0 {
		full = append(full, table.Member{Name: "reviews_hidden", Value: ui.Counted(n, "review") +
			" by others, shown to a reviewer who has rated the dialogue: ?as=NAME"})
	}
	return answer(w, http.StatusOK, full)
}

// apiReview saves a person's review of a dialogue.
func (s *Server) apiReview(w http.ResponseWriter, r *http.Request) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "media type")
	}
	var one run.Review
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyError(err)
	}
	err = rubric.ParseJSON(body, &one, jsontext.AllowDuplicateNames(false),
		jsontext.AllowInvalidUTF8(false), json.MatchCaseInsensitiveNames(false))
	switch {
	case err != nil:
		return wrong("review", err)
	case jsontext.Value(body).Kind() != '{':
		return wrong("review", "the value cannot be null")
	case !one.At.IsZero() || one.Blind:
		return wrong("review", "at and blind are set by the server")
	}
	me := s.reviewer(r)
	switch one.Reviewer = s.named(cmp.Or(one.Reviewer, me)); {
	case one.Reviewer == me || s.Tokens == nil && name(one.Reviewer) == one.Reviewer:
	case s.Tokens == nil:
		return wrong("name")
	default:
		return refuse(http.StatusForbidden, "other reviewer", me, one.Reviewer)
	}
	d, err := s.find(r, one.Reviewer, string(one.Identity))
	if err != nil {
		return err
	}
	one.Identity = d.Identity
	if complete(&one, d); one.Empty() {
		return wrong("empty review")
	}
	if err := s.save(r.Context(), d, &one); err != nil {
		return err
	}
	return answer(w, http.StatusCreated, one)
}
