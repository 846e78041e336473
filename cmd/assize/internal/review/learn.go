package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"assize/cmd/assize/internal/fit"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/triage"
	"assize/heuristics"
	"assize/rubric"
)

// Profile gives the profile that was learnt and accepted, by which the queue is ranked; nil for that of the runs.
func (s *Store) Profile() *heuristics.Profile { return s.profile.Load() }

// ProfileOf gives the profile by which what a run holds is ranked: the accepted one, or its own. That fits what was
// scored with the lexicon that it was learnt with, and weighs the scores of one model alone.
func ProfileOf(p *heuristics.Profile, h *run.Header) heuristics.Profile {
	switch {
	case p == nil || p.Learned == nil || p.Learned.Lexicon != h.Lexicon:
		return h.Basis.Profile
	case p.Model != nil && h.Model != nil && h.Model.Digest != p.Model.Digest:
		return p.WithoutModel()
	}
	return *p
}

// rate enters what an accepted profile estimates; nil for none.
func rate(p *heuristics.Profile, r *run.Record, h *run.Header) {
	if p != nil && r.Scored() {
		r.Rate(ProfileOf(p, h))
	}
}

// Accept ranks the queue by a profile, also after the runs are read again; nil stands for the profiles of the runs. tell
// hears how many dialogues were estimated.
func (s *Store) Accept(ctx context.Context, p *heuristics.Profile, tell func(done, all int)) error {
	s.ranking.Lock()
	defer s.ranking.Unlock()
	f := &filling{Store: s, lessons: triage.NewLessons(Lessons)}
	f.lessons.Bare = true
	estimates := map[int64]rubric.Hundredths{}
	err := s.each(ctx, tell, func(id int64, r *run.Record, h *run.Header) error {
		if rate(p, r, h); r.Scored() {
			f.lessons.Add(r, int(id))
			estimates[id] = r.Satisfaction
		}
		return nil
	})
	if err == nil {
		err = s.write(ctx, func(c *changes) {
			c.do(`DELETE FROM profile`)
			if p != nil {
				c.do(`INSERT INTO profile VALUES (?)`, p.File())
			}
			for id, h := range estimates {
				c.do(`UPDATE dialogues SET satisfaction = ? WHERE dialogue = ?`, int(h), id)
			}
			f.changes = c
			f.rank()
		})
	}
	if err == nil {
		s.profile.Store(p) // now that the queue is ranked by it
	}
	return err
}

