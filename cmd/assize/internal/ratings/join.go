package ratings

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
)

// rater is who rated, within a source.
type rater struct{ source, name string }

func (r rater) compare(o rater) int {
	return cmp.Or(cmp.Compare(r.source, o.source), cmp.Compare(r.name, o.name))
}

// join gives the ratings of those rows that the file rates, by the sources that are wanted. Where a person gave a
// dialogue several ratings, their mean counts; a warning tells how many are at odds with one before.
func (f *File) join(once []*run.Row, want Sources, s Scale) (rated []Rated, warnings []string, err error) {
	find := finder(once)
	marks := make([]map[rater]*given, len(once)) // of each dialogue
	raters := map[rater]bool{}
	var lost []string // dialogues that no row is of
	var odd []*rating // that the same rater contradicts before
	for i := range f.ratings {
		r := &f.ratings[i]
		by := rater{r.source, r.rater}
		if want.weight(r.source) == 0 {
			continue
		}
		at, err := find(r)
		value, off := s.OnFive(r.value)
		switch {
		case off != nil:
			return nil, nil, f.wrong(r.line, "%v", off)
		case err != nil:
			return nil, nil, f.wrong(r.line, "%v", err)
		case at < 0:
			lost = append(lost, r.name())
			continue
		case marks[at] == nil:
			marks[at] = map[rater]*given{}
		}
		own := marks[at][by]
		if own == nil {
			own = new(given)
			marks[at][by], raters[by] = own, true
		}
		if slices.Contains(own[r.mark], value) { // exports repeat it in every row of a dialogue
			continue
		}
		if own[r.mark] != nil {
			odd = append(odd, r)
		}
		own[r.mark] = append(own[r.mark], value)
	}
	everybody := slices.SortedFunc(maps.Keys(raters), rater.compare)
	var ids []string
	for i, row := range once {
		ids = append(ids, quote(row.Name))
		if marks[i] != nil {
			rated = append(rated, newRated(row, marks[i], everybody, want))
		}
	}
	slices.Sort(lost)
	lost = slices.Compact(lost)
	if len(rated) == 0 && len(lost) > 0 {
		return nil, nil, fmt.Errorf("%s: no rating belongs to a dialogue of the run; the file rates %s, the run has %s%s",
			f.name, listed(lost), listed(ids), rounded(lost))
	}
	warnings = slices.Clone(f.notes)
	if len(lost) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: not scored in the run: %s %s", f.name,
			ui.Counted(len(lost), "rated dialogue"), listed(lost))+rounded(lost))
	}
	if len(odd) > 0 {
		r := odd[0]
		by := "by the same rater"
		if r.rater == "" {
			by = "(no column rater tells raters apart)"
		}
		warnings = append(warnings, fmt.Sprintf("%s: %s at odds with another of the same dialogue %s, the first on "+
			"line %d (dialogue %s); their mean counts", f.name, ui.Counted(len(odd), "rating"), by, r.line, r.name()))
	}
	return rated, warnings, nil
}

// rounded tells of long ids that a spreadsheet took for numbers.
func rounded(ids []string) string {
	if !slices.ContainsFunc(ids, exponent.MatchString) {
		return ""
	}
	return "; a spreadsheet has rounded the ids; want their column as text"
}

var exponent = regexp.MustCompile(`^\d[.,]?\d*E\+\d+\b`)

// name is what a rating calls its dialogue.
func (r *rating) name() string {
	if r.file == "" {
		return quote(r.id)
	}
	return quote(r.id) + " of " + quote(r.file)
}

// given is what one person gave a dialogue, by mark.
type given [numMarks][]float64

// mostRaters is how many raters may each have a position of their own in every dialogue's ratings.
const mostRaters = 64

// newRated orders the ratings of a dialogue by the raters' names. Where there are few raters each gets the same position
// everywhere, also where one did not rate: a position then is a person, as measures of one person against the others
// need it.
func newRated(row *run.Row, marks map[rater]*given, raters []rater, want Sources) Rated {
	if len(raters) > mostRaters {
		raters = slices.SortedFunc(maps.Keys(marks), rater.compare)
	}
	one := Rated{Row: row}
	for _, r := range raters {
		one.Weights = append(one.Weights, want.weight(r.source))
	}
	for mark := range numMarks {
		values, some := slices.Repeat([]float64{math.NaN()}, len(raters)), false
		for i, name := range raters {
			if own := marks[name]; own != nil && own[mark] != nil {
				values[i], some = Mean(own[mark], nil), true
			}
		}
		switch {
		case !some:
		case mark == overall:
			one.Overall = values
		default:
			one.Criteria[mark] = values
		}
	}
	return one
}

// finder finds the row that a rating of a table is of: by its identity, by its name where none has that identity, or by
// its number where none has that name. It gives -1 for none, and an error for several.
func finder(rows []*run.Row) func(*rating) (int, error) {
	files, byName, byNumber := make([]string, len(rows)), map[string][]int{}, map[string][]int{}
	byIdentity := map[string]int{}
	for i, r := range rows {
		byIdentity[hex.EncodeToString(r.Identity[:])] = i
		files[i] = cleaned(r.File)
		byName[r.Name] = append(byName[r.Name], i)
		number := strconv.Itoa(r.ID)
		byNumber[number] = append(byNumber[number], i)
	}
	return func(r *rating) (int, error) {
		if at, ok := byIdentity[r.identity]; ok {
			return at, nil
		}
		fit, file := byName[r.id], cleaned(r.file)
		if fit == nil {
			fit = byNumber[r.id]
		}
		if r.file != "" {
			fit = slices.DeleteFunc(slices.Clone(fit), func(i int) bool {
				// Two names are of one file where they are the same, or one has folders before the other's.
				return !strings.HasSuffix("/"+files[i], "/"+file) && !strings.HasSuffix("/"+file, "/"+files[i])
			})
		}
		if len(fit) == 0 {
			return -1, nil
		}
		if len(fit) == 1 {
			return fit[0], nil
		}
		var names []string
		for _, i := range fit {
			names = append(names, quote(rows[i].File))
		}
		slices.Sort(names)
		return 0, fmt.Errorf("dialogue %s could be one of %d in %s; want ids that differ, and a column file that "+
			"tells which file", r.name(), len(fit), listed(slices.Compact(names)))
	}
}

// cleaned gives the name of a file with slashes and without .gz.
func cleaned(name string) string {
	return strings.TrimSuffix(path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/")), ".gz")
}
