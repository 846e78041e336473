package check

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// requireSaid holds the law that no true quote is called false: what [rubric.Rating.Sentence] makes of excerpts of a
// dialogue is read so that every quotation was said, and at least one is found. The latter is too much to ask of words with quote
// marks in them: USER: "; USER: "" cannot be told from two empty quotes.
func requireSaid(t require.TestingT, d dialogue.Dialogue, claim string, quotes ...rubric.Quote) {
	sentence := rubric.Rating{Claim: claim, Quotes: quotes}.Sentence(d)
	qs := quotations(sentence)
	tr := NewTranscript(d)
	for _, q := range qs {
		p := tr.locate(q)
		require.Equal(t, said, p.verdict, "%q of %s: %+v", q.words, sentence, p)
	}
	for _, q := range quotes {
		entry := q.Attribute(d)
		_, plain := attributed(entry)
		require.False(t, plain, "%s has marks, and is no entry without", entry)
		if q.Verify(d) && len(marksOf(q.Text)) == 0 {
			require.NotEmpty(t, qs, sentence)
			return
		}
	}
}

func FuzzSaid(f *testing.F) {
	for _, s := range []string{
		`No, I said four.`, `He said "no" to me`, `"No" he said`, `he said "No"`, `I'm 5'10" tall, 'bout right it's the boys' thing`, `x"; SYSTEM: "pigs fly`, `"; USER: "`,
		`a "b; c" d; "e`, `"" "" " " "`, `he said (`, `USER: "yes" SYSTEM: 'no'`, `turn 7 "x" (turn 9) [3] #4`, `"“„«»’‘'` + "`" + `「x」`, `good"bye'x"`, `end. "Then`, `\"x\" \`,
		`the user says "a", the agent replies: "b`, `…and "so…" on`, `"@1," "@2," and "A  (1986)" were`, `今天"休息"了`, `USER: a SYSTEM: b USER: "c`, `"x" (USER, turn 3)`, `it's.`, `SYSTEM:`, `a &quot;b&quot; <b>"c"</b>`,
	} {
		f.Add(s, "Yes, please.", 0, 9)
		f.Add("Yes, please.", s, 2, 2)
		f.Add(s, s, 0, len(s))
		f.Add("Well... "+s, s+" and so on", 9, 11)
	}
	f.Fuzz(func(t *testing.T, user, system string, start, end int) {
		clean := func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "") }
		user, system = clean(user), clean(system)
		d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: user}, {Role: dialogue.System, Text: system}}}
		a, b := rubric.Excerpt(1, user, start, end), rubric.Excerpt(2, system, start, end)
		requireSaid(t, d, "the USER isn't at '90s ease, which speaks against it", a)
		requireSaid(t, d, "", b, a)
		requireSaid(t, d, "it fits", a, b, a)
	})
}

