// Package dialogue holds conversations between a SYSTEM (assistant, agent) and a USER (customer), and
// reads them from files: exports of help desks and contact centres, chat logs, training data and rated research sets.
//
// A [Dialogue] is all that an agent ever sees: an id and the turns. What people said about the dialogue
// afterwards, their ratings and labels, is the [Truth]; it is kept beside the Dialogue in a [Sample], so
// that no agent can see it.
//
// [Read] detects the format of a stream and yields one Sample after the other. Only what must be put in order, such
// as a table, is held until its end, with Options.Temp. What had to be guessed is told to Options.Note. A broken dialogue
// yields one [*SyntaxError] in its place, and reading continues.
//
// # How the dialogues of a file are separated
//
//   - [USS]: by a blank line.
//   - [Plain] and [Chat]: by a line of three or more "="; by a line of three or more "-", "*", "_", "#" or "~" if the
//     next line begins a turn; by a title such as "=== 25 ===" or "## Conversation 25", which gives the id.
//     Blank lines do not count, since people put them between turns and inside them. A name after the mark of a
//     list, a heading or a quotation begins a turn only if all turns of the text have that mark, and a name in
//     a code block never does.
//   - [Table] and [ConvoKit]: by the conversation's id. Its rows may lie apart and in any order: they are put together
//     in the order of their numbers or, without numbers, of their times. A table may also have one row per dialogue,
//     with the whole transcript in a cell. Without such an id, messages that say which others they answer are
//     a dialogue with these. Of several rows with the id of one message, the newest version counts.
//   - JSON: one object, or one list of messages, is one dialogue. Objects may come one per line, one after the
//     other, in an array, or in the array of a wrapper such as {"tickets":[…]}.
//
// # Metadata
//
// What the source says of a dialogue besides its words is kept as [Meta]: the agent, the queue, the channel, the
// version of a bot. It takes no part in judging; it tells groups of dialogues apart.
//
//   - [Table], [ConvoKit] and single messages: a column or member that the reader does not use itself, if all rows of
//     the dialogue that have a value agree.
//   - Other JSON: plain members (a string, a number, true or false) beside the messages, and those of the place that
//     the format has for them.
//
// Ratings, labels and other judgements are never metadata, even where the reader has no use for them, and neither are
// texts; aside.txt has the words that tell them by their names. A dialogue has at most [MaxFields] fields; longer
// names and values are cut.
//
// # Roles
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more are the
// SYSTEM; customer, user, caller and many more the USER (names.txt has them all); a number ("Agent 2") or a
// name beside the role ("Priya (agent)") makes no difference. Options tell the rest: Roles first, then SystemNames. A
// speaker of unknown role is an error of the dialogue, because a guess would judge the wrong side.
package dialogue

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Role says who speaks in a turn.
type Role uint8

// The roles. Only SYSTEM is judged, and only SYSTEM and USER are evidence.
const (
	Other  Role = iota // a turn that nobody is judged for, such as the output of a tool
	System             // the assistant, agent or bot that is judged
	User               // the customer, caller or user who is served
)

// String gives the name that prompts, quotes and records print: SYSTEM, USER or OTHER.
func (r Role) String() string {
	switch r {
	case System:
		return "SYSTEM"
	case User:
		return "USER"
	}
	return "OTHER"
}

// Turn is one utterance. Its number is its position in the dialogue, counted from 1.
type Turn struct {
	Role Role
	Text string // valid UTF-8, without NUL; may be empty
}

// Dialogue is a conversation as an agent sees it: no ratings, no labels.
type Dialogue struct {
	ID    int // the source's integer id, or the 1-based position where its id is not an integer
	Turns []Turn
}

// Turn gives turn number n, counted from 1, and whether there is one.
func (d Dialogue) Turn(n int) (Turn, bool) {
	if n < 1 || n > len(d.Turns) {
		return Turn{}, false
	}
	return d.Turns[n-1], true
}

// Count gives the number of turns of role r.
func (d Dialogue) Count(r Role) int {
	n := 0
	for _, t := range d.Turns {
		if t.Role == r {
			n++
		}
	}
	return n
}

// Digest identifies what was said: the SHA-256, in hexadecimal, of every turn's role and text. Neither the
// id nor the file takes part, so the same conversation has the same digest anywhere.
func (d Dialogue) Digest() string {
	const usual = 512 // bytes of a turn; more is fine
	h, buf := sha256.New(), make([]byte, 0, usual)
	for _, t := range d.Turns {
		buf = binary.BigEndian.AppendUint64(append(buf[:0], byte(t.Role)), uint64(len(t.Text)))
		h.Write(append(buf, t.Text...))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Truth is what people said about a dialogue: never an input of an agent. Turns and Labels are nil or as long as
// Dialogue.Turns.
type Truth struct {
	Overall []float64   `json:"overall,omitempty"` // ratings of the whole dialogue, one per rater, on the source's own scale
	Turns   [][]float64 `json:"turns,omitzero"`    // ratings of each turn by the same raters; nil for a turn that nobody rated
	Labels  []string    `json:"labels,omitzero"`   // the source's label of each turn, such as the ACTION column of USS
}

// Empty reports whether the source held no rating and no label.
func (t Truth) Empty() bool { return len(t.Overall) == 0 && t.Turns == nil && t.Labels == nil }

// Source says where a dialogue comes from.
type Source struct {
	File     string // as the user named it; "-" for standard input
	Format   Format // as detected or as asked for
	Line     int    // the line on which the dialogue begins, from 1; 0 where the format has no lines
	Position int    // the dialogue's place in the file, from 1; a broken dialogue takes a place too
	ID       string // the source's own id, where that is not an integer
	Speakers []Speaker
	Voices   []Voice // of the turns, in their order; nil where the source tells nothing of any
	Meta     Meta    // what else the source says of the dialogue
}

// Voice is who says a turn and when, as the source writes it. No agent sees it, and nothing is judged by it.
type Voice struct {
	Speaker string // empty where the source names the role alone
	At      string // empty where it does not say
}

// Speaker is a name as the source writes it, and how it was read.
type Speaker struct {
	Name    string
	Role    Role
	Turns   int
	Assumed bool // nothing names the speaker, who is the USER since Options.SystemNames names others
}

// Sample is a dialogue with what is known about it.
type Sample struct {
	Dialogue Dialogue
	Truth    Truth
	Source   Source
}
