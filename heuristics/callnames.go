package heuristics

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// The names of persons, places, plans and objects in a claim are compared with those in the call
// that it is about.

// isMisnamed reports whether a claim has another person, address, place or plan than the arguments
// of the call or its result.
func isMisnamed(s *analysis, c *toolCall, t *turnText, p passage) (is bool) {
	call := plain(c.Arguments) + plain(c.Answer[:min(len(c.Answer), maxRecords)])
	compare := func(name, value string) {
		if value == "" || value == strings.ToUpper(value) { // an airport
			return
		}
		said, of := plain(value), s.lex.marksOf(name)
		mayMatch := of.is(ofName) || hasDigit(value) // a name, or an address
		is = is || mayMatch && isMisspelt(t, p, strings.Fields(said), call) ||
			of.is(ofChoice) && s.isMischosen(p, said, call)
	}
	eachMember(c.Arguments, compare)
	eachMember(c.Answer, compare)
	return is
}

// isMisspelt reports whether a claim repeats the words of a name or an address, but for one name or
// number that the call does not have: "12 Mill Lane" for "21 Mill Lane".
func isMisspelt(t *turnText, p passage, words []string, call string) bool {
	const maxWords = 6
	for n := p.first; len(words) > 1 && len(words) <= maxWords && n+len(words)-1 <= p.last; n++ {
		other, at, isAlike := 0, 0, false
		for k, word := range words {
			said := strings.ToLower(t.word(n + k))
			said = said[:strings.IndexAny(said+"'", "'’")] // "Weber's"
			if !isShortFor(word, said) {
				other, at = other+1, n+k
			}
			isAlike = isAlike || word == said && len(word) > 2
		}
		if other == 1 && isAlike && t.tokens[at].is(capital|number) &&
			!strings.Contains(call, plain(t.word(at))) {
			return true
		}
	}
	return false
}

// isShortFor reports whether two words are equal, or one is the other without some of its letters:
// "st" and "street", "ln" and "lane".
func isShortFor(one, other string) bool {
	if len(one) > len(other) {
		one, other = other, one
	}
	if one == other || one == "" || one[0] != other[0] || hasDigit(other) {
		return one == other
	}
	for i := 0; i < len(other) && one != ""; i++ {
		if other[i] == one[0] {
			one = one[1:]
		}
	}
	return one == ""
}

// isMischosen reports whether a claim has a name after "to" or "from" that the call does not have,
// and does not have the value of the argument, of which only one was named before: by the USER.
func (s *analysis) isMischosen(p passage, value, call string) bool {
	names := func(words string) (byUser, byAny bool) {
		for i := max(0, p.turn-maxMeant); i < p.turn; i++ {
			role := s.turns[i].role
			if role != dialogue.Other && strings.Contains(plain(s.turns[i].text), words) {
				byUser, byAny = byUser || role == dialogue.User, true
			}
		}
		return byUser, byAny
	}
	t := &s.turns[p.turn]
	if hasDigit(value) || strings.Contains(plain(t.text), value) {
		return false
	}
	for n := p.first + 1; n <= p.last; n++ {
		said := plain(t.word(n))
		isElse := t.tokens[n].isName() && !strings.Contains(call, said)
		if isElse && t.is(n-1, "to", "from") {
			isWanted, isKnown := names(said)
			wasAsked, wasNamed := names(value)
			return isWanted && !wasNamed || wasAsked && !isKnown
		}
	}
	return false
}

