package ratings

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// embeddedSource is the source of ratings contained in the dialogues themselves, such as the CSAT
// of an export. The source of a file's ratings is taken from its source column, or else from the
// file name without folders and extension.
const embeddedSource = "dialogues"

// sourceOf returns the default source of a file's ratings.
func sourceOf(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if name, _, _ := strings.Cut(base, "."); name != "" {
		return name
	}
	return base
}

// Collect returns the ratings of rows from the sources in want, in the order of the rows. Without
// any, these are all of the files, or the dialogues' own ratings if there are no files. Raters are
// ordered by file, source and name, and have the same position in every dialogue unless there are
// more than 64. Warnings list the ratings without a dialogue and the number of unrated
// dialogues. Collect returns an error if many ratings are outside the scale, if one could belong to
// two dialogues, if a source has no ratings, or if no rating of a file matches a dialogue.
func Collect(rows []*run.Row, files []*File, want []string, s Scale,
) (rated []Rated, warnings ui.Sentences, err error) {
	want = ui.Each(want, strings.TrimSpace)
	// a dialogue that is repeated would make every interval too narrow
	once := ui.Once(rows, func(r *run.Row) run.Identity { return r.Identity })
	again := len(rows) - len(once)
	warnings.If(again > 0, texts.Format("again"), ui.Counted(again, "record"))
	c := &collection{rows: once, sources: want, scale: s, marks: make([][]mark, len(once)),
		answers: map[int]map[string][]rubric.Answer{}, numbers: map[rater]int32{},
		first: map[rater]rater{}}
	counts := map[string]int{}
	if len(files) == 0 || len(want) > 0 {
		if err := c.joinEmbedded(counts, &warnings); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range files {
		for i := range f.ratings {
			counts[f.ratings[i].source]++
		}
	}
	if len(counts) == 0 {
		return nil, nil, texts.Error("none")
	}
	for _, name := range slices.Sorted(slices.Values(want)) {
		if counts[name] == 0 {
			return nil, nil, texts.Error("no source", quote(name),
				ui.First(slices.Sorted(maps.Keys(counts)), maxNamed))
		}
	}
	if len(files) > 0 {
		c.find = finder(once)
	}
	for i, f := range files {
		if of := slices.IndexFunc(files[:i], f.repeats); of >= 0 && len(want) == 0 {
			warnings.Add(texts.Format("same file"), f.name, files[of].name)
			continue
		}
		reported, err := c.join(1+i, f)
		if err != nil {
			return nil, nil, err
		}
		warnings = append(warnings, reported...)
	}
	rated = c.rated() // the files, which may be as large as the run, are no longer in use
	c.checkSample(rated, files, &warnings)
	doubt := s.warning(c.values)
	warnings.If(doubt != "", "%s", doubt)
	left := run.CopiesOf(once)
	all := ui.Counted(len(left), "dialogue")
	for i := range rated {
		delete(left, rated[i].Row.Copy())
	}
	if n := len(once) - len(rated) - len(left); n > 0 { // [Once] counts the rated ones
		all += " (and " + ui.Counted(n, "repeat") + ")"
	}
	isDrawn := func(r Rated) bool { return r.Drawn != stats.Stratum{} }
	warnings.If(len(left) > 0 && !slices.ContainsFunc(rated, isDrawn), // who drew a sample knows it
		texts.Format("not rated"), len(left), all)
	return rated, warnings, nil
}

// repeats reports whether two files have the same ratings, and too many for those of two people.
func (f *File) repeats(of *File) bool {
	const enough = 10
	return len(f.ratings) >= enough && slices.EqualFunc(f.ratings, of.ratings,
		func(a, b rating) bool {
			if a.line = b.line; a.source == sourceOf(f.name) && b.source == sourceOf(of.name) {
				a.source = b.source
			}
			return a == b
		})
}

// checkSample sets Drawn of the rated dialogues that were drawn at random, and warns about drawn
// dialogues that nobody rated. Of several draws of the same dialogues, the largest counts. If the
// files were not drawn from this run, it warns about that, and no dialogue counts as drawn: the run
// must have about as many dialogues as the sample represents, and each stratum must represent a
// whole number. The rated dialogues of a stratum represent all of it, whatever is not rated.
func (c *collection) checkSample(rated []Rated, files []*File, warnings *ui.Sentences) {
	draws, sheets := map[stats.Stratum]map[place]bool{}, []string(nil)
	for _, f := range files {
		for is, from := range f.drawn {
			if at, _, err := c.find(is); err == nil && at >= 0 {
				is = place{identity: string(c.rows[at].Identity)}
			}
			if draws[from] == nil {
				draws[from] = map[place]bool{}
			}
			draws[from][is] = true
		}
		if len(f.drawn) > 0 {
			sheets = append(sheets, fmt.Sprintf("%s has %d", f.name, len(f.drawn)))
		}
	}
	if len(draws) == 0 {
		return
	}
	represents := func(s stats.Stratum) float64 { return float64(len(draws[s])) / s.Probability }
	order := slices.SortedFunc(maps.Keys(draws), stats.Stratum.Compare)
	for i, small := range order {
		for _, large := range order[i+1:] { // with a greater probability
			isIn := func(is place) bool { return draws[large][is] }
			if small.Group == large.Group && math.Abs(represents(small)-represents(large)) < .5 &&
				slices.ContainsFunc(slices.Collect(maps.Keys(draws[small])), isIn) {
				delete(draws, small)
				break
			}
		}
	}
	drawn := map[place]stats.Stratum{}
	of, answered := map[stats.Stratum]float64{}, map[stats.Stratum]float64{}
	for from, its := range draws {
		of[from] = float64(len(its))
		for is := range its {
			if from.Compare(drawn[is]) > 0 {
				drawn[is] = from
			}
		}
	}
	missing := len(drawn)
	for i := range rated {
		if from, ok := drawn[place{identity: string(rated[i].Row.Identity)}]; ok {
			rated[i].Drawn = from
			answered[from]++
			missing--
		}
	}
	wrong, represented, all := "", 0.0, float64(len(run.CopiesOf(c.rows)))
	for _, from := range slices.SortedFunc(maps.Keys(of), stats.Stratum.Compare) {
		n := of[from] / from.Probability
		if represented += n; math.Abs(n-math.Round(n)) > .05 && wrong == "" {
			group := map[bool]string{true: " of group " + quote(from.Group)}[from.Group != ""]
			wrong = texts.Text("drawn", of[from], from.Probability, group, n)
		}
	}
	// a sample by a column has one of each for each group
	if (represented < .95*all || represented > 1.05*float64(len(c.rows))) && wrong == "" {
		wrong = texts.Text("represents", represented, all)
		if len(sheets) > 1 {
			wrong += " (" + ui.First(sheets, maxNamed) + ")"
		} else if represented < all {
			wrong += "; want --since and --columns as when it was drawn"
		}
	}
	for i := range rated {
		switch from := &rated[i].Drawn; {
		case wrong != "":
			*from = stats.Stratum{}
		case of[*from] > 0:
			from.Probability *= min(answered[*from]/of[*from], 1)
		}
	}
	warnings.If(wrong != "", texts.Format("not corrected"), wrong)
	warnings.If(wrong == "" && math.Abs(represented-all) > .5, texts.Format("other size"),
		represented, all)
	warnings.If(wrong == "" && missing > 0, texts.Format("drawn, not rated"), missing,
		ui.Counted(len(drawn), "dialogue"))
}

// leaveOut warns about the ratings of a file that are outside the scale and left out. If they are
// more than a tenth of n, they are no typing errors, and it returns the first error.
func (c *collection) leaveOut(file string, outside []string, first error, n int,
	warnings *ui.Sentences) error {
	if 10*len(outside) > n {
		return first
	}
	warnings.If(outside != nil, texts.Format("left out"), file, len(outside),
		ui.Counted(n, "rating"), ui.Is(len(outside)), c.scale, ui.First(outside, maxWrong))
	return nil
}

// joinEmbedded adds and counts the ratings in the dialogues themselves, whose raters have numbers.
func (c *collection) joinEmbedded(counts map[string]int, warnings *ui.Sentences) error {
	var outside []string
	var first error
	for at, r := range c.rows {
		for i, value := range r.Ratings {
			counts[embeddedSource]++
			if !c.wants(embeddedSource) {
				continue
			}
			five, err := c.scale.ToFive(value)
			if err != nil {
				outside = append(outside, number(value)+" of "+quote(r.Name))
				first = cmp.Or(first, fmt.Errorf("%s: dialogue %s: %w", r.File, r.Name, err))
				continue
			}
			c.values = append(c.values, value)
			by := rater{0, embeddedSource, fmt.Sprintf("rater %6d", i+1)}
			c.add(at, by, mark{of: overall, value: five})
		}
	}
	return c.leaveOut(embeddedSource, outside, first, counts[embeddedSource], warnings)
}

// rater identifies a rater by the number of the file, 0 for the dialogues, and a name in a source.
type rater struct {
	file         int
	source, name string
}

// mark is a rating of a dialogue, as a whole or on a criterion.
type mark struct {
	rater int32 // the index of the rater in a collection
	of    int32 // a criterion, or overall
	file  int
	value float64
}

// collection contains people's ratings of the dialogues of a run.
type collection struct {
	rows    []*run.Row
	sources []string // that are wanted; all of them if empty
	scale   Scale
	find    func(place) (at int, doubt string, err error)
	marks   [][]mark // of each row
	raters  []rater
	numbers map[rater]int32                    // the indices of the raters
	first   map[rater]rater                    // those with a name, in their first file
	answers map[int]map[string][]rubric.Answer // of people, by row and question
	values  []float64                          // as written in the file
}

// wants reports whether the ratings of a source count.
func (c *collection) wants(source string) bool {
	return len(c.sources) == 0 || slices.Contains(c.sources, source)
}

// add adds a mark. It returns the mark that the rater gave before: if that is equal, it counts, and
// if it is from another file, the new one replaces it.
func (c *collection) add(at int, by rater, m mark) (before *mark) {
	number, known := c.numbers[by]
	if !known {
		number = int32(len(c.raters))
		c.numbers[by], c.raters = number, append(c.raters, by)
	}
	m.rater = number
	isSame := func(o mark) bool { return o.rater == m.rater && o.of == m.of }
	for _, o := range c.marks[at] {
		if isSame(o) && (before == nil || o.value == m.value) {
			before = &o
		}
	}
	if before != nil && before.value == m.value {
		return before
	}
	if before != nil && before.file != m.file {
		c.marks[at] = slices.DeleteFunc(c.marks[at], isSame)
	}
	c.marks[at] = append(c.marks[at], m)
	return before
}

// rater returns who rated. A name is one person in all files, unless a column names other sources.
func (c *collection) rater(file int, r *rating, ownSource string) rater {
	by := rater{file, r.source, r.rater}
	if r.rater == "" {
		return by
	}
	person := rater{name: r.rater}
	if r.source != ownSource {
		person.source = r.source
	}
	if _, known := c.first[person]; !known {
		c.first[person] = by
	}
	return c.first[person]
}

// join adds the ratings of a file. If a person rated a dialogue several times, the mean counts.
// Equal ratings count once, since exports repeat a rating in every row of a dialogue. A warning
// reports how many ratings contradict an earlier one.
func (c *collection) join(file int, f *File) (warnings ui.Sentences, err error) {
	found, converted, again := false, 0, 0 // converted ratings name their own scale
	var lost []string                      // dialogues that match no row
	var outside []string                   // ratings outside the scale
	var first error                        // about one of these
	var odd []*rating                      // in conflict with an earlier one by the same rater
	var replaced []string                  // dialogues with other ratings in an earlier file
	doubts := map[string][]string{}        // dialogues by the doubt about them
	for i := range f.ratings {
		r := &f.ratings[i]
		if !c.wants(r.source) {
			continue
		}
		at, doubt, err := c.find(r.place)
		on, value, wrong := r.scale(c.scale), 0.0, error(nil)
		if doubt != "" {
			doubts[doubt] = append(doubts[doubt], r.name())
		}
		if r.question == "" {
			value, wrong = on.ToFive(r.value)
		}
		switch {
		case err != nil:
			return nil, f.lineError(r.line, err)
		case at < 0:
			lost = append(lost, r.name())
			continue
		case wrong != nil:
			outside = append(outside, number(r.value)+" in "+r.where())
			first = cmp.Or(first, f.lineError(r.line, wrong))
			continue
		}
		found = true
		if r.question != "" {
			if c.answers[at] == nil {
				c.answers[at] = map[string][]rubric.Answer{}
			}
			c.answers[at][r.question] = append(c.answers[at][r.question], r.answer)
			continue
		}
		if on == c.scale {
			c.values = append(c.values, r.value)
		} else if on != DefaultScale {
			converted++
		}
		by := c.rater(file, r, sourceOf(f.name))
		switch before := c.add(at, by, mark{of: int32(r.mark), file: file, value: value}); {
		case before == nil:
		case before.value == value && before.file == file && f.raters != nil: // per message
		case before.value == value:
			again++
		case before.file == file:
			odd = append(odd, r)
		default:
			replaced = append(replaced, r.name())
		}
	}
	if err := c.leaveOut(f.name, outside, first, len(f.ratings), &warnings); err != nil {
		return nil, err
	}
	slices.Sort(lost)
	lost = slices.Compact(lost)
	if !found && len(lost) > 0 {
		ids := ui.Each(c.rows, func(row *run.Row) string { return quote(row.Name) })
		return nil, texts.Error("no dialogue", f.name, ui.First(lost, maxNamed),
			ui.First(ids, maxNamed),
			strings.Join(append([]string{""}, slices.Sorted(maps.Keys(doubts))...), "; "))
	}
	warnings = append(warnings, f.notes...)
	for _, doubt := range slices.Sorted(maps.Keys(doubts)) {
		names := slices.Compact(slices.Sorted(slices.Values(doubts[doubt])))
		warnings.Add(texts.Format("doubt"), f.name, doubt, ui.Counted(len(names), "dialogue"),
			ui.First(names, maxNamed))
	}
	warnings.If(len(lost) > 0, texts.Format("not scored"), f.name,
		ui.Counted(len(lost), "rated dialogue"), ui.First(lost, maxNamed))
	warnings.If(converted > 0, texts.Format("converted"), f.name, ui.Counted(converted, "rating"),
		c.scale)
	warnings.If(again > 0, texts.Format("counted once"), f.name, ui.Counted(again, "rating"))
	warnings.If(replaced != nil, texts.Format("replaced"), f.name,
		ui.Counted(len(replaced), "rating"), ui.First(replaced, maxNamed))
	if len(odd) > 0 {
		warnings.Add(texts.Format("conflict"), f.name, ui.Counted(len(odd), "rating"),
			odd[0].where())
	}
	return warnings, nil
}

// majority returns the most frequent answer to each question, which is empty if there is a tie.
func majority(answers map[string][]rubric.Answer) map[string]rubric.Answer {
	if answers == nil {
		return nil
	}
	agreed := map[string]rubric.Answer{}
	for question, given := range answers {
		counts := map[rubric.Answer]int{}
		for _, a := range given {
			counts[a]++
		}
		list := []rubric.Answer{rubric.Yes, rubric.No, rubric.NotApplicable}
		slices.SortFunc(list, func(a, b rubric.Answer) int { return counts[b] - counts[a] })
		if agreed[question] = list[0]; counts[list[0]] == counts[list[1]] {
			agreed[question] = ""
		}
	}
	return agreed
}

// scale returns the scale of a rating; asked is the scale of the file.
func (r *rating) scale(asked Scale) Scale {
	switch {
	case r.ownScale == Scale{},
		r.ownScale.Low == 0 && r.ownScale.High == max(asked.Low, asked.High):
		return asked
	// 1/10 next to a scale that starts at 1
	case r.ownScale.Low == 0 && r.ownScale.High < 100 && asked.Low <= min(asked.High, r.value):
		return Scale{asked.Low, r.ownScale.High}
	}
	return r.ownScale
}

// name returns the rating's name for its dialogue.
func (r place) name() string {
	if r.file == "" {
		return quote(r.id)
	}
	return quote(r.id) + " of " + quote(r.file)
}

// maxRaters is the maximum number of raters who have a position of their own in every dialogue.
const maxRaters = 64

// rated orders the ratings of each dialogue by rater. If there are few raters, each has the same
// position everywhere, even in dialogues that they did not rate: then a position is a person, as
// required for comparing one person with the others.
func (c *collection) rated() []Rated {
	order := func(a, b int32) int {
		x, y := &c.raters[a], &c.raters[b]
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.source, y.source),
			cmp.Compare(x.name, y.name))
	}
	all := slices.SortedFunc(maps.Values(c.numbers), order)
	name := func(i int32) string {
		r := &c.raters[i]
		return cmp.Or(strings.Join(strings.Fields(r.name), " "), r.source)
	}
	names := ui.Each(all, name)
	list := make([]Rated, 0, min(len(c.rows), len(c.values)))
	for at, marks := range c.marks {
		if marks == nil && c.answers[at] == nil {
			continue
		}
		raters := all
		one := Rated{Row: c.rows[at], Raters: names, Answers: majority(c.answers[at])}
		if len(all) > maxRaters {
			raters = ui.Each(marks, func(m mark) int32 { return m.rater })
			slices.SortFunc(raters, order)
			raters = slices.Compact(raters)
			one.Raters = ui.Each(raters, name)
		}
		of := map[int32][]float64{}
		for _, m := range marks {
			if of[m.of] == nil {
				of[m.of] = given(marks, raters, m.of)
			}
		}
		if one.Overall = of[overall]; len(of) > min(len(one.Overall), 1) {
			one.Criteria = &Criteria{}
			for k := range one.Criteria {
				one.Criteria[k] = of[int32(k)]
			}
		}
		list = append(list, one)
	}
	return list
}

