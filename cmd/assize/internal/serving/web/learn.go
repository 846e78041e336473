package web

import (
	"net/http"

	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/statistics/fit"
	"assize/heuristics/satisfaction"
)

// learnPage shows what can be learnt from the ratings.
type learnPage struct {
	review.Learning
	Rated   int // rated dialogues
	Wanted  int // how many more ratings learning needs
	Profile *satisfaction.Profile
}

// learn shows the state of learning. While work is in progress, the page reloads every second.
func (s *Server) learn(w http.ResponseWriter, r *http.Request) error {
	p := learnPage{Learning: s.Learner.State(), Profile: s.Store.Profile()}
	var err error
	if p.Rated, err = s.Store.Rated(r.Context()); err != nil {
		return err
	}
	p.Wanted = max(fit.Fewest-p.Rated, 0)
	if p.Doing != "" {
		w.Header().Set("Refresh", "1")
	}
	return s.show(w, r, http.StatusOK, "learn", "Learn", p)
}

// learnDo performs the action of a button on the page.
func (s *Server) learnDo(w http.ResponseWriter, r *http.Request) error {
	do := map[string]func(){"learn": s.Learner.Learn, "stop": s.Learner.Stop,
		"accept": s.Learner.Accept,
		"reset":  s.Learner.Reset}[r.PostForm.Get("do")]
	if do == nil {
		return refuse(http.StatusBadRequest, "There is no such button.")
	}
	do()
	return s.leave(w, r, "/learn", "", "")
}
