package redact

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// emails masks e-mail addresses.
func (t *text) emails(asked sense) {
	for at, from := 0, 0; ; {
		n := strings.IndexByte(t.s[at:], '@')
		if n < 0 {
			break
		}
		at += n
		end := t.address(from, at, at+1)
		at++
		from = max(at, end)
	}
	for _, code := range [...]string{"%40", "&#64;", "&commat;"} {
		for at, from := 0, 0; ; {
			n := strings.Index(t.s[at:], code)
			if n < 0 {
				break
			}
			at += n
			end := t.address(from, at, at+len(code))
			at += len(code)
			from = max(at, end)
		}
	}
	if t.senses&at != 0 {
		for i := range t.tokens {
			if t.has(i, at) {
				t.spokenAddress(i, asked)
			}
		}
	}
}

// address masks the address around an at sign, which extends from byte sign to byte after. The
// address starts at byte from or later. The method returns the end of the address, or 0 if there is
// none.
func (t *text) address(from, sign, after int) int {
	end, local := sign, after
	for end > from && sign-end < 2 && t.s[end-1] == ' ' {
		end--
	}
	for local < len(t.s) && local-after < 2 && t.s[local] == ' ' {
		local++
	}
	if end > from && local < len(t.s) && strings.IndexByte("([{<", t.s[end-1]) >= 0 &&
		strings.IndexByte(")]}>", t.s[local]) == strings.IndexByte("([{<", t.s[end-1]) {
		end, local = end-1, local+1 // ann(@)example.com
		for end > from && t.s[end-1] == ' ' {
			end--
		}
	}
	spaced := end < sign || local > after
	start := t.local(from, end)
	if start == end {
		return 0
	}
	d := t.domain(local, spaced)
	if n := t.hostLiteral(local); n > 0 {
		d = domain{end: n, dots: 1, known: true}
	}
	if d.dots == 0 && !spaced { // ann@example . com
		d = t.domain(local, true)
		spaced = true
	}
	if d.dots == 0 || spaced && (!d.known || t.isMention(start, end, d)) || t.isInURL(start) {
		return 0
	}
	t.add(start, d.end, maskEmail)
	return d.end
}

func (t *text) isInURL(at int) bool {
	byStart := func(s span, at int) int { return s.start - at }
	n, found := slices.BinarySearchFunc(t.urls, at, byStart)
	return found || n > 0 && at < t.urls[n-1].end
}

// local returns the start of the local part of an address that ends at byte end, or end if there is
// none.
func (t *text) local(from, end int) int {
	const longestQuoted = 66
	if end > from && t.s[end-1] == '"' {
		begin := max(from, end-longestQuoted)
		if n := strings.LastIndexByte(t.s[begin:end-1], '"'); n >= 0 {
			return begin + n
		}
		return end
	}
	start, first := end, end
	for start > from {
		r, n := utf8.DecodeLastRuneInString(t.s[from:start])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if isDense(r) && start < end && t.s[first] < utf8.RuneSelf {
				return first
			}
			first = start - n
		case r == '_' || start < end && strings.ContainsRune(".%+-'&~", r):
			if r == '_' || r == '+' {
				first = start - n
			}
		default:
			return first
		}
		start -= n
	}
	return first
}

// isMention reports whether the word before an at sign with spaces around it is unlikely to be a
// local part. Some services name a company after an at sign, as in "Station @ example.com".
func (t *text) isMention(start, end int, d domain) bool {
	local := t.s[start:end]
	if t.isNotLocal(start, end) {
		return true
	}
	if isProvider(d.first) || t.senses&mail != 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(local)
	return unicode.IsUpper(r) && countDigits(local) == 0 ||
		strings.Contains(local, ".") && isKnown(strings.ToLower(local))
}

// isNotLocal reports whether the word before "at" is unlikely to be the local part of an address.
func (t *text) isNotLocal(start, end int) bool {
	w := words().words[t.low[start:end]]
	return w != nil && w.sense&(notLocal|filler|copula|month|unit) != 0 ||
		countDigits(t.s[start:end]) == end-start
}

