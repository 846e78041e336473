package triage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
)

// Ranked is a dialogue with the information needed to decide whether to read it.
type Ranked struct {
	run.Row
	Rank       int         // from 1
	Record     *run.Record // as judged by the rules or, for a run with a model, as recorded
	Duplicates int         // number of others with the same turns, ranked with it
	Picked     string      // why a model was asked about it or it was added, or empty
	Opinion    *run.Row    // the model's judgement; nil if none was asked
	// Of a random sample: the group it was drawn from, and the probability of drawing it.
	Group       string
	Probability float64
	help        string // a sentence that explains the sheet of the sample
	lot         string
	Explanation
}

// notes returns further information on the dialogue, such as "picked: worst".
func (r *Ranked) notes() []string { return texts.List("notes", r) }

// Ranking ranks records. Call [newRanking], then [Ranking.Add] for each record, then, if a model is
// asked, [Ranking.picks] and [Ranking.addOpinion], and finally [Ranking.Close].
type Ranking struct {
	Order run.Order
	Draw  Draw // if it draws any, Worst is a random sample
	Worst []Ranked
	// Disputed contains those of the other dialogues sent to a model in which it contradicts the
	// rules most or, with a random sample, those that are added to it.
	Disputed []Ranked
	Scored   int // dialogues eligible for ranking
	// the names of the dialogues that no agent could judge, which are never ranked, by the reason
	Unscored   map[string][]string
	Called     bool // some dialogue has calls or a list of tools
	Unchecked  int  // scored dialogues without the cross-check or claim that the order requires
	Unanswered int  // scored dialogues without the checklist that the order requires
	// dialogues with the words and the agent of an earlier one, which is counted for all
	Repeated int
	Warnings []string // about the input, one sentence each; in text and Markdown

	Model string // name of the model that was asked
	// The dialogues that the model was asked about, those it left unscored, and its calls.
	Asked, Failed, Calls int

	top           int
	usesModel     bool            // whether a model is asked about some dialogues
	worst, others *Least[Ranked]  // others are judged by a model but not among the worst
	rows          []run.Row       // everything ranked, for the model
	same          map[run.Key]int // number of dialogues by [run.Row.Copy]
	checked       int             // number of others with a cross-check
}

// newRanking returns an empty ranking that shows the top dialogues. Of several dialogues with the
// same turns only the first is ranked. usesModel reports whether a model will be asked.
func newRanking(order run.Order, top int, usesModel bool) *Ranking {
	least := func(o run.Order) *Least[Ranked] {
		return NewLeast(top, func(a, b Ranked) int { return o.Compare(&a.Row, &b.Row) })
	}
	return &Ranking{Order: order, top: top, usesModel: usesModel, worst: least(order),
		others: least(run.ByDisagreement), same: map[run.Key]int{}, Unscored: map[string][]string{}}
}

// Add adds a record and its row, whose place is its index in the input.
func (s *Ranking) Add(r *run.Record, row run.Row) {
	copied := row.Copy()
	if s.same[copied]++; s.same[copied] > 1 {
		s.Repeated++
		return
	}
	if !r.Scored() {
		name := row.Name + " of " + row.File
		if s.Draw.redact {
			name = redact.Text(row.Name) + " of " + redact.Text(row.File)
		}
		s.Unscored[r.Reason] = append(s.Unscored[r.Reason], name)
		return
	}
	s.Scored++
	s.Called = s.Called || row.HasCalls
	if s.Draw.N > 0 {
		if s.Draw.add(Ranked{Row: row, Record: r}) && s.top > 0 {
			s.worst.n += s.Draw.N // as many of the worst may be in the sample of this group
		}
		s.worst.Add(Ranked{Row: row, Record: r})
		return
	}
	ranked := s.Order.Ranks(&row)
	if !ranked && !s.usesModel {
		s.Unchecked++
		return
	}
	if s.Order == run.ByChecklist && row.Checklist.Value() == nil {
		s.Unanswered++
	}
	if s.usesModel {
		s.rows = append(s.rows, row)
	}
	if ranked {
		s.worst.Add(Ranked{Row: row, Record: r})
	}
}

// picks returns the dialogues to ask a model about, by place; see [Choose].
func (s *Ranking) picks(budget summary.Portion, flag *satisfaction.Triage) map[int]Ranked {
	s.Worst = s.worst.List()
	picks := map[int]Ranked{}
	for _, pick := range Choose(s.rows, budget.Of(len(s.rows)), s.top, flag) {
		picks[pick.Place] = pick
	}
	return picks
}

