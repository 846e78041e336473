package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/fit"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

// Profile returns the accepted profile, by which the queue is ranked; nil for the runs' own.
func (s *Store) Profile() *satisfaction.Profile { return s.profile.Load() }

// ProfileOf returns the profile that ranks the dialogues of a run: p if it applies to the run,
// otherwise the run's own. A profile applies to dialogues scored with the lexicon it was learnt
// with, and weighs the scores of one model only.
func ProfileOf(p *satisfaction.Profile, h *run.Header) satisfaction.Profile {
	switch {
	case p == nil || p.Learned == nil || p.Learned.Lexicon != h.Lexicon:
		return h.Basis.Profile
	case p.Model != nil && h.Model != nil && h.Model.Digest != p.Model.Digest:
		return p.WithoutModel()
	}
	return *p
}

// rate replaces the satisfaction of a record with the estimate of an accepted profile, if any.
func rate(p *satisfaction.Profile, r *run.Record, h *run.Header) {
	if p != nil && r.Scored() {
		r.Rate(ProfileOf(p, h))
	}
}

// keep stores a profile, or that the runs' own are used if p is nil. Unless the queue is ranked by
// it, the runs count as changed, so that a program that is started again ranks it.
func (s *Store) keep(ctx context.Context, p *satisfaction.Profile, ranked bool) error {
	return s.write(ctx, func(c *changes) {
		c.do(`DELETE FROM profile`)
		if p != nil {
			c.do(`INSERT INTO profile VALUES (?)`, p.File())
		}
		c.do(`UPDATE runs SET modified = iif(?, 1, -1) * abs(modified)`, ranked)
	})
}

// Accept ranks the queue by a profile, now and whenever the runs are read again. If p is nil, the
// runs' own profiles are used. Accept calls kept when the profile is on disk, and tell with the
// number of dialogues estimated so far. If it fails, the earlier profile remains.
func (s *Store) Accept(ctx context.Context, p *satisfaction.Profile, kept func(),
	tell func(done, all int)) error {
	s.ranking.Lock()
	defer s.ranking.Unlock()
	if err := s.keep(ctx, p, false); err != nil {
		return err
	}
	kept()
	estimates := map[int64]rubric.Hundredths{}
	err := s.each(ctx, tell, func(id int64, r *run.Record, h *run.Header) error {
		if rate(p, r, h); r.Scored() {
			estimates[id] = r.Satisfaction
		}
		return nil
	})
	if err == nil {
		err = s.write(ctx, func(c *changes) {
			for id, h := range estimates {
				c.do(`UPDATE dialogues SET satisfaction = ? WHERE dialogue = ?`, int(h), id)
			}
			c.number()
			c.do(`UPDATE runs SET modified = abs(modified)`)
		})
	}
	if err != nil {
		return errors.Join(err, s.keep(context.WithoutCancel(ctx), s.Profile(), true))
	}
	s.profile.Store(p) // only now that the queue is ranked by it
	return nil
}

