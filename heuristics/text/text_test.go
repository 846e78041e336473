package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

func TestTokenise(t *testing.T) {
	tests := []struct {
		text string
		want string // the tokens as written in the text, separated by |
	}{
		{"", ""},
		{"?!", ""},
		{"Don't do it.", "Don't|do|it"},
		{"I DON’T", "I|DON’T"},
		{"rock 'n' roll", "rock|n|roll"},
		{"at 9:30, for 18.50!", "at|9:30|for|18.50"},
		{"ends in 9.", "ends|in|9"},
		{"a.b", "a|b"},
		{"on-site/and_so", "on|site|and|so"},
		{"Café São João", "Café|São|João"},
		{"你好，4471", "你好|4471"},
		{"good👍tea", "good|tea"},
		{"e.g. 3:x", "e|g|3|x"},
	}
	v := Vocabulary{}
	for _, tt := range tests {
		turn := Turn{Text: tt.text}
		var got []string
		for _, tok := range v.Tokenise(&turn, nil) {
			got = append(got, tt.text[tok.Start:tok.End])
		}
		assert.Equal(t, tt.want, strings.Join(got, "|"), tt.text)
		assert.Equal(t, len(got), turn.Words)
	}
}

func TestTokensKnowWhereTheyStand(t *testing.T) {
	v := Vocabulary{}
	v.Enter("no", Negator)
	turn := Turn{Text: "Yes, Anna. Is 4 ok? No, great!"}
	tokens := v.Tokenise(&turn, nil)
	require.Len(t, tokens, 7)
	want := []struct {
		Flags
		from, to uint32
	}{
		{OpensSentence | OpensClause | Capital, 0, 1},
		{OpensClause | Capital, 0, 1},
		{OpensSentence | OpensClause | Capital, 2, 4},
		{Number | Coded, 2, 4},
		{Questioned, 2, 4},
		{OpensSentence | OpensClause | Capital | Negator | Disputed, 5, 6},
		{OpensClause | Disputed, 5, 6},
	}
	for i, tok := range tokens {
		assert.Equal(t, want[i].Flags, tok.Flags, "token %d", i)
		assert.Equal(t, want[i].from, tok.From, "token %d", i)
		assert.Equal(t, want[i].to, tok.to, "token %d", i)
	}
	assert.Equal(t, len("Yes, Anna. Is 4 ok?"), turn.Asks)
	assert.Equal(t, len(turn.Text), turn.Exclaims)
}

// A full stop after a title or within an address ends no sentence.
func TestFullStopsInside(t *testing.T) {
	for text, want := range map[string]int{
		"Hello Mr. Hale.": 1, "Write to e.hale@example.com today.": 1, "See https://a.example/b for it.": 1,
		"ask anna@example.com. Thanks.": 2, "Thanks.please wait": 2, "Mr": 1,
	} {
		turn, sentences := Turn{Text: text}, 0
		for _, tok := range (Vocabulary{}).Tokenise(&turn, nil) {
			if tok.Is(OpensSentence) {
				sentences++
			}
		}
		assert.Equal(t, want, sentences, text)
	}
}

func TestStemsAreAlike(t *testing.T) {
	for _, group := range []string{"booking booked books book", "quickly quick", "cards card"} {
		words := strings.Fields(group)
		for _, w := range words {
			assert.Equal(t, Stem([]byte(words[0])), Stem([]byte(w)), "%s and %s", words[0], w)
		}
	}
	assert.NotEqual(t, Stem([]byte("this")), Stem([]byte("thing")))
}

// For any text, tokens are inside it and in order, start and end between its characters, and are
// not empty.
func FuzzTokenise(f *testing.F) {
	for _, s := range []string{"", "Don't!", "9:30 a.m.", "I’m ’s '", "ȺȺ's", "\xff\xfe's", "é̂x", "a`b", "1.2.3:4", "’’’", "．５"} {
		f.Add(s)
	}
	v := Vocabulary{}
	f.Fuzz(func(t *testing.T, text string) {
		turn := Turn{Text: text}
		at := 0
		for _, tok := range v.Tokenise(&turn, nil) {
			start, end := int(tok.Start), int(tok.End)
			require.True(t, at <= start && start < end && end <= len(text),
				"[%d:%d] of %q behind %d", start, end, text, at)
			if utf8.ValidString(text) {
				require.True(t, utf8.ValidString(text[start:end]), "%q is cut inside a character",
					text[start:end])
			}
			at = end
		}
		require.LessOrEqual(t, max(turn.Asks, turn.Exclaims), len(text))
	})
}

