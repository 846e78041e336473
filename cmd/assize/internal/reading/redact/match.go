package redact

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// rule is a row with its expression and its kinds.
type rule struct {
	row
	form              *regexp.Regexp
	cue, with, unless kind
}

var (
	macros = strings.NewReplacer(
		`‹`, "(?:^|[^1-9A-Lm ./_;|$+`-]|[wum{filler phone contact}]/)",
		`›`, "(?:$|\\.[^1-9A-L]|[^1-9A-Lm ./_;|$%{unit}-])",
		`Ω`, `[1-9A-L](?:[ ./_()-]+[1-9A-L])*`, `№`, `[1-9A-L]`, `§`, `[ ./_()-]+`)
	placeholder = regexp.MustCompile(`\{[a-z ]{2,}\}`)
)

// expression compiles an expression. In it, № is a group of digits, § the signs between groups,
// Ω a sequence of groups, ‹ and › its ends, and a name in braces what class returns for it.
func expression(s string) *regexp.Regexp {
	return regexp.MustCompile(placeholder.ReplaceAllStringFunc(macros.Replace(s),
		func(s string) string { return words().class(s[1 : len(s)-1]) }))
}

func compile(rows []row) (rules []rule) {
	for _, r := range rows {
		rules = append(rules, rule{r, expression(r.expr), kindsOf(r.cue), kindsOf(r.with),
			kindsOf(r.unless)})
	}
	return rules
}

// The compiled tables, and the expressions of the signs in a spelled address.
var (
	table = sync.OnceValue(func() [4][]rule {
		return [...][]rule{compile(textRows), compile(outlineRows), compile(valueRows),
			compile(answerRows)}
	})
	dots = sync.OnceValue(func() *regexp.Regexp { return expression(`(?i)` + spelledDot) })
	// subject matches "my contact number for questions on the model number is".
	subject = sync.OnceValue(func() *regexp.Regexp {
		return expression(`[{subject}][^!?1-9A-L#d]*[{harmless}][{filler}]*[1-9A-Lm]?` +
			`[{filler},]*[{copula}:][{filler}]*$`)
	})
	ats = sync.OnceValue(func() *regexp.Regexp { return expression(`(?i)` + spelledAt) })
)

// window is a part of an outline in which rows are searched, and the number of digits in it, or
// more.
type window struct{ start, end, digits int }

// windows returns the parts of the sentences of the outline in which there are numbers.
func (o *outline) windows() (all []window) {
	const before, after = 8, 12 // bytes that a row may match before and after the numbers
	sentence, open := 0, false
	for i, c := range o.chars {
		if c == '!' {
			if open {
				last := &all[len(all)-1]
				last.end = min(last.end, i+1)
			}
			sentence, open = i, false
		}
		if c != 'm' && !isGroup(c) {
			continue
		}
		if !open {
			all, open = append(all, window{start: max(sentence, i-before)}), true
		}
		last := &all[len(all)-1]
		last.end = min(len(o.chars), i+1+after)
		last.digits += o.parts[i].end - o.parts[i].start
	}
	return all
}

// find finds all personal data in the text.
func (t *text) find() {
	rules := table()
	plain := outline{chars: []byte(t.s)}
	t.apply(rules[0], &plain, window{0, len(t.s), t.count})
	if t.count > 0 {
		t.apply(rules[1], &t.outline, t.outline.windows()...)
	}
	if t.kinds&secrets == 0 {
		return
	}
	values := t.values()
	for _, p := range t.hidden {
		values.hide(p.start, p.end, '#')
	}
	all := window{0, len(values.chars), t.count}
	t.apply(rules[2], &values, all)
	isSecret := func(s span) bool { return s.mask == maskSecret }
	if t.asked != "" && !values.has(password) && !strings.Contains(t.s, "?") &&
		!slices.ContainsFunc(t.spans, isSecret) {
		t.apply(rules[3], &values, all)
	}
}

// apply masks what the rules match in windows of an outline, or of the text.
func (t *text) apply(rules []rule, o *outline, windows ...window) {
	for i := range rules {
		r := &rules[i]
		if r.cue != 0 && t.kinds&r.cue == 0 || t.kinds&r.with != r.with ||
			r.has != "" && !t.has(o, r.has) {
			continue
		}
		for _, w := range windows {
			if w.digits < r.min ||
				r.signs != "" && !bytes.ContainsAny(o.chars[w.start:w.end], r.signs) {
				continue
			}
			for at := w.start; at < w.end; {
				m := r.form.FindSubmatchIndex(o.chars[at:w.end])
				if m == nil {
					break
				}
				next := t.match(r, o, at, m)
				if next == 0 && !r.within {
					next = at + m[3]
				}
				at = max(next, at+m[0]+1)
			}
		}
	}
}

// hasSpelledAddress reports whether @ or a word for it is followed by what may be the dot of a
// domain, or by a provider.
func (t *text) hasSpelledAddress() bool {
	const limit = 10 // bytes
	end, sign, chars := 0, false, t.outline.chars
	for i, r := range string(chars) {
		k := words().kindOf(r)
		switch {
		case r == '@' || k&atWord != 0:
			end, sign = i+limit, r == '@'
		case r == ',':
			end = 0
		case i < end && (k&afterAt != 0 || r == '!' && sign ||
			r == '.' && i+1 < len(chars) && !isGroup(chars[i+1])):
			return true
		}
	}
	return strings.Contains(t.s, "(a)")
}

