package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// row is a form of personal data. What its groups match is masked.
type row struct {
	mask string // "" if the data must stay and no other row may match it
	expr string
	has  string // a part of every text that matches, for speed
	// one of these kinds of words announces the data, before it or after it
	cue   kind
	reach int // how many words may be between the cue and the data in addition to fillers
	with  kind
	// the last word before the data that says what a number is must not be of these kinds
	unless kind
	apart  int // how many words may be between that word and the data
	digits int // how many the text must have, for speed
	// returns the end of the data that starts at byte start, or 0 if it is something else
	check func(t *text, start, end int) int
	form  *regexp.Regexp
}

// wholeTurn is the reach of a cue that applies until another one follows.
const wholeTurn = 1 << 10

// textRows are read in the text itself, from the first to the last.
var textRows = []row{
	{mask: maskSecret, has: "-----begin ",
		expr: `(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-[^-])*(?:-----END[A-Z ]{0,50}-----)?)`},
	{mask: maskSecret, has: "://", expr: `://([^\s/?#"<>@]+(?:@[^\s/?#"<>@]+)*)@`},
	{mask: maskSecret, has: "=", expr: `[?&;#](?i:{parameter})=([^&\s#"'<>()]+)`, check: isParameter},
	{mask: maskSecret, digits: longToken, expr: `(?:^|[^\w.-])(eyJ[\w-]{8,}\.[\w.-]*\w)`},
	{mask: maskSecret, digits: longToken,
		expr: `(?:^|[^\w.-]|\.\s)((?:{prefix})[\w.-]{15,}\w)`},
	{mask: maskEmail, has: "@", expr: `([\pL\pN_](?:[\pL\pN._%+'&~-]*[\pL\pN_+-])?@` + domain + `)`},
	{mask: maskEmail, has: "@", expr: `((?:[\w.+-]+|"[^"\n]{1,64}")@(?:\[[\w:.]{2,50}\]|` +
		domain + `))`},
	{mask: maskEmail, has: "%40", expr: `([\pL\pN_](?:[\pL\pN._+'&~-]*[\pL\pN_])?%40` + domain + `)`},
	{mask: maskEmail, has: "&", expr: `([\pL\pN_][\pL\pN._%+'-]*(?:&#64;|&commat;)` + domain + `)`},
	{mask: maskEmail, cue: at, expr: `(?i)(` + spelledName + spelledAt + spelledDomain + `)`,
		check: isSpelledAddress},
	{mask: maskEmail, has: "@", expr: `(?i)(` + spelledName + spelledAt + spelledDomain + `)`,
		check: isSpelledAddress},
	{mask: maskMAC, digits: hostSigns, check: isMAC,
		expr: `(?i)(?:^|[^\w:.-])([0-9a-f]{2}(?:[:-][0-9a-f]{2}){5,7}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?:$|[^\w:-])`},
	{mask: maskIP, digits: hostSigns, check: isIPv6,
		expr: `(?i)(?:^|[^\w:])([0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?)(?:$|[^\w:])`},
}

// The values of row.digits that are not numbers of digits.
const (
	longToken = -1 - iota // the text has a long word
	hostSigns             // the text has the signs of a hardware or network address
)

