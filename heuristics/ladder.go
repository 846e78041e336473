package heuristics

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/heuristics/evidence"
	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed ladders
var ladderFiles embed.FS

// Ladder defines what the rules require for each score of one criterion. Its source is a file in
// ladders/, which [Ladder.String] prints. The Evaluator chooses the lowest rung with a fault that
// was found; without one, the highest rung with a merit that was found; and without either, the
// usual score. The Critic then looks for later turns that remedy a fault ("since").
//
//	@usual SCORE SENTENCE        the score without evidence, and its sentence
//	@silent SENTENCE             its sentence if no quote shows it
//	@quote KIND SCORES           the kind of claim that these rungs make, see quotes.go
//	@group NAME IDS              a name that rules may use for several detectors
//	SCORE SENTENCE               a rung, from 100 down; the sentence begins every justification
//	merit [N] [P%] IDS           N turns (1 if absent), and P percent of the SYSTEM's turns, have a
//	                             signal of one of these detectors
//	fault [N] [P%] IDS           the same, against any higher score
//
// A merit or fault may end in "with IDS" or "without IDS": it applies only if at least one of these
// detectors, or none of them, fired anywhere in the dialogue. With "since IDS" the Critic counts
// only turns from the last one with a signal of these detectors on, because what was done then has
// remedied what was wrong before.
type Ladder struct {
	Criterion rubric.Criterion
	Usual     rubric.Score
	Unshown   string   // the sentence for the usual score
	Silent    string   // the same if no quote shows it, or ""
	Rungs     [5]rung  // lowest first
	Groups    []string // the lines that name groups
	groups    map[string]detectorSet
}

// rung is one score of a ladder and the rules that lead to it.
type rung struct {
	Says  string
	Rules []rule
	kind  *claimKind
}

// rule is one line below a rung.
type rule struct {
	Text string // the line in the file

	favour        bool // a merit, and not a fault
	times         int  // how many turns must have a signal of ids
	percent       int  // the minimum share of the SYSTEM's turns, in percent
	ids           detectorSet
	with, without detectorSet
	since         detectorSet
}

// detectorSet is a set of detectors, by their IDs, in the order of the file: of several merits, the
// first named shows the claim best.
type detectorSet []string

// add adds all detectors of another set.
func (s *detectorSet) add(others ...string) {
	for _, id := range others {
		if !slices.Contains(*s, id) {
			*s = append(*s, id)
		}
	}
}

