// Package dialogue holds conversations between a SYSTEM (assistant, agent) and a USER (customer).
//
// A [Dialogue] is all that an agent ever sees: an id and the turns. Ratings and labels that people
// gave afterwards are the [Truth]. A [Sample] keeps them apart from the Dialogue, so that no agent
// can see them. What else the source records is its [Source], with the metadata in [Meta].
//
// Package [assize/rubric/dialogue/importer] reads dialogues from files.
package dialogue

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
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
func (r Role) String() string { return [...]string{"OTHER", "SYSTEM", "USER"}[r] }

// ParseRole parses a value of --role-map: system, user or other, in any case.
func ParseRole(s string) (Role, error) {
	for _, r := range []Role{Other, System, User} {
		if strings.EqualFold(strings.TrimSpace(s), r.String()) {
			return r, nil
		}
	}
	return Other, fmt.Errorf("unknown role %q; want system, user or other", s)
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
	// the names of the tools that the SYSTEM could call, if the source lists them; sorted
	Listed []string `json:",omitempty"`
}

// Turn returns turn number n, counted from 1, and reports whether it exists.
func (d Dialogue) Turn(n int) (Turn, bool) {
	if n < 1 || n > len(d.Turns) {
		return Turn{}, false
	}
	return d.Turns[n-1], true
}

// Count returns the number of turns of role r.
func (d Dialogue) Count(r Role) (n int) {
	for _, t := range d.Turns {
		if t.Role == r {
			n++
		}
	}
	return n
}

// Digest identifies the content of a dialogue: it returns the SHA-256, in hexadecimal, of every
// turn's role and text, and of whether tools are listed of which none was called. It does not
// depend on the id or the file, so the same conversation always has the same digest.
func (d Dialogue) Digest() string {
	const usual = 512 // bytes of a turn; only the initial capacity
	h, buf := sha256.New(), make([]byte, 0, usual)
	for _, t := range d.Turns {
		buf = binary.BigEndian.AppendUint64(append(buf[:0], byte(t.Role)), uint64(len(t.Text)))
		h.Write(append(buf, t.Text...))
	}
	if len(d.Listed) > 0 && len(d.Tools()) == 0 {
		h.Write([]byte("tools")) // shorter than the header of a turn
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
	// Dates is "us" or "eu" if the date can be read with the month or the day first, and the user
	// or the other dates of the file decide.
	Dates string
}

// Format is the format of a transcript file, as package importer names it.
type Format string

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
