package importer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// withNames returns the names to use if the other cells of a row are names, too.
func withNames(opt Options, cells []string) *names {
	who := newNames(opt)
	for _, name := range cells {
		if name = FoldName(name); name != "" && len(name) <= maxName && !who.knows(name) {
			who.roles[name] = dialogue.Other
		}
	}
	return who
}

// shape describes the values of a column.
type shape struct {
	at     int // index of the column
	name   string
	words  []string
	filled int
	// Number of values that are usual speakers, that have a digit and no space, and that have a
	// space.
	known, marks, spaces int
	// Number of values that are times of any kind, those with a date, and those with a clock time.
	times, dates, clocks int
	numbers              int // number of times that are plain numbers
	letters              int // bytes in total
	// kinds holds the roles by value, if the values are kinds of messages or true and false.
	kinds                 map[string]dialogue.Role
	sides                 [dialogue.System + dialogue.User + 1]bool
	rounded               int // number of values such as 7.35E+09
	transcripts, examined int
	values                map[string]int
}

// rounded matches a long number that a spreadsheet shortened.
var rounded = lazy(`^\d([.,]\d+)?E\+\d+$`)

// shapesOf describes the columns of a sample. The function isWhole reports whether a value of a row
// is a whole conversation.
func shapesOf(who *names, isWhole func(row []string, v string) bool, names []string,
	sample [][]string) []shape {
	list := make([]shape, len(names))
	for i, name := range names {
		s := shape{at: i, name: name, words: nameWords(name), values: map[string]int{}}
		for _, cells := range sample {
			v := strings.TrimSpace(cells[i])
			if v == "" {
				continue
			}
			s.filled++
			s.letters += len(v)
			s.values[v]++
			count := func(n *int, is bool) {
				if is {
					*n++
				}
			}
			isSpaced, isMark := strings.ContainsAny(v, " \n"), strings.ContainsAny(v, "0123456789")
			m, isTime := ParseTime(v)
			count(&s.known, who.knows(v[:min(len(v), maxName)]))
			count(&s.rounded, rounded().MatchString(v))
			count(&s.spaces, isSpaced)
			count(&s.marks, !isSpaced && isMark && len(v) <= 64)
			count(&s.times, isTime)
			count(&s.numbers, isTime && m.IsNumber)
			count(&s.dates, isTime && m.HasDate)
			count(&s.clocks, isTime && m.HasTime)
			if s.examined < 200 {
				s.examined++
				count(&s.transcripts, isWhole(cells, v))
			}
		}
		settleKinds(who, &s)
		list[i] = s
	}
	return list
}

// isLink reports whether the name of a column says that it holds the ids of messages that other
// messages answer.
func (s *shape) isLink() bool {
	isTo := slices.Contains(s.words, "to") || slices.Contains(s.words, "parent")
	return (isTo || anyIn(s.words, "mark")) && anyIn(s.words, "answers")
}

// isNamed reports whether the whole name is in a list of columns.txt.
func (s *shape) isNamed(list string) bool { return anyIn([]string{foldColumn(s.name)}, list) }

// most reports whether n is at least nine tenths of the values.
func (s *shape) most(n int) bool { return s.filled > 0 && 10*n >= 9*s.filled }

// repeats reports whether a value occurs more than once.
func (s *shape) repeats() bool { return len(s.values) < s.filled }

// isTime reports whether a column holds times. Plain numbers are times only if the name says so.
func (s *shape) isTime() bool {
	return s.most(s.times) && (!s.most(s.numbers) || anyIn(s.words, "time"))
}

// isSpeaker reports whether the name of a column says that it holds speakers, as in "Author" or
// "Comment created by".
func (s *shape) isSpeaker() bool {
	words := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return w == "name" })
	isBy := len(words) > 1 && words[len(words)-1] == "by" && !s.isNamed("agent") &&
		!s.isNamed("customer") && !anyIn(s.words, "other-time")
	return anyIn(s.words, "who") || s.isNamed("who") || isBy
}

// isID reports whether the name of a column says that it holds the id of a conversation.
func (s *shape) isID() bool {
	return anyIn(s.words, "conversation") && anyIn(s.words, "mark") &&
		(!anyIn(s.words, "other-id") || anyIn(s.words[:1], "conversation"))
}