// loadLadders reads the files in ladders/, which name detectors with these titles. Its error names
// the file and line.
func loadLadders(titles map[string]string) (ladders [rubric.NumCriteria]Ladder, err error) {
	for _, c := range rubric.Criteria() {
		file := "ladders/" + c.String() + ".txt"
		data, err := ladderFiles.ReadFile(file)
		if err != nil {
			return ladders, err
		}
		l := &ladders[c]
		l.Criterion = c
		level, n := -1, 0
		for line := range strings.Lines(string(data)) {
			n++
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if level, err = l.line(line, level, titles); err != nil {
				return ladders, fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
		noKind := func(r rung) bool { return r.kind == nil }
		if level != 0 || !l.Usual.Valid() || slices.ContainsFunc(l.Rungs[:], noKind) {
			return ladders, fmt.Errorf("%s: want @usual, and five rungs from 100 to 20 with @quote",
				file)
		}
	}
	return ladders, nil
}

// claim returns the sentence of the rung with what a detector found.
func (r *rung) claim(det evidence.Detector) string {
	joint := ": "
	for _, rule := range r.Rules {
		if slices.Contains(rule.ids, det.ID) {
			if joint = ": "; r.Rules[0].favour && !rule.favour {
				joint = ", but " // on a rung that is earned, a fault says what is missing
			}
		}
	}
	return claimOf(r.Says, joint, det.Title)
}

// line parses one line of a ladder file. The argument rung is the level of the current rung, from 5
// to 0; line returns the level that applies to the next line.
func (l *Ladder) line(line string, rung int, titles map[string]string) (int, error) {
	key, rest, _ := strings.Cut(line, " ")
	score, isScore := parseScore(key)
	switch {
	case key == "@quote":
		return rung, l.quote(rest)
	case key == "@group":
		return rung, l.group(rest, titles)
	case key == "@silent":
		l.Silent = rest
		return rung, nil
	case key == "@usual":
		first, sentence, _ := strings.Cut(rest, " ")
		var ok bool
		l.Usual, ok = parseScore(first)
		l.Unshown = sentence
		if !ok || sentence == "" {
			return rung, fmt.Errorf("%q: want a score and a sentence", rest)
		}
		return rung, nil
	case isScore:
		if want := rung - 1; rung < 0 && score != rubric.Scale[4] || rung >= 0 &&
			score.Level() != want {
			return rung, fmt.Errorf("the rung %s is out of order; want 100, 80, 60, 40 and 20",
				score)
		}
		l.Rungs[score.Level()].Says = rest
		return score.Level(), nil
	case rung < 0:
		return rung, fmt.Errorf("a rule before the first rung: %q", line)
	}
	rule, err := l.parseRule(line, titles)
	of := &l.Rungs[rung].Rules
	*of = append(*of, rule)
	return rung, err
}

func parseScore(text string) (rubric.Score, bool) {
	n, err := strconv.Atoi(text)
	return rubric.Score(n), err == nil && rubric.Score(n).Valid()
}

// quote parses a line such as "success 100 80".
func (l *Ladder) quote(line string) error {
	name, scores, _ := strings.Cut(line, " ")
	kind, err := text.LookUp("kind of claim", name, claimKinds)
	for word := range strings.FieldsSeq(scores) {
		score, ok := parseScore(word)
		if !ok {
			return fmt.Errorf("@quote %s: %q is no score", name, word)
		}
		l.Rungs[score.Level()].kind = kind
	}
	return err
}

// group parses a line such as "held outcome-completed outcome-acts".
func (l *Ladder) group(line string, titles map[string]string) error {
	var set detectorSet
	words := strings.Fields(line)
	for _, id := range words[1:] {
		if titles[id] == "" {
			return fmt.Errorf("unknown detector %q", id)
		}
		set.add(id)
	}
	if l.groups == nil {
		l.groups = map[string]detectorSet{}
	}
	l.groups[words[0]] = set
	l.Groups = append(l.Groups, line)
	return nil
}

// parseRule parses a line below a rung.
func (l *Ladder) parseRule(line string, titles map[string]string) (rule, error) {
	rule := rule{Text: line, times: 1}
	words := strings.Fields(line)
	if rule.favour = words[0] == "merit"; !rule.favour && words[0] != "fault" {
		return rule, fmt.Errorf("unknown rule %q; want merit or fault", words[0])
	}
	set := &rule.ids
	for _, word := range words[1:] {
		n, notNumber := strconv.Atoi(strings.TrimSuffix(word, "%"))
		counting := notNumber == nil && n >= 0 && rule.ids == nil
		switch {
		case counting && strings.HasSuffix(word, "%"):
			rule.percent = n
		case counting:
			rule.times = n
		case word == "with":
			set = &rule.with
		case word == "without":
			set = &rule.without
		case word == "since":
			set = &rule.since
		case titles[word] != "":
			set.add(word)
		case l.groups[word] != nil:
			set.add(l.groups[word]...)
		default:
			return rule, fmt.Errorf("unknown detector %q", word)
		}
	}
	if rule.ids == nil {
		return rule, fmt.Errorf("%q: want detectors", line)
	}
	return rule, nil
}

// String returns the ladder from the top rung down, followed by the usual score and the groups.
// Each line has its score, or blanks, followed by a tab.
func (l Ladder) String() string {
	var b strings.Builder
	for level, rung := range slices.Backward(l.Rungs[:]) {
		fmt.Fprintf(&b, "%3s  \t%s\n", rubric.Scale[level], rung.Says)
		for _, rule := range rung.Rules {
			fmt.Fprintf(&b, "     \t  %s\n", rule.Text)
		}
	}
	fmt.Fprintf(&b, "%3s  \twithout evidence: %s\n", l.Usual, l.Unshown)
	if l.Silent != "" {
		fmt.Fprintf(&b, "     \t  if no quote shows it: %s\n", l.Silent)
	}
	for i, group := range l.Groups {
		if i == 0 {
			b.WriteString("Names used above\n")
		}
		name, ids, _ := strings.Cut(group, " ")
		fmt.Fprintf(&b, "     \t%s: %s\n", name, ids)
	}
	return b.String()
}

// sighting indexes the signals of a case for the rules.
type sighting struct {
	rubric.Case
	signals map[string][]int // by detector, in the order of the dialogue
}

// newSighting indexes the signals of a case by detector.
func newSighting(c rubric.Case) *sighting {
	s := &sighting{Case: c, signals: map[string][]int{}}
	for i := range c.Signals {
		id := c.Signals[i].ID
		s.signals[id] = append(s.signals[id], i)
	}
	return s
}

// meets reports whether one of the detectors fired.
func (s *sighting) meets(set detectorSet) bool {
	return slices.ContainsFunc(set, func(id string) bool { return s.signals[id] != nil })
}

// from returns the signals of a set of detectors, starting at a turn, in the order of the dialogue.
func (s *sighting) from(turn int, set detectorSet) (found []int) {
	for _, id := range set {
		for _, i := range s.signals[id] {
			if s.Signals[i].Turn >= turn {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found)
	return found
}

// lastOf returns the index of the last signal from a set of detectors, or -1.
func (s *sighting) lastOf(set detectorSet) int {
	all := s.from(0, set)
	return append([]int{-1}, all...)[len(all)]
}

// turnsWith returns the number of turns with a signal like signal k: of its detector, and about its
// fact.
func (s *sighting) turnsWith(k int) (n int) {
	turn := 0
	for _, i := range s.signals[s.Signals[k].ID] {
		if s.Signals[i].Fact == s.Signals[k].Fact && s.Signals[i].Turn != turn {
			turn = s.Signals[i].Turn
			n++
		}
	}
	return n
}

// verdict is a score and its evidence.
type verdict struct {
	score  rubric.Score
	found  []int // indexes of the signals that the rule found; nil for the usual score
	favour bool  // the signals are merits
	rule   *rule // nil for the usual score
}

// judge returns the verdict on the signals. If putRight is set, as for the Critic, faults that were
// remedied do not count.
func (l *Ladder) judge(s *sighting, putRight bool) verdict {
	best := verdict{score: l.Usual}
	for level, score := range rubric.Scale {
		for i := range l.Rungs[level].Rules {
			rule := &l.Rungs[level].Rules[i]
			switch found := rule.find(s, putRight); {
			case found != nil && !rule.favour:
				return verdict{score, found, false, rule}
			case found != nil && (best.rule == nil || best.score < score):
				best = verdict{score, found, true, rule}
			}
		}
	}
	return best
}

// find returns the signals that fulfil a merit or a fault, or nil if it does not apply.
func (r *rule) find(s *sighting, putRight bool) []int {
	if !s.meets(r.ids) || s.meets(r.without) || r.with != nil && !s.meets(r.with) {
		return nil
	}
	from := 0
	if i := s.lastOf(r.since); putRight && i >= 0 {
		from = s.Signals[i].Turn
	}
	found := s.from(from, r.ids)
	turn, turns := 0, 0
	for _, i := range found {
		if at := s.Signals[i].Turn; at != turn {
			turn, turns = at, turns+1
		}
	}
	if turns < r.times || 100*turns < r.percent*s.Dialogue.Count(dialogue.System) {
		return nil
	}
	return found
}

// review returns the Critic's verdict, which is a better score if the Evaluator's fault was
// remedied, with the remedy as evidence.
func (l *Ladder) review(s *sighting) verdict {
	v, charged := l.judge(s, true), l.judge(s, false)
	if v.score > charged.score {
		if i := s.lastOf(charged.rule.since); i >= 0 {
			return verdict{v.score, []int{i}, true, charged.rule}
		}
	}
	return v
}

// claimOf joins the sentence of a rung and what was found. If one says nothing new, it is left out.
func claimOf(says, joint, found string) string {
	ours, theirs := topic(says), topic(found)
	switch {
	case len(theirs) <= len(ours) && isPart(theirs, ours):
		return says
	case isPart(ours, theirs):
		return found
	}
	return says + joint + found
}

// topic returns the words of a clause, without those that only hold it together.
func topic(clause string) []string {
	return slices.DeleteFunc(strings.Fields(clause), func(word string) bool {
		return slices.Contains([]string{"the", "a", "an", "and", "to", "of", "is", "was", "were",
			"that", "it", "SYSTEM", "SYSTEM's", "USER", "USER's"}, word)
	})
}

// isPart reports whether all words are among others.
func isPart(words, others []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(others, w) })
}

// claimKind is the kind of claim that a rung of a ladder makes. It decides what is quoted: each
// number is the weight of one reason to prefer a signal or a sentence.
type claimKind struct {
	both      bool       // the turn that the signal answers or contradicts is quoted too
	reply     bool       // an answer is quoted with the turn before it
	byRank    int        // the signal's detector is named earlier in the rule
	late      int        // the signal is later in the dialogue
	points    int        // it has more points
	text      int        // its sentence says more, and fewer criteria have used it
	bySystem  int        // it is in a turn of the SYSTEM
	agreed    int        // what the USER says next is good, and not bad
	concrete  int        // a sentence has a figure or a path
	courteous bool       // courtesies and questions are quoted like other sentences
	states    int        // the SYSTEM states something: see says
	request   bool       // without evidence, a request of the USER and its answer are quoted
	last      bool       // without evidence, the last words of both sides are quoted
	clean     bool       // without evidence, a whole sentence without a finding is quoted
	spare     rubric.Set // without evidence, a sentence with evidence for these comes last
}

// claimKinds are the kinds that ladder files name.
var claimKinds = map[string]*claimKind{
	"success":       {reply: true, byRank: 2, late: 4, text: 4, concrete: 5, last: true},
	"failure":       {both: true, late: 4, text: 1, concrete: 5, last: true},
	"help":          {byRank: 3, late: 8, agreed: 30, text: 2, bySystem: 100, concrete: 25},
	"lack":          {both: true, reply: true, points: 1, text: 4, late: 1},
	"fact":          {both: true, text: 2, concrete: 20, states: 60},
	"dispute":       {both: true, points: 1, text: 1, late: 1, concrete: 5, request: true},
	"understanding": {both: true, text: 2, late: -4, concrete: 5, states: 70, request: true},
	"tone": {both: true, byRank: 100, text: 2, courteous: true,
		spare: rubric.SetOf(rubric.Empathy)},
	"language": {both: true, points: 1, text: 2, concrete: -10, courteous: true, clean: true,
		spare: rubric.SetOf(rubric.Fluency)},
}