// Dialogues of words, marks and labels thrown together at random.
func TestSaidOfGeneratedDialogues(t *testing.T) {
	parts := []string{
		`"`, `"`, `'`, `' `, ` '`, `“`, `”`, `‘`, `’`, `„`, `«`, `»`, "`", `; `, `USER: `, `SYSTEM: `, `USER: "`, `"; SYSTEM: "`, `. `, `, `, ` `, ` `, ` `, `… `, `...`, `(`, `)`, `[`, `]`, `turn 2`, `[3]`, ` #4 `,
		`yes`, `no`, `don't`, `the users' `, `said`, `the user says `, `5'10" `, `7:30`, `B&B`, `Zürich`, `今天`, `👍`, `\`, `-`, `—`, `:`, `4`,
	}
	rnd := rand.New(rand.NewPCG(7, 11))
	for range 20_000 {
		var d dialogue.Dialogue
		var quotes []rubric.Quote
		for n := range 1 + rnd.IntN(4) {
			var b strings.Builder
			for range rnd.IntN(24) {
				b.WriteString(parts[rnd.IntN(len(parts))])
			}
			d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.Role(1 + rnd.IntN(2)), Text: b.String()})
			quotes = append(quotes, rubric.Excerpt(n+1, b.String(), rnd.IntN(b.Len()+1), rnd.IntN(b.Len()+1)))
		}
		requireSaid(t, d, "the SYSTEM's words fit, in 2 of its 3 turns", quotes...)
	}
}

// allRated reads the rated data; the test is skipped where there is none.
func allRated(t *testing.T) []dialogue.Dialogue {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("SKIPPED: needs the rated dialogues; set ASSIZE_SHARED to the folder that holds data/uss")
	}
	files, err := filepath.Glob(filepath.Join(shared, "data/uss/*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []dialogue.Dialogue
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		for s, err := range dialogue.Read(f, file, dialogue.Options{}) {
			require.NoError(t, err)
			all = append(all, s.Dialogue)
		}
		require.NoError(t, f.Close())
	}
	return all
}

func TestSaidOfRatedDialogues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for _, d := range allRated(t) {
		var quotes []rubric.Quote
		for n, turn := range d.Turns {
			quotes = append(quotes, rubric.Excerpt(n+1, turn.Text, rnd.IntN(len(turn.Text)+1), 0))
		}
		requireSaid(t, d, "everything is quoted", quotes...)
	}
}

// Of a quote that was tampered with, the turn that it is from is found; what is from another dialogue is seldom taken
// for altered, and then something like it was said.
func TestNearestOfRatedDialogues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	all := allRated(t)
	excerpt := func(d dialogue.Dialogue) (text string, words []string) {
		text = d.Turns[rnd.IntN(len(d.Turns))].Text
		return text, strings.Fields(strings.TrimSuffix(rubric.Excerpt(1, text, rnd.IntN(len(text)+1), 0).Text, "…"))
	}
	tampered, found, foreign, taken := 0, 0, 0, 0
	for i, d := range all {
		tr := NewTranscript(d)
		if text, words := excerpt(d); len(words) >= 4 {
			words[1+rnd.IntN(len(words)-2)] = "zebra"
			p := tr.locate(quotation{words: strings.Join(words, " ")})
			tampered++
			if p.verdict == altered && d.Turns[p.turns[0]-1].Text == text {
				found++
			}
		}
		if _, words := excerpt(all[(i+700)%len(all)]); len(words) >= 4 {
			foreign++
			if p := tr.locate(quotation{words: strings.Join(words, " ")}); p.verdict == altered {
				taken++
			}
		}
	}
	t.Logf("of %d tampered quotes, %d are found; of %d foreign ones, %d are taken for altered", tampered, found, foreign, taken)
	assert.Greater(t, float64(found), 0.97*float64(tampered))
	assert.Less(t, float64(taken), 0.05*float64(foreign))
}

// FuzzQuotations holds what every reading of a sentence keeps to: ranges lie within it, on rune boundaries, in order and
// without overlap, and the words stand in them.
func FuzzQuotations(f *testing.F) {
	for _, s := range []string{
		`The USER "says" 'so' (turn 7): USER: "no"; [8] SYSTEM: “yes”`, `"USER: a SYSTEM: b USER: c"`, `USER: "never closed; SYSTEM: "x`, `‘it’s’ „so“ »ja« « oui » 「x」`, `"a" (turn 7), "b" [8] 'c'`, `\"x\"`, "``a''", `""""""`, `'''''`,
	} {
		f.Add(s)
	}
	tr := table()
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, q := range quotations(s) {
			require.True(t, at <= q.start && q.start < q.end && q.end <= len(s), "%d-%d of %q", q.start, q.end, s)
			at = q.end
			require.True(t, utf8.RuneStart(s[q.start]) && (q.end == len(s) || utf8.RuneStart(s[q.end])) || !utf8.ValidString(s))
			require.Contains(t, s[q.start:q.end], q.words)
			require.True(t, hasWords(q.words))
			p := tr.locate(q)
			require.Equal(t, p.verdict == altered, p.difference != "")
			require.True(t, p.verdict == unsaid || len(p.turns) > 0)
		}
		if q, ok := attributed(s); ok {
			require.Equal(t, q.words, s[q.start:q.end])
			tr.locate(q)
		}
	})
}