// domain is the part of an address after the at sign.
type domain struct {
	end     int
	dots    int
	spelled int  // of the dots
	known   bool // the last part is an existing top-level domain
	english bool // one of these is "dot"
	first   string
}

// domain parses a domain that starts at byte at. If loose is set, its dots may be spelled, "[dot]"
// or "dot", or have spaces around them.
func (t *text) domain(at int, loose bool) domain {
	const limit = 10 // dots
	d := domain{end: at}
	var name strings.Builder
	for {
		start := at
		for at < len(t.s) {
			r, n := utf8.DecodeRuneInString(t.s[at:])
			if loose && r == '-' {
				if n := t.hyphenatedDot(t.low[at:min(len(t.low), at+20)]); n > 0 {
					break
				}
			}
			if r != '-' && !unicode.In(r, unicode.L, unicode.Nd, unicode.M) ||
				isDense(r) && at > start && t.s[start] < utf8.RuneSelf {
				break
			}
			at += n
		}
		label := t.low[start:at]
		if label == "" || loose && label == "-" {
			break
		}
		if name.Len() > 0 {
			name.WriteByte('.')
			d.dots++
		} else {
			d.first = label
		}
		name.WriteString(label)
		d.end = at
		if d.dots == limit {
			break
		}
		n, spelled := t.dotAt(at, loose)
		if n == 0 {
			break
		}
		if spelled && d.dots == d.spelled {
			d.spelled++
		}
		d.english = d.english || spelled && strings.Contains(t.low[at:at+n], "dot")
		at += n
	}
	for d.end > 0 && t.s[d.end-1] == '-' {
		d.end--
	}
	d.known = isKnown(name.String())
	return d
}

// dotAt returns the length of the domain's dot at byte at, and whether it is spelled out.
func (t *text) dotAt(at int, loose bool) (n int, spelled bool) {
	rest := t.low[at:min(len(t.low), at+20)]
	if len(rest) > 1 && rest[0] == '.' && rest[1] != ' ' && rest[1] != '.' {
		return 1, false
	}
	inner := strings.TrimLeft(rest, " ")
	n = len(rest) - len(inner)
	if loose && inner != "" && (inner[0] == '-' || inner[0] == '_') {
		signs := t.hyphenatedDot(inner)
		if signs == 0 {
			return 0, false
		}
		return len(rest) - len(strings.TrimLeft(inner[signs:], " ")), true
	}
	if n > 2 || inner == "" {
		return 0, false
	}
	bracket := strings.IndexByte("([{<", inner[0])
	if bracket >= 0 {
		inner = strings.TrimLeft(inner[1:], " ")
	} else if !loose {
		return 0, false
	}
	end := 0
	for end < len(inner) && (inner[end] >= utf8.RuneSelf || isLetter(inner[end])) {
		end++
	}
	if w := words().words[inner[:end]]; end > 0 && (w == nil || w.sense&dot == 0) {
		return 0, false
	}
	if end == 0 {
		if !strings.HasPrefix(inner, ".") {
			return 0, false
		}
		end = 1
	}
	tail := inner[end:]
	if bracket >= 0 {
		tail = strings.TrimLeft(tail, " ")
		if tail == "" || tail[0] != ")]}>"[bracket] {
			return 0, false
		}
		tail = tail[1:]
	} else if inner[0] == '.' && n == 0 || tail == "" || tail[0] != ' ' {
		return 0, false
	}
	tail = strings.TrimLeft(tail, " ")
	if tail == "" {
		return 0, false
	}
	return len(rest) - len(tail), true
}

// hyphenatedDot returns the length of the dot in "-dot-".
func (t *text) hyphenatedDot(s string) int {
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 {
		return 0
	}
	w := words().words[s[1:end+1]]
	if w == nil || w.sense&dot == 0 {
		return 0
	}
	return end + 2
}

// isKnown reports whether the last part of a domain is an existing top-level domain, or one
// reserved for examples.
func isKnown(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch last {
	case "":
		return false
	case "example", "test", "invalid", "local":
		return true
	}
	_, icann := publicsuffix.PublicSuffix(name)
	return icann
}