// each calls use for every record, in order, as its run has it.
func (s *Store) each(ctx context.Context, tell func(done, all int), use func(int64, *run.Record,
	*run.Header) error) error {
	ids, err := rows(ctx, s.db, one[int64], `SELECT dialogue FROM dialogues ORDER BY place`)
	if err != nil {
		return err
	}
	for i, id := range ids {
		tell(i, len(ids))
		r, h, err := s.stored(ctx, id)
		if errors.Is(err, ErrUnknown) { // deleted in the meantime
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

// Rated counts the dialogues whose satisfaction somebody rated, and those of them with different
// texts.
func (s *Store) Rated(ctx context.Context) (all, different int, err error) {
	err = s.db.QueryRowContext(ctx, query("rated", nil)).Scan(&all, &different)
	return all, different, err
}

// Learner learns profiles from the ratings, one at a time, and ranks the queue by a profile once it
// is accepted. It is safe for concurrent use.
type Learner struct {
	store            *Store
	agents           *heuristics.Agents
	ratings, profile string // files that Accept writes in addition to the store

	mutex sync.Mutex
	state Learning
	stop  context.CancelFunc
	work  sync.WaitGroup
}

// Learning is the state of a [Learner].
type Learning struct {
	Doing  string      // work in progress, such as "learning: 3 of 6 strengths tried", or ""
	Result *fit.Result // learnt, but neither accepted nor dismissed; may be nil
	Note   string      // a caveat about Result, or ""
	Failed string      // why the last request failed, or ""
}

// NewLearner returns a learner for a store. It also writes the ratings and the accepted profile to
// the files with these names.
func NewLearner(s *Store, agents *heuristics.Agents, ratings, profile string) *Learner {
	return &Learner{store: s, agents: agents, ratings: ratings, profile: profile, stop: func() {}}
}

// State returns the current state.
func (l *Learner) State() Learning {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.state
}

// Learn starts to learn from all ratings. The result stays until it is accepted or dismissed.
func (l *Learner) Learn() {
	l.begin("reading the dialogues", func(ctx context.Context, after *Learning) (err error) {
		after.Result, after.Note, err = l.learn(ctx)
		return err
	})
}

// Accept starts to rank the queue by the profile that was learnt, which is on disk when it returns.
func (l *Learner) Accept() {
	if res := l.State().Result; res != nil {
		l.rank(&res.Profile, res)
	}
}

// Reset starts to rank the queue by the profiles of the runs again.
func (l *Learner) Reset() { l.rank(nil, nil) }

// rank starts to rank the queue by a profile, or by those of the runs if p is nil, and waits until
// that is on disk. If it fails, the earlier profile and the result remain.
func (l *Learner) rank(p *satisfaction.Profile, res *fit.Result) {
	stored := make(chan struct{})
	if l.begin("ranking", func(ctx context.Context, after *Learning) error {
		kept := sync.OnceFunc(func() { close(stored) })
		defer kept()
		err := l.writeProfile(p)
		if err == nil {
			err = l.store.Accept(ctx, p, kept, l.counting("ranking"))
		}
		if err == nil {
			err = l.store.WriteRatings(ctx, l.ratings)
		}
		if err != nil {
			after.Result = res
			return errors.Join(err, l.writeProfile(l.store.Profile()))
		}
		return nil
	}) {
		<-stored
	}
}

// writeProfile writes the file of the accepted profile, or removes it if p is nil.
func (l *Learner) writeProfile(p *satisfaction.Profile) error {
	if p != nil {
		return output.WriteFile(l.profile, func(w io.Writer) error {
			_, err := w.Write(p.File())
			return err
		})
	}
	if err := os.Remove(l.profile); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Stop cancels the work in progress and discards a result that was not accepted.
func (l *Learner) Stop() {
	l.mutex.Lock()
	l.stop()
	l.state.Result, l.state.Note, l.state.Failed = nil, "", ""
	l.mutex.Unlock()
}

// Close stops the learner and waits until its work has ended.
func (l *Learner) Close() {
	l.Stop()
	l.work.Wait()
}

// begin runs work that sets the state after it, or returns false while other work is in progress.
func (l *Learner) begin(doing string, work func(ctx context.Context, after *Learning) error) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.state.Doing != "" {
		return false
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
	return true
}

// doing updates the description of the work in progress.
func (l *Learner) doing(format string, args ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.state.Doing = fmt.Sprintf(format, args...)
}

// counting returns a function that reports progress through all dialogues.
func (l *Learner) counting(what string) func(done, all int) {
	return func(done, all int) { l.doing("%s: %s of the dialogues", what, ui.Percent(done, all)) }
}

// learn learns from the ratings as `assize fit` does from a run and a file of ratings.
func (l *Learner) learn(ctx context.Context) (res *fit.Result, note string, err error) {
	const flag = 100_000 // flag a tenth, the default of fit
	m := fit.NewMaterial(l.agents, fit.Options{Flag: flag, Seed: 1, Scale: ratings.DefaultScale,
		Program: judge.Version(), Tell: func(done, all int) error {
			l.doing("learning: %d of %d strengths tried", done, all)
			return ctx.Err()
		}})
	err = l.store.each(ctx, l.counting("reading"), func(_ int64, r *run.Record,
		h *run.Header) error {
		_, err := m.Add(r, h)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	rated, err := l.store.collect(ctx, m.Rows, filepath.Base(l.ratings))
	if err != nil {
		return nil, "", err
	}
	return m.Learn(rated)
}