// For any text, prose gets nothing on which it panics or takes quadratic time.
func FuzzReadable(f *testing.F) {
	for _, s := range []string{"", "ȺȺȺȺ's", "İİİ's", strings.Repeat("!", 300),
		strings.Repeat("a", 500), "a\nb\x00c", "Stop.Go", "(((((", "\xff\xff\xff's"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := readable(text)
		require.True(t, utf8.ValidString(clean))
		require.NotContains(t, clean, "\n")
		require.LessOrEqual(t, len(clean), 2*(longestJudged+longestChunk))
		for chunk := range strings.FieldsSeq(clean) {
			require.LessOrEqual(t, len(chunk), longestChunk+utf8.UTFMax)
		}
	})
}

func TestUnsigned(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Glue it.\nKind regards,\nDana Whitlock", "Glue it.\n"},
		{"I can't see it. Best, Siân ap Gwilym\nHartwell Home", "I can't see it."},
		{"It is on its way!\n\nWith kind regards\nJo van den Berg", "It is on its way!\n\n"},
		{"Call us. Best wishes", "Call us."},
		{"Call us. Best wishes for the wedding!", "Call us. Best wishes for the wedding!"},
		{"That worked. Cheers, I was worried", "That worked. Cheers, I was worried"},
		{"The Best, Anna", "The Best, Anna"},
		{"Kind regards, Dana", "Kind regards, Dana"},
		{"Tell the boss. All the best!", "Tell the boss. All the best!"},
		{"", ""},
	} {
		assert.Equal(t, test.want, Unsigned(test.text), test.text)
	}
}

// tokensOf returns a turn with a few words that have flags.
func tokensOf(said string) *Turn {
	v := Vocabulary{}
	for word, flag := range map[string]Flags{"not": Negator, "the": Stopword | Article,
		"a": Stopword | Article, "is": Stopword, "and": Joiner, "usually": Habitual} {
		v.Enter(word, flag)
	}
	turn := &Turn{N: 1, Text: said}
	turn.Tokens = v.Tokenise(turn, nil)
	return turn
}

// marked returns the text of a turn with brackets around the tokens that a function picks.
func marked(turn *Turn, picks func(k int) bool) string {
	said := turn.Text
	for k, tok := range slices.Backward(turn.Tokens) {
		if picks(k) {
			said = said[:tok.Start] + "[" + said[tok.Start:tok.End] + "]" + said[tok.End:]
		}
	}
	return said
}

// TestTokens marks the tokens of which something holds.
func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		what, want string
		holds      func(*Turn, int) bool
	}{
		{"negated", "not [one] [two] [three] four", (*Turn).Negated},
		{"negated", "it is not, one", (*Turn).Negated},
		{"goes on", "One [two], three. Four [five]", (*Turn).GoesOn},
		{"names", "One [two] the a x [3rd], three", (*Turn).Names},
		{"plain", "[on] on-site a/b me@shop.example [x] x1 #tag [end].", (*Turn).PlainWord},
		{"asked", "It is. [Is] [it]? [Is] [it], [now]? No!", (*Turn).InQuestion},
		{"paired", "the [dog] dog  cat on-site [x] y, z", func(turn *Turn, k int) bool {
			return k > 0 && turn.IsPair(k)
		}},
		{"paired", "block a and [block] [c]", func(turn *Turn, k int) bool {
			return k > 0 && turn.IsPair(k)
		}},
		{"a name", "Anna and [Bo] met. Carl I [Dora]", func(turn *Turn, k int) bool {
			return turn.Tokens[k].IsName()
		}},
		{"addressed", "ask @[Anna] [Bell] now, not me@Shop or @[Bo], Carl", func(turn *Turn,
			k int) bool {
			return turn.Tokens[k].Is(Addressed)
		}},
		{"of a mood", "[[Ha] [Ha]] ok [no 1] [much too long one mood]", func(turn *Turn, k int) bool {
			return turn.Tokens[k].Is(Stopword)
		}},
		{"usual", "It opens. [It] [usually] [opens]. It opens", func(turn *Turn, k int) bool {
			return turn.Tokens[k].Is(Habitual)
		}},
		{"in the clause that ends with b", "x, [a] [b]. c", func(turn *Turn, k int) bool {
			return turn.Is(turn.ClauseEnd(k), "B")
		}},
		{"cited", `She said "[it] [is] [gone]" to me`, cited},
		{"cited", `"[It] [is] [gone]" she said`, cited},
		{"cited", `"It is all that I say"`, cited},
		{"cited", `“[It] [is]” she said, “gone`, cited},
		{"cited", `A 5" pipe is gone`, cited},
		{"cited", `"[One]" and "[two]" or not`, cited},
	} {
		said := tt.want
		if tt.what != "of a mood" {
			said = strings.NewReplacer("[", "", "]", "").Replace(said)
		} else {
			said = "[Ha Ha] ok [no 1] [much too long one mood]"
		}
		turn := tokensOf(said)
		got := marked(turn, func(k int) bool { return tt.holds(turn, k) })
		assert.Equal(t, tt.want, got, tt.what)
	}
}