// outlineRows are read in the outline.
var outlineRows = []row{
	{mask: maskAccount, expr: `(m)`, digits: 8, check: isIBAN},
	{mask: maskID, expr: `([mu](?: ?\d)*)`, digits: 6, check: isInsurance, unless: harmless},
	{mask: maskID, expr: `(m)`, digits: 7, check: isSpanishID, unless: harmless},

	{mask: maskBirthdate, cue: birth, reach: 7, expr: `(` + date + `)`, check: isDate},
	{mask: maskBirthdate, cue: birthday, expr: `(` + date + `)`, check: isDate},
	{mask: maskBirthdate, cue: birth | birthday, expr: `(4|[12][./-][12])(?:$|[^1-9./-])`,
		check: isPartOfDate},
	{expr: `(?:^|[^1-9A-L./-])([12][./-][12][./-]4|4[./-][12][./-][12])(?:$|[^1-9A-L/-])`,
		digits: 6, check: isDate},

	{mask: maskIP, cue: address, reach: 12, expr: ip, digits: 4, check: isIP},
	{mask: maskIP, expr: ip, digits: 4, check: isPublicIP, unless: version | harmless, apart: 6},
	{expr: ip, digits: 4, check: isIP},

	{mask: maskSecret, cue: pin, expr: `((?:[wu]-)?[1-9A](?:[ -][1-9]){0,9})`, check: isPIN},
	{mask: maskSecret, cue: pin, expr: `(m)`, check: isPIN},
	{mask: maskSecret, cue: pin, reach: 6, expr: `([3-8])`, check: isPIN, with: copula},
	{mask: maskSecret, cue: code, reach: 8, with: sent | copula, check: isPIN,
		expr: `((?:[wu]-)?[4-8]|3[ -]3|2[ -]2[ -]2|m)`},

	{mask: maskCard, cue: ending | card, with: ending | card, expr: `(4|1 1 1 1)(?:$|[^1-9A-L./-])`},
	{mask: maskAccount, cue: ending | account, with: ending | account, expr: `(4|1 1 1 1)(?:$|[^ ])`},
	{mask: maskID, cue: ending | social | identity, with: ending, expr: `(4|1 1 1 1)(?:$|[^ ])`},
	{mask: maskCard, cue: expiry | card, with: expiry | card, expr: `([12][/ -][24])(?:$|[^/-])`},
	{mask: maskCard, cue: card, expr: `‹(4)›`, check: isNoYear},

	{mask: maskID, expr: `‹(3-2-4)›`, digits: 9, check: isSocial, unless: harmless},
	{mask: maskID, cue: social, expr: `‹(Ω)›`, check: isSocialNumber},
	{mask: maskMAC, cue: mac, reach: 3, expr: `(m|C)`, check: isBareMAC},
	{mask: maskCard, digits: 13, expr: `‹(4§4§4§4)`, check: isCard},
	{mask: maskCard, digits: 13, expr: `(?:^|[^1-9A-Lm;|])(Ω)`, check: isCard, unless: harmless},
	{mask: maskCard, digits: 13, expr: `‹(4(?:§[1-6]){0,3}[^1-9A-L!#$]{1,8}[1-6](?:§[1-6]){0,3})›`,
		check: isWholeCard},
	{mask: maskID, cue: identity, check: isDocument,
		expr: `((?:[uw][-./]?)?(?:№|m)(?:[-./ ]?(?:№|m)|[-./]u)*)`},
	{mask: maskAccount, cue: account, expr: `‹(Ω)›`, check: isAccount},
	{mask: maskAccount, cue: account, expr: `(m)`, check: isAccount},

	{mask: maskPhone, expr: `(\(?\+\(?Ω)` + extended, has: "+", digits: 7, check: isInternational},
	{mask: maskPhone, expr: `‹(Ω)›`, digits: 10, check: isInternational, unless: harmless},
	{mask: maskPhone, expr: `‹(\(?(?:{forms}))` + extended + `›`, digits: 8, check: isNational,
		unless: harmless},
	{mask: maskPhone, expr: `‹([A-L])›`, digits: 10, check: isNational, unless: harmless, apart: 6},
	{mask: maskPhone, expr: `‹(\(?№(?:§№){1,5})` + extended + `›`, digits: 9, check: isTrunk,
		unless: harmless},
	{mask: maskPhone, expr: `‹(\d(?:[ ,;_-]\d){2,14})›`, digits: 7, check: isSpelled,
		unless: harmless},
	{mask: maskPhone, expr: `‹(3-4)›`, digits: 7, check: isLocal, unless: harmless, apart: 6},

	{mask: maskCard, cue: card, reach: 12, expr: `‹(Ω)›`, digits: 13, check: isCardLike},
	{mask: maskAccount, cue: account, reach: wholeTurn, expr: `‹(Ω)›`, digits: 6, check: isAccount},
	{mask: maskPhone, cue: contact, reach: 12, expr: `‹(\(?Ω)` + extended + `›`, digits: 7,
		check: isPhone},
	{mask: maskPhone, cue: phone, reach: wholeTurn, expr: `‹(\(?Ω)` + extended + `›`, digits: 7,
		check: isPhone},
}

