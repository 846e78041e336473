package lex

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

func TestAsideFile(t *testing.T) {
	seen := map[string]bool{}
	data, err := wordFiles.ReadFile("aside.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, word, ok := strings.Cut(line, " ")
		require.True(t, ok, line)
		assert.Contains(t, []string{"judgement", "text"}, kind, line)
		assert.Equal(t, FoldColumn(word), word, "a word is folded")
		assert.False(t, seen[line], "%q stands twice", line)
		seen[line] = true
		assert.True(t, SetAside(word), line)
	}
	for _, name := range Lists()["rating"] {
		assert.True(t, SetAside(name), "%s is a column of ratings", name)
	}
}

func TestNamesFile(t *testing.T) {
	var seen []string
	data, err := wordFiles.ReadFile("names.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		role, name, ok := strings.Cut(line, " ")
		require.True(t, ok, line)
		_, err := dialogue.ParseRole(role)
		assert.NoError(t, err, line)
		assert.Equal(t, FoldName(name), name, "a name is folded")
		assert.False(t, slices.Contains(seen, name), "%q stands twice", name)
		seen = append(seen, name)
	}
}

// A name that forms.txt does not have would match everything.
func TestFormsAreThere(t *testing.T) {
	used := calls(t, "Expr", "Match")
	assert.Greater(t, len(used), 50)
	for name := range used {
		assert.NotPanics(t, func() { Expr(name) }, name)
	}
}

// A text that nobody uses is old, and one with more or fewer places than values is wrong.
func TestMessagesAreThere(t *testing.T) {
	used := calls(t, "Text", "Problem", "add")
	for name, text := range messages() {
		if values, ok := used[name]; name != "#" && assert.True(t, ok, "nobody uses %s", name) {
			for i := range 5 {
				has := strings.Contains(text, fmt.Sprintf("{%d}", i+1))
				assert.Equal(t, i < values, has, "{%d} of %s", i+1, name)
			}
		}
	}
	for name := range used {
		assert.Contains(t, messages(), name)
	}
	_, hint := Problem("much-mail", 64)
	assert.Equal(t, "split it between two messages", hint)
	assert.Equal(t, `lines such as "{2}" are part of the turn above them, as they are entries of a `+
		`list or in a code block`, Text("inside", Quote("{2}")), "a value is no text")
	assert.Panics(t, func() { Text("no such text") })
}

// calls returns the names with which the readers call some functions, and the number of values
// after the name.
func calls(t *testing.T, functions ...string) map[string]int {
	found := map[string]int{}
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	for _, file := range append(files, "../read.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		isIn := path.Base(path.Dir(filepath.ToSlash(file))) == "lex"
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			function, _ := call.Fun.(*ast.Ident)
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				of, _ := s.X.(*ast.Ident)
				if function = s.Sel; of == nil || of.Name != "lex" && of.Name != "found" {
					return true
				}
			} else if !isIn {
				return true
			}
			first := 0
			if function != nil && function.Name == "add" {
				first = 1 // after a condition
			}
			if function == nil || !slices.Contains(functions, function.Name) {
				return true
			}
			if name, ok := call.Args[first].(*ast.BasicLit); ok {
				text, err := strconv.Unquote(name.Value)
				require.NoError(t, err)
				found[text] = len(call.Args) - first - 1
			}
			return true
		})
	}
	return found
}

// The minutes of a zone count, east and west.
func TestZones(t *testing.T) {
	want, ok := ParseTime("2024-05-03T10:00:00Z")
	assert.True(t, ok)
	for _, s := range []string{"2024-05-03T12:00:00+02:00", "2024-05-03T12:00:00+02",
		"2024-05-03T15:30:00+05:30", "2024-05-03 15:45 +0545", "2024-05-03T06:30:00-03:30",
		"Fri May 03 06:30:00 -0330 2024"} {
		got, ok := ParseTime(s)
		assert.True(t, ok && got.HasZone, s)
		assert.Equal(t, want.US, got.US, s)
		assert.Equal(t, want.EU, got.EU, s)
	}
}
