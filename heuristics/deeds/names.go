package deeds

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// The names of persons, places, plans and objects in a claim are compared with those in the call
// that it is about.

// isMisnamed reports whether a claim has another person, address or place than the arguments of the
// call. Where the claim has the call's own words as well, as in "from 14 to 12 Mill Lane", or the
// difference may be one of spelling, it says nothing.
func (s *Ledger) isMisnamed(c *toolCall, t *text.Turn, p text.Passage) (is bool) {
	said := plain(t.Text[t.Tokens[p.First].Start:t.Tokens[p.Last].End])
	eachMember(c.Arguments, func(name, value string) {
		given := plain(value)
		if is || value == "" || strings.Contains(said, given) {
			return
		}
		switch of := s.terms.marksOf(name); {
		case of.is(ofName), text.HasDigit(value) && strings.Contains(value, " "): // an address
			is = isMisspelt(t, p, said, strings.Fields(given), c)
		case of.is(ofChoice):
			is = s.isMischosen(p, given, c)
		}
	})
	return is
}

// isMisspelt reports whether a claim, whose words are said, repeats a name or an address of the
// call with another last name or number: "12 Mill Lane" for "21 Mill Lane". The call must not have
// the claim's word anywhere, nor the claim the call's.
func isMisspelt(t *text.Turn, p text.Passage, said string, words []string, c *toolCall) bool {
	const maxWords = 6
	for n := p.First; len(words) > 1 && len(words) <= maxWords && n+len(words)-1 <= p.Last; n++ {
		other, at := 0, 0
		for k, word := range words {
			own := strings.ToLower(t.Word(n + k))
			own = own[:strings.IndexAny(own+"'", "'’")] // "Weber's"
			if !isShortFor(word, own) {
				other, at = other+1, k
			}
		}
		isLast := at > 0 && at == len(words)-1 && t.Tokens[n+at].Is(text.Capital) &&
			!text.HasDigit(words[at])
		isNumber := t.Tokens[n+at].Is(text.Number) && text.HasDigit(words[at])
		if other == 1 && (isLast || isNumber) && !c.has(t.Word(n+at)) &&
			!strings.Contains(said, plain(words[at])) {
			return true
		}
	}
	return false
}

// has reports whether a word is among the first words of the arguments of a call or of its result.
func (c *toolCall) has(word string) bool {
	return strings.Contains(plain(c.Arguments[:min(len(c.Arguments), maxRecords)]), plain(word)) ||
		strings.Contains(plain(c.Answer[:min(len(c.Answer), maxRecords)]), plain(word))
}

// isShortFor reports whether two words are equal, or one is the other without some of its letters:
// "st" and "street", "ln" and "lane".
func isShortFor(one, other string) bool {
	if len(one) > len(other) {
		one, other = other, one
	}
	if one == other || one == "" || one[0] != other[0] || text.HasDigit(other) {
		return one == other
	}
	for i := 0; i < len(other) && one != ""; i++ {
		if other[i] == one[0] {
			one = one[1:]
		}
	}
	return one == ""
}

// isMischosen reports whether a claim has a name after "to" that neither the call has nor anybody
// said before, while the USER named the value of the argument.
func (s *Ledger) isMischosen(p text.Passage, value string, c *toolCall) bool {
	t := &s.Turns[p.Turn]
	for n := p.First + 1; n <= p.Last; n++ {
		if !t.Tokens[n].IsName() || !t.Is(n-1, "to") || c.has(t.Word(n)) {
			continue
		}
		isAsked := false
		for i := max(0, p.Turn-maxMeant); i < p.Turn; i++ {
			if s.Turns[i].Role == dialogue.Other {
				continue
			}
			source := plain(s.Turns[i].Text)
			if strings.Contains(source, plain(t.Word(n))) {
				return false
			}
			isAsked = isAsked || s.Turns[i].Role == dialogue.User && strings.Contains(source, value)
		}
		return isAsked
	}
	return false
}

