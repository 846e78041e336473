package check

import (
	"sync"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Transcript is a dialogue made ready for looking up quotes. What the search needs is made when the first quote
// needs it, and once. It is safe for concurrent use.
type Transcript struct {
	dialogue  dialogue.Dialogue
	folded    func() []rubric.Folded // the turns
	stretches func() []stretch       // for quotes that no turn holds
	lexicon   func() *lexicon        // for quotes that nobody said
}

// NewTranscript prepares a dialogue.
func NewTranscript(d dialogue.Dialogue) *Transcript {
	t := &Transcript{dialogue: d}
	t.folded = sync.OnceValue(t.foldTurns)
	t.stretches = sync.OnceValue(t.foldStretches)
	t.lexicon = sync.OnceValue(t.number)
	return t
}

// foldTurns folds every turn.
func (t *Transcript) foldTurns() []rubric.Folded {
	folded := make([]rubric.Folded, len(t.dialogue.Turns))
	for i, turn := range t.dialogue.Turns {
		folded[i] = rubric.Fold(turn.Text)
	}
	return folded
}

// stretch is several turns of one speaker with nobody between them, one behind the other.
type stretch struct {
	first  int   // number of its first turn
	starts []int // where each turn begins in folded
	folded rubric.Folded
}

// foldStretches joins the turns of every stretch.
func (t *Transcript) foldStretches() []stretch {
	var stretches []stretch
	folded, turns := t.folded(), t.dialogue.Turns
	for i := 0; i < len(turns); {
		r := stretch{first: i + 1, starts: []int{0}}
		var parts []rubric.Folded
		for parts = append(parts, folded[i]); i+len(parts) < len(turns) && turns[i+len(parts)].Role == turns[i].Role; {
			next := folded[i+len(parts)]
			r.starts = append(r.starts, r.starts[len(parts)-1]+parts[len(parts)-1].Len()+1)
			parts = append(parts, next)
		}
		if i += len(parts); len(parts) > 1 && turns[r.first-1].Role != dialogue.Other {
			r.folded = rubric.JoinFolded(parts...)
			stretches = append(stretches, r)
		}
	}
	return stretches
}

// turns gives the numbers of the turns that the bytes from start to end of a stretch touch.
func (r *stretch) turns(start, end int) []int {
	var turns []int
	for i := range r.starts {
		if r.starts[i] <= end && (i+1 == len(r.starts) || r.starts[i+1] > start) {
			turns = append(turns, r.first+i)
		}
	}
	return turns
}

// speakers gives the turns of the one whom a quote names, of the other one, and of nobody who is judged. Where it names
// nobody, all are his who speak.
func (t *Transcript) speakers(r dialogue.Role, turns []int) (own, other, none []int) {
	for _, n := range turns {
		switch by := t.dialogue.Turns[n-1].Role; {
		case by == dialogue.Other:
			none = append(none, n)
		case r == dialogue.Other || by == r:
			own = append(own, n)
		default:
			other = append(other, n)
		}
	}
	return own, other, none
}
