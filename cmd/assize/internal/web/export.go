package web

import (
	"net/http"
	"path"
	"strings"

	"assize/cmd/assize/internal/review"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

const all = 1 << 31 // dialogues

// ratings gives the table of ratings, without those that other people gave dialogues whose scores are still hidden from
// the one who asks.
func (s *Server) ratings(w http.ResponseWriter, r *http.Request) error {
	me, hidden := s.reviewer(r), map[string]bool{}
	list, err := s.Store.List(r.Context(), review.Filter{Reviewer: me}, 0, all)
	if err != nil {
		return err
	}
	for i := range list {
		hidden[list[i].Identity] = s.hidden(&list[i])
	}
	download(w, "ratings.csv")
	return s.Store.Ratings(r.Context(), w, func(one *review.Review) bool {
		one.Name, one.File, one.Note = s.shown(one.Name), s.shown(one.File), s.shown(one.Note)
		return one.Reviewer == me || !hidden[one.Identity]
	})
}

// list gives the queue that is asked for as a table: CSV, or a workbook.
func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	f, err := s.filter(r)
	if err != nil {
		return wrong(err)
	}
	dialogues, err := s.Store.List(r.Context(), f, 0, all)
	if err != nil {
		return err
	}
	var t ui.Table
	titles := []string{"dialogue_id", "file", "agent", "queue", "day", "turns", "rating", "satisfaction", "average", "overall"}
	for _, c := range rubric.Criteria() {
		titles = append(titles, c.String())
	}
	for _, title := range append(titles, "yours", "reviewers", "flags") {
		t.Columns = append(t.Columns, ui.Column{Title: title})
	}
	for _, d := range dialogues {
		hidden := s.hidden(&d)
		d := s.masked(d)
		cells := []any{d.Name, d.File, d.Agent, d.Queue, d.Day, d.Turns, "", "", "", ""}
		if d.Rated != nil {
			cells[6] = short(*d.Rated)
		}
		shown := d.Scored && !hidden
		if shown {
			cells[7], cells[8], cells[9] = d.Satisfaction, d.Average, int(d.Overall)
		}
		for _, level := range d.Levels {
			if shown {
				cells = append(cells, int(level))
			} else {
				cells = append(cells, "")
			}
		}
		cells = append(cells, d.Mine, d.Reviewers, d.Flags)
		if d.Mine == 0 {
			cells[len(cells)-3] = ""
		}
		t.Add(cells...)
	}
	name := path.Base(r.URL.Path)
	download(w, name)
	if strings.HasSuffix(name, ".xlsx") {
		return t.XLSX(w, "Dialogues")
	}
	return t.CSV(w)
}

// download says that what follows is a file.
func download(w http.ResponseWriter, name string) {
	kind := "text/csv; charset=utf-8"
	if strings.HasSuffix(name, ".xlsx") {
		kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
