package rubric

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// bookingTrial returns a settled evaluation with rulings of most kinds.
func bookingTrial(t testing.TB) *Evaluation {
	card := Scorecard{
		TaskSuccess: {80, "the SYSTEM books the table in the end.",
			[]Quote{{4, "it is four now"}}},
		Helpfulness: {100, "it offers more help", []Quote{{4, "Is there anything else?"},
			{2, "I have booked a table for five."}}},
		Accuracy: {100, "the booking is confirmed", []Quote{{2, "booked a table for five"},
			{2, "for four as you said"}}},
		Understanding: {100, "the request is taken up at once", []Quote{{2, "Certainly!"}}},
		Empathy:       {60, "the tone is polite", []Quote{{2, "Certainly!"}}},
		Fluency: {100, "the sentences are clear",
			[]Quote{{4, "My apologies, it is four now."}}},
	}
	critique := Critique{
		TaskSuccess: {Suggested: 80, Claim: "nothing to add"},
		Accuracy: {Suggested: 60, Claim: "the USER must correct the number",
			Quotes: []Quote{{3, "No, I said four."}}, By: "rules"},
		Empathy: {Suggested: 80, Claim: "it apologises", Quotes: []Quote{{4, "My apologies"}},
			By: "rules and model"},
		Fluency: {Suggested: 20, Claim: "it stammers", Quotes: []Quote{{4, "er, er"}},
			By: "model"},
	}
	signals := []Signal{{ID: "correction", Criteria: SetOf(Accuracy, Understanding), Turn: 3,
		Points: -200}}
	e, err := protocol().Settle(Case{Dialogue: booking(), Signals: signals}, card, critique)
	require.NoError(t, err)
	return e
}

// golden compares got, indented, with a file in testdata.
func golden(t *testing.T, file string, got []byte) {
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, got, "", "  "))
	b.WriteByte('\n')
	if *update {
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

func TestAppendDebate(t *testing.T) {
	golden(t, "testdata/debate.json", bookingTrial(t).AppendDebate(nil))
}

func TestAppendSingle(t *testing.T) {
	golden(t, "testdata/single.json", bookingTrial(t).AppendSingle(nil))
}

func TestAppendKeepsWhatStandsBefore(t *testing.T) {
	e := bookingTrial(t)
	assert.Equal(t, "x"+string(e.AppendDebate(nil)), string(e.AppendDebate([]byte("x"))))
	assert.Equal(t, "x"+string(e.AppendSingle(nil)), string(e.AppendSingle([]byte("x"))))
}

// keys returns the keys of a document in the order in which they are written.
func keys(t *testing.T, doc []byte) string {
	var list []string
	d := json.NewDecoder(bytes.NewReader(doc))
	var walk func()
	walk = func() {
		tok, err := d.Token()
		require.NoError(t, err)
		delim, nested := tok.(json.Delim)
		if !nested {
			return
		}
		for d.More() {
			if delim == '{' {
				key, err := d.Token()
				require.NoError(t, err)
				list = append(list, key.(string))
			}
			walk()
		}
		_, err = d.Token()
		require.NoError(t, err)
	}
	walk()
	return strings.Join(list, " ")
}

// TestKeyOrder compares the order of keys with that of the two specifications.
func TestKeyOrder(t *testing.T) {
	const rating = " score justification "
	six := "TaskSuccess" + rating + "Helpfulness" + rating + "Accuracy" + rating + "Understanding" +
		rating + "Empathy" + rating + "Fluency" + rating
	e := bookingTrial(t)
	assert.Equal(t, "dialogue_id evaluator "+six+"numeric_weighted_average critic "+
		strings.Repeat("criterion agree comment suggested_score ", NumCriteria)+
		"referee_final "+six+"numeric_weighted_average OverallExperience "+
		"audit decision_rules_applied evidence_used weighted_calc mapping_rule",
		keys(t, e.AppendDebate(nil)))
	assert.Equal(t, six+"OverallExperience score justification", keys(t, e.AppendSingle(nil)))
}

// ours returns the stricter schema that our own documents follow.
func ours(t *testing.T, protocol string) *jsonschema.Schema {
	text, err := os.ReadFile("testdata/ours." + protocol + ".schema.json")
	require.NoError(t, err)
	return schema(t, text)
}

func schema(t *testing.T, text []byte) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", doc))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, doc []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	require.NoError(t, err, "%s", doc)
	return s.Validate(v)
}