// valueRows are read in the outline of values.
var valueRows = []row{
	{mask: maskSecret, cue: key,
		expr: `[{key}][{filler}{key}{pin}{copula}:,"-]*([STLw])`, check: isKey},
	{mask: maskSecret, cue: phrase, // passphrase: correct horse battery staple
		expr: `[{phrase}][{filler}]*[{copula}:][{filler}:"]*([^!\n",:{plain}]{3,8})(?:[!"\n]|$)`},
	{mask: maskSecret, cue: password, // password: "two words"
		expr: `[{password}][{filler}]*[{copula}:][{filler}{copula}:]*"([^"\n:]{2,8})"`},
	{mask: maskSecret, cue: password, // changed my password from A to B
		expr: `[{password}][^!{cue}]{0,8}[{from}]"?([STL])"?,?[{to}]"?([ST])`},
	{mask: maskSecret, cue: password,
		expr: `[{password}][^!{cue}]{0,8}[{from}]"?([ST])"?,?[{to}]"?(L)`},
	{mask: maskSecret, cue: password, // my password was A, but now it is B
		expr: `[{password}][^!{cue}]{0,8}[{copula}:][{filler}:"]*([ST])"?[^!{cue}]{0,5}[{copula}][{filler}:"]*([ST])`},
	{mask: maskSecret, cue: password, // my password, which I set yesterday, is A
		expr: `[{password}][^!\n{cue}]{0,12}[{copula}:][{filler}{copula}:"]*([ST])`},
	{mask: maskSecret, cue: password,
		expr: `[{password}][{filler}{password}{plain},:"]*(S)`},
	{mask: maskSecret, cue: password,
		expr: `[{password}][{filler}]*[{copula}:][{filler}{copula}:"]*(L)"?(?:[!,\n{conjunction}]|$)`},
	{mask: maskSecret, cue: password, // it's A, that's my password
		expr: `([ST])"?,?[{filler}]*[{copula}{as}][{filler}{copula}]*[{password}]`},
	{mask: maskSecret, cue: password, // I tried A as my password
		expr: `[{typed}]"?(L)"?[{as}][{filler}]*[{password}]`},
}

// answerRows are read in the outline of values if the turn before asks for a password and this one
// says nothing about passwords itself.
var answerRows = []row{
	{mask: maskSecret, expr: `^[^S]{0,12}?([ST])`},
	{mask: maskSecret, expr: `^[{filler}{copula}{plain}{conjunction}{ask},:"!]{0,5}(L)"?!?$`},
}

// Parts of the expressions.
const (
	domain     = `(?:[\pL\pN](?:[\pL\pN-]*[\pL\pN])?\.)+\pL[\pL\pN-]*[\pL\pN]`
	dots       = `(?:dot|punto|ponto|point|punkt|kropka|punt|точка)`
	spelledDot = `(?:\.| ?[([{<] ?(?:\.|` + dots + `)? ?[)\]}>] ?| ` + dots + ` | ?-` + dots +
		`- ?| ?_` + dots + `_ ?| \. )`
	spelledName = `(?:(?:\pL ){2,12}|[\pL\pN._%+'-]*)[\pL\pN_](?:(?:` + spelledDot +
		`| (?:underscore|dash|hyphen|minus|plus) )(?:(?:\pL ){2,12}\pL|[\pL\pN_+'-]+)){0,6}`
	spelledAt = `(?: ?[([{<] ?(?:@|at|a|arroba|arobase|chiocciola|malpa|собака) ?[)\]}>] ?| ?@ ?|` +
		` (?:at|arroba|arobase|chiocciola|klammeraffe|malpa|собака) | ?-at- ?| ?_at_ ?)`
	spelledDomain = `(?:[\pL\pN-]+(?:` + spelledDot + `[\pL\pN][\pL\pN-]*){1,6}|` +
		`[\pL]+ (?:com|net|org|de|fr|es|it|co)\b)`
	date = `[12][./ -][12][./ -][24]|4[./ -][12][./ -][12]|` +
		`(?:[12]|m)[{filler}.,"/ -]{0,3}[{month}](?:[{filler},."/ -]{0,3}[24])?|` +
		`[{month}][. ]?(?:[12]|m)(?:,?[4])?`
	ip       = `(?:^|[^.1-9A-Lm])([1-3]\.[1-3]\.[1-3]\.[1-3])(?:$|[^.1-9A-L])`
	extended = `(?:[{extension}][!.: ]?([1-6]))?`
)

