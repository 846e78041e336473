package heuristics

import (
	"strings"

	"assize/rubric/dialogue"
)

// What a call of a tool did is read from its name, its arguments and its result.

// toolCall is a call of a tool and its effect, as far as its words show.
type toolCall struct {
	*dialogue.ToolUse
	deeds       deeds      // the deeds it does
	mentioned   deeds      // in its name, arguments or result
	changes     bool       // it changes something; otherwise it only reads
	passesOn    bool       // to a person, who has not done anything yet
	any         bool       // its verb may do any deed
	mentionsAny bool       // its result has a word that claims any deed
	act         uint32     // the stem of a verb in its name that is in no list, or 0
	nouns       []uint32   // stems of the other words in its name, and of words in its arguments
	codes       []uint32   // stems of the numbers and codes in its arguments
	figures     *figuresIn // see figuresOfCall
}

// Limits on a call: the nouns that are read, including those in its arguments, and the codes.
const (
	maxNouns = 24
	maxCodes = 16
)

// stemOf returns the stem of a word in lower case.
func stemOf(word string) uint32 { return stemHash([]byte(word)) }

// readCall returns the effect of a call.
func (l *lexicon) readCall(u *dialogue.ToolUse) toolCall {
	c := toolCall{ToolUse: u}
	var nouns, asked deeds
	onlyReads := false
	eachWord(u.Name, func(word string) {
		w := l.toolWords[word]
		onlyReads, c.any = onlyReads || w.is(reads), c.any || w.is(doesAny)
		c.passesOn = c.passesOn || w.is(passesOn)
		c.deeds, nouns = c.deeds|w.verb, nouns|w.noun
		if w.verb == 0 && !w.is(doesAny|reads) {
			if len(c.nouns) == 0 && c.deeds == 0 && !c.any && !c.passesOn {
				c.act = stemOf(strings.TrimSuffix(word, "e") + "ed") // "escalated" for "escalate"
			}
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	eachCode(u.Arguments, func(code string) {
		if len(code) > 1 && len(c.codes) < maxCodes {
			c.codes = append(c.codes, stemOf(strings.ToLower(code)))
		}
	})
	eachWord(u.Answer, func(word string) {
		w := l.toolWords[word]
		c.mentioned |= w.said | w.noun
		c.mentionsAny = c.mentionsAny || w.is(claimsAny)
	})
	if onlyReads {
		c.act = 0
	}
	if c.changes = !onlyReads && (c.any || c.deeds != 0); !c.changes {
		c.deeds = 0
		return c
	}
	eachWord(u.Arguments, func(word string) {
		w := l.toolWords[word]
		asked |= w.verb | w.said | w.noun
		if len(word) > 3 && len(c.nouns) < maxNouns {
			c.nouns = append(c.nouns, stemOf(word))
		}
	})
	if c.any {
		c.deeds |= nouns | asked
	}
	c.mentioned |= asked | c.deeds
	return c
}

// figuresIn holds what the arguments and the result of a call mention.
type figuresIn struct {
	asked, all     *grounds // in the arguments, and in both
	people, things *grounds // numbers of people or tickets, with their sum, and of things
	amounts        int      // the number of arguments that are amounts
}
