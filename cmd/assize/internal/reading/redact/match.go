package redact

import (
	"bytes"
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

//go:embed rows.yaml
var rowsFile []byte

// row is a form of personal data. The file rows.yaml describes its fields.
type row struct {
	Mask                      string // "" if the data must stay
	Expr, Has, Check, Is, Not string
	Needs, With, Cue, Unless  kind
	Reach, Apart              int
	Min, Max, Long            int
	Starts, Ends, Within, Raw bool
	Mixed, Word               bool
	expr, is, not             *regexp.Regexp
	check                     check
	isText, isNumber          bool // where it is read; neither is in values
}

// wholeTurn is the reach of a cue that applies until another one follows.
const wholeTurn = 1 << 10

const minCard = 13 // digits

// rows returns the rows of rows.yaml, and the expressions in it that the code reads by name.
var rows = sync.OnceValues(func() ([]row, map[string]*regexp.Regexp) {
	var in struct {
		Let                   map[string]string
		Text, Numbers, Values []row
	}
	if err := yaml.UnmarshalWithOptions(rowsFile, &in, yaml.Strict()); err != nil {
		panic(err) // the file is embedded
	}
	expr := func(s string) *regexp.Regexp { return regexp.MustCompile(expand(s, in.Let)) }
	named := map[string]*regexp.Regexp{}
	all := slices.Concat(in.Text, in.Numbers, in.Values)
	for i := range all {
		r := &all[i]
		r.isText = i < len(in.Text)
		r.isNumber = !r.isText && i < len(in.Text)+len(in.Numbers)
		r.expr, r.is, r.not = expr(r.Expr), expr(r.Is), expr(cmp.Or(r.Not, "^$"))
		r.check = checks[r.Check]
	}
	for name := range strings.FieldsSeq("AT DOT ATHOST SUBJECT JOINSBEFORE JOINSAFTER" +
		" AMOUNTBEFORE AMOUNTAFTER EXTENSION GROUPS PIECE") {
		named[name] = expr("(?i){" + name + "}")
	}
	return all, named
})

var placeholder = regexp.MustCompile(`\{(=?[A-Za-z][a-z,A-Z]*)\}`)

// expand replaces the names in braces in an expression.
func expand(expr string, parts map[string]string) string {
	return placeholder.ReplaceAllStringFunc(expr, func(s string) string {
		s = s[1 : len(s)-1]
		if part, ok := parts[s]; ok {
			return expand(part, parts)
		}
		return words().class(s)
	})
}

// findAll finds all personal data in the text, and what may be some.
func (t *text) findAll() {
	raw := []byte(t.s)
	for i := range t.rows {
		switch r := &t.rows[i]; {
		case t.count < r.Min || r.isNumber && t.count == 0 && r.Needs == 0, !t.mayMatch(r):
		case r.isText:
			t.apply(r, raw)
		default:
			t.apply(r, t.tags)
		}
	}
	t.findNumbers()
}

// mayMatch reports whether the text has what a row needs anywhere.
func (t *text) mayMatch(r *row) bool {
	return t.long >= r.Long && (r.Cue == 0 || t.kinds&r.Cue != 0) &&
		(r.Needs == 0 || t.kinds&r.Needs != 0) && t.kinds&r.With == r.With &&
		strings.Contains(t.s, r.Has) && (r.Needs&at == 0 || t.hasAddress())
}

// hasAddress reports whether a domain that exists is announced after a sign of an e-mail address.
func (t *text) hasAddress() bool {
	const before, limit = 3, 128 // bytes
	for i, r := range string(t.tags) {
		if r == '@' || r == '(' || words().kindOf(r)&at != 0 {
			s := t.low[max(0, int(t.at[i])-before):min(len(t.low), int(t.at[i])+limit)]
			if m := t.named["ATHOST"].FindStringSubmatch(s); m != nil && t.domainEnd(m[1]) > 0 {
				return true
			}
		}
	}
	return false
}

// apply masks what a row matches in the tagged text or in the text itself.
func (t *text) apply(r *row, chars []byte) {
	parts := t.parts
	if !r.isNumber || r.Mixed || r.Min == 0 {
		parts = []part{{0, len(chars), t.count}}
	}
	switch {
	case r.Word:
		parts[0].start = max(0, strings.LastIndexByte(t.s[:strings.Index(t.s, r.Has)], ' '))
	case r.isText && r.Min > 0:
		parts[0].start = max(0, strings.LastIndexByte(t.s[:t.at[t.parts[0].start]], ' '))
	}
	at := 0
	for _, p := range parts {
		at = max(at, p.start)
		for at < p.end && p.digits >= r.Min && bytes.Contains(chars[at:p.end], []byte(r.Has)) {
			m := r.expr.FindSubmatchIndex(chars[at:p.end])
			if m == nil {
				break
			}
			next := t.match(r, chars, at, m)
			if next == 0 && !r.Within {
				next = at + m[len(m)-1]
			}
			at = max(next, at+m[0]+1)
			for at < len(chars) && isWordChar(chars[at-1]) && isWordChar(chars[at]) {
				at++ // ^ and \b must not match within a word
			}
		}
	}
}

// match masks what the groups of a match contain, and returns where to continue, or 0 if the data
// is something else. The match was found from byte base on.
func (t *text) match(r *row, chars []byte, base int, m []int) int {
	next, inText := 0, func(i int) int { return i } // in s
	if !r.isText {
		inText = func(i int) int { return int(t.at[i]) }
	}
	for g := 2; g < len(m); g += 2 {
		if m[g] < 0 {
			continue // of an alternative
		}
		first, last := base+m[g], base+m[g+1]
		data := string(chars[first:last])
		start, end := inText(first), inText(last)
		if r.Raw {
			data = t.s[start:end]
		}
		if n := len(digits(data)); n < r.Min || r.Max > 0 && n > r.Max ||
			!r.is.MatchString(data) || r.not.MatchString(data) ||
			r.isNumber && !t.isAnnounced(r, first, last) ||
			r.isText && r.Unless != 0 && t.cueBefore(t.find(first), r.Apart)&r.Unless != 0 {
			return 0
		}
		if r.check != nil {
			n := r.check(t, data)
			if n == 0 {
				return 0
			}
			last = first + n
			end = inText(last)
		}
		if r.Mask == maskPhone {
			end += len(t.named["EXTENSION"].FindString(t.low[end:]))
		}
		for _, found := range [][]byte{t.tags[t.find(start):t.find(end)], chars[first:last]} {
			copy(found, slices.Repeat([]byte{hidden}, len(found))) // for the rows that follow
			if r.Mask == maskCard && len(found) >= minCard {
				t.kinds |= card // the number is a cue for what follows
				utf8.EncodeRune(found, words().word("card").letter)
			}
		}
		if r.Mask != "" {
			from, to := t.place(start, end)
			t.spans = append(t.spans, span{start: from, end: to, mask: r.Mask})
		}
		next = last
	}
	return next
}

// isAnnounced reports whether the words and signs next to a number are those that its row demands.
func (t *text) isAnnounced(r *row, first, last int) bool {
	const longest = 16 // bytes of a word
	before := t.tags[max(0, first-longest):first]
	before = before[max(0, bytes.LastIndexByte(bytes.TrimRight(before, " "), ' ')):]
	after := t.tags[last:min(len(t.tags), last+4*longest)]
	return (r.Unless == 0 || t.cueBefore(first, r.Apart)&r.Unless == 0) &&
		(r.Cue == 0 || t.cueBefore(first, r.Reach)&r.Cue != 0 || t.cueAfter(last)&r.Cue != 0) &&
		(r.With == 0 || t.sentence(first)&r.With == r.With) &&
		(!r.Ends || !t.named["JOINSAFTER"].Match(after)) &&
		(!r.Starts || !t.named["JOINSBEFORE"].Match(before)) &&
		(r.Mask == maskIP || r.Mask == "" || !t.named["AMOUNTAFTER"].Match(after) &&
			(!t.named["AMOUNTBEFORE"].Match(before) || before[len(before)-1] != ',' &&
				bytes.ContainsAny(t.tags[first:last], " -")))
}

// cueBefore returns the kinds of the last cue before a byte of the tagged text, or in the question
// before it. No more than reach words may be between them, in addition to fillers, and no number,
// except after a cue for numbers that identify nobody.
func (t *text) cueBefore(i, reach int) kind {
	const limit, inAnswer = 240, 3
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	end, low := i, max(0, i-limit)
	count, number, k := 0, false, kind(0)
	for k&cues == 0 {
		if count > max(reach, inAnswer) {
			return 0
		}
		r, n := utf8.DecodeLastRune(t.tags[low:i])
		i -= n
		switch k = words().kindOf(r); {
		case i < t.head, n == 0, reach < wholeTurn && (r == '!' || r == '?' || r == stop):
			k, reach = t.question&cues, max(reach, inAnswer)
			if i > t.first || i > 0 && n == 0 || k == 0 {
				return 0
			}
		case r == hidden:
			number = true
		case isWord(r):
			rest := low + len(bytes.TrimRightFunc(t.tags[low:i], isWord))
			letters := bytes.ContainsFunc(t.tags[rest:i+n], unicode.IsLetter)
			i = rest
			if number = number || !letters; letters {
				count++
			}
		case k != 0 && k&(between|cues) == 0:
			count++
		}
	}
	if count > reach || number && k&harmless == 0 && reach < wholeTurn {
		return 0
	}
	if k&harmless != 0 && t.named["SUBJECT"].Match(t.tags[max(low, t.head):end]) {
		return kindsOf("phone")
	}
	return k
}

// cueAfter returns the kinds of the cue that follows a number with a word such as "is" between:
// "482913 is your one-time code".
func (t *text) cueAfter(i int) kind {
	const limit = 32 // bytes
	pointed := false
	for _, r := range string(t.tags[i:min(len(t.tags), i+limit)]) {
		k := words().kindOf(r)
		switch {
		case k&cues != 0 && (pointed || k&birth != 0):
			return k
		case k&pointer != 0:
			pointed = true
		case k&between == 0 && r != ',' && r != '"' && r != '\'' && r != ' ':
			return 0
		}
	}
	return 0
}

// sentence returns the kinds of the words in the sentence around a byte of the tagged text.
func (t *text) sentence(i int) kind {
	const limit = 160 // bytes
	ends := "!?" + string(stop)
	start, end := max(0, i-limit), min(len(t.tags), i+limit)
	start += bytes.LastIndexAny(t.tags[start:i], ends) + 1
	if n := bytes.IndexAny(t.tags[i:end], ends); n >= 0 {
		end = i + n
	}
	all := t.kindsIn(start, end)
	if start <= t.first {
		all |= t.question
	}
	return all
}

// kindsIn returns the kinds of the words in a part of the tagged text.
func (t *text) kindsIn(start, end int) (all kind) {
	for _, r := range string(t.tags[start:end]) {
		all |= words().kindOf(r)
	}
	return all
}