// isRating reports whether the name of a column indicates ratings, and most of its values are
// ratings.
func (s *shape) isRating() bool {
	n := number(maps.Keys(s.values), func(v string) bool { _, ok := ParseRatings(v); return ok })
	isOther := func(w string) bool {
		return !anyIn([]string{w}, "rated") && !anyIn([]string{w}, "whose")
	}
	return anyIn(s.words, "rated") && !slices.ContainsFunc(s.words, isOther) &&
		10*n >= 6*len(s.values)
}

// onlyComma matches a rating such as 4,5: a number with a decimal comma, or the ratings of two
// people.
var onlyComma = lazy(`^\d+,(\d+)$`)

// decimals reports whether the commas in a column of ratings are decimal signs rather than
// separators between the ratings of several people. If both are possible, guess says which one was
// assumed.
func (s *shape) decimals(delimiter rune) (is bool, guess string) {
	example, isList := "", false
	for _, v := range slices.Sorted(maps.Keys(s.values)) {
		m := onlyComma().FindStringSubmatch(v)
		switch {
		case m != nil:
			example = cmp.Or(example, v)
			is = is || len(m[1]) > 1
			isList = isList || strings.Trim(m[1], "05") != ""
		case strings.Contains(v, ","):
			return false, ""
		default:
			is = true
		}
	}
	switch is = is || !isList || delimiter == ';'; {
	case example == "" || delimiter == ';':
		return is, ""
	case is:
		return is, fmt.Sprintf("ratings such as %q have a decimal comma", example)
	}
	return is, fmt.Sprintf("ratings such as %q are those of two people", example)
}

// settleKinds derives the roles from the values of a column, if possible: from names of roles, from
// kinds of messages, one of which may follow from the others, or from true and false in a column
// such as "Is agent".
func settleKinds(who *names, s *shape) {
	words := slices.DeleteFunc(slices.Clone(s.words),
		func(w string) bool { return anyIn([]string{w}, "flag") })
	// whoIf is the role if the value is true.
	whoIf, _ := dialogue.ParseRole(kinds()["names"][strings.Join(words, " ")])
	kinds, isKind, rest, strange := map[string]dialogue.Role{}, anyIn(s.words, "kind"), "", 0
	for v := range s.values {
		role := who.find(v[:min(len(v), maxName)])
		is, isFlag := isTrue(v)
		switch folded := []string{foldColumn(v)}; {
		case role != nobody:
		case isFlag && whoIf != dialogue.Other:
			if role = whoIf; !is {
				role = dialogue.System + dialogue.User - whoIf // the other side
			}
		case isKind && anyIn(folded, "note"):
			role = dialogue.Other
		case isKind && anyIn(folded, "of-user"):
			role = dialogue.User
		case isKind && anyIn(folded, "of-system"):
			role = dialogue.System
		default:
			rest = v
			strange++
			continue
		}
		kinds[v], s.sides[role] = role, true
	}
	if isKind && strange == 1 && len(kinds) > 0 &&
		s.sides[dialogue.User] != s.sides[dialogue.System] {
		if kinds[rest] = dialogue.User; s.sides[dialogue.User] {
			kinds[rest] = dialogue.System
		}
		s.sides[dialogue.User], s.sides[dialogue.System] = true, true
	}
	if len(kinds) == len(s.values) && (isKind || whoIf != dialogue.Other) {
		s.kinds, s.known = kinds, s.filled
	}
}

// hasKinds reports whether the values of a column are kinds of rows: whether some are messages, and
// whether some are not.
func (s *shape) hasKinds() (messages, others bool) {
	const most = 30
	for v := range s.values {
		words := nameWords(v)
		if len(words) > 3 || len(s.values) > most {
			return false, false
		}
		messages = messages || anyIn(words, "said")
		others = others || anyIn(words, "event") || anyIn([]string{foldColumn(v)}, "note")
	}
	return messages, others
}

// described lists columns with a few of their values.
func described(list []shape) string {
	const most, maxValues = 8, 2
	var all []string
	for _, s := range list[:min(len(list), most)] {
		text := quote(s.name)
		values := slices.SortedFunc(maps.Keys(s.values), func(a, b string) int {
			return cmp.Or(s.values[b]-s.values[a], strings.Compare(a, b))
		})
		if len(values) > 0 {
			text += " (" + quoted(values[:min(maxValues, len(values))]) + ")"
		}
		all = append(all, text)
	}
	if len(list) > most {
		all = append(all, fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(all, ", ")
}