// given returns the mean of the ratings of one kind by each of the raters, NaN for none.
func given(marks []mark, raters []int32, of int32) []float64 {
	return ui.Each(raters, func(rater int32) float64 {
		own := ui.Without(marks, func(m mark) bool { return m.rater != rater || m.of != of })
		return stats.Mean(ui.Each(own, func(m mark) float64 { return m.value }), nil)
	})
}

// maxMoved is how far the number of a dialogue may be from the one that it had when it was rated.
const maxMoved = 100

// finder returns a function that finds the row of a rating: by its identity, else by its name, else
// by its number, in a file of the same name, or of any name if the words are the same. If the
// rating has an identity, the words must be the same, unless they were masked. A dialogue without
// an id of its own that is alone in its file is also found by the name of the file, with or without
// the extension. The function returns -1 if there is no such row, and an error if there are
// several. A doubt says what the row and the rating do not share, or why there is no row.
func finder(rows []*run.Row) func(place) (at int, doubt string, err error) {
	files, byName, byFile := make([]string, len(rows)), map[string][]int{}, map[string][]int{}
	byIdentity, alone, clean := map[run.Identity]int{}, map[string]int{}, map[string]string{}
	byNumber := sync.OnceValue(func() map[int][]int { // few ratings need it
		list := map[int][]int{}
		for i, r := range rows {
			list[r.ID] = append(list[r.ID], i)
		}
		return list
	})
	for _, r := range rows {
		if alone[r.File]++; alone[r.File] == 1 {
			clean[r.File] = "/" + cleanName(r.File)
		}
	}
	for i, r := range rows {
		files[i], byIdentity[r.Identity] = clean[r.File], i
		cell := ui.EscapeFormula(r.Name) // as in a sheet, from which raters take it
		byName[cell] = append(byName[cell], i)
		if r.Name == "1" && alone[r.File] == 1 {
			base := path.Base(cleanName(r.File))
			stem := strings.TrimSuffix(base, path.Ext(base))
			byFile[base] = append(byFile[base], i)
			if stem != base {
				byFile[stem] = append(byFile[stem], i)
			}
		}
	}
	return func(r place) (at int, doubt string, err error) {
		if at, ok := byIdentity[run.Identity(r.identity)]; ok {
			return at, "", nil
		}
		named, file := byName[ui.EscapeFormula(r.id)], "/"+cleanName(r.file)
		if n, err := strconv.Atoi(r.id); named == nil && err == nil && strconv.Itoa(n) == r.id {
			named = byNumber()[n]
		}
		if of := byFile[path.Base(cleanName(r.id))]; len(named) != 1 && of != nil {
			named = of // 1.txt and 2.txt, whose dialogues are both number 1
		}
		if i := strings.LastIndexByte(r.id, ' '); named == nil && i > 0 && r.id[i-1] == ']' {
			n, _ := strconv.Atoi(r.id[i+1:]) // of a masked id
			named = ui.Without(byNumber()[n],
				func(at int) bool { return redact.Text(rows[at].Name) != r.id[:i] })
		}
		// Two names are of one file if they are equal, or one is the other in further folders.
		equal := func(a, b string) bool {
			return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
		}
		isThere := func(i int) bool {
			return r.file == "" || equal(files[i], file) || strings.Contains(file, "[") &&
				equal("/"+cleanName(redact.Text(rows[i].File)), file)
		}
		isSaid := func(i int, name string) bool {
			return string(rows[i].IdentityAs(cmp.Or(r.file, rows[i].File), name)) == r.identity
		}
		only := func(of []int, is func(int) bool) []int {
			return ui.Without(of, func(i int) bool { return !is(i) })
		}
		fit := only(named, isThere)
		said := only(named, func(i int) bool { return isSaid(i, rows[i].Name) })
		number, notNumber := strconv.Atoi(r.id)
		switch {
		case r.identity == "" || named == nil && notNumber != nil:
		case len(said) > 0:
			if fit = only(said, isThere); len(fit) == 0 {
				fit, doubt = said, "found by id and words, since the file has another name now"
			}
		case r.masked || slices.ContainsFunc(fit, func(i int) bool { return rows[i].Masked }):
			doubt = "found by file and id, since words were masked"
		default: // the dialogues may have other numbers than before
			isMoved := func(i int) bool { return isSaid(i, r.id) }
			for k := number - maxMoved; k <= number+maxMoved && notNumber == nil; k++ {
				said = append(said, only(byNumber()[k], isMoved)...)
			}
			if len(said) != 1 {
				return -1, "left out, because the dialogues with these ids have other words", nil
			}
			fit, doubt = said, "found by words, since the dialogues have other numbers"
		}
		switch {
		case len(fit) == 1:
			return fit[0], doubt, nil
		case len(named) > 0 && len(fit) == 0:
			return -1, "left out, because these ids are in files of other names", nil
		case len(fit) == 0 && strings.Contains(r.id, "["):
			return -1, "masked ids are those of --redact: draw from a run of score --redact", nil
		case len(fit) == 0:
			return -1, "", nil
		}
		names := ui.Each(fit, func(i int) string { return quote(rows[i].File) })
		slices.Sort(names)
		return 0, "", texts.Error("several", r.name(), len(fit),
			ui.First(slices.Compact(names), maxNamed))
	}
}

// cleanName returns a file name as a sheet has it, with slashes and without .gz.
func cleanName(name string) string {
	name = strings.ReplaceAll(ui.EscapeFormula(strings.TrimSpace(name)), `\`, "/")
	return strings.TrimSuffix(path.Clean(name), ".gz")
}