// each reads all records as they are in their runs, in order.
func (s *Store) each(ctx context.Context, tell func(done, all int), use func(int64, *run.Record, *run.Header) error) error {
	ids, err := rows(ctx, s, one[int64], `SELECT dialogue FROM dialogues ORDER BY place`)
	if err != nil {
		return err
	}
	for i, id := range ids {
		tell(i, len(ids))
		r, h, err := s.stored(ctx, id)
		if errors.Is(err, ErrUnknown) { // it was deleted meanwhile
			continue
		}
		if err == nil {
			err = use(id, r, h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Rated counts the dialogues of which somebody rated the satisfaction; those with the same turns count once.
func (s *Store) Rated(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT count(DISTINCT d.said) FROM dialogues d WHERE d.satisfaction IS NOT NULL
		AND EXISTS (SELECT 1 `+current+`)`).Scan(&n)
	return n, err
}

// Learner learns profiles from what was rated, one at a time, and ranks the queue by one that is accepted. Several
// goroutines may use it.
type Learner struct {
	store            *Store
	agents           *heuristics.Agents
	ratings, profile string // the files that are written with a profile that is accepted

	mutex sync.Mutex
	state Learning
	stop  context.CancelFunc
	work  sync.WaitGroup
}

// Learning is how far learning is.
type Learning struct {
	Doing  string      // what is under way, such as "learning: 3 of 14 models tried"; empty for nothing
	Result *fit.Result // what was learnt and neither accepted nor dismissed; nil for nothing
	Note   string      // what to mind of it; empty for nothing
	Failed string      // why the last thing that was asked for came to nothing; empty where it did not
}

// NewLearner makes a learner of a store that keeps ratings and the accepted profile in files of these names as well.
func NewLearner(s *Store, agents *heuristics.Agents, ratings, profile string) *Learner {
	return &Learner{store: s, agents: agents, ratings: ratings, profile: profile, stop: func() {}}
}

// State tells how far learning is.
func (l *Learner) State() Learning {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.state
}

// Learn begins to learn from all that is rated now. The result is kept until it is accepted or dismissed.
func (l *Learner) Learn() {
	l.begin("reading the dialogues", func(ctx context.Context, after *Learning) (err error) {
		after.Result, after.Note, err = l.learn(ctx)
		return err
	})
}

// Accept begins to rank the queue by what was learnt, and writes the files.
func (l *Learner) Accept() {
	res := l.State().Result
	if res == nil {
		return
	}
	l.begin("ranking", func(ctx context.Context, after *Learning) error {
		err := l.store.Accept(ctx, &res.Profile, l.counting("ranking"))
		if err == nil {
			err = output.WriteFile(l.profile, func(w io.Writer) error {
				_, err := w.Write(res.Profile.File())
				return err
			})
		}
		if err == nil {
			err = l.store.WriteRatings(ctx, l.ratings)
		}
		if err != nil {
			after.Result = res
		}
		return err
	})
}

// Reset begins to rank the queue by the profiles of the runs again.
func (l *Learner) Reset() {
	l.begin("ranking", func(ctx context.Context, after *Learning) error {
		if err := l.store.Accept(ctx, nil, l.counting("ranking")); err != nil {
			return err
		}
		if err := os.Remove(l.profile); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	})
}

// Stop ends what is under way, and forgets what was learnt and not accepted.
func (l *Learner) Stop() {
	l.mutex.Lock()
	l.stop()
	l.state.Result, l.state.Note, l.state.Failed = nil, "", ""
	l.mutex.Unlock()
}

// Close stops, and waits until nothing is under way.
func (l *Learner) Close() {
	l.Stop()
	l.work.Wait()
}

// begin does some work unless other work is under way. The work fills in the state that follows it.
func (l *Learner) begin(doing string, work func(ctx context.Context, after *Learning) error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.state.Doing != "" {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	l.state, l.stop = Learning{Doing: doing}, stop
	l.work.Go(func() {
		defer stop()
		var after Learning
		if err := work(ctx, &after); err != nil && ctx.Err() == nil {
			after.Failed = err.Error()
		}
		l.mutex.Lock()
		defer l.mutex.Unlock()
		if l.state = after; ctx.Err() != nil {
			l.state = Learning{}
		}
	})
}

// doing tells how far work is.
func (l *Learner) doing(format string, args ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.state.Doing = fmt.Sprintf(format, args...)
}

// counting tells of work on all dialogues.
func (l *Learner) counting(what string) func(done, all int) {
	return func(done, all int) { l.doing("%s: %d of %d dialogues", what, done, all) }
}

// learn learns from what is rated, as `assize fit` does from the run and the file of ratings.
func (l *Learner) learn(ctx context.Context) (res *fit.Result, note string, err error) {
	const flag = 100_000 // flag a tenth, as fit does unless it is told otherwise
	m := fit.NewMaterial(l.agents, fit.Options{Flag: flag, Seed: 1, Scale: ratings.DefaultScale, Program: judge.Version(),
		Tell: func(done, all int) error {
			l.doing("learning: %d of %d models tried", done, all)
			return ctx.Err()
		}})
	err = l.store.each(ctx, l.counting("reading"), func(_ int64, r *run.Record, h *run.Header) error {
		_, err := m.Add(r, h)
		return err
	})
	var table bytes.Buffer
	if err == nil {
		err = l.store.Ratings(ctx, &table, nil)
	}
	if err != nil {
		return nil, "", err
	}
	file, err := ratings.ReadFile(&table, filepath.Base(l.ratings))
	if err != nil {
		return nil, "", err
	}
	rated, _, err := ratings.Collect(m.Rows, []*ratings.File{file}, nil, m.Scale)
	if err != nil {
		return nil, "", err
	}
	return m.Learn(rated)
}