func TestDocumentsKeepTheirSchemas(t *testing.T) {
	debate, single := schema(t, DebateSchema()), schema(t, SingleSchema())
	ourDebate, ourSingle := ours(t, "debate"), ours(t, "single")
	rnd := rand.New(rand.NewPCG(9, 10))
	for i := range 500 {
		r, c, card, critique := trial(rnd)
		r.Mapping = Mapping(i % 2)
		e, err := r.Settle(c, card, critique)
		require.NoError(t, err)
		require.NoError(t, validate(t, debate, e.AppendDebate(nil)))
		require.NoError(t, validate(t, single, e.AppendSingle(nil)))
		require.NoError(t, validate(t, ourDebate, e.AppendDebate(nil)))
		require.NoError(t, validate(t, ourSingle, e.AppendSingle(nil)))
	}
}

// TestSchemasRefuseMistakes introduces errors into one of our documents. General errors violate the
// common schema; the others violate only our stricter one.
func TestSchemasRefuseMistakes(t *testing.T) {
	e := bookingTrial(t)
	for _, tt := range []struct {
		name     string
		anyones  bool
		protocol string
		old, new string
	}{
		{"score off the scale", true, "debate", `"TaskSuccess":{"score":80`,
			`"TaskSuccess":{"score":85`},
		{"score as a string", true, "debate", `"TaskSuccess":{"score":80`,
			`"TaskSuccess":{"score":"80"`},
		{"no justification", true, "debate",
			`,"justification":"The sentences are clear: SYSTEM: \"My apologies, it is four now.\""`,
			``},
		{"empty justification", false, "debate", `"The tone is polite: SYSTEM: \"Certainly!\""`,
			`""`},
		{"justification without an end", false, "debate",
			`"The tone is polite: SYSTEM: \"Certainly!\""`, `"The tone is polite"`},
		{"an unknown key", true, "debate", `"dialogue_id":7`, `"dialogue_id":7,"dialog_id":7`},
		{"id as a string", true, "debate", `"dialogue_id":7`, `"dialogue_id":"7"`},
		{"no average", true, "debate", `,"numeric_weighted_average":88.00`, ``},
		{"average above the scale", false, "debate", `"numeric_weighted_average":88.00`,
			`"numeric_weighted_average":188.00`},
		{"a criterion is missing", false, "debate",
			`{"criterion":"TaskSuccess","agree":true,"comment":"","suggested_score":null},`, ``},
		{"criteria out of order", false, "debate", `{"criterion":"TaskSuccess"`,
			`{"criterion":"Fluency"`},
		{"agrees with a comment", false, "debate", `"agree":true,"comment":""`,
			`"agree":true,"comment":"Fine."`},
		{"agrees with a score", false, "debate", `"agree":true,"comment":"","suggested_score":null`,
			`"agree":true,"comment":"","suggested_score":80`},
		{"disagrees without a score", false, "debate", `"suggested_score":60`,
			`"suggested_score":null`},
		{"disagrees without a comment", false, "debate",
			`"comment":"The USER must correct the number: USER: \"No, I said four.\""`,
			`"comment":""`},
		{"overall off the scale", true, "debate", `"OverallExperience":80`,
			`"OverallExperience":84`},
		{"evidence without a speaker", false, "debate", `"SYSTEM: \"it is four now\"",`,
			`"it is four now",`},
		{"evidence twice", false, "debate", `"evidence_used":[`,
			`"evidence_used":["USER: \"No, I said four.\"",`},
		{"calculation without terms", false, "debate", `"weighted_calc":"80*0.40`,
			`"weighted_calc":"TaskSuccess*0.40`},
		{"mapping without numbers", false, "debate", `"mapping_rule":"round down`,
			`"mapping_rule":"rounded`},
		{"no overall", true, "single", `"OverallExperience":`, `"Overall":`},
		{"score off the scale", true, "single", `"OverallExperience":{"score":80`,
			`"OverallExperience":{"score":84`},
		{"debate is not single", true, "single", `{"TaskSuccess"`,
			`{"audit":{},"TaskSuccess"`},
		{"no suggestion where it agrees", true, "debate",
			`"agree":true,"comment":"","suggested_score":null`, `"agree":true,"comment":""`},
		{"a list as an object", true, "debate", `"evidence_used":[`, `"evidence_used":{},"more":[`},
		{"an unknown criterion", true, "debate", `{"criterion":"TaskSuccess"`,
			`{"criterion":"Tone"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, schemas := string(e.AppendDebate(nil)),
				[]*jsonschema.Schema{schema(t, DebateSchema()), ours(t, "debate")}
			if tt.protocol == "single" {
				doc, schemas = string(e.AppendSingle(nil)),
					[]*jsonschema.Schema{schema(t, SingleSchema()), ours(t, "single")}
			}
			require.Contains(t, doc, tt.old)
			broken := []byte(strings.Replace(doc, tt.old, tt.new, 1))
			for i, s := range schemas {
				require.NoError(t, validate(t, s, []byte(doc)))
				err := validate(t, s, broken)
				assert.Equal(t, tt.anyones || i == 1, err != nil, "%v", err)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.System,
		Text: "Hello there. How many?"}, {Role: dialogue.User, Text: "Four, I said “four”."},
		{Role: dialogue.System, Text: "one\n\ttwo"}}}
	for _, tt := range []struct {
		name, claim string
		quotes      []Quote
		want        string
	}{
		{"one quote", "the SYSTEM greets", []Quote{{1, "Hello there"}},
			`The SYSTEM greets: SYSTEM: "Hello there".`},
		{"two quotes", "both speak", []Quote{{1, "Hello there"}, {2, "Four"}},
			`Both speak: SYSTEM: "Hello there"; USER: "Four".`},
		{"the claim's own full stop", "the SYSTEM greets. ", []Quote{{1, "Hello there"}},
			`The SYSTEM greets: SYSTEM: "Hello there".`},
		{"the quote's own full stop", "the SYSTEM greets", []Quote{{1, "Hello there."}},
			`The SYSTEM greets: SYSTEM: "Hello there."`},
		{"the quote's question", "the SYSTEM asks", []Quote{{1, "How many?"}},
			`The SYSTEM asks: SYSTEM: "How many?"`},
		{"broken off", "the SYSTEM greets", []Quote{{1, "Hello…"}},
			`The SYSTEM greets: SYSTEM: "Hello…"`},
		{"quotes within", "the USER repeats", []Quote{{2, "I said “four”"}},
			`The USER repeats: USER: "I said “four”".`},
		{"not said", "the SYSTEM greets", []Quote{{1, "Good morning"}, {1, "Hello there"}},
			`The SYSTEM greets: SYSTEM: "Hello there".`},
		{"nothing said", "the SYSTEM greets", []Quote{{1, "Good morning"}},
			`The SYSTEM greets, but no words of the transcript were quoted for it.`},
		{"no claim", "", []Quote{{1, "Hello there"}}, `SYSTEM: "Hello there".`},
		{"nothing", " . ", nil, `No reason was given and no words were quoted.`},
		{"lines", "the SYSTEM\n greets\x1b[0m", []Quote{{1, "Hello there"}},
			`The SYSTEM greets [0m: SYSTEM: "Hello there".`},
		{"a character that deletes", "it is\x7f so", []Quote{{1, "Hello there"}},
			`It is so: SYSTEM: "Hello there".`},
		{"a direction mark", "it\u202eis", []Quote{{1, "Hello there"}},
			`It is: SYSTEM: "Hello there".`},
		{"a quote over lines", "the SYSTEM lists", []Quote{{3, "one\n\ttwo"}},
			`The SYSTEM lists: SYSTEM: "one two".`},
		{"a capital of two bytes", "über all", []Quote{{1, "Hello there"}},
			`Über all: SYSTEM: "Hello there".`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Rating{Claim: tt.claim, Quotes: tt.quotes}.Sentence(d))
		})
	}
}

func TestAudit(t *testing.T) {
	e := bookingTrial(t)
	a := e.Audit()
	assert.Equal(t, "80*0.40 + 100*0.15 + 60*0.15 + 100*0.10 + 60*0.10 + 100*0.10 = 82.00",
		a.WeightedCalc)
	assert.Equal(t, "round down 82.00 → 80", a.MappingRule)
	assert.Equal(t, []string{
		`R3-contradicted: Accuracy goes from 100 to 60 as the Critic (rules) suggests, because USER: ` +
			`"No, I said four." speaks for a lower score.`,
		`R2-ambiguous: Empathy stays at 60; the Critic (rules and model) suggests 80, but no signal in ` +
			`what it cites speaks for a higher score.`,
		`R2-ambiguous: Fluency stays at 100; the Critic (model) suggests 20, which is more than two ` +
			`levels away.`,
		`R1-agreed: the Critic has no objection to TaskSuccess at 80, Helpfulness at 100 and ` +
			`Understanding at 100.`,
	}, e.Decisions())
	assert.Equal(t, []string{
		`SYSTEM: "I have booked a table for five."`, `SYSTEM: "Certainly!"`,
		`USER: "No, I said four."`,
		`SYSTEM: "it is four now"`, `SYSTEM: "Is there anything else?"`,
		`SYSTEM: "My apologies, it is four now."`,
	}, a.Evidence)
	e.Rubric.Weights, e.Rubric.Mapping, e.Overall = [NumCriteria]int{100, 0, 0, 0, 0, 0}, Nearest,
		80
	assert.Equal(t, "80*1.00 + 100*0.00 + 60*0.00 + 100*0.00 + 60*0.00 + 100*0.00 = 82.00",
		e.Audit().WeightedCalc)
	assert.Equal(t, "round to the nearest 82.00 → 80", e.Audit().MappingRule)
}

// FuzzString checks that strings are written as by encoding/json, except that characters which
// affect a terminal are escaped.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", `"\/`, "\x00\x01\b\f\n\r\t\x1f\x7f", "</script><!--&",
		"\u2028\u2029\u2027", "é→👍", "\u0080\u009b31m\u009f\u00a0", "a\xff\xc3", "\xe2\x80",
		"\ufffd", "\u061c\u200e\u202a\u2069"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		want, err := json.Marshal(s)
		require.NoError(t, err)
		for r := rune(0x7f); r <= 0x2069; r++ { // the last control of direction
			if r < 0xa0 || unicode.Is(unicode.Bidi_Control, r) {
				want = bytes.ReplaceAll(want, []byte(string(r)), fmt.Appendf(nil, `\u%04x`, r))
			}
		}
		require.Equal(t, string(want), string(AppendJSON(nil, s)))
	})
}

func BenchmarkAppendDebate(b *testing.B) {
	e := bookingTrial(b)
	buf := e.AppendDebate(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = e.AppendDebate(buf[:0])
	}
}

func BenchmarkAppendSingle(b *testing.B) {
	e := bookingTrial(b)
	buf := e.AppendSingle(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = e.AppendSingle(buf[:0])
	}
}

func BenchmarkSettle(b *testing.B) {
	e := bookingTrial(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Rubric.Settle(Case{e.Dialogue, e.Signals}, e.Evaluator,
			e.Critique); err != nil {
			b.Fatal(err)
		}
	}
}
