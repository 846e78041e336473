package check

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads the string whose quote mark is the next byte.
func (p *parser) string() string {
	open := p.at
	p.at++
	from := p.at
	var b strings.Builder
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			if b.Len() == 0 {
				return p.src[from : p.at-1]
			}
			b.WriteString(p.src[from : p.at-1])
			return b.String()
		case c == '\\':
			r, size := unescape(p.src[p.at:])
			if size == 0 {
				p.fail("no such escape in a string: " + glimpse(p.src[p.at:min(p.at+6, len(p.src))]))
				return ""
			}
			b.WriteString(p.src[from:p.at])
			b.WriteRune(r)
			p.at += size
			from = p.at
		case c < ' ':
			p.control(c, open)
			return ""
		case c < utf8.RuneSelf:
			p.at++
		default:
			r, size := utf8.DecodeRuneInString(p.src[p.at:])
			if r == utf8.RuneError && size == 1 {
				p.fail("a byte that is no UTF-8, " + strconv.QuoteToASCII(p.src[p.at:p.at+1]) + "; save the file as UTF-8")
				return ""
			}
			p.at += size
		}
	}
	p.failWithin("the text ends inside the string", open, "")
	return ""
}

// control fails over a control character in a string.
func (p *parser) control(c byte, open int) {
	if c == '\n' || c == '\r' {
		p.failWithin("a line break inside the string", open, `want \n, or the quote mark that is missing`)
		return
	}
	p.fail("a control character inside a string, " + strconv.QuoteToASCII(string(rune(c))) + "; want an escape")
}

// unescape reads the escape that s begins with, a pair of surrogates as one; size is 0 where it is none. A
// lone surrogate becomes U+FFFD.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	first, ok := hex4(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(first) {
		return first, 6
	}
	if second, ok := hex4(s[6:]); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

// hex4 reads \uXXXX.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(n), err == nil
}

// number reads a number.
func (p *parser) number() string {
	from := p.at
	p.accept("-")
	whole := p.digits()
	if whole == 0 || whole > 1 && p.src[p.at-whole] == '0' {
		p.failAt(from, "no JSON number: "+glimpse(p.token(from)))
		return ""
	}
	if p.accept(".") && p.digits() == 0 {
		p.failAt(from, "a number without digits behind the point: "+glimpse(p.token(from)))
	}
	if p.accept("eE") {
		p.accept("+-")
		if p.digits() == 0 {
			p.failAt(from, "a number without an exponent: "+glimpse(p.token(from)))
		}
	}
	return p.src[from:p.at]
}

// accept passes over the next byte if it is one of set.
func (p *parser) accept(set string) bool {
	if p.at < len(p.src) && strings.IndexByte(set, p.src[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

// digits passes over digits and counts them.
func (p *parser) digits() int {
	from := p.at
	for p.at < len(p.src) && '0' <= p.src[p.at] && p.src[p.at] <= '9' {
		p.at++
	}
	return p.at - from
}

// word reads true, false or null.
func (p *parser) word(n *node) {
	switch w := p.token(p.at); w {
	case "true", "false":
		n.kind, n.text = boolean, w
		p.at += len(w)
	case "null":
		n.kind = null
		p.at += len(w)
	default:
		p.noValue("value")
	}
}
