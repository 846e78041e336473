package ratings

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
)

// votes are what people gave a dialogue, by rater; a mark that is missing is NaN.
type votes map[string]*[numMarks]float64

// Join gives the ratings of those rows that the file rates, in the order of the rows. Raters are ordered by name, and
// have the same position in every dialogue unless there are more than 64. Warnings say which ratings found no dialogue
// and how many dialogues have no rating. The error is a rating off the scale, one that could belong to two dialogues,
// one that a person gave twice, or that no rating found its dialogue.
func (f *File) Join(rows []run.Row, s Scale) (rated []Rated, warnings []string, err error) {
	once, warnings, err := single(rows)
	if err != nil {
		return nil, nil, err
	}
	find := newIndex(once).find
	if f.samples != nil {
		placed := f.place(once)
		find = func(r *rating) (int, error) { return placed[r.sample], nil }
	}
	cast := make([]votes, len(once))
	raters := map[string]bool{}
	var lost []string // dialogues that no row is of
	missing := map[string]bool{}
	for i := range f.ratings {
		r := &f.ratings[i]
		at, err := find(r)
		value, off := s.onFive(r.value)
		switch {
		case off != nil && r.line == 0:
			return nil, nil, fmt.Errorf("%s: dialogue %s: %w", f.name, quote(r.id), off)
		case off != nil:
			return nil, nil, f.wrong(r.line, "%v", off)
		case err != nil:
			return nil, nil, f.wrong(r.line, "%v", err)
		case at < 0:
			if name := r.name(); !missing[name] {
				missing[name] = true
				lost = append(lost, name)
			}
			continue
		case cast[at] == nil:
			cast[at] = votes{}
		}
		marks := cast[at][r.rater]
		if marks == nil {
			marks = none()
			cast[at][r.rater], raters[r.rater] = marks, true
		}
		if !math.IsNaN(marks[r.mark]) {
			return nil, nil, f.wrong(r.line, "rater %s has rated dialogue %s before; want one rating by each "+
				"rater, who is named in the column rater",
				quote(r.rater), r.name())
		}
		marks[r.mark] = value
	}
	everybody := slices.Sorted(maps.Keys(raters))
	for i, v := range cast {
		if v != nil {
			rated = append(rated, v.of(once[i], everybody))
		}
	}
	if len(rated) == 0 {
		var ids []string
		for _, r := range once {
			ids = append(ids, quote(r.Name))
		}
		return nil, nil, fmt.Errorf("%s: no rating belongs to a dialogue of the run; the file rates %s, the run has %s",
			f.name, listed(lost), listed(ids))
	}
	warnings = append(slices.Clone(f.notes), warnings...)
	if len(lost) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: not scored in the run: %s %s", f.name,
			ui.Counted(len(lost), "rated dialogue"), listed(lost)))
	}
	return rated, append(warnings, unrated(len(once)-len(rated), len(once))...), nil
}

// name is what a rating calls its dialogue.
func (r *rating) name() string {
	if r.file == "" {
		return quote(r.id)
	}
	return quote(r.id) + " of " + quote(r.file)
}

func none() *[numMarks]float64 {
	var marks [numMarks]float64
	for i := range marks {
		marks[i] = math.NaN()
	}
	return &marks
}

// mostRaters is how many raters may each have a position of their own in every dialogue's ratings.
const mostRaters = 64

// of gives the ratings of a dialogue, ordered by the raters' names. Where there are few raters each gets the same
// position everywhere, also where one did not rate: a position then is a person, as measures of one person against the
// others need it.
func (v votes) of(row *run.Row, raters []string) Rated {
	if len(raters) > mostRaters {
		raters = slices.Sorted(maps.Keys(v))
	}
	one := Rated{Row: row}
	for mark := range numMarks {
		values, given := make([]float64, len(raters)), false
		for i, name := range raters {
			values[i] = math.NaN()
			if marks := v[name]; marks != nil {
				values[i] = marks[mark]
			}
			given = given || !math.IsNaN(values[i])
		}
		switch {
		case !given:
		case mark == overall:
			one.Overall = values
		default:
			one.Criteria[mark] = values
		}
	}
	return one
}

// index finds rows by what a rating says of its dialogue.
type index struct {
	rows  []*run.Row
	files []string // of the rows, cleaned
	byID  map[string][]int
}

func newIndex(rows []*run.Row) *index {
	x := &index{rows, make([]string, len(rows)), map[string][]int{}}
	for i, r := range rows {
		x.files[i] = cleaned(r.File)
		x.byID[r.Name] = append(x.byID[r.Name], i)
		if number := strconv.Itoa(r.ID); number != r.Name {
			x.byID[number] = append(x.byID[number], i)
		}
	}
	return x
}

// find gives the row that a rating is of: -1 for none, an error for several.
func (x *index) find(r *rating) (int, error) {
	fit, file := x.byID[r.id], cleaned(r.file)
	if r.file != "" {
		fit = slices.DeleteFunc(slices.Clone(fit), func(i int) bool {
			// Two names are of one file where they are the same, or one has folders before the other's.
			own := x.files[i]
			return own != file && !strings.HasSuffix(own, "/"+file) && !strings.HasSuffix(file, "/"+own)
		})
	}
	switch len(fit) {
	case 0:
		return -1, nil
	case 1:
		return fit[0], nil
	}
	var files []string
	for _, i := range fit {
		files = append(files, quote(x.rows[i].File))
	}
	slices.Sort(files)
	return 0, fmt.Errorf("dialogue %s could be one of %d in %s; want ids that differ, and a column file that "+
		"tells which file",
		r.name(), len(fit), listed(slices.Compact(files)))
}

// cleaned gives the name of a file with slashes and without .gz; base without folders as well.
func cleaned(name string) string {
	return strings.TrimSuffix(path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/")), ".gz")
}

func base(name string) string { return path.Base(cleaned(name)) }

// identity is what a dialogue is recognised by.
type identity struct {
	said  run.Key
	name  string
	file  string // without folders
	turns int
}

// clues are the parts of an identity by which a dialogue is recognised, the surest first. What was said tells most; a
// run that is redacted has other words, but the same file, id and number of turns.
var clues = []func(identity) identity{
	func(is identity) identity { return identity{said: is.said, name: is.name} },
	func(is identity) identity { return identity{said: is.said} },
	func(is identity) identity { return identity{name: is.name, file: is.file, turns: is.turns} },
}

// place gives the row of each dialogue of a transcript, -1 for none. Of those that a clue does not tell apart, the first
// is the first.
func (f *File) place(rows []*run.Row) []int {
	placed := slices.Repeat([]int{-1}, len(f.samples))
	taken := make([]bool, len(rows))
	for _, clue := range clues {
		free := map[identity][]int{}
		for i, r := range rows {
			if k := clue(identity{r.Said, r.Name, base(r.File), r.Turns}); !taken[i] {
				free[k] = append(free[k], i)
			}
		}
		for i, is := range f.samples {
			if k := clue(is); placed[i] < 0 && len(free[k]) > 0 {
				placed[i], free[k] = free[k][0], free[k][1:]
				taken[placed[i]] = true
			}
		}
	}
	return placed
}
