package heuristics

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

func TestLexiconRefusesMistakes(t *testing.T) {
	tests := []struct{ reason, text, want string }{
		{"a phrase needs a side", "hello\n", "x-y.txt:1: a phrase before @role"},
		{"only two sides speak", "@role judge\n", `unknown role "judge"`},
		{"a directive is misspelt", "@role user\n@point 1\n", "x-y.txt:2: unknown directive @point"},
		{"points have two decimals", "@role user\n@points 1.234\n", `"1.234" is not a number`},
		{"own points are points", "@role user\nhello\tmany\n", `"many" is not a number`},
		{"a group is closed", "@role user\n(a|b c\n", "a group is not closed"},
		{"groups do not nest", "@role user\n(a|(b) c\n", "a group stands inside a group"},
		{"a bar needs a group", "@role user\na|b\n", "without a group"},
		{"a phrase has words", "@role user\n(a|)\n", "an empty phrase"},
		{"only ^ is no phrase", "@role user\n^\n", "an empty phrase"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := loadLexicon(fstest.MapFS{"lexicon/x-y.txt": {Data: []byte(tt.text)}})
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}

func TestLexiconReadsAClass(t *testing.T) {
	files := fstest.MapFS{"lexicon/x-y.txt": {Data: []byte("# comment\r\n@role user\n@points -1.25\n@negatable\n@summed\n\n^(oh|) dear # why\ngood\t0.35\n")}}
	l, err := loadLexicon(files)
	require.NoError(t, err)
	c := l.classes[l.class("x-y")]
	assert.Equal(t, class{name: "x-y", roles: []dialogue.Role{dialogue.User}, points: -125, negatable: true, summed: true, lines: 2}, c)
	assert.Equal(t, int16(-1), l.class("no-such"))
}

// The digest stands for every byte of every file.
func TestDigestFollowsTheLexicon(t *testing.T) {
	digest := func(files map[string]string) string {
		fs := fstest.MapFS{}
		for name, text := range files {
			fs["lexicon/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		l, err := loadLexicon(fs)
		require.NoError(t, err)
		return l.digest
	}
	base := digest(map[string]string{"a-b.txt": "@role user\nx\n", "c-d.txt": "@role user\ny\n"})
	assert.Equal(t, base, digest(map[string]string{"c-d.txt": "@role user\ny\n", "a-b.txt": "@role user\nx\n"}))
	assert.NotEqual(t, base, digest(map[string]string{"a-b.txt": "@role user\nz\n", "c-d.txt": "@role user\ny\n"}))
	assert.NotEqual(t, base, digest(map[string]string{"a-b.txt": "@role user\nx\n", "c-e.txt": "@role user\ny\n"}))
	assert.NotEqual(t, base, digest(map[string]string{"a-b.txt": "@role user\nx\n@role user\ny\n"}))
}

// Every lexicon file is used by name, and every name that the code asks for has a file: a slip of the pen would
// switch a judgement off without a word.
func TestLexiconNamesAgreeWithTheCode(t *testing.T) {
	var code strings.Builder
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		data, err := os.ReadFile(source)
		require.NoError(t, err)
		code.Write(data)
	}
	files, err := filepath.Glob("lexicon/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		assert.Contains(t, code.String(), `"`+name+`"`, "nothing uses %s", file)
	}
	asked := regexp.MustCompile(`(?:class\(|ID: +)"([a-z-]+)"`).FindAllStringSubmatch(code.String(), -1)
	require.Greater(t, len(asked), 80, "the code asks for its classes in another way now")
	for _, name := range asked {
		assert.FileExists(t, filepath.Join("lexicon", name[1]+".txt"))
	}
}

// A lexicon file says what it is for before anything else, and says nothing twice.
func TestLexiconFilesAreTidy(t *testing.T) {
	files, err := filepath.Glob("lexicon/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(data), "# "), "%s begins with a comment", file)
		seen, role := map[string]bool{}, ""
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "@role") {
				role = line
			}
			if line == "" || line[0] == '#' || line[0] == '@' {
				continue
			}
			assert.False(t, seen[role+line], "%s: %q stands there twice", file, line)
			seen[role+line] = true
		}
	}
}

// A class whose detector finds phrases and nothing else would never fire without any.
func TestNoClassIsEmptyByMistake(t *testing.T) {
	a := newAgents(t)
	for _, det := range a.detectors {
		if det.find == nil {
			assert.NotZero(t, a.lex.classes[det.class].lines, det.ID)
		}
	}
}