// addOpinion adds the model's record of a pick, which contains the record of the rules. The ranking
// remains that of the rules, unless it is by disagreement.
func (s *Ranking) addOpinion(pick Ranked, model *run.Record) {
	s.Asked++
	pick.Opinion, pick.CrossCheck = new(model.Row(pick.Place)), model.CrossCheck
	at := slices.IndexFunc(s.Worst, func(r Ranked) bool { return r.Place == pick.Place })
	if at >= 0 {
		s.Worst[at] = pick
	} else if model.CrossCheck != nil {
		s.checked++
		s.others.Add(pick)
	}
}

// Close completes the ranking. It calls mask for each shown record before explaining it.
func (s *Ranking) Close(mask func(*run.Record)) {
	switch {
	case s.Draw.N > 0: // the sample, and those of the worst that are not in it
		s.Worst = s.Draw.list()
		for _, r := range s.worst.List() {
			isThis := func(drawn Ranked) bool { return drawn.Place == r.Place }
			if len(s.Disputed) < s.top && !slices.ContainsFunc(s.Worst, isThis) {
				r.Picked, r.Rank = "worst", len(s.Worst)+len(s.Disputed)+1
				s.Disputed = append(s.Disputed, r)
			}
		}
	case !s.usesModel:
		s.Worst = s.worst.List()
	case s.Order == run.ByDisagreement:
		s.Worst, s.Unchecked = s.others.List(), s.Scored-s.checked
	default:
		s.Disputed = s.others.List()
		slices.SortFunc(s.rows, func(a, b run.Row) int { return s.Order.Compare(&a, &b) })
		for i := range s.Disputed {
			isThis := func(r run.Row) bool { return r.Place == s.Disputed[i].Place }
			s.Disputed[i].Rank = 1 + slices.IndexFunc(s.rows, isThis)
		}
	}
	for i := range s.Worst {
		s.Worst[i].Rank = i + 1
	}
	for _, list := range [][]Ranked{s.Worst, s.Disputed} {
		for i := range list {
			r := &list[i]
			r.Duplicates = s.same[r.Copy()] - 1
			mask(r.Record)
			shown := r.Record.Row(r.Place) // of the masked record
			shown.CrossCheck, shown.Day = r.CrossCheck, r.Day
			if shown.Name != r.Name { // masked, so that several may be equal
				shown.Name = fmt.Sprintf("%s %d", shown.Name, r.Record.Dialogue.ID)
			}
			r.Row = shown
			r.Explanation = Explain(r.Record.Evaluation)
			if states := s.Order.States(); states != nil {
				r.byClaims(r.Record, states)
			}
		}
	}
}

// Sentences reports what is ranked and what is not, and what a model was asked about.
func (s *Ranking) Sentences() (list []string) {
	if s.Draw.N > 0 {
		list = s.Draw.sentences(len(s.Worst), s.Scored, len(s.Disputed))
	}
	return append(list, texts.List("sentences", s)...)
}

// Ranker ranks a corpus. With a model, the input is read twice: first all of it is judged by the
// rules, then the dialogues for the model are read again. Between the passes only rows are kept.
type Ranker struct {
	*corpus.Corpus
	Order  run.Order
	Draw   Draw
	Top    int // how many of the worst to keep
	Agents *heuristics.Agents
	Model  *judge.Judge    // nil if no model is asked
	Budget summary.Portion // the maximum number of dialogues for the model
}

// ModelOptions returns the options of a judge that asks a model about dialogues judged by the
// rules. It returns an error if a model cannot judge under the same conditions as the rules did.
func (t *Ranker) ModelOptions() (judge.Options, error) {
	opt := judge.Options{Redact: t.Mask != nil}
	if i := slices.IndexFunc(t.Files, corpus.IsStream); i >= 0 {
		return opt, texts.Error("read twice", t.Files[i])
	}
	if t.Rules != nil {
		opt.Rubric, opt.Profile, opt.Dates = t.Rules.Rubric, t.Rules.Profile, t.Rules.Dates
		return opt, nil
	}
	var first *run.Header
	for e := range (&corpus.Corpus{Console: t.Console, Files: t.Files}).Lines() {
		why := ""
		switch h := e.Line.Header; {
		case h == nil || h == first: // unreadable lines are reported during ranking
		case h.Configuration.Evaluator != judge.ByRules || h.Configuration.Critic != judge.ByRules:
			why = "a model has judged all of the run; --sort disagreement ranks by what it found"
		case h.Configuration.Redacted:
			why = "the run is redacted, and the model would judge the masks"
		case h.Lexicon != t.Agents.Digest():
			why = "the run was made with another lexicon, so the rules would judge differently now"
		case first != nil && h.Fingerprint() != first.Fingerprint():
			why = "it was made with other settings than " + t.Files[0]
		default:
			first = h
		}
		if why != "" {
			return opt, console.Hint(fmt.Errorf("%s: --budget cannot be used: %s", e.Line.File,
				why), "assize triage TRANSCRIPTS --budget … judges the transcripts themselves")
		}
	}
	if first == nil {
		return opt, errors.New("--budget cannot be used: the runs hold no records")
	}
	opt.Rubric, opt.Profile = first.Basis.Rubric, first.Basis.Profile
	opt.Dates = first.Configuration.Dates
	return opt, nil
}

