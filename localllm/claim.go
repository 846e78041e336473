package localllm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric"
)

// rating writes the Rating for what the model chose: the level's own words, what a detector saw at the turn if that
// points the same way, and the turn's words. Only a reason, which is marked as the model's, is in its own words.
func (m *Model) rating(c rubric.Case, k rubric.Criterion, chosen rating) rubric.Rating {
	r := rubric.Rating{Score: chosen.score, Claim: m.clause(k, chosen.score.Level())}
	direction := -1
	if chosen.score >= 80 {
		direction = 1
	}
	for i, turn := range chosen.turns {
		signal := strongest(c, k, turn, direction)
		if i == 0 && signal.ID != "" {
			r.Claim += "; " + m.title(signal.ID)
		}
		if q := excerpt(c, turn, signal); q.Text != "" {
			r.Quotes = append(r.Quotes, q)
		}
	}
	if why := reason(chosen.why); why != "" {
		r.Claim += "; the model says (" + why + ")"
	}
	return r
}

// clause gives the words of a level as a clause: the first sentence without its full stop.
func (m *Model) clause(k rubric.Criterion, level int) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(m.rubric.Levels[k][level], `"`, "'")), " ")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i]
	}
	if text = strings.TrimRight(text, ".!?"); text == "" {
		return "the rubric's level " + rubric.Scale[level].String() + " fits"
	}
	return text
}

// title describes a detector's signal.
func (m *Model) title(id string) string {
	if t := m.o.Titles[id]; t != "" {
		return t
	}
	return "a signal is there (" + id + ")"
}

// strongest gives the signal at a turn that speaks most for a criterion in a direction, 1 or -1, the first of equals;
// the zero Signal for none.
func strongest(c rubric.Case, k rubric.Criterion, turn, direction int) (best rubric.Signal) {
	for _, s := range c.Signals {
		if s.Turn == turn && s.Criteria.Has(k) && int(s.Points)*direction > int(best.Points)*direction {
			best = s
		}
	}
	return best
}

// excerpt quotes what a signal saw at a turn, or else the beginning of the turn.
func excerpt(c rubric.Case, turn int, s rubric.Signal) rubric.Quote {
	t, _ := c.Dialogue.Turn(turn)
	if s.Turn == turn && s.End > 0 {
		return rubric.Excerpt(turn, t.Text, s.Start, s.End)
	}
	return rubric.Excerpt(turn, t.Text, 0, len(t.Text))
}

const reasonRunes = 120 // of a model's reason

// reason makes the model's words fit into a sentence: without quotation marks, which would look like evidence, without
// brackets, colons and full stops, which would break the sentence up, and of 120 runes at most. A mail address stays
// whole, so that it is found when addresses are masked.
func reason(s string) string {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	var b strings.Builder
	runes := []rune(strings.ToValidUTF8(s, ""))
	for i, r := range runes {
		inWord := i > 0 && i+1 < len(runes) && isWord(runes[i-1]) && isWord(runes[i+1])
		switch {
		case (r == '\'' || r == '’') && inWord:
			b.WriteByte('\'')
		case strings.ContainsRune(".,-", r) && inWord:
			b.WriteRune(r)
		case strings.ContainsRune(".,:;!?…", r):
			b.WriteString(", ")
		case isWord(r) || strings.ContainsRune("%+/-–—€$£@_", r) || unicode.Is(unicode.So, r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for strings.Contains(text, " ,") || strings.Contains(text, ",,") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, " ,", ","), ",,", ",")
	}
	text = strings.Trim(text, " ,-–—")
	if utf8.RuneCountInString(text) <= reasonRunes {
		return text
	}
	text = string([]rune(text)[:reasonRunes-1])
	if i := strings.LastIndexByte(text, ' '); i > len(text)/2 {
		text = text[:i] // at a word
	}
	return strings.TrimRight(text, " ,") + "…"
}
