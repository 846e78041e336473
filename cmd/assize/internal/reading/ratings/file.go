package ratings

import (
	"bufio"
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// File is a file of ratings.
type File struct {
	name       string
	named      map[string]string // columns by their use, as the user named them
	Found      map[string]bool   // the uses and conditions whose columns the file has, as named
	isScores   bool              // the table is one of this program's scores
	raters     []string          // the columns of ratings, if there are several: one per person
	questions  []string          // the IDs of the questions whose answers are read
	isID       func(string) bool // reports whether a dialogue has this ID
	ratings    []rating
	notes      ui.Sentences
	row        int                     // the current one, 1 for the header
	unreadable []string                // unreadable ratings, each with its place
	words      map[string]int          // count of each word, such as "good = 5"
	drawn      map[place]stats.Stratum // the dialogues drawn at random, rated or not
	groups     map[string]group        // the groups from which they were drawn, by name
}

// group is a group of a sheet: the probability of its draw, and the first line that has it.
type group struct {
	probability float64
	line        int
}

// place identifies the dialogue of a line. Fields without a column are empty.
type place struct {
	id, file string
	identity string // see [run.Identity], in hexadecimal
	masked   bool   // the line contains masked data
}

// rating is one person's rating of a dialogue.
type rating struct {
	place
	line   int // in the file
	row    int // as a spreadsheet numbers it: a cell may have several lines
	rater  string
	source string
	mark   int // a criterion, or overall
	value  float64
	word   string // in lower case; "" for a number and stars
	step   int    // of the word, see [steps]; 0 if it has none
	// the question of a scorecard that the person answered instead of rating; "" for a rating
	question string
	answer   rubric.Answer
	// the scale in the rating itself, as in 4/5, 80 %, stars and words; zero if it has none
	ownScale Scale
}

// overall is the mark for the whole dialogue. The others are the criteria, in the rubric's order.
const overall = rubric.NumCriteria

// Uses are the uses of columns of ratings that a user can name; the last are the criteria.
var Uses = append([]string{"id", "rating", "rater", "criterion", "file", "source"},
	run.ScoreNames()...)

// SecondID is the use of the column with the id if transcripts have theirs under another name.
const SecondID = "id of ratings"

// maxBytes limits how much is read, since a device may have no end.
const maxBytes = 1 << 30

// ReadFile reads a table or JSON with ratings, see [importer.ReadCells]; name is the file's name in
// errors. It prefers the columns with the given names by their [Uses]. isID reports whether a
// dialogue has an ID; it may be nil. A column with the ID of one of the questions contains answers
// to it. If a line is invalid, ReadFile returns an error that names it and no ratings. A rating
// that cannot be parsed is left out, with a note.
func ReadFile(r io.Reader, name string, columns map[string]string, isID func(string) bool,
	questions ...string) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("more than %d MB; want ratings", maxBytes>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{name: name, named: columns, Found: map[string]bool{}, questions: questions,
		isID: isID, words: map[string]int{}, drawn: map[place]stats.Stratum{},
		groups: map[string]group{}}
	if run.Begins(bufio.NewReader(bytes.NewReader(data))) {
		return nil, texts.Error("run", name)
	}
	if err := f.readTable(data); err != nil {
		return nil, err
	}
	f.notes.If(f.unreadable != nil, texts.Format("unreadable"), name,
		ui.Counted(len(f.unreadable), "rating"), ui.First(f.unreadable, maxWrong))
	switch {
	case len(f.ratings) == 0 && f.isScores:
		return nil, texts.Error("scores", name)
	case len(f.ratings) == 0:
		return nil, texts.Error("no rating",
			strings.Join(append(f.notes, name+": contains no rating"), "; "))
	}
	f.order()
	reported := ui.Each(slices.Sorted(maps.Keys(f.words)),
		func(word string) string { return fmt.Sprintf("%s (%d)", word, f.words[word]) })
	f.notes.If(reported != nil, texts.Format("words"), name, strings.Join(reported, ", "))
	return f, nil
}

//go:embed words.txt
var wordList string

// steps returns the step of each word and face in words.txt, from 1 for the worst.
var steps = sync.OnceValue(func() map[string]int {
	all, step := map[string]int{}, 0
	for line := range strings.Lines(wordList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		step++
		for word := range strings.SplitSeq(line, ",") {
			all[importer.FoldName(strings.TrimSpace(word))] = step
		}
	}
	return all
})

// order spreads the steps of a file that has five or more evenly from 1 to 5, and counts the words.
func (f *File) order() {
	used := ui.Each(f.ratings, func(r rating) int { return r.step })
	slices.Sort(used)
	used = ui.Without(slices.Compact(used), func(step int) bool { return step == 0 })
	for i := range f.ratings {
		r := &f.ratings[i]
		if at, ok := slices.BinarySearch(used, r.step); ok && len(used) >= 5 {
			r.value = math.Round(100+400*float64(at)/float64(len(used)-1)) / 100
		}
		if r.word != "" {
			f.words[quote(r.word)+" = "+number(r.value)]++
		}
	}
}

// HasColumns reports whether a table has all columns that a user named for a use, as in "anna,ben",
// or that of a condition.
func HasColumns(r io.Reader, name, use, columns string) bool {
	for row, err := range importer.ReadCells(r, name, placesIn(columns)...) {
		if use == "where" {
			_, others := importer.Where(row.Names, []string{columns})
			return err == nil && others == nil
		}
		return err == nil && !slices.Contains(find(row.Names, columns), -1)
	}
	return false
}

// placesIn returns the columns in what a user named for a use: several, or that of a condition.
func placesIn(columns string) []string {
	name, _, _ := strings.Cut(columns, "=")
	return strings.Split(strings.TrimSuffix(name, "!"), ",")
}

// find returns the indices of the columns that a user named for a use, -1 for one that is missing.
func find(all []string, columns string) (at []int) {
	for name := range strings.SplitSeq(columns, ",") {
		name = strings.TrimPrefix(name, "[].") // of the list that the file is
		at = append(at, slices.IndexFunc(all,
			func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), name) }))
	}
	return at
}