// address matches an address of e-mail.
var address = text.Regexp(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

// isMisaddressed reports whether a claim has addresses of e-mail, and the arguments of the call
// only others to send to.
func isMisaddressed(c *toolCall, t *text.Turn, p text.Passage) bool {
	said := address().FindAllString(t.Text[t.Tokens[p.First].Start:t.Tokens[p.Last].End], -1)
	found, isSame := false, len(said) == 0
	eachMember(c.Arguments, func(name, value string) {
		isTo := text.IsOneOf(strings.ToLower(name), "to", "recipient", "email", "mail", "address")
		for _, one := range address().FindAllString(value, -1) {
			found = found || isTo
			isSame = isSame || slices.ContainsFunc(said, func(a string) bool {
				return strings.EqualFold(a, one)
			})
		}
	})
	return found && !isSame
}

// bookingCode matches a code such as DW-91 or LH2208.
var bookingCode = text.Regexp(`\b[A-Z]{1,4}-?\d{2,8}\b`)

// isMisquoted reports whether a claim has a code that no recent turn has, and the result of the
// call another one of that form, which the SYSTEM does not say.
func (s *Ledger) isMisquoted(c *toolCall, t *text.Turn, p text.Passage) bool {
	codes := func(source string) []string {
		return bookingCode().FindAllString(source[:min(len(source), maxRecords)], -1)
	}
	said := codes(t.Text[t.Tokens[p.First].Start:t.Tokens[p.Last].End])
	isTold := func(code string) bool { return strings.Contains(t.Text, code) }
	if said == nil || slices.ContainsFunc(codes(c.Answer), isTold) {
		return false
	}
	return slices.ContainsFunc(said, func(code string) bool {
		isLike := func(other string) bool { return shapeOf(other) == shapeOf(code) }
		hasCode := func(source string) bool { return strings.Contains(source, code) }
		return slices.ContainsFunc(codes(c.Answer), isLike) &&
			!slices.ContainsFunc(s.Turns[max(0, p.Turn-2*maxMeant):p.Turn],
				func(u text.Turn) bool { return hasCode(u.Text) })
	})
}

// isRenamed reports whether a claim has what an argument of the call asked for, and the result
// something else; or whether it has a name or a number next to the name of an argument, as in "the
// Zumba class" and "unit C7", and the call has another one there.
func (s *Ledger) isRenamed(c *toolCall, t *text.Turn, p text.Passage) (is bool) {
	said := plain(t.Text[t.Tokens[p.First].Start:t.Tokens[p.Last].End])
	answer := map[string]string{}
	eachMember(c.Answer, func(name, value string) {
		answer[name] = cmp.Or(answer[name], value)
	})
	eachMember(c.Arguments, func(name, value string) {
		key, isCode := keyWord(name), text.HasDigit(value)
		asked, got := plain(value), plain(answer[name])
		if w := s.terms.toolWordOf(strings.ToLower(value)); name != "" && isOverruled(asked, got) &&
			w.verb|w.noun == 0 && !strings.Contains(value, ":") { // no "type": "order" or time
			if len(value) == 1 {
				asked = plain(key + " " + value) // "zone D"
			}
			is = is || strings.Contains(said, asked) && !strings.Contains(said, got)
		}
		isWord := value != "" && text.IsUpper(value[0]) && value != strings.ToUpper(value)
		if !isCode && !isWord {
			return
		}
		isPerson := s.terms.words[key].is(ofName)
		for n := p.First; n <= p.Last && !is; n++ {
			if t.Tokens[n].Stem != stemOf(key) && !(isPerson && t.Is(n, "name")) {
				continue
			}
			from, to := max(p.First, n-2), min(p.Last, n+3)
			if isCode {
				from, to = n+1, min(p.Last, n+1)
			}
			found, isSame := false, false
			for o := from; o <= to; o++ {
				word := strings.ToLower(t.Word(o))
				isNamed := t.Tokens[o].IsName() && !t.Tokens[o].Is(text.Coded) && o != n &&
					s.Lex.ValueOf(t.Tokens[o]).Kind == quantity.WordNone
				if isNamed || isCode && text.HasDigit(word) && !s.isMeasured(p.Turn, o) {
					found = true
					isSame = isSame || strings.Contains(strings.ToLower(c.Arguments+c.Answer), word)
				}
			}
			is = found && !isSame
		}
	})
	return is
}

// isOverruled reports whether a result has another value than the argument of its name, and not
// only another form of it: both are numbers, or both words.
func isOverruled(asked, got string) bool {
	asked, got = strings.ReplaceAll(asked, " ", ""), strings.ReplaceAll(got, " ", "")
	return asked != "" && got != "" && text.HasDigit(asked) == text.HasDigit(got) &&
		!strings.Contains(asked, got) && !strings.Contains(got, asked)
}

// keyWord returns the word in the name of an argument that says what it is: "seat" in seat_id and
// "room" in roomNumber.
func keyWord(name string) (key string) {
	text.EachWord(name, func(word string) {
		if len(word) > 2 && word != "number" {
			key = word
		}
	})
	return key
}

// isExchanged reports whether a claim has a code that its call requested, and the result another
// one of its shape as what was done: "requested": "14A", "assigned": "27E".
func (s *Ledger) isExchanged(c *toolCall, k *claim) (is bool) {
	t := &s.Turns[k.Turn]
	said, wanted := plain(t.Text[t.Tokens[k.scope.First].Start:t.Tokens[k.scope.Last].End]), ""
	eachMember(c.Answer, func(name, value string) {
		isDone := s.terms.toolWordOf(strings.ToLower(name)).said&k.deeds != 0
		switch {
		case name == "requested" && isMixed(value) && strings.Contains(said, plain(value)):
			wanted = value
		case wanted != "" && isDone && isMixed(value) && value != wanted:
			is = is || shapeOf(value) == shapeOf(wanted)
		}
	})
	return is
}

// isMixed reports whether a word has letters and digits.
func isMixed(word string) bool {
	return text.HasDigit(word) && strings.ContainsFunc(word, unicode.IsLetter)
}

// plain returns the words and numbers of a text in lower case, with a space before each and after
// the last one.
func plain(s string) string {
	noWord := func(r rune) bool {
		return r < utf8.RuneSelf && !text.IsLetter(byte(r)) && !text.IsDigit(byte(r)) || r == '’'
	}
	s = strings.ReplaceAll(s, ",", "") // 3,000
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), noWord), " ") + " "
}