// compile returns the rows with their expressions.
func compile(rows []row) []row {
	v := words()
	macros := strings.NewReplacer(
		`‹`, "(?:^|[^1-9A-Lm ./_;|$+`-]|[wu{phone}{contact}]/)",
		`›`, "(?:$|[^1-9A-Lm ./_;|$%{unit}-])",
		`Ω`, `№(?:§№){0,18}`, `№`, `[1-9A-L]`, `§`, `[ ./_()-]{1,3}`)
	rows = slices.Clone(rows)
	for i := range rows {
		expr := macros.Replace(macros.Replace(rows[i].expr))
		expr = placeholder.ReplaceAllStringFunc(expr, func(s string) string {
			name := s[1 : len(s)-1]
			switch {
			case name == "forms":
				return macros.Replace(formExpression())
			case v.literals[name] != nil:
				var quoted []string
				for _, p := range v.literals[name] {
					quoted = append(quoted, regexp.QuoteMeta(p))
				}
				return strings.Join(quoted, "|")
			}
			return v.class(kinds[name])
		})
		rows[i].form = regexp.MustCompile(macros.Replace(expr))
	}
	return rows
}

var placeholder = regexp.MustCompile(`\{[a-z ]{2,}\}`)

// table are the rows of all outlines with their expressions.
var table = sync.OnceValue(func() (t struct{ text, outline, values, answers []row }) {
	t.text, t.outline = compile(textRows), compile(outlineRows)
	t.values, t.answers = compile(valueRows), compile(answerRows)
	return t
})

// find finds all personal data in the text.
func (t *text) find() {
	rows := table()
	t.kinds |= t.askedKinds()
	plain := outline{}
	t.apply(rows.text, &plain)
	if t.count > 0 {
		t.apply(rows.outline, &t.outline)
	}
	if t.kinds&(password|phrase|key) == 0 {
		return
	}
	asked := t.askedKinds()&password != 0
	values := t.values()
	t.apply(rows.values, &values)
	isSecret := func(s span) bool { return s.mask == maskSecret }
	if asked && !values.has(password) && !strings.Contains(t.s, "?") &&
		!slices.ContainsFunc(t.spans, isSecret) {
		t.apply(rows.answers, &values)
	}
}

// apply masks what the rows match in an outline, or in the text if the outline is empty.
func (t *text) apply(rows []row, o *outline) {
	for i := range rows {
		r := &rows[i]
		if !t.mayMatch(r) {
			continue
		}
		if o.chars == nil {
			o.chars = []byte(t.s)
			for _, sp := range t.spans {
				o.hide(sp.start, sp.end, '#')
			}
		}
		for at := 0; at < len(o.chars); {
			m := r.form.FindSubmatchIndex(o.chars[at:])
			if m == nil {
				break
			}
			next := t.match(r, o, at, m)
			if next == 0 {
				_, n := utf8.DecodeRune(o.chars[at+m[0]:])
				next = at + m[0] + max(n, 1)
			}
			at = next
		}
	}
}

// mayMatch reports whether the text has what all matches of a row have.
func (t *text) mayMatch(r *row) bool {
	switch {
	case r.cue != 0 && t.kinds&r.cue == 0, t.kinds&r.with != r.with,
		r.has != "" && !strings.Contains(t.low, r.has):
		return false
	case r.digits == longToken:
		return slices.ContainsFunc(t.tokens, func(tok token) bool { return tok.end-tok.start > 11 })
	case r.digits == hostSigns:
		return strings.Contains(t.s, "::") || strings.Count(t.s, ":") > 4 ||
			strings.Count(t.s, "-") > 4 || strings.Count(t.s, ".") > 1
	case r.digits > 0:
		return t.count >= r.digits
	case r.cue == at:
		return t.kinds&(dot|provider) != 0 || strings.Contains(t.s, ".")
	}
	return true
}