// lineError returns the error of a line.
func (f *File) lineError(line int, err error) error {
	return fmt.Errorf("%s:%d: %w", f.name, line, err)
}

// add adds the ratings of a line: those in the rating columns, and those in columns of criteria.
func (f *File) add(line int, cells map[string]string) (err error) {
	if err := f.addDrawn(line, cells); err != nil {
		return err
	}
	criterion := strings.TrimSpace(cells["criterion"])
	rate := func(who string) { // ends the names of the columns
		err = cmp.Or(err, f.addOne(line, cells, cells["rating"+who], criterion))
		for _, c := range rubric.Criteria() {
			err = cmp.Or(err, f.addOne(line, cells, cells[c.String()+who], c.String()))
		}
	}
	for _, who := range f.raters {
		cells["rater"] = who
		rate(" of " + who)
		cells["rater"] = ""
	}
	rate("")
	for _, q := range f.questions {
		if text := strings.TrimSpace(cells[q]); text != "" && err == nil {
			err = f.addAnswer(line, cells, text, q)
		}
	}
	return err
}

// Drawn reports whether any dialogue of the file was drawn at random.
func (f *File) Drawn() bool { return len(f.drawn) > 0 }

// addDrawn records that a dialogue was drawn at random, with a probability that its group shares.
func (f *File) addDrawn(line int, cells map[string]string) error {
	text := strings.TrimSpace(cells["probability"])
	if text == "" {
		return nil
	}
	p, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(p > 0 && p <= 1) {
		return f.lineError(line, texts.Error("probability", quote(text)))
	}
	name, grouped := cells["group"]
	from := stats.Stratum{Group: strings.Clone(strings.TrimSpace(name)), Probability: p}
	switch g, known := f.groups[from.Group]; {
	case !known:
		f.groups[from.Group] = group{p, line}
	case grouped && g.probability != p:
		return f.lineError(line, texts.Error("group", text, g.probability, g.line))
	}
	f.drawn[f.origin(line, cells).place] = from
	return nil
}

// addAnswer adds a person's answer to a question. One that cannot be parsed is only noted.
func (f *File) addAnswer(line int, cells map[string]string, text, question string) error {
	r := f.origin(line, cells)
	r.question = question
	switch strings.ToLower(text) {
	case "yes", "y", "true", "1":
		r.answer = rubric.Yes
	case "no", "n", "false", "0":
		r.answer = rubric.No
	case "n/a", "na", "not applicable":
		r.answer = rubric.NotApplicable
	default:
		f.unread(text, r)
		return nil
	}
	if r.id == "" {
		return f.lineError(line, texts.Error("no id"))
	}
	f.ratings = append(f.ratings, r)
	return nil
}

// maxNamed is how many names an error or a note lists, and maxWrong how many wrong ratings, which
// a person then corrects together.
const maxNamed, maxWrong = 5, 10

// origin returns a rating of the whole dialogue of a line, without a value.
func (f *File) origin(line int, cells map[string]string) rating {
	cell := func(name string) string { return strings.Clone(strings.TrimSpace(cells[name])) }
	masked := redact.Masked(cells["dialogue_id"] + cells["file"] + cells["text"])
	return rating{line: line, row: f.row,
		place: place{cell("dialogue_id"), cell("file"), cell("identity"), masked},
		rater: cell("rater"), mark: overall, source: cmp.Or(cell("source"), sourceOf(f.name))}
}