// address matches an address of e-mail.
var address = compiled(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

// isMisaddressed reports whether a claim has an address of e-mail, and the call only others to send
// to.
func isMisaddressed(c *toolCall, t *turnText, p passage) bool {
	rest := t.text[t.tokens[p.first].start:]
	said := address().FindString(rest[:strings.IndexByte(rest+"\n", '\n')])
	found, isSame := false, false
	compare := func(name, value string) {
		if isOneOf(strings.ToLower(name), "from", "sender", "reply_to", "replyto") {
			return
		}
		for _, one := range address().FindAllString(value, -1) {
			found, isSame = true, isSame || strings.EqualFold(one, said)
		}
	}
	if said != "" {
		eachMember(c.Arguments, compare)
		eachMember(c.Answer, compare)
	}
	return found && !isSame
}

// isRenamed reports whether a claim has what an argument of the call asked for, and the result
// something else; or whether it has a name or a number next to the name of an argument, as in "the
// Zumba class" and "unit C7", and the call has another one there.
func isRenamed(s *analysis, c *toolCall, t *turnText, p passage) (is bool) {
	said := plain(t.text[t.tokens[p.first].start:t.tokens[p.last].end])
	answer := map[string]string{}
	eachMember(c.Answer, func(name, value string) {
		answer[name] = cmp.Or(answer[name], value)
	})
	eachMember(c.Arguments, func(name, value string) {
		key, isCode := keyWord(name), hasDigit(value)
		asked, got := plain(value), plain(answer[name])
		if w := s.lex.toolWordOf(strings.ToLower(value)); name != "" && isOverruled(asked, got) &&
			w.verb|w.noun == 0 && !strings.Contains(value, ":") { // no "type": "order" or time
			if len(value) == 1 {
				asked = plain(key + " " + value) // "zone D"
			}
			is = is || strings.Contains(said, asked) && !strings.Contains(said, got)
		}
		if value == "" || !isCode && value == strings.ToUpper(value) { // an airport
			return
		}
		isPerson := s.lex.toolWords[key].is(ofName)
		if !isCode && !isUpper(value[0]) {
			return
		}
		for n := p.first; n <= p.last && !is; n++ {
			if t.tokens[n].stem != stemOf(key) && !(isPerson && t.is(n, "name")) {
				continue
			}
			from, to := max(p.first, n-2), min(p.last, n+3)
			if isCode {
				from, to = n+1, min(p.last, n+1)
			}
			found, isSame := false, false
			for o := from; o <= to; o++ {
				word := strings.ToLower(t.word(o))
				isNamed := t.tokens[o].isName() && !t.tokens[o].is(coded) && o != n
				if isNamed || isCode && hasDigit(word) && !s.isMeasured(p.turn, o) {
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
	return asked != "" && got != "" && hasDigit(asked) == hasDigit(got) &&
		!strings.Contains(asked, got) && !strings.Contains(got, asked)
}

// keyWord returns the word in the name of an argument that says what it is: "seat" in seat_id and
// "room" in roomNumber.
func keyWord(name string) (key string) {
	eachWord(name, func(word string) {
		if len(word) > 2 && word != "number" {
			key = word
		}
	})
	return key
}

// isExchanged reports whether a claim has a code, and the result another one of its shape as what
// was done, such as "assigned": "27E".
func isExchanged(s *analysis, c *toolCall, k *claim) (is bool) {
	t := &s.turns[k.turn]
	said := plain(t.text[t.tokens[k.scope.first].start:t.tokens[k.scope.last].end])
	eachMember(c.Answer, func(name, value string) {
		isDone := s.lex.toolWordOf(strings.ToLower(name)).said&k.deeds != 0
		if !isDone || !isMixed(value) || strings.Contains(said, plain(value)) {
			return
		}
		for n := k.scope.first; n <= k.scope.last; n++ {
			is = is || isMixed(t.word(n)) && shapeOf(t.word(n)) == shapeOf(value)
		}
	})
	return is
}

// isMixed reports whether a word has letters and digits.
func isMixed(word string) bool {
	return hasDigit(word) && strings.ContainsFunc(word, unicode.IsLetter)
}

// plain returns the words and numbers of a text in lower case, with a space before each and after
// the last one.
func plain(text string) string {
	noWord := func(r rune) bool { return r < utf8.RuneSelf && !wordByte[r] || r == '’' }
	text = strings.ReplaceAll(text, ",", "") // 3,000
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), noWord), " ") + " "
}