// Rank reads everything, keeps the worst, and asks the model within its budget.
func (t *Ranker) Rank(ctx context.Context) (*Ranking, error) {
	s := newRanking(t.Order, t.Top, t.Model != nil)
	s.Draw, s.Draw.redact, s.Draw.groups = t.Draw, t.Mask != nil, map[string]*drawn{}
	err := t.Each(ctx, t.Latest(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
		s.Add(e.Record, e.Record.Row(e.Index))
		return true, nil
	})
	switch {
	case err != nil:
		return nil, err
	case s.Draw.Column.By != "" && s.Scored > 0 && s.Draw.Column.Err() != nil:
		return nil, s.Draw.Column.Err()
	case s.Scored == 0:
		return nil, texts.Error("none scored", strings.Join(s.Sentences()[1:], " "))
	case t.Model != nil:
		if err := t.askModel(ctx, s); err != nil {
			return nil, err
		}
	}
	// Masking is done only now, when few records remain.
	s.Close(func(r *run.Record) {
		if t.Mask != nil {
			redact.Record(r)
		}
	})
	switch s.Warnings = t.Warned(); {
	case len(s.Worst) > 0:
		return s, nil
	case t.Order.States() != nil:
		return nil, errors.New(texts.Say("no claims", s))
	}
	return nil, console.Hint(texts.Error("no disagreement"), texts.Text("disagreement hint"))
}

// errChanged reports that a second reading differs from the first.
var errChanged = errors.New("a file changed while it was read; want files that nothing writes to")

// askModel has the model judge the picks and adds its records.
func (t *Ranker) askModel(ctx context.Context, s *Ranking) (err error) {
	picks := s.picks(t.Budget, t.Model.Profile.Triage)
	b := batch.Batch{Judge: t.Model, Jobs: 1}
	again := *t.Corpus // silent, since the first reading has reported everything
	again.Console = &console.Console{Out: io.Discard, Err: io.Discard}
	all := len(picks)
	found := make(chan Ranked, all) // in the order in which the model is asked
	samples := func(yield func(source.Item) bool) {
		// Judging by the rules again costs little compared to a model.
		for e := range again.Once(ctx) {
			pick, ok := picks[e.Index]
			if !ok {
				continue
			}
			if e.Err != nil || e.Record.Identity() != pick.Identity ||
				e.Record.Satisfaction != pick.Satisfaction {
				return
			}
			pick.Record = e.Record
			found <- pick
			delete(picks, e.Index)
			item := source.Item{File: e.Record.Source.File, Sample: e.Record.Sample()}
			if !yield(item) || len(picks) == 0 {
				return
			}
		}
	}
	var usage summary.Usage
	t.ShowProgress()
	for r := range b.All(ctx, samples) {
		if err = r.Err; err != nil {
			break
		}
		usage.Add(r.Record, true)
		if n := usage.Judged; n > 0 && t.Progress.Due() {
			t.Progress.Print(ui.Pace(n, all, n, usage.ServerTime))
		}
		s.addOpinion(<-found, r.Record)
	}
	t.Progress.Clear()
	switch {
	case err != nil && !errors.Is(err, context.Canceled):
		return err
	case ctx.Err() != nil:
		return console.Hint(texts.Error("stopped", s.Asked, all), texts.Text("stopped hint"))
	case s.Asked < all:
		return errChanged
	}
	usage.Report(t.Console, t.Model.Model)
	s.Model, s.Failed, s.Calls = t.Model.Model.Identity().Name, usage.Unscored, usage.Calls
	return nil
}