// has reports whether the text has what a row demands.
func (t *text) has(o *outline, s string) bool {
	isClass := func(class byte, length int) bool {
		return slices.ContainsFunc(t.tokens, func(tok token) bool {
			return (tok.class == class || class == 0) && tok.end-tok.start >= length
		})
	}
	switch s {
	case keyPrefix:
		return isClass(0, 12) && slices.ContainsFunc(words().literals["prefix"],
			func(prefix string) bool { return strings.Contains(t.s, prefix) })
	case hostSigns:
		return strings.Contains(t.s, "::") || strings.Count(t.s, ":") > 4 ||
			strings.Count(t.s, "-") > 4 || strings.Count(t.s, ".") > 1 && isClass('m', 4)
	case spelledSigns:
		return t.hasSpelledAddress()
	}
	return bytes.Contains(o.chars, []byte(s))
}

// match masks what the groups of a match contain, and returns where to continue in the outline, or
// 0 if the data is something else. The match was found from byte base on.
func (t *text) match(r *rule, o *outline, base int, m []int) int {
	next := 0
	for g := 2; g < len(m); g += 2 {
		if m[g] == m[g+1] {
			continue // an optional group
		}
		first, last := base+m[g], base+m[g+1]
		p := part{first, last}
		if o.parts != nil {
			p = part{o.parts[first].start, o.parts[last-1].end}
		}
		if g == 2 && o == &t.outline && !t.isAnnounced(r, first, last) {
			return 0
		}
		if g == 2 && r.check != nil {
			if p.end = r.check(t, p.start, p.end); p.end <= p.start {
				return 0
			}
		}
		if r.mask == maskPhone {
			p.end += len(extension.FindString(t.low[p.end:]))
		}
		t.hidden = append(t.hidden, p)
		by := byte('d')
		if r.mask != "" {
			start, end := t.place(p.start, p.end)
			t.spans, by = append(t.spans, span{start, end, r.mask}), '#'
		}
		if o.hide(p.start, p.end, by); o != &t.outline {
			t.outline.hide(p.start, p.end, by)
		}
		next = p.end
	}
	if o.parts == nil {
		return next
	}
	return o.find(next) - 1 // the mask, so that ^ does not match
}

// isAnnounced reports whether the words and signs next to a match are those that its rule demands.
// An amount of money or a count is nothing that a rule masks.
func (t *text) isAnnounced(r *rule, first, last int) bool {
	chars := t.outline.chars
	after, _ := utf8.DecodeRune(chars[last:])
	if r.mask != maskIP && (first > 0 && (chars[first-1] == ';' ||
		chars[first-1] == '$' && !bytes.ContainsAny(chars[first:last], " -")) ||
		strings.ContainsRune("$%;", after) || words().kindOf(after)&unit != 0) {
		return false
	}
	return (r.unless == 0 || t.cueBefore(first, r.apart)&r.unless == 0) &&
		(r.cue == 0 || t.cueBefore(first, r.reach)&r.cue != 0 || t.cueAfter(last)&r.cue != 0) &&
		(r.with == 0 || t.sentence(first)&r.with == r.with)
}

// cueBefore returns the kinds of the last cue before a character of the outline. No more than reach
// words may be between them, in addition to fillers, and no number, except after a cue for numbers
// that identify nobody.
func (t *text) cueBefore(i, reach int) kind {
	const limit, inAnswer = 120, 3
	end := i
	count, answered, numbers := 0, false, false
	for stop := i - limit; i > max(0, stop) && count <= max(reach, inAnswer); {
		r, n := utf8.DecodeLastRune(t.outline.chars[:i])
		i -= n
		k := words().kindOf(r)
		switch {
		case k&cues != 0:
			if count > reach && !answered || numbers && k&harmless == 0 && reach < wholeTurn {
				return 0
			}
			if k&harmless != 0 && subject().Match(t.outline.chars[max(0, i-limit):end]) {
				return kindsOf("phone")
			}
			return k
		case r == '?':
			answered = true
		case r == '!' && reach < wholeTurn, answered:
			return 0
		case r < utf8.RuneSelf && isGroup(byte(r)), r == '#', r == 'd':
			numbers = true
		case r == 'w', r == 'u', r == 'm', k != 0 && k&between == 0:
			count++
		}
	}
	return 0
}

// cueAfter returns the kinds of the cue that follows a number with a word such as "is" between:
// "482913 is your one-time code".
func (t *text) cueAfter(i int) kind {
	const limit = 14 // bytes
	pointed := false
	for _, r := range string(t.outline.chars[i:min(len(t.outline.chars), i+limit)]) {
		k := words().kindOf(r)
		switch {
		case k&cues != 0 && (pointed || k&birth != 0):
			return k
		case k&pointer != 0:
			pointed = true
		case k&between == 0 && r != ',' && r != '"':
			return 0
		}
	}
	return 0
}

// sentence returns the kinds of the words in the sentence around a character of the outline.
func (t *text) sentence(i int) (all kind) {
	const limit = 80 // bytes
	chars := t.outline.chars
	start, end := max(0, i-limit), min(len(chars), i+limit)
	if n := bytes.LastIndexByte(chars[start:i], '!'); n >= 0 {
		start += n
	}
	if n := bytes.IndexByte(chars[i:end], '!'); n >= 0 {
		end = i + n
	}
	for _, r := range string(chars[start:end]) {
		all |= words().kindOf(r)
	}
	return all
}