// match masks what the groups of a match contain, and returns where to continue in the outline, or
// 0 if the data is something else.
func (t *text) match(r *row, o *outline, base int, m []int) int {
	var found []span
	next := 0
	for g := 2; g < len(m); g += 2 {
		if m[g] < 0 || m[g] == m[g+1] {
			continue
		}
		first, last := base+m[g], base+m[g+1]
		start, end := first, last
		if o.from != nil {
			start, end = o.from[first], o.to[last-1]
		}
		if g == 2 {
			if o == &t.outline && (t.isAmount(first, last) || !t.isAnnounced(r, first, last)) {
				return 0
			}
			if r.check != nil {
				if end = r.check(t, start, end); end <= start {
					return 0
				}
			}
		}
		found = append(found, span{start, end, r.mask})
	}
	if r.check != nil && len(found) > 1 && o == &t.outline { // an extension
		found[0].end = found[1].end
		found = found[:1]
	}
	for _, sp := range found {
		by := byte('#')
		if r.mask == "" {
			by = 'd'
		} else {
			t.add(sp.start, sp.end, r.mask)
		}
		o.hide(sp.start, sp.end, by)
		if o != &t.outline {
			t.outline.hide(sp.start, sp.end, by)
		}
		next = sp.end
	}
	if o.from == nil {
		return next
	}
	n, _ := slices.BinarySearch(o.from, next)
	return max(n-1, base+m[0]+1)
}

// isAmount reports whether a number is an amount of money or a count, by the signs beside it.
func (t *text) isAmount(first, last int) bool {
	chars := t.outline.chars
	if first > 0 && (chars[first-1] == '$' && !strings.ContainsAny(string(chars[first:last]), " -") ||
		chars[first-1] == ';') {
		return true
	}
	r, _ := utf8.DecodeRune(chars[last:])
	return r == '$' || r == '%' || r == ';' || words().kindOf(r)&unit != 0
}

// isAnnounced reports whether the words beside a match are those that its row demands.
func (t *text) isAnnounced(r *row, first, last int) bool {
	if r.unless != 0 && t.cueBefore(first, r.apart)&r.unless != 0 {
		return false
	}
	if r.cue != 0 && t.cueBefore(first, r.reach)&r.cue == 0 && t.cueAfter(last)&r.cue == 0 {
		return false
	}
	return r.with == 0 || t.sentence(first)&r.with == r.with
}

// cueBefore returns the kinds of the last cue before a character of the outline. No more than reach
// words may be between them, in addition to fillers, and no number, except after a cue for numbers
// that identify nobody.
func (t *text) cueBefore(i, reach int) kind {
	const limit, inAnswer = 120, 4
	v := words()
	between, answered, numbers := 0, false, false
	for stop := i - limit; i > max(0, stop) && between <= max(reach, inAnswer); {
		r, n := utf8.DecodeLastRune(t.outline.chars[:i])
		i -= n
		k := v.kindOf(r)
		switch {
		case k&cues != 0:
			if between > reach && !answered || numbers && k&harmless == 0 && reach < wholeTurn {
				return 0
			}
			return k
		case r == '?':
			answered = true
		case r == '!' && reach < wholeTurn, answered:
			return 0
		case r < utf8.RuneSelf && isGroup(byte(r)), r == '#', r == 'd':
			numbers = true
		case r == 'w', r == 'u', r == 'm',
			k != 0 && k&(filler|copula|as|from|to|conjunction|unit) == 0:
			between++
		}
	}
	return 0
}

// cueAfter returns the kinds of the cue that follows a number with a word such as "is" between:
// "482913 is your one-time code".
func (t *text) cueAfter(i int) kind {
	const limit = 14 // bytes
	v := words()
	pointed := false
	for stop := i + limit; i < min(len(t.outline.chars), stop); {
		r, n := utf8.DecodeRune(t.outline.chars[i:])
		i += n
		k := v.kindOf(r)
		switch {
		case k&cues != 0 && (pointed || k&birth != 0):
			return k
		case k&(copula|as) != 0:
			pointed = true
		case k&filler == 0 && r != ',' && r != '"':
			return 0
		}
	}
	return 0
}

// sentence returns the kinds of the words in the sentence around a character of the outline.
func (t *text) sentence(i int) (all kind) {
	const limit = 80 // bytes
	v := words()
	for j := i; j > max(0, i-limit); {
		r, n := utf8.DecodeLastRune(t.outline.chars[:j])
		if j -= n; r == '!' {
			break
		}
		all |= v.kindOf(r)
	}
	for j := i; j < min(len(t.outline.chars), i+limit); {
		r, n := utf8.DecodeRune(t.outline.chars[j:])
		if j += n; r == '!' {
			break
		}
		all |= v.kindOf(r)
	}
	return all
}

// add masks a part of s.
func (t *text) add(start, end int, mask string) {
	start, end = t.place(start, end)
	if start < end {
		t.spans = append(t.spans, span{start, end, mask})
	}
}
