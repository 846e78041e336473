package localllm

import (
	"strconv"
	"strings"
	"unicode"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// transcript is a dialogue as the model sees it: numbered lines, one a turn, that cannot be taken for anything else.
type transcript struct {
	lines      []string // by turn
	sizes      []int    // estimated tokens of each
	roles      []dialogue.Role
	citable    []bool // whether a turn may be evidence
	suspicious []int  // turns that safety signals flag, from 1
	shortened  []int  // turns of which the model sees only the beginning
}

const (
	removed  = "[text removed]" // stands for a turn that speaks to the judge
	notShown = "[not shown]"    // stands for what a tool put out
	safety   = "safety-"        // what the ids of the detectors begin with that look for attacks

	numbering = 20 // tokens that the number, the role and the ellipsis of a turn have at most
)

// newTranscript prepares a dialogue for a model that can take most tokens of it at once. Of a flagged turn nothing
// is left but who spoke, so that what is sent is the same whatever the turn says. A tool's output is nobody's to be
// judged for, and no detector watches it, so it is not shown.
func newTranscript(c rubric.Case, most int) *transcript {
	n := len(c.Dialogue.Turns)
	t := &transcript{lines: make([]string, n), sizes: make([]int, n), roles: make([]dialogue.Role, n), citable: make([]bool, n)}
	flagged := flaggedTurns(c)
	for i, turn := range c.Dialogue.Turns {
		text := harmless(turn.Text)
		switch {
		case turn.Role == dialogue.Other:
			text = notShown
		case flagged[i]:
			text = removed
			t.suspicious = append(t.suspicious, i+1)
		default:
			t.citable[i] = rubric.Excerpt(i+1, turn.Text, 0, 0).Text != ""
		}
		if share := most/2 - numbering; tokens(text) > share {
			text = strings.TrimRight(fitting(text, share), " ") + " …"
			t.shortened = append(t.shortened, i+1)
		}
		t.roles[i] = turn.Role
		t.lines[i] = "[" + strconv.Itoa(i+1) + "] " + turn.Role.String() + ": " + text + "\n"
		t.sizes[i] = tokens(t.lines[i])
	}
	return t
}

// flaggedTurns gives, by turn, whether a safety detector fired there.
func flaggedTurns(c rubric.Case) []bool {
	flagged := make([]bool, len(c.Dialogue.Turns))
	for _, s := range c.Signals {
		if strings.HasPrefix(s.ID, safety) && s.Turn >= 1 && s.Turn <= len(flagged) {
			flagged[s.Turn-1] = true
		}
	}
	return flagged
}

// write appends the turns of a window between their fences.
func (t *transcript) write(b *strings.Builder, w window) {
	b.WriteString("<transcript>\n")
	for _, line := range t.lines[w.from:w.to] {
		b.WriteString(line)
	}
	b.WriteString("</transcript>\n\n")
}

// turns lists the numbers of a window's turns that may be cited for a criterion: those of the SYSTEM where its own
// words are what is judged. A window in which it says nothing that can be quoted leaves the USER's.
func (t *transcript) turns(w window, c rubric.Criterion) []int {
	var own, all []int
	for i := w.from; i < w.to; i++ {
		if t.citable[i] {
			all = append(all, i+1)
			if t.roles[i] == dialogue.System {
				own = append(own, i+1)
			}
		}
	}
	if aboutSystem.Has(c) && len(own) > 0 {
		return own
	}
	return all
}

// aboutSystem are the criteria that the SYSTEM's own words are judged by.
var aboutSystem = rubric.SetOf(rubric.Helpfulness, rubric.Accuracy, rubric.Empathy, rubric.Fluency)

// harmless puts an utterance on one line without anything that a chat template, the fence or the numbering of turns
// is made of. Template tokens such as <|im_start|>, [INST] or <start_of_turn> in a text are taken for real ones by
// servers, and all of them need brackets.
func harmless(s string) string {
	clean := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || brackets[c] != 0 {
			clean = false
			break
		}
	}
	if !clean {
		s = strings.Map(disarm, s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// disarm gives what stands for a rune of an utterance.
func disarm(r rune) rune {
	switch {
	case r < 0x80:
		if b := brackets[r]; b != 0 {
			return rune(b)
		}
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	case r == '＜' || r == '［' || r == '｛':
		return '('
	case r == '＞' || r == '］' || r == '｝':
		return ')'
	case r == '｜' || r == '▁': // what some templates write instead of | and of a space
		return ' '
	case unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Noncharacter_Code_Point):
		return ' ' // also within a word, where the detectors part it too: the model must not read what they could not
	}
	return r
}

// brackets are written as parentheses.
var brackets = [0x80]byte{'<': '(', '[': '(', '{': '(', '>': ')', ']': ')', '}': ')'}
