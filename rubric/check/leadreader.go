package check

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// leadReader reads a lead backwards, from the quote to its beginning.
type leadReader struct {
	tokens []leadToken // what is left to read, the last one first
	paused string      // the marks that stood between the parts
	lead   lead
}

// leadToken is a word, in lower case, or a mark.
type leadToken struct {
	text  string
	start int
	upper bool // written in capitals
}

// leadTokens splits the end of a text, as far as a lead may reach.
func leadTokens(s string) []leadToken {
	const reach = 160
	cut := max(0, len(s)-reach)
	for cut > 0 && cut < len(s) && !utf8.RuneStart(s[cut]) {
		cut++
	}
	tokens := make([]leadToken, 0, 32)
	for i := cut; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		end := i + size
		for isLetter(r) && end < len(s) {
			next, size := utf8.DecodeRuneInString(s[end:])
			if !isLetter(next) && next != '\'' && next != '’' {
				break
			}
			end += size
		}
		if !unicode.IsSpace(r) {
			word := s[i:end]
			lower := strings.ReplaceAll(strings.ToLower(word), "’", "'")
			tokens = append(tokens, leadToken{lower, i, word != lower && word == strings.ToUpper(word)})
		}
		i = end
	}
	return tokens
}

// last gives the n-th token from the end; the zero token where there are fewer.
func (r *leadReader) last(n int) leadToken {
	if n > len(r.tokens) {
		return leadToken{}
	}
	return r.tokens[len(r.tokens)-n]
}

// take reads the last n tokens as a part of the lead.
func (r *leadReader) take(n int) {
	r.lead.start = r.last(n).start
	r.tokens = r.tokens[:len(r.tokens)-n]
}

// pause passes over the marks between the parts of a lead.
func (r *leadReader) pause() {
	for len(r.tokens) > 0 && strings.Contains(":：,–—-=*_", r.last(1).text) {
		r.paused += strings.ReplaceAll(r.last(1).text, "：", ":")
		r.tokens = r.tokens[:len(r.tokens)-1]
	}
}

// turn takes the number of a turn: turn 7, in turn 7, (turn 7), [7], #7, T7. A number with nothing but # or T before it
// is one only where a clause begins or after a speaker; elsewhere it may be that of an order or a terminal.
func (r *leadReader) turn() {
	n, open := 1, ""
	switch r.last(1).text {
	case ")":
		n, open = 2, "("
	case "]":
		n, open = 2, "["
	}
	digits, named := r.last(n).text, open == "["
	short := false
	if s, ok := strings.CutPrefix(digits, "t"); ok && r.last(n).upper {
		digits, short = s, true
	} else if r.last(n+1).text == "#" {
		n, short = n+1, true
	}
	if isTurnWord(r.last(n + 1).text) {
		n, named = n+1, true
	}
	if open != "" {
		if n++; r.last(n).text != open {
			return
		}
		named = named || short
	} else if w := r.last(n + 1).text; named && (w == "in" || w == "at") {
		n++
	} else if short && !named {
		named = r.begins(n)
	}
	if number := turnNumber(digits); named && number > 0 {
		r.lead.turn = number
		r.take(n)
	}
}

// isTurnWord reports whether a word makes a number that of a turn.
func isTurnWord(w string) bool { return w == "turn" || w == "utterance" }

// turnNumber reads the number of a turn; 0 for anything else.
func turnNumber(digits string) int {
	const most = 6 // digits
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) > most {
		return 0
	}
	return max(n, 0)
}

// begins reports whether the last n tokens begin a clause or follow a speaker.
func (r *leadReader) begins(n int) bool {
	w := r.last(n + 1).text
	first, _ := utf8.DecodeRuneInString(w)
	return w == "" || !isLetter(first) || roleOf(w) != dialogue.Other
}

// speaker takes the one who is said to speak, with the verb if there is one.
func (r *leadReader) speaker(colon bool) {
	const most = 6 // words between the speaker and the quote
	verb := notSaying
	paused := r.paused != ""
	for n := 1; n <= most+1; n++ {
		w := r.last(n).text
		bare, genitive := strings.CutSuffix(w, "'s")
		if role := roleOf(bare); role != dialogue.Other {
			switch {
			case verb == answering && !paused: // it may be the question that is quoted
			case verb != notSaying, genitive && n == 1:
				r.name(n, role)
			case n == 1:
				r.bare(role, colon)
			}
			return
		}
		if s := sayingOf(w); s != notSaying {
			verb = s
			continue
		}
		switch {
		case verb != notSaying && (denies(w) || w == "to"):
			r.lead.denied = true
			return
		case verb == addressing && isPassive(w):
			return
		case w == "with" || w == "by":
			paused = true
		case !isFiller(w):
			return
		}
	}
}

// bare takes a speaker who stands right before the quote. In "the agent asks the user: …" it is the other one who speaks.
func (r *leadReader) bare(role dialogue.Role, colon bool) {
	n := 2
	if isArticle(r.last(n).text) {
		n++
	}
	w := r.last(n).text
	first, _ := utf8.DecodeRuneInString(w)
	switch {
	case sayingOf(w) != notSaying:
		for n++; isFiller(r.last(n).text) && n < 6; n++ {
		}
		if by := roleOf(r.last(n).text); by != dialogue.Other {
			r.name(n, by)
		}
	case isDirection(w):
	case colon:
		r.name(1, role)
		r.lead.label = true
	case w == "" || !isLetter(first) || isConjunction(w):
		r.name(1, role)
	}
}

// name takes the last n tokens, the first of which names the speaker, and an article before them.
func (r *leadReader) name(n int, role dialogue.Role) {
	if isArticle(r.last(n + 1).text) {
		n++
	}
	r.lead.role = role
	r.take(n)
}
