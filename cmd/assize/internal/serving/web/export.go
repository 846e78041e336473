package web

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
)

const all = 1 << 31 // dialogues

// ratings writes the table of ratings, without other people's of dialogues with hidden scores.
func (s *Server) ratings(w http.ResponseWriter, r *http.Request) error {
	me, hidden := s.reviewer(r), map[run.Identity]bool{}
	list, err := s.Store.List(r.Context(), review.Filter{Reviewer: me, Blind: s.Blind}, 0, all)
	if err != nil {
		return err
	}
	for _, d := range list {
		hidden[d.Identity] = d.Hidden
	}
	download(w, "ratings.csv")
	return s.Store.Ratings(r.Context(), w, func(one *run.Review) bool {
		one.Name, one.File, one.Note = s.shown(one.Name), s.shown(one.File), s.shown(one.Note)
		return one.Reviewer == me || !hidden[one.Identity]
	})
}

// list writes the requested queue as a table, in CSV or as a workbook.
func (s *Server) list(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	dialogues, err := s.Store.List(r.Context(), f, 0, all)
	if err != nil {
		return err
	}
	format := run.Columns("queue csv")
	for _, d := range dialogues { // the columns of scorecards, if any is not hidden
		if d.Checklist != nil {
			format = ui.Distinct(append(format, run.QuestionNames(d.Checklist)...))
		}
	}
	t := ui.NewTable("", format.Heading()...)
	for _, d := range dialogues {
		d = s.masked(d)
		t.Add(format.Cells(d.Values().Including(format))...)
	}
	name := path.Base(r.URL.Path)
	download(w, name)
	if strings.HasSuffix(name, ".xlsx") {
		return t.XLSX(w, "Dialogues")
	}
	return t.CSV(w)
}

// report writes the requested queue as the page of assize report, with people's reviews. Dialogues
// whose scores are hidden from the reviewer appear as unscored.
func (s *Server) report(w http.ResponseWriter, r *http.Request, f review.Filter) error {
	const worst, others = 200, 100 // transcripts, as in assize report
	ctx := r.Context()
	if r.URL.Query().Get("state") == "" {
		f.State = review.All
	}
	found, err := s.Store.List(ctx, f, 0, all)
	reviews, err2 := s.Store.Reviews(ctx, "")
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	said := ui.By(reviews, func(one run.Review) run.Identity { return one.Identity })
	slices.SortFunc(found, func(a, b review.Dialogue) int { return cmp.Compare(a.Entry, b.Entry) })
	drawn, hidden := report.New(worst, others), false
	drawn.Title, drawn.Reviews = s.Title, map[run.Identity][]run.Review{}
	var list []*run.Row
	var headers []*run.Header
	for i := range found {
		d := &found[i]
		rec, header, err := s.record(ctx, d)
		if errors.Is(err, review.ErrUnknown) { // deleted in the meantime
			continue
		} else if err != nil {
			return err
		}
		headers = append(headers, header)
		hidden = hidden || d.Hidden
		one := run.KeyOf(string(d.Identity))
		rec.Keys = &run.Keys{Said: one, Copy: one} // each counts, since the filter has chosen it
		for _, one := range said[d.Identity] {
			if !one.Empty() && (!d.Hidden || one.Reviewer == f.Reviewer) {
				is := rec.Identity()
				drawn.Reviews[is] = append(drawn.Reviews[is], s.maskedReview(one))
			}
		}
		drawn.Add(&run.Line{File: s.Title, Header: header}, rec)
		row := new(*drawn.Rows[len(drawn.Rows)-1])
		drawn.Stand(row.Place, max(d.Copies-1, 0))
		row.Identity = d.Identity // rec may be redacted, and so have another
		list = append(list, row)
	}
	var rated []ratings.Rated
	drawn.Notes = redact.Notes(s.Redact, headers...)
	if f.State != review.All || hidden {
		drawn.Notes = append(drawn.Notes, texts.Text("not corrected"))
	} else if _, rated, err = s.Store.SampleRatings(ctx, f, list); err != nil {
		return err
	}
	drawn.Corrected = sample.Of(list, rated)
	if drawn.Groups, err = summary.GroupBy(list, nil, rated); err != nil {
		return err
	}
	download(w, "report.html")
	return drawn.Write(w)
}

// maskedReview returns a review, redacted if the server redacts.
func (s *Server) maskedReview(one run.Review) run.Review {
	one.Note = s.shown(one.Note)
	one.Verdicts, one.Answers = maps.Clone(one.Verdicts), maps.Clone(one.Answers)
	for c, v := range one.Verdicts {
		v.Reason = s.shown(v.Reason)
		one.Verdicts[c] = v
	}
	for q, a := range one.Answers {
		a.Reason = s.shown(a.Reason)
		one.Answers[q] = a
	}
	return one
}

// download sets the headers of a file to download.
func download(w http.ResponseWriter, name string) {
	kinds := map[string]string{".csv": "text/csv; charset=utf-8",
		".html": "text/html; charset=utf-8",
		".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
	w.Header().Set("Content-Type", kinds[path.Ext(name)])
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
