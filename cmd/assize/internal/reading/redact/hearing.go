package redact

import "strings"

// context is what the words read so far say about the next number.
type context struct {
	expected sense   // by the previous turn
	turn     sense   // telephone and account, which apply until the turn ends
	sentence sense   // all cues of this sentence
	near     sense   // the last cue, if only fillers follow it
	pending  []sense // the cues of this sentence that still have no number
	since    int     // words since the last cue
	last     sense   // the last thing that the sentence counts
	hasCue   bool    // the turn had a cue
}

// maxPending is the maximum number of cues in a sentence that can wait for a number.
const maxPending = 8

func (h *context) cue(s sense) {
	if h.near&(card|social|account|identity) != 0 && s&(ending|expiry) != 0 {
		h.near |= s
	} else {
		h.near = s
	}
	if len(h.pending) == maxPending {
		h.pending = append(h.pending[:0], h.pending[1:]...)
	}
	h.pending = append(h.pending, h.near)
	h.sentence |= s
	h.turn |= s & (phone | account)
	if s := s & (phone | contact | account | card | harmless); s != 0 {
		h.last = s
	}
	h.since, h.hasCue = 0, true
}

// word processes a word that is not a cue.
func (h *context) word(s sense) {
	h.since++
	if s&copula != 0 {
		h.selectPending()
	} else if s&filler == 0 {
		h.near = 0
	}
}

// selectPending selects the last waiting cue as the one that is meant.
func (h *context) selectPending() {
	if n := len(h.pending); n > 0 && h.since <= 12 {
		h.near = h.pending[n-1]
	}
}

func (h *context) top() sense {
	if n := len(h.pending); n > 0 {
		return h.pending[n-1]
	}
	return 0
}

// readNumber records that a number was read. A cue for references may be followed by more of them.
func (h *context) readNumber() {
	if n := len(h.pending); n > 0 {
		h.pending = h.pending[:n-1]
	}
	h.near &= harmless
	h.since++
}

// gap processes the text between two words. A dot after an abbreviation does not end a sentence.
func (h *context) gap(g string, abbreviated bool) {
	pointed := false
	for i := range len(g) {
		switch c := g[i]; c {
		case '.', '!', '?':
			if i+1 < len(g) && g[i+1] != ' ' && g[i+1] != '\n' || c == '.' && abbreviated {
				continue
			}
			h.sentence, h.near, h.pending, h.since, h.last = 0, 0, h.pending[:0], 0, 0
		case '\n':
			if !pointed {
				h.near = 0
			}
		case ':', '=':
			pointed = true
			h.selectPending()
		}
	}
}

// about returns what the words of the text ask for, and their mentions of telephones and accounts.
// For example, "What is your account number?" makes bare digits in the answer an account number.
func (t *text) about() sense {
	if t.senses&(cues|mail) == 0 {
		return 0
	}
	var all, sentence sense
	asks := false
	for i := 0; i < len(t.tokens); i++ {
		gap := t.gap(i)
		abbreviated := strings.HasPrefix(gap, ".") && t.has(i-1, abbreviation)
		if i > 0 && strings.ContainsAny(gap, ".!?") && !abbreviated {
			if asks || strings.Contains(gap, "?") {
				all |= sentence
			}
			sentence, asks = 0, false
		}
		sentence |= t.tokens[i].sense & (cues | mail)
		all |= t.tokens[i].sense & (phone | account)
		asks = asks || t.has(i, ask)
		i += t.tokens[i].words - 1
	}
	if n := len(t.tokens); n > 0 && (asks || strings.Contains(t.s[t.tokens[n-1].end:], "?")) {
		all |= sentence
	}
	return all
}
