package rubric

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDefault(t *testing.T) {
	r := Default()
	assert.Equal(t, [NumCriteria]int{40, 15, 15, 10, 10, 10}, r.Weights,
		`PROTOCOL.md, "Arithmetic"`)
	assert.Equal(t, Down, r.Mapping)
	var texts []string
	for _, levels := range r.Levels {
		for _, text := range levels {
			assert.Regexp(t, `^[A-Z].*[^.]\.$`, text)
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	assert.Len(t, slices.Compact(texts), NumCriteria*len(Scale), "no two levels read the same")
	r.Demands[TaskSuccess][4][0] = "changed"
	assert.NotEqual(t, r, Default(),
		"a caller may change what it was given without changing what others get")
}

// Each entry of forms.txt describes a member, and its comment describes none.
func TestFormsAreThoseOfMembers(t *testing.T) {
	for name, form := range forms() {
		assert.Regexp(t, "^[a-z]+(-[a-z]+)*$", name)
		assert.NotEmpty(t, form, name)
	}
}

func TestParse(t *testing.T) {
	def := Default()
	for _, tt := range []struct {
		name, text string
		change     func(r *Rubric)
	}{
		{"a byte-order mark", "\ufeffmapping: nearest", func(r *Rubric) { r.Mapping = Nearest }},
		{"mapping", "mapping: nearest", func(r *Rubric) { r.Mapping = Nearest }},
		{"weights",
			"weights: {TaskSuccess: 50, Helpfulness: 10, Accuracy: 10, Understanding: 10, Empathy: 20, " +
				"Fluency: 0}",
			func(r *Rubric) { r.Weights = [NumCriteria]int{50, 10, 10, 10, 20, 0} }},
		{"one level", "levels:\n  Fluency:\n    20: >\n      Not to be\n      read.\n",
			func(r *Rubric) { r.Levels[Fluency][0] = "Not to be read." }},
		{"demands", "demands: {Accuracy: {100: [a, b]}, TaskSuccess: {100: []}}", func(r *Rubric) {
			r.Demands[Accuracy][4] = []string{"a", "b"}
			r.Demands[TaskSuccess][4] = []string{}
		}},
		{"json",
			`{"mapping": "nearest", "levels": {"Empathy": {"80": "Kind: and polite."}}, "demands": ` +
				`{"Fluency": {"60": ["x"]}}}`, func(r *Rubric) {
				r.Mapping = Nearest
				r.Levels[Empathy][3] = "Kind: and polite."
				r.Demands[Fluency][2] = []string{"x"}
			}},
		{"caps", "caps: {Empathy: {conduct-contempt: 40, ours-own: 20}}", func(r *Rubric) {
			r.Caps[Empathy] = map[string]Score{"conduct-contempt": 40, "courtesy-rude": 40,
				"ours-own": 20}
		}},
		{"comments and crlf", "# ours\r\nmapping: down # as ever\r\n", func(*Rubric) {}},
		{"document marks", "---\nmapping: nearest\n", func(r *Rubric) { r.Mapping = Nearest }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := Default()
			tt.change(&want)
			got, err := Parse("ours.yaml", []byte(tt.text))
			require.NoError(t, err)
			assert.Equal(t, want, got)
			assert.Equal(t, def, Default())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "",
			"r.yaml:1:1: this is not a rubric; want one YAML or JSON document with weights, mapping, " +
				"levels, demands, caps, questions or facts, in the form of the default rubric"},
		{"comments only", "# nothing\n",
			"r.yaml:1:1: this is not a rubric; want one YAML or JSON document with weights, mapping, " +
				"levels, demands, caps, questions or facts, in the form of the default rubric"},
		{"a list", "- weights\n",
			"r.yaml:1:1: sequence was used where mapping is expected; want one YAML or JSON document with " +
				"weights, mapping, levels, demands, caps, questions or facts, in the form of the default rubric"},
		{"a word", "weights\n",
			"r.yaml:1:1: string was used where mapping is expected; want one YAML or JSON document with " +
				"weights, mapping, levels, demands, caps, questions or facts, in the form of the default rubric"},
		{"unknown key", "mapping: down\nwieghts:\n  TaskSuccess: 40\n",
			`r.yaml:2:1: unknown field "wieghts"; want one YAML or JSON document with weights, mapping, ` +
				`levels, demands, caps, questions or facts, in the form of the default rubric`},
		{"doubled key", "mapping: down\nmapping: nearest\n",
			`r.yaml:2:1: mapping key "mapping" already defined at [1:1]; want it once`},
		{"doubled in json", "{\"mapping\": \"down\",\n \"mapping\": \"down\"}",
			`r.yaml:2:2: mapping key "mapping" already defined at [1:2]; want it once`},
		{"syntax", "weights: {TaskSuccess: 40\nmapping: [", `r.yaml:`},
		{"second document", "mapping: down\n---\nmapping: nearest\n",
			"r.yaml:1:1: this is not a rubric; want one YAML or JSON document with weights, mapping, " +
				"levels, demands, caps, questions or facts, in the form of the default rubric"},
		{"too big", strings.Repeat("#", maxFile+1),
			"r.yaml:1:1: this is too large or too deep for a rubric; want at most 256 KiB, 2,500 lists and entries, and 12 levels"},
		{"deep brackets", strings.Repeat("[", maxFile),
			"r.yaml:1:1: this is too large or too deep for a rubric; want at most 256 KiB, 2,500 lists and entries, and 12 levels"},
		{"deep brackets after closing ones", "# ]]]]]]]]\n" + strings.Repeat("[", maxDepth+1),
			"r.yaml:1:1: this is too large or too deep for a rubric; want at most 256 KiB, 2,500 lists and entries, and 12 levels"},
		{"deep mappings", strings.Repeat("a: {", maxFile/4),
			"r.yaml:1:1: this is too large or too deep for a rubric; want at most 256 KiB, 2,500 lists and entries, and 12 levels"},
		{"deep lists", strings.Repeat("- ", maxFile/2),
			"r.yaml:1:1: this is too large or too deep for a rubric; want at most 256 KiB, 2,500 lists and entries, and 12 levels"},
		{"tag instead of a list", "questions: !!binary aGk=\n",
			"r.yaml:1:12: !!binary is a tag; want it without"},
		{"tagged facts", "facts: !!binary aGk=\n", "r.yaml:1:8: !!binary is a tag; want it without"},
		{"tagged set", "questions: !!set {a}\n", "r.yaml:1:12: !!set is a tag; want it without"},
		{"tagged text", "questions: !!str x\n", "r.yaml:1:12: !!str is a tag; want it without"},
		{"tag inside", "facts: [{id: !!binary aGk=}]\n",
			"r.yaml:1:14: !!binary is a tag; want it without"},
		{"mapping", "mapping: up\n", `r.yaml:1:1: unknown mapping "up"; want down or nearest`},
		{"mapping of mappings", "mapping: {down: 1}\n",
			"r.yaml:1:10: mapping has the wrong form; want down or nearest"},
		{"weights that are a number", "weights: 3\n", "r.yaml:1:10: weights has the wrong form; want a " +
			"percentage for each of the six criteria, such as {TaskSuccess: 30, …}"},
		{"weight in words", "weights: {Empathy: much}\n", "r.yaml:1:20: weights has the wrong form; want a " +
			"percentage for each of the six criteria, such as {TaskSuccess: 30, …}"},

		{"sum",
			"weights: {TaskSuccess: 40, Helpfulness: 15, Accuracy: 15, Understanding: 10, Empathy: 10, " +
				"Fluency: 20}\n", "r.yaml:1:1: the weights sum to 110; want 100"},
		{"missing",
			"\nweights:\n  TaskSuccess: 50\n  Helpfulness: 15\n  Accuracy: 15\n  Understanding: 10\n  " +
				"Fluency: 10\n", "r.yaml:2:1: Empathy has no weight; want one for each of the six criteria, " +
				"or no weights at all"},
		{"unknown criterion", "weights:\n  TaskSuccess: 50\n  Helpfullness: 15\n",
			`r.yaml:3:3: unknown field "Helpfullness"; want a criterion, as in assize help rubric`},
		{"doubled criterion", "weights:\n  TaskSuccess: 50\n  TaskSuccess: 15\n", "r.yaml:3:3: "},
		{"negative", "weights: {TaskSuccess: -1}\n",
			"r.yaml:1:11: TaskSuccess has the weight -1; want a whole percent from 0 to 100"},
		{"above", "weights: {TaskSuccess: 101}\n",
			"r.yaml:1:11: TaskSuccess has the weight 101; want a whole percent from 0 to 100"},
		{"fraction", "weights:\n  TaskSuccess: 0.40\n",
			"r.yaml:2:3: TaskSuccess has the weight 0.4; want a whole percent from 0 to 100"},
		{"no weight", "weights:\n  TaskSuccess:\n",
			"r.yaml:1:1: TaskSuccess has no weight; want one for each of the six criteria, or no weights " +
				"at all"},
		{"unknown level", "levels:\n  Empathy:\n    70: Nice.\n",
			`r.yaml:3:5: unknown level "70"; want 20, 40, 60, 80 or 100`},
		{"huge level", "levels: {Empathy: {356: Nice.}}",
			`r.yaml:1:20: unknown level "356"; want 20, 40, 60, 80 or 100`},
		{"doubled level", "levels: {Empathy: {80: Nice., \"80\": Kind.}}",
			`r.yaml:1:31: mapping key "80" already defined at [1:20]; want it once`},
		{"level as 080", "levels: {Empathy: {80: Nice., \"080\": Kind.}}",
			`r.yaml:1:31: unknown level "080"; want 20, 40, 60, 80 or 100`},
		{"level without text", "levels: {Empathy: {80: \" .\"}}",
			"r.yaml:1:20: Empathy has no text for 80; want a sentence that says what must be seen"},
		{"levels of a criterion", "levels: {Empathy: [a, b]}",
			"r.yaml:1:19: levels has the wrong form; want sentences by criterion and score, such as " +
				"{Empathy: {80: Polite and friendly}}"},
		{"demand without list", "demands: {Empathy: {100: courtesy-empathy}}",
			"r.yaml:1:26: demands has the wrong form; want findings by criterion and score, such as " +
				"{Empathy: {100: [empathy-reacts]}}"},
		{"demand of a list", "demands: {Empathy: {100: [[a]]}}",
			"r.yaml:1:27: demands has the wrong form; want findings by criterion and score, such as " +
				"{Empathy: {100: [empathy-reacts]}}"},
		{"cap off the scale", "caps:\n  Empathy:\n    courtesy-rude: 30\n",
			"r.yaml:3:5: Empathy is capped at 30 by courtesy-rude; want 20, 40, 60, 80 or 100"},
		{"cap with a fraction", "caps: {Empathy: {courtesy-rude: 40.5}}",
			"r.yaml:1:18: Empathy is capped at 40.5 by courtesy-rude; want 20, 40, 60, 80 or 100"},
		{"cap without detector", "caps: {Empathy: 40}", "r.yaml:1:17: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Parse("r.yaml", []byte(tt.text))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
			assert.Zero(t, r)
			assert.Regexp(t, placed, err.Error())
		})
	}
}

// placed matches an error that includes a position in the file, from 1.
var placed = regexp.MustCompile(`^r\.yaml:[1-9]\d*:[1-9]\d*: `)

func TestDetectors(t *testing.T) {
	r, err := Parse("r.yaml",
		[]byte("demands: {Empathy: {100: [b, a], 80: [b]}, TaskSuccess: {100: [c]}}\ncaps: {Fluency: "+
			"{d: 20}}"))
	require.NoError(t, err)
	assert.Subset(t, r.Detectors(), []string{"a", "b", "c", "conduct-contempt", "d"})
	assert.Empty(t, Rubric{}.Detectors())
}

func TestDigest(t *testing.T) {
	same, err := Parse("r.json",
		[]byte(`{"demands": {"Empathy": {"100": ["empathy-shares", "empathy-reacts", `+
			`"courtesy-empathy"]}}}`))
	require.NoError(t, err)
	assert.Equal(t, Default().Digest(), same.Digest(),
		"neither the file nor the order of a list matters")
	assert.Regexp(t, "^[0-9a-f]{64}$", same.Digest())
	seen := map[string]string{Default().Digest(): "the default"}
	for name, change := range map[string]func(r *Rubric){
		"mapping": func(r *Rubric) { r.Mapping = Nearest },
		"weights": func(r *Rubric) { r.Weights[Empathy], r.Weights[Fluency] = 9, 11 },
		"level":   func(r *Rubric) { r.Levels[Empathy][0] += " Always." },
		"demand":  func(r *Rubric) { r.Demands[Empathy][0] = []string{"a", "b"} },
		"one":     func(r *Rubric) { r.Demands[Empathy][0] = []string{`a" "b`} },
		"cap":     func(r *Rubric) { r.Caps[Empathy]["courtesy-rude"] = 60 },
		"moved":   func(r *Rubric) { r.Demands[Empathy][1] = []string{"a", "b"} },
	} {
		r := Default()
		change(&r)
		assert.Empty(t, seen[r.Digest()], name)
		seen[r.Digest()] = name
	}
}

// FuzzParse checks that a file is parsed completely or rejected with a position.
func FuzzParse(f *testing.F) {
	f.Add(defaultYAML)
	f.Add([]byte(`{"mapping": "nearest", "levels": {"Empathy": {"80": "Kind."}}}`))
	f.Add([]byte("weights: &a {TaskSuccess: *a}\n<<: *a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxFile {
			return
		}
		r, err := Parse("r.yaml", data)
		if err != nil {
			require.Regexp(t, placed, err.Error())
			return
		}
		sum := 0
		for i, w := range r.Weights {
			sum += w
			for _, text := range r.Levels[i] {
				require.True(t, hasWords(text))
			}
		}
		require.Equal(t, 100, sum)
	})
}

func TestARubricReadsAsItWasWritten(t *testing.T) {
	odd, err := Parse("odd.yaml",
		[]byte("weights: {TaskSuccess: 50, Helpfulness: 10, Accuracy: 10, Understanding: 10, Empathy: "+
			"10, Fluency: 10}\nmapping: nearest\nlevels: {Fluency: {80: 'Says \"no\" <b>plainly</b>: é, "+
			"\u2028.'}}\ndemands: {Empathy: {100: [courtesy-warmth, courtesy-empathy]}}"))
	require.NoError(t, err)
	for _, r := range []Rubric{Default(), odd} {
		text := r.AppendJSON(nil)
		assert.True(t, json.Valid(text), "%s", text)
		again, err := Parse("again.json", text)
		require.NoError(t, err)
		assert.Equal(t, r.Digest(), again.Digest())
		assert.Equal(t, text, again.AppendJSON(nil))
	}
}