// unread records a rating that cannot be parsed.
func (f *File) unread(text string, r rating) {
	f.unreadable = append(f.unreadable, fmt.Sprintf("%q in %s", ui.Clip(text, 40), r.where()))
}

// where returns the place of a rating in its file, such as "row 7 (dialogue T-1039)".
func (r *rating) where() string {
	return fmt.Sprintf("row %d (dialogue %s)", r.row, quote(r.id))
}

// addOne adds the rating of a criterion or of the whole dialogue, unless text is empty.
func (f *File) addOne(line int, cells map[string]string, text, criterion string) error {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	if decimal.MatchString(text) {
		text = strings.Replace(text, ",", ".", 1)
	}
	r := f.origin(line, cells)
	given, ok := importer.ParseRatings(text)
	step := steps()[importer.FoldName(text)]
	if step > 0 && (!ok || len(given) != 1) {
		given, ok = []float64{1 + float64(step-1)/2}, true
	}
	switch {
	case !ok || len(given) > 1:
		f.unread(text, r)
		return nil
	case len(given) == 0:
		return nil
	}
	r.value, r.step = given[0], step
	switch m := outOf.FindStringSubmatch(text); {
	case m != nil: // a scale of which only the high end is known
		r.ownScale.High, _ = parseNumber(cmp.Or(m[1], "100"))
	case !strings.ContainsAny(text, "0123456789"):
		r.ownScale = DefaultScale // words, faces and stars
	}
	if !strings.ContainsAny(text, "0123456789★⭐🌟") {
		r.word = strings.ToLower(text)
	}
	if r.id == "" {
		return f.lineError(line, texts.Error("no id"))
	}
	whole := []string{"", "overall", "overallexperience", "satisfaction"}
	if !slices.Contains(whole, strings.ToLower(criterion)) {
		c, err := rubric.ParseCriterion(criterion)
		if err != nil {
			return f.lineError(line, texts.Error("no criterion", err))
		}
		r.mark = int(c)
	}
	f.ratings = append(f.ratings, r)
	return nil
}

var (
	// decimal matches a number with a decimal comma. A row contains the rating of one person.
	decimal = regexp.MustCompile(`^\d+,\d+$`)
	// outOf captures the maximum: 5 in 4/5 and "4 out of 5", nothing in 80%.
	outOf = regexp.MustCompile(`(?i)^[-+.\d]+\s*(?:(?:/|(?:out\s+)?of)\s*(\d+)|%)`)
)

func (f *File) readTable(data []byte) (err error) {
	var header, names []string // the name of each column: its own, its use
	cells := map[string]string{}
	var places []string
	var isMet func(cells []string) bool
	left, conditions := 0, Conditions(f.named)
	for columns := range maps.Values(f.named) {
		for one := range strings.SplitSeq(columns, "\n") {
			places = append(places, placesIn(one)...)
		}
	}
	for row, err := range importer.ReadCells(bytes.NewReader(data), f.name, places...) {
		if syntax := (*importer.SyntaxError)(nil); err != nil && header == nil &&
			errors.As(err, &syntax) {
			return texts.Error("no table", f.name, syntax.Msg)
		} else if err != nil {
			return err
		}
		if f.row = row.Row; row.Cells == nil {
			header = slices.Clone(row.Names)
			var others []string
			isMet, others = importer.Where(header, conditions)
			for _, text := range conditions {
				f.Found[text] = !slices.Contains(others, text)
			}
			continue
		}
		if !isMet(row.Cells) {
			left++
			continue
		}
		if names == nil {
			if names, err = f.columns(header, row.Cells); err != nil {
				return err
			}
		}
		for i, name := range names {
			cells[name] = row.Cells[i]
		}
		if err := f.add(row.Line, cells); err != nil {
			return err
		}
	}
	f.notes.If(len(conditions) > 0, texts.Format("where"), f.name,
		strings.Join(conditions, ","), ui.Counted(left, "row"))
	if names == nil && header != nil {
		_, err = f.columns(header, nil)
	}
	return err
}

// Conditions returns the conditions in the columns that a user named.
func Conditions(columns map[string]string) []string {
	return strings.FieldsFunc(columns["where"], func(r rune) bool { return r == '\n' })
}