// hostLiteral returns the end of a host address in brackets that starts at byte at, or 0.
func (t *text) hostLiteral(at int) int {
	const longest = 60
	if at >= len(t.s) || t.s[at] != '[' {
		return 0
	}
	n := strings.IndexByte(t.s[at:min(len(t.s), at+longest)], ']')
	if n < 0 {
		return 0
	}
	if _, err := netip.ParseAddr(strings.TrimPrefix(t.low[at+1:at+n], "ipv6:")); err != nil {
		return 0
	}
	return at + n + 1
}

// maxLocal is the maximum number of bytes searched for a local part, unless another at sign
// ends the search.
const maxLocal = 128

// spokenAddress masks an address whose at sign is the word i: "ann.lee (at) gmail.com", "ann dot
// lee at gmail dot com".
func (t *text) spokenAddress(i int, asked sense) {
	if i == 0 || i+1 >= len(t.tokens) {
		return
	}
	before, after := t.gap(i), t.gap(i+1)
	open, closing := strings.Trim(before, " "), strings.Trim(after, " ")
	strong := len(before) < 4 && len(after) < 4 && len(open) == 1 && len(closing) == 1 &&
		strings.IndexByte("([{<", open[0]) >= 0 &&
		strings.IndexByte(")]}>", closing[0]) == strings.IndexByte("([{<", open[0])
	strong = strong || open == closing && (open == "_" || open == "-")
	if !strong && (before != " " || after != " ") {
		return
	}
	end := t.tokens[i-1].end
	start := t.local(max(0, end-maxLocal), end)
	extended := t.spelledLocal(i-1, start)
	start = min(start, extended)
	d := t.domain(t.tokens[i+1].start, true)
	if d.dots == 0 && isProvider(d.first) {
		d = t.undotted(i+1, d)
	}
	if d.dots == 0 || !d.known || start == end || t.tokens[i-1].class == opaque {
		return
	}
	local := t.s[start:end]
	switch {
	case strong:
	case t.isNotLocal(start, end):
		return
	case d.spelled > 0 && (d.english || isProvider(d.first)), extended < end &&
		strings.ContainsAny(local, ". _"),
		strings.ContainsAny(local, "._+0123456789"):
	default:
		if !isProvider(d.first) && asked&mail == 0 &&
			!t.has(i-2, mail) && !t.has(i-3, mail) && !t.has(i-4, mail) {
			return
		}
	}
	t.add(start, d.end, maskEmail)
}

// isProvider reports whether a name is that of a widely used e-mail provider.
func isProvider(name string) bool {
	w := words().words[name]
	return w != nil && w.sense&provider != 0
}

// undotted parses the domain of a well-known provider without its dot: "gmail com".
func (t *text) undotted(i int, d domain) domain {
	if i+1 >= len(t.tokens) || t.gap(i+1) != " " {
		return d
	}
	last := t.tokens[i+1]
	switch t.low[last.start:last.end] {
	case "com", "net", "org", "de", "fr", "es", "it", "co":
		return domain{end: last.end, dots: 1, spelled: 1, known: true, first: d.first}
	}
	return d
}

// spelledLocal returns the start of a local part with spelled dots, "ann dot lee", or spelled
// letters, "a n n". Token i is its last token; start is where it begins if nothing is spelled.
func (t *text) spelledLocal(i, start int) int {
	const limit = 16 // tokens
	for range limit {
		for i > 0 && t.tokens[i].start > start {
			i--
		}
		if i < 1 {
			return start
		}
		if i > 1 && t.has(i-1, dot|sign) && isDotGap(t.gap(i)) && isDotGap(t.gap(i-1)) &&
			t.tokens[i-2].class != opaque {
			end := t.tokens[i-2].end
			start = t.local(max(0, end-maxLocal), end)
			i -= 2
			continue
		}
		if one, other := t.tokens[i], t.tokens[i-1]; one.end-one.start == 1 &&
			other.end-other.start == 1 && (t.gap(i) == " " || t.gap(i) == "-") {
			i--
			start = t.tokens[i].start
			continue
		}
		return start
	}
	return start
}

func isDotGap(gap string) bool {
	return gap == " " || len(gap) > 0 && len(gap) < 4 && strings.Trim(gap, " ()[]{}<>") == ""
}
