package evidence

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/text"
	"assize/rubric"
)

// loadPart loads files without the lists that Go code uses.
func loadPart(t *testing.T, files fstest.MapFS) *Rules {
	t.Helper()
	r, err := Load(files)
	require.ErrorContains(t, err, "no file is called contradiction-another.txt")
	return r
}

// The digest covers everything that scores depend on, and nothing that is only for readers.
func TestDigestFollowsTheLexicon(t *testing.T) {
	digest := func(files map[string]string) []byte {
		fs := fstest.MapFS{}
		for name, text := range files {
			fs[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return loadPart(t, fs).Lexicon.Hash.Sum(nil)
	}
	const whole = "@title x\n@why x.\n@hit USER: x\n@miss USER: y\n@note\n"
	base := digest(map[string]string{"lexicon/a-b.txt": "@role user\nx\n",
		"lexicon/c-d.txt": "@role user\ny\n"})
	assert.Equal(t, base, digest(map[string]string{"lexicon/c-d.txt": "# y\n@role user\ny # y\n",
		"lexicon/a-b.txt": "@role user\r\n\r\nx\r\n"}))
	for _, other := range []map[string]string{
		{"lexicon/a-b.txt": "@role user\nz\n", "lexicon/c-d.txt": "@role user\ny\n"},
		{"lexicon/a-b.txt": "@role system\nx\n", "lexicon/c-d.txt": "@role user\ny\n"},
		{"lexicon/a-b.txt": "@role user\nx\n", "lexicon/c-e.txt": "@role user\ny\n"},
		{"lexicon/a-b.txt": "@role user\nx\n@role user\ny\n"},
	} {
		assert.NotEqual(t, base, digest(other))
	}
	base = digest(map[string]string{"detectors/a-b.txt": whole})
	assert.Equal(t, base,
		digest(map[string]string{"detectors/a-b.txt": strings.Replace(whole, "@why x.",
			"@why Because.\n@why And so on.", 1)}))
	assert.NotEqual(t, base,
		digest(map[string]string{"detectors/a-b.txt": whole + "@points 1.00\n"}))
	assert.NotEqual(t, base,
		digest(map[string]string{"detectors/a-b.txt": strings.Replace(whole, "@title x", "@title y",
			1)}))
}

// A detector is defined entirely in its file, and an error in it is reported with the line.
func TestDetectorFilesRefuseMistakes(t *testing.T) {
	const whole = "@title x\n@why x.\n@hit USER: x\n@miss USER: y\n@note\n"
	evidence := strings.Replace(whole, "@note", "@evidence Empathy", 1)
	tests := []struct{ reason, text, want string }{
		{"it is documented", "@title x\n@why x.\n@hit USER: x\n",
			"something is missing; want @title, @why, @hit and @miss"},
		{"a directive is misspelt", "@titel x\n", "x-y.txt:1: unknown directive \"titel\""},
		{"points have two decimals", "@points 1.234\n", `"1.234" is not a number`},
		{"criteria are the six", "@evidence Empathy Speed\n",
			`unknown criterion "Speed"; want one of TaskSuccess, `},
		{"an order is a number", "@order first\n", "x-y.txt:1: expected integer"},
		{"a condition has a name", "@where not-reaction noon\n",
			`unknown condition "noon"; want one of ["answering" `},
		{"a function has a name", "@find findNothing\n", `unknown function "findNothing"`},
		{"a list has a file", "@unless x-y z-z\n", `unknown list "z-z"`},
		{"what was read has a number", "@checked 17\n", `x-y.txt:1: "17": want how many`},
		{"and nothing after it", "@checked 17 of 20 cases\n", "want how many"},
		{"no more are true than were read", "@checked 21 of 20\n", "want how many"},
		{"nor fewer than none", "@checked -1 of 20\n", "want how many"},
		{"evidence is mostly true", evidence + "@checked 13 of 20\n",
			"x-y.txt: its findings were true in 13 of 20 real cases, and evidence needs 70 %"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := Load(fstest.MapFS{"detectors/x-y.txt": {Data: []byte(tt.text)}})
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
	for _, text := range []string{evidence + "@checked 14 of 20\n", whole + "@checked 3 of 20\n"} {
		loadPart(t, fstest.MapFS{"detectors/x-y.txt": {Data: []byte(text)}})
	}
}

func TestDetectorFileIsRead(t *testing.T) {
	const text = "@title it is so\n@why It is.\n@why And it matters.\n@hit USER: a\\tb\n@hit SYSTEM: # c\n@miss USER: \\x1b\n@evidence Empathy Fluency\n" +
		"@points -0.25\n@order 7\n@checked 17 of 20\n@once\n@where not-reply asking\n@unless x-z\n@role user\nhello\n"
	l := loadPart(t, fstest.MapFS{"detectors/x-y.txt": {Data: []byte(text)},
		"lexicon/x-z.txt": {Data: []byte("@role user\nno\n")}})
	require.Len(t, l.detectors, 1)
	det := l.detectors[0]
	assert.Equal(t, Detector{
		ID: "x-y", Title: "it is so", Why: "It is. And it matters.", Hit: "USER: a\tb\nSYSTEM: # c",
		Miss:     "USER: \x1b",
		Criteria: rubric.SetOf(rubric.Empathy, rubric.Fluency), Points: -25, InService: -25,
		Once: true, Checked: Trust{17, 20},
	}, det.Detector)
	assert.Equal(t, "true in 17 of 20 real cases", det.Checked.String())
	assert.True(t, det.unless.Has(l.Lexicon.Classes["x-z"]))
	assert.False(t, det.unless.Has(det.class))
	require.Len(t, det.where, 2)
	assert.Equal(t, []bool{true, false}, []bool{det.where[0].not, det.where[1].not})
}

// Every list in lexicon/ is used: by a detector, by Go code, or as a list of words. If a file or Go
// code refers to a missing list, New fails.
func TestEveryListIsUsed(t *testing.T) {
	a := newRules(t)
	var used text.ClassSet
	fields := reflect.ValueOf(a.Lexicon.Class)
	for i := range fields.NumField() {
		used.Add(text.Class(fields.Field(i).Int()))
	}
	functions := map[string]bool{}
	for _, det := range a.detectors {
		used.Add(det.class)
		for i := range used {
			used[i] |= det.needs[i] | det.unless[i] | det.unlessBefore[i] | det.needsBefore[i]
		}
	}
	for _, list := range a.Lexicon.Lists {
		for i := range used {
			used[i] |= list.Except[i]
		}
	}
	for name, c := range a.Lexicon.Classes {
		assert.True(t, used.Has(c) || a.Lexicon.Lists[c].State != 0, "nothing uses %s", name)
	}
	files, err := filepath.Glob("../detectors/*.txt")
	require.NoError(t, err)
	assert.Len(t, files, len(a.detectors))
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^@find (.*)$`).FindAllStringSubmatch(string(data),
			-1) {
			functions[m[1]] = true
		}
	}
	assert.Len(t, functions, len(finders), "a function that no file names")
}

// A class whose detector only finds phrases would never fire without any.
func TestNoClassIsEmptyByMistake(t *testing.T) {
	a := newRules(t)
	for _, det := range a.detectors {
		isOfFacts := strings.HasPrefix(det.ID, ContradictsFact) // their phrases are in rubric files
		if det.find == nil && !isOfFacts {
			assert.NotZero(t, a.Lexicon.Lists[det.class].Lines, det.ID)
		}
	}
}
