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
	"assize/rubric/dialogue/importer"
)

// requireSaid checks that no true quote is called false: every quotation in the result of
// [rubric.Rating.Sentence] for excerpts of a dialogue was said. Words that contain quote marks may
// be read as shorter quotes.
func requireSaid(t require.TestingT, d dialogue.Dialogue, claim string, quotes ...rubric.Quote) {
	sentence := rubric.Rating{Claim: claim, Quotes: quotes}.Sentence(d)
	qs := quotations(sentence, NewTranscript(d))
	for _, q := range qs {
		require.True(t, q.place.verdict == said || q.isScareQuote, "%q of %s: %+v", q.words, sentence,
			q.place)
	}
	for _, q := range quotes {
		if q.Verify(d) && !strings.ContainsAny(q.Text, "\"'`“”„‘’‚«»‹›「」『』") {
			require.NotEmpty(t, qs, sentence)
			return
		}
	}
}

// allRated reads the rated data and skips the test if there is none.
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
		for s, err := range importer.Read(f, file, importer.Options{}) {
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

// For a modified quote, the original turn is found; a quote from another dialogue is rarely
// classified as altered, and then something similar was said.
func TestNearestOfRatedDialogues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	all := allRated(t)
	excerpt := func(d dialogue.Dialogue) (text string, words []string) {
		text = d.Turns[rnd.IntN(len(d.Turns))].Text
		return text, strings.Fields(strings.TrimSuffix(rubric.Excerpt(1, text,
			rnd.IntN(len(text)+1), 0).Text, "…"))
	}
	tampered, found, foreign, taken := 0, 0, 0, 0
	for i, d := range all {
		tr := NewTranscript(d)
		if text, words := excerpt(d); len(words) >= 4 {
			words[1+rnd.IntN(len(words)-2)] = "zebra"
			p := lookUp(tr, quotation{words: strings.Join(words, " ")})
			tampered++
			if p.verdict == altered && d.Turns[p.turns[0]-1].Text == text {
				found++
			}
		}
		if _, words := excerpt(all[(i+700)%len(all)]); len(words) >= 4 {
			foreign++
			if p := lookUp(tr, quotation{words: strings.Join(words, " ")}); p.verdict == altered {
				taken++
			}
		}
	}
	t.Logf("of %d tampered quotes, %d are found; of %d foreign ones, %d are taken for altered",
		tampered, found, foreign, taken)
	assert.Greater(t, float64(found), 0.97*float64(tampered))
	assert.Less(t, float64(taken), 0.05*float64(foreign))
}

// lookUp returns the place of a quote, or the nearest one.
func lookUp(t *Transcript, q quotation) place {
	if q.place = t.locate(&q); !q.place.verdict.isSaid() {
		return t.nearest(&q)
	}
	return q.place
}

// FuzzQuotations checks invariants: ranges lie within the sentence, on rune boundaries, in order
// and without overlap, and contain the words.
func FuzzQuotations(f *testing.F) {
	for _, s := range []string{
		`The USER "says" 'so' (turn 7): USER: "no"; [8] SYSTEM: “yes”`,
		`"USER: a SYSTEM: b USER: c"`, `USER: "never closed; SYSTEM: "x`,
		`‘it’s’ „so“ »ja« « oui » 「x」`, `"a" (turn 7), "b" [8] 'c'`, `\"x\"`, "``a''", `""""""`,
		`'''''`,
	} {
		f.Add(s)
	}
	tr := table()
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, q := range quotations(s, tr) {
			require.True(t, at <= q.start && q.start < q.end && q.end <= len(s), "%d-%d of %q",
				q.start, q.end, s)
			at = q.end
			require.True(t, utf8.RuneStart(s[q.start]) &&
				(q.end == len(s) || utf8.RuneStart(s[q.end])) || !utf8.ValidString(s))
			require.Contains(t, s[q.start:q.end], q.words)
			require.True(t, hasWords(q.words))
			require.True(t, q.place.verdict == unsaid || len(q.place.turns) > 0)
		}
		if q, ok := parseAttributed(s, tr); ok {
			require.Contains(t, s, q.words)
		}
	})
}
