package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(text string) (map[string]Value, error) {
	var values map[string]Value
	err := Read("s.yaml", []byte(text), &values, "names of flags")
	return values, err
}

func TestRead(t *testing.T) {
	values, err := read("\ufeffmodel: llama3\njobs: 4\nstrict: true\nweight: 0.50\n" +
		"name: 'two words'\nids:\n  - a\n  - 007\n")
	require.NoError(t, err)
	assert.Equal(t, map[string]Value{
		"model":  {Place: "s.yaml:1:8", Texts: []string{"llama3"}},
		"jobs":   {Place: "s.yaml:2:7", Texts: []string{"4"}},
		"strict": {Place: "s.yaml:3:9", Texts: []string{"true"}},
		"weight": {Place: "s.yaml:4:9", Texts: []string{"0.50"}},
		"name":   {Place: "s.yaml:5:7", Texts: []string{"two words"}},
		"ids":    {Place: values["ids"].Place, Texts: []string{"a", "007"}},
	}, values, "values are kept as they were typed")
	assert.Contains(t, values["ids"].Place, "s.yaml:7:")

	for _, empty := range []string{"", "\n", "# only a remark\n"} {
		values, err := read(empty)
		assert.NoError(t, err, "%q", empty)
		assert.Empty(t, values, "%q", empty)
	}
}

// An error names the place, what is wrong there and what is expected.
func TestReadErrors(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"no value", "a: 1\nb:\nc: 2\n", "s.yaml:2:3: no value; want one as on the command line"},
		{"null", "a: null\n", "s.yaml:1:4: no value; want one as on the command line"},
		{"the first of two", "a:\nb:\n", "s.yaml:1:3: no value; want one as on the command line"},
		{"an empty text", "a: ''\n",
			"s.yaml:1:4: not a plain value; want one as on the command line"},
		{"an empty list", "a: []\n", "s.yaml:1:4: an empty list; want one as on the command line"},
		{"a block", "a: |\n  x\n",
			"s.yaml:1:4: not a plain value; want one as on the command line"},
		{"a list in a list", "a: [1, [2]]\n",
			"s.yaml:1:8: not a plain value; want one as on the command line"},
		{"a tag", "a: !!int 1\n", "s.yaml:1:4: a tag or a merge; want plain names and values"},
		{"two documents", "a: 1\n---\nb: 2\n",
			"s.yaml:3:2: the file has a second document; want one document"},
	} {
		_, err := read(tt.text)
		assert.EqualError(t, err, tt.want, tt.reason)
		assert.ErrorAs(t, err, new(*Error), tt.reason)
	}

	_, err := read("a: [1\n")
	require.ErrorAs(t, err, new(*Error))
	assert.Regexp(t, `^s\.yaml:1:\d+: .+; want valid YAML$`, err.Error())

	var known struct{ Jobs Value }
	err = Read("s.yaml", []byte("jobs: 1\nyobs: 2\n"), &known, "jobs")
	require.ErrorAs(t, err, new(*Error))
	assert.Regexp(t, `^s\.yaml:2:1: unknown field "yobs"; want jobs$`, err.Error())

	err = Read("s.yaml", []byte("- 1\n- 2\n"), &known, "jobs")
	require.ErrorAs(t, err, new(*Error), "a list where names are expected")
	assert.Regexp(t, `^s\.yaml:1:\d+: .+; want jobs$`, err.Error())
}

func TestReadLimit(t *testing.T) {
	fits := "a: " + strings.Repeat("x", 16384-len("a: "))
	values, err := read(fits)
	require.NoError(t, err)
	assert.Len(t, values["a"].Texts[0], 16381)
	_, err = read(fits + "x")
	assert.EqualError(t, err, "s.yaml:1:1: the file has 16385 bytes; want at most 16384")
}

func TestOne(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		want  string
	}{{nil, ""}, {[]string{"a b"}, "a b"}} {
		got, err := Value{Texts: tt.texts}.One()
		assert.NoError(t, err)
		assert.Equal(t, tt.want, got)
	}
	_, err := Value{"s.yaml:2:3", []string{"a", "b"}}.One()
	assert.EqualError(t, err, "s.yaml:2:3: 2 values; want one")
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.yaml")
	_, err := ReadFile(path)
	assert.EqualError(t, err, path+": no such file or directory")
	for _, text := range []string{"\ufeffa: 1\n", "\xff\xfea\x00:\x00 \x001\x00\n\x00", "a: 1\n"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		data, err := ReadFile(path)
		assert.NoError(t, err)
		assert.Equal(t, "a: 1\n", string(data), "as editors of Windows and others write it")
	}

	require.NoError(t, os.Truncate(path, 64<<20))
	data, err := ReadFile(path)
	assert.NoError(t, err)
	assert.Len(t, data, 64<<20, "as large as is allowed")
	require.NoError(t, os.Truncate(path, 64<<20+1))
	_, err = ReadFile(path)
	assert.EqualError(t, err, path+": more than 64 MiB")
}
