package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verb matches a verb of fmt, and captures the number of its value if it has one.
var verb = regexp.MustCompile(`%[#+]?(?:\[(\d+)\])?[.\d]*([a-z%])`)

// A text that nobody calls by name is old, one that does not exist fails when it is needed, and one
// with more or fewer verbs than values is wrong. The compiler sees none of these.
func TestTextsAreThere(t *testing.T) {
	root, own := filepath.Join("..", "..", ".."), regexp.MustCompile(`prose\.Of\("(\w+)"`)
	checked := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") {
			for _, m := range own.FindAllStringSubmatch(read(t, path), -1) {
				checked++
				check(t, filepath.Dir(path), filepath.Join("texts", m[1]+".tmpl"))
			}
		}
		return err
	}))
	all, err := files.ReadDir("texts")
	require.NoError(t, err)
	assert.Len(t, all, checked, "each file has a package")
}

func check(t *testing.T, folder, file string) {
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	own := template.FuncMap{} // functions of the package itself, which nothing calls here
	undefined := regexp.MustCompile(`function "(\w+)" not defined`)
	for {
		_, err := template.New("").Funcs(functions).Funcs(own).Parse(read(t, file))
		if err == nil {
			break
		}
		m := undefined.FindStringSubmatch(err.Error())
		require.NotNil(t, m, err)
		own[m[1]] = func() string { return "" }
	}
	texts := parse(read(t, file), own)
	used := map[string]bool{}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
				text, _ := strconv.Unquote(s.Value)
				used[text] = true // perhaps in a table of names
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for i, arg := range call.Args {
				if s, ok := arg.(*ast.BasicLit); ok && s.Kind == token.STRING {
					text, _ := strconv.Unquote(s.Value)
					values := len(call.Args) - i - 1
					if named(call.Fun) && texts().Lookup(text) == nil {
						t.Errorf("%s: %s has no text %q", name, file, text)
					} else if function(call.Fun) && !call.Ellipsis.IsValid() {
						assert.Equal(t, verbs(texts.Format(text)), values, "values of %q", text)
					}
					break // the first string is the name
				}
				if f, ok := arg.(*ast.CallExpr); ok && method(f.Fun, "Format") {
					text, _ := strconv.Unquote(f.Args[0].(*ast.BasicLit).Value)
					assert.Equal(t, verbs(texts.Format(text)), len(call.Args)-i-1, "values of %q", text)
				}
			}
			return true
		})
	}
	templates := regexp.MustCompile(`{{template "([^"]+)"`)
	for _, m := range templates.FindAllStringSubmatch(read(t, file), -1) {
		used[m[1]] = true
		assert.NotNil(t, texts().Lookup(m[1]), "%s has no text %q", file, m[1])
	}
	for _, text := range texts().Templates() {
		assert.True(t, used[text.Name()] || text.Name() == "", "nobody uses %q of %s",
			text.Name(), file)
	}
}

// named reports whether a call is of a function whose first string names a text.
func named(f ast.Expr) bool { return function(f) || method(f, "Say", "List", "Format") }

// function reports whether a call is of a function whose first string names a text with verbs.
func function(f ast.Expr) bool {
	of, ok := f.(*ast.Ident)
	return ok && (of.Name == "refuse" || of.Name == "wrong") || method(f, "Text", "Error")
}

// method reports whether a call is of a method of texts with one of these names.
func method(f ast.Expr, names ...string) bool {
	s, ok := f.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == "texts" && slices.Contains(names, s.Sel.Name)
}

// verbs returns the number of values that a text has verbs for.
func verbs(text string) int {
	var numbers []int
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if m[2] != "%" && err != nil {
			n = slices.Max(append(numbers, 0)) + 1
		}
		numbers = append(numbers, n)
	}
	return slices.Max(append(numbers, 0))
}

func read(t *testing.T, file string) string {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data)
}
