package redact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// maskedTurns are the masked turns of a dialogue.
type maskedTurns struct {
	all   []*text // by number minus one
	known knownData
}

func dialogueTurns(turns []dialogue.Turn) maskedTurns {
	m := maskedTurns{make([]*text, len(turns)), knownData{map[string]string{}, map[string]string{}}}
	const window = 8      // turns with a card number
	asked, open := "", "" // questions for the next turn, and for the rest of the answer
	for i, t := range turns {
		found := newText(t.Text, asked)
		m.all[i] = found
		for _, sp := range found.spans {
			m.known.add(t.Text[sp.start:sp.end], sp.mask)
		}
		goesOn := i+1 < len(turns) && turns[i+1].Role == t.Role
		next := found.about(goesOn)
		if goesOn && len(found.spans) == 0 {
			// "One second." or "It is about my account." may precede the answer
			next = strings.TrimSuffix(asked, string(words().word("(mentioned)").letter)) + next
		} else if next == "" && found.kinds&rest != 0 {
			next = open + string(words().word("rest").letter)
		}
		asked, open = next, cmp.Or(next, open)
	}
	for i, first := range m.all { // a card number may be said in several turns
		said, parts := first.piece, []string{first.piece}
		for j := i + 1; said != "" && j < min(len(turns), i+window) && len(said) < minCard; j++ {
			if part := m.all[j].piece; part != "" && turns[j].Role == turns[i].Role {
				said, parts = said+part, append(parts, part)
			}
		}
		isAsked := first.question&card != 0 && first.kinds&harmless == 0 && len(said) >= minCard
		for _, part := range parts {
			if len(parts) > 1 && (isAsked || validCard(said)) {
				m.known.numbers[part] = maskCard
			}
		}
	}
	for _, t := range m.all { // a number may precede the word that says what it is
		t.maskKnown(m.known)
	}
	return m
}

// text masks a text about the dialogue, which may repeat its numbers.
func (m maskedTurns) text(s string) string { return newText(s, "").maskKnown(m.known).masked }

// jsonSpaces replaces the escapes of spaces, each by as many bytes.
var jsonSpaces = strings.NewReplacer(`\\`, `\\`, `\n`, "  ", `\r`, "  ", `\t`, "  ")

// json masks a model's answer about the dialogue.
func (m maskedTurns) json(s string) string {
	t := newText(jsonSpaces.Replace(s), "")
	t.original = s
	return t.maskKnown(m.known).masked
}

// meta masks metadata, including its names. A name announces its value as a question does. If two
// names become equal, the first one is kept.
func (m maskedTurns) meta(fields dialogue.Meta) dialogue.Meta {
	var list []dialogue.Field
	for _, f := range fields {
		value := newText(f.Value, newText(f.Name+"?", "").about(false)).maskKnown(m.known)
		list = append(list, dialogue.Field{Name: m.text(f.Name), Value: value.masked})
	}
	return dialogue.NewMeta(list)
}

func (m maskedTurns) evaluation(e *rubric.Evaluation) {
	for i := range rubric.NumCriteria {
		for _, r := range []*rubric.Rating{&e.Evaluator[i], &e.Final[i]} {
			r.Claim, r.Quotes = m.text(r.Claim), m.quotes(r.Quotes)
		}
		o := &e.Critique[i]
		o.Claim, o.Quotes = m.text(o.Claim), m.quotes(o.Quotes)
		e.Rulings[i].Quotes = m.quotes(e.Rulings[i].Quotes)
	}
	for _, s := range copied(&e.Signals) {
		s.Start, s.End = 0, 0 // they are offsets in the original text
	}
}

func (m maskedTurns) quotes(quotes []rubric.Quote) []rubric.Quote {
	for _, q := range copied(&quotes) {
		q.Text = m.quote(q.Turn, q.Text)
	}
	return quotes
}

// quote masks words as in their turn, or on their own if they are not in it.
func (m maskedTurns) quote(turn int, words string) string {
	bare := strings.TrimSuffix(words, "…")
	if 0 < turn && turn <= len(m.all) && bare != "" {
		t := m.all[turn-1]
		if at := strings.Index(t.original, bare); at >= 0 {
			return t.part(at, at+len(bare)) + words[len(bare):]
		}
	}
	return Text(words)
}

// knownData holds the masks of data that is masked elsewhere in a dialogue: numbers by their
// digits, and words by their characters in lower case.
type knownData struct{ numbers, words map[string]string }

// add records what a mask replaced, except what is always recognised by its form.
func (k knownData) add(original, mask string) {
	switch f := fold(original); {
	case slices.Contains([]string{"[email]", maskIP, "[birthdate]"}, mask):
	case strings.Trim(f.s, "0123456789 .-/_()+,") == "":
		k.numbers[digits(f.s)] = mask
	case !strings.ContainsAny(f.s, " \n\t\""):
		k.words[f.low] = mask
	}
}

type span struct {
	start, end int
	mask       string
	digits     string // of a number that is not masked
}

// maskKnown masks the personal data in a text, and what is known from elsewhere, overlaps as one.
func (t *text) maskKnown(k knownData) *text {
	for _, n := range t.numbers {
		if n.mask = k.numbers[n.digits]; n.mask != "" {
			t.spans = append(t.spans, n)
		}
	}
	if len(k.words) > 0 {
		t.maskKnownWords(k)
	}
	slices.SortStableFunc(t.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	kept := t.spans[:0]
	for _, sp := range t.spans {
		if n := len(kept); n > 0 && sp.start < kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, sp.end)
			continue
		}
		kept = append(kept, sp)
	}
	t.spans = kept
	t.masked = t.part(0, len(t.original))
	return t
}

// maskKnownWords masks the words known from elsewhere, such as a password.
func (t *text) maskKnownWords(k knownData) {
	isBetween := func(r rune) bool { return r == '"' || unicode.IsSpace(r) }
	end := 0
	for word := range strings.FieldsFuncSeq(t.low, isBetween) {
		start := end + strings.Index(t.low[end:], word)
		end = start + len(word)
		for range 4 { // a sign may belong to the secret or to the sentence
			if mask := k.words[word]; mask != "" {
				from, to := t.place(start, start+len(word))
				t.spans = append(t.spans, span{start: from, end: to, mask: mask})
				break
			}
			if bare := strings.TrimLeft(word, "'([{<`"); bare != word {
				start, word = start+len(word)-len(bare), bare
			} else if strings.TrimRight(word, "'.,;:!?)]}>`\\") != word {
				word = word[:len(word)-1]
			}
		}
	}
}

// part returns a part of the original with its masks, including those that overlap it.
func (t *text) part(from, to int) string {
	var b strings.Builder
	for _, sp := range t.spans {
		if from < sp.end && sp.start < to {
			b.WriteString(t.original[from:max(from, sp.start)] + sp.mask)
			from = sp.end
		}
	}
	b.WriteString(t.original[from:max(from, to)])
	return b.String()
}

func digits(s string) string {
	isOther := func(r rune) bool { return r < '0' || r > '9' }
	return strings.Join(strings.FieldsFunc(s, isOther), "")
}
