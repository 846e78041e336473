// Package dialogue holds conversations between a SYSTEM (assistant, agent) and a USER (customer),
// and reads them from files: exports of help desks and contact centers, chat logs, training data
// and rated research sets.
//
// A [Dialogue] is all that an agent ever sees: an id and the turns. Ratings and labels that people
// gave afterwards are the [Truth]. A [Sample] keeps them apart from the Dialogue, so that no agent
// can see them.
//
// [Read] detects the format of a stream and yields one Sample after another. Only data that must be
// sorted, such as a table, is held until its end, using Options.Temp. Guesses are reported to
// Options.Note. A broken dialogue yields one [*SyntaxError] in its place, and reading continues.
//
// # How the dialogues of a file are separated
//
//   - [USS]: by a blank line.
//   - [Plain] and [Chat]: by a line of three or more "="; by a line of three or more "-", "*",
//     "_", "#" or "~" if the next line begins a turn; by a title such as "=== 25 ===" or
//     "## Conversation 25", which provides the id. Blank lines do not separate dialogues, since
//     people put them between turns and inside them. A name after the mark of a list, a heading or
//     a quotation begins a turn only if all turns of the text have that mark, and a name in a code
//     block never does.
//   - [Table] and [ConvoKit]: by the conversation's id. The rows of a conversation may be scattered
//     and in any order: they are sorted by their numbers or, without numbers, by their times. A
//     table may also have one row per dialogue, with the whole transcript in a cell. Without such
//     an id, messages that refer to the messages they answer form a dialogue with them. If several
//     rows have the same message id, the newest version counts.
//   - JSON: one object, or one list of messages, is one dialogue. Objects may come one per line,
//     one after another, in an array, or in the array of a wrapper such as {"tickets":[…]}.
//
// # Metadata
//
// What the source records about a dialogue in addition to its text is kept as [Meta]: the agent,
// the queue, the channel, the version of a bot. It plays no part in judging and is used only to
// group dialogues.
//
//   - [Table], [ConvoKit] and single messages: a column or member that the reader does not use
//     itself, if all rows of the dialogue that have a value agree.
//   - Other JSON: scalar members (a string, a number, true or false) next to the messages, and
//     those in the format's own place for metadata.
//
// Ratings, labels and other judgements are never metadata, even if the reader does not use them,
// and neither are texts; aside.txt lists the words by which their names are recognized. A dialogue
// has at most [MaxFields] fields; longer names and values are cut.
//
// # Roles
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more
// are the SYSTEM; customer, user, caller and many more the USER (names.txt lists them all); a
// number ("Agent 2") or a name next to the role ("Priya (agent)") makes no difference. Options
// determine the rest: first Roles, then SystemNames. A speaker of unknown role is an error of the
// dialogue, because a guess would judge the wrong side.
package dialogue

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Role is the side that a speaker belongs to.
type Role uint8

// The roles. Only SYSTEM is judged, and only SYSTEM and USER are evidence.
const (
	Other  Role = iota // a turn that nobody is judged for, such as the output of a tool
	System             // the assistant, agent or bot that is judged
	User               // the customer, caller or user who is served
)

// String returns the name used in prompts, quotes and records: SYSTEM, USER or OTHER.
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

// Turn returns turn number n, counted from 1, and reports whether it exists.
func (d Dialogue) Turn(n int) (Turn, bool) {
	if n < 1 || n > len(d.Turns) {
		return Turn{}, false
	}
	return d.Turns[n-1], true
}

// Count returns the number of turns of role r.
func (d Dialogue) Count(r Role) int {
	n := 0
	for _, t := range d.Turns {
		if t.Role == r {
			n++
		}
	}
	return n
}

// Digest identifies the content of a dialogue: it returns the SHA-256, in hexadecimal, of every
// turn's role and text. It does not depend on the id or the file, so the same conversation always
// has the same digest.
func (d Dialogue) Digest() string {
	const usual = 512 // bytes of a turn; only the initial capacity
	h, buf := sha256.New(), make([]byte, 0, usual)
	for _, t := range d.Turns {
		buf = binary.BigEndian.AppendUint64(append(buf[:0], byte(t.Role)), uint64(len(t.Text)))
		h.Write(append(buf, t.Text...))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Truth is what people said about a dialogue; it is never an input of an agent. Turns and Labels
// are nil or as long as Dialogue.Turns.
type Truth struct {
	// Overall holds the ratings of the whole dialogue, one per rater, on the source's own scale.
	Overall []float64 `json:"overall,omitempty"`
	// Turns holds the ratings of each turn by the same raters; nil for an unrated turn.
	Turns [][]float64 `json:"turns,omitzero"`
	// Labels holds the source's label of each turn, such as the ACTION column of USS.
	Labels []string `json:"labels,omitzero"`
}

// Empty reports whether t has no ratings and no labels.
func (t Truth) Empty() bool { return len(t.Overall) == 0 && t.Turns == nil && t.Labels == nil }

// Source describes where a dialogue comes from.
type Source struct {
	File     string // as the user named it; "-" for standard input
	Format   Format // as detected or as requested
	Line     int    // the line on which the dialogue begins, from 1; 0 if the format has no lines
	Position int    // the dialogue's position in the file, from 1; broken dialogues count too
	ID       string // the source's own id, if that is not an integer
	Speakers []Speaker
	Voices   []Voice // one per turn; nil if the source has none
	Meta     Meta    // other fields of the source
}

// Voice is the speaker and the time of a turn, as the source writes them. No agent sees them, and
// they play no part in judging.
type Voice struct {
	Speaker string // empty if the source names only the role
	At      string // empty if unknown
}

// Speaker is a speaker's name as the source writes it, and the role it was given.
type Speaker struct {
	Name    string
	Role    Role
	Turns   int
	Assumed bool // unknown, and taken for the USER because Options.SystemNames lists others
}

// Sample is a dialogue together with its ratings and its source.
type Sample struct {
	Dialogue Dialogue
	Truth    Truth
	Source   Source
}
