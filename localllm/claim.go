package localllm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric"
)

// rating writes the Rating for what the model chose: the level's own words, what a detector saw at the turn if that
// points the same way, and the turn's words. The model writes none of it, save for a reason that is marked as its own.
func (m *Model) rating(c rubric.Case, k rubric.Criterion, score rubric.Score, turns []int, why string) rubric.Rating {
	r := rubric.Rating{Score: score, Claim: m.clause(k, score.Level())}
	for i, n := range turns {
		sig := telling(c, k, n, way(score))
		if i == 0 && sig.ID != "" {
			r.Claim += "; " + m.title(sig.ID)
		}
		if q := excerpt(c, n, sig); q.Text != "" {
			r.Quotes = append(r.Quotes, q)
		}
	}
	if why = reason(why); why != "" {
		r.Claim += "; the model says (" + why + ")"
	}
	return r
}

// clause gives the words of a level as a clause of a sentence: the first sentence without its full stop.
func (m *Model) clause(k rubric.Criterion, level int) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(m.rubric.Levels[k][level], `"`, "'")), " ")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i]
	}
	text = strings.TrimRight(text, ".!?")
	if text == "" {
		return "the rubric's level " + rubric.Scale[level].String() + " fits"
	}
	return text
}

// title gives what a detector's signal is called.
func (m *Model) title(id string) string {
	if t := m.o.Titles[id]; t != "" {
		return t
	}
	return "a signal is there (" + id + ")"
}

// way is where a score points: 1 for the two upper levels, -1 for the others.
func way(score rubric.Score) int {
	if score >= 80 {
		return 1
	}
	return -1
}

// telling gives the signal at a turn that speaks most for a criterion in a direction, the first of equals; the zero
// Signal for none.
func telling(c rubric.Case, k rubric.Criterion, turn, way int) (best rubric.Signal) {
	for _, s := range c.Signals {
		if s.Turn == turn && s.Criteria.Has(k) && int(s.Points)*way > int(best.Points)*way {
			best = s
		}
	}
	return best
}

// excerpt quotes what a signal saw at a turn, or else the turn's beginning.
func excerpt(c rubric.Case, turn int, s rubric.Signal) rubric.Quote {
	t, _ := c.Dialogue.Turn(turn)
	if s.Turn == turn && s.End > 0 {
		return rubric.Excerpt(turn, t.Text, s.Start, s.End)
	}
	return rubric.Excerpt(turn, t.Text, 0, len(t.Text))
}

const reasonRunes = 120 // of a model's reason

// reason makes the model's words fit to stand inside of a sentence: without quotation marks, which would look like
// evidence, without brackets, colons and full stops, which would break the sentence up, and of 120 runes at most. An
// address in them stays one, so that whoever masks addresses finds it.
func reason(s string) string {
	var b strings.Builder
	rs := []rune(strings.ToValidUTF8(s, ""))
	for i, r := range rs {
		inWord := i > 0 && i+1 < len(rs) && isWord(rs[i-1]) && isWord(rs[i+1])
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
	return shortened(strings.Trim(text, " ,-–—"))
}

// shortened ends a text that is too long at a word.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= reasonRunes {
		return text
	}
	text = string([]rune(text)[:reasonRunes-1])
	if i := strings.LastIndexByte(text, ' '); i > len(text)/2 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ,") + "…"
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