func TestPassages(t *testing.T) {
	p := Passage{First: 3, Last: 5}
	for _, tt := range []struct {
		first, last  int
		meets, holds bool
	}{{1, 2, false, false}, {1, 3, true, false}, {3, 3, true, true}, {4, 5, true, true},
		{5, 6, true, false}, {6, 7, false, false}, {1, 9, true, false}, {3, 5, true, true}} {
		o := Passage{First: tt.first, Last: tt.last}
		assert.Equal(t, tt.meets, p.Meets(o), "%d to %d", tt.first, tt.last)
		assert.Equal(t, tt.holds, p.Holds(o), "%d to %d", tt.first, tt.last)
	}
	turn := tokensOf("One two. Three, four? Five")
	assert.Equal(t, Passage{0, 0, 4}, turn.Whole())
	assert.Equal(t, Passage{0, 2, 3}, turn.Sentence(3))
	assert.Equal(t, Passage{0, 0, 3}, turn.Around(Passage{First: 1, Last: 2}))
	assert.Equal(t, []Passage{{0, 0, 1}, {0, 2, 3}, {0, 4, 4}},
		slices.Collect(turn.Sentences()))
}

func cited(turn *Turn, k int) bool { return turn.Cites(k, k) }

// A bag holds what a turn is about: the SYSTEM's questions apart, and a name is another word.
func TestBags(t *testing.T) {
	turns := []Turn{*tokensOf("The lamp is lamp, a x lamps 4."), *tokensOf("Lamps. Is it Bell? 4"),
		*tokensOf("What is the lamp"), *tokensOf("the bell")}
	turns[0].Role, turns[1].Role = dialogue.User, dialogue.System
	turns[2].Role, turns[3].Role = dialogue.Other, dialogue.System
	var b Bags
	for range 2 { // a bag does not keep what was read before
		b.Read(turns)
	}
	lamp, bell := Stem([]byte("lamp")), Stem([]byte("bell"))
	assert.Equal(t, []int{2, 0}, []int{turns[0].Said.Size(), turns[0].Asked.Size()})
	assert.Equal(t, []int{2, 2}, []int{turns[1].Said.Size(), turns[1].Asked.Size()})
	assert.Zero(t, turns[2].Said.Size())
	assert.True(t, b.Holds(turns[0].Said, lamp))
	assert.False(t, b.Holds(turns[0].Said, bell))
	assert.True(t, b.Holds(turns[1].Asked, bell))
	assert.False(t, b.Holds(turns[1].Asked, lamp))
	assert.True(t, b.Shares(turns[0].Said, turns[1].Said))
	assert.False(t, b.Shares(turns[0].Said, turns[1].Asked))
	assert.Len(t, b.Of(turns[3].Said), 1)
	assert.Zero(t, b.Of(turns[3].Said)[0]&Special)
	assert.Contains(t, b.Of(turns[1].Asked), bell|Special, "a name")
}