// columns identifies the columns of a table with this first row. It returns an error if a required
// column is missing or a column occurs twice. Unknown columns are noted. If no name
// says which column contains the IDs, the first that has one does.
func (f *File) columns(all, first []string) (names []string, err error) {
	usual := strings.NewReplacer(" ", "_", "-", "_")
	answers, rest := make([]string, len(all)), slices.Clone(all) // a question is not a rating
	for i, name := range all {
		name = strings.ReplaceAll(usual.Replace(strings.ToLower(strings.TrimSpace(name))), "_", "-")
		if strings.Contains(name, "[]") { // it has values only if it is named
			rest[i] = ""
		} else if slices.Contains(f.questions, name) {
			answers[i], rest[i] = name, ""
		}
	}
	given, uses := map[string]int{}, map[int]string{} // columns by their use, and vice versa
	for _, use := range Uses {
		want, isNamed := f.named[use]
		at := find(all, want)
		if !isNamed || slices.Contains(at, -1) {
			continue
		}
		for _, i := range at {
			if uses[i] != "" {
				return nil, f.lineError(1, texts.Error("two uses", all[i], uses[i], use))
			}
			uses[i] = use
		}
		given[use], f.Found[use] = at[0], true
		switch {
		case len(at) == 1:
			continue
		case f.raters == nil: // the columns of the first use name the raters of all
			f.raters = ui.Each(at, func(i int) string { return strings.TrimSpace(all[i]) })
		case len(at) != len(f.raters):
			return nil, f.lineError(1, texts.Error("other number", use, len(at), len(f.raters)))
		}
		for n, i := range at {
			answers[i] = use + " of " + f.raters[n]
		}
	}
	column := func(use string) int {
		if i, ok := given[use]; ok {
			return i
		}
		return importer.FindColumn(rest, use)
	}
	id, rated, rater := column("id"), column("rating"), column("rater")
	if id < 0 && f.isID != nil {
		if id = slices.IndexFunc(first, f.isID); id == rated {
			id = -1
		}
	}
	// its other numbers are no ratings
	f.isScores = slices.Contains(all, "numeric_weighted_average") || // in JSON:
		slices.Contains(all, "weighted_average")
	ours := []string{"satisfaction", "overall"}
	if f.isScores && (rated < 0 || slices.Contains(ours, all[rated])) {
		rated = slices.Index(all, "rating")
	} else if rated < 0 {
		rated = slices.Index(all, "OverallExperience")
	}
	byItem := false // by criterion or by question
	var others []string
	for i, name := range all {
		name = usual.Replace(strings.ToLower(name))
		for _, use := range Uses {
			if at, ok := given[use]; ok && at == i {
				name = use
			} else if ok && name == use {
				name = "" // another column has this use
			}
		}
		isKnown := slices.Contains(Uses, name) ||
			slices.Contains([]string{"identity", "probability", "group"}, name)
		if c, err := rubric.ParseCriterion(strings.ReplaceAll(name, "_", "")); err == nil &&
			!f.isScores {
			name, isKnown, byItem = c.String(), true, true
		}
		if answers[i] != "" {
			name, isKnown, byItem = answers[i], true, true
		}
		switch {
		case i == id:
			name = "dialogue_id"
		case i == rated && answers[i] == "":
			name = "rating"
		case i == rater && f.raters == nil:
			name = "rater"
		case isKnown && slices.Contains(names, name) || name == "dialogue_id" || name == "rating":
			return nil, f.lineError(1, texts.Error("twice", name))
		case name == "text": // of a sheet
		// columns written by assize review and triage
		case slices.Contains([]string{"at", "note", "flag", "scale", "picked", "rank",
			"help", "duplicates", "seal"}, name), f.isScores && name == "criterion":
			name = ""
		case !isKnown:
			others, name = append(others, quote(all[i])), ""
		}
		names = append(names, name)
	}
	if f.raters != nil && slices.Contains(names, "rater") {
		return nil, f.lineError(1, texts.Error("raters", strings.Join(f.raters, " and ")))
	}
	if id < 0 || rated < 0 && !byItem && !f.isScores {
		return nil, f.lineError(1, texts.Error("no columns", ui.First(all, maxNamed)))
	}
	_, isChosen := f.named["rating"] // then the others are left out by choice
	if others != nil && !isChosen && !f.isScores {
		f.notes.Add(texts.Format("columns"), f.name, ui.Counted(len(others), "column"),
			ui.First(others, maxNamed), strings.Join(others[:min(len(others), 2)], ","), others[0])
	}
	return names, nil
}

// quote returns a shortened text of a file, in quotes unless it is an ID or a number.
func quote(s string) string {
	short := ui.Clip(s, 40)
	odd := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;`, r) }
	if s != "" && strings.IndexFunc(s, odd) < 0 {
		return short
	}
	return strconv.Quote(short)
}
