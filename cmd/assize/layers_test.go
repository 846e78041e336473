package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers lists for each layer, named after its folder, the layers that its packages may import. A
// package belongs to the longest folder that contains it.
var layers = map[string][]string{
	"rubric/dialogue/forms": {}, // expressions in files, which the readers and the rules have
	"rubric/dialogue":       {"rubric/dialogue/forms"},
	// The rooms of the readers, from the ground up: see the documentation of package importer. Only
	// the importer itself is known to others.
	"rubric/dialogue/importer/lex":    {"rubric/dialogue/forms", "rubric/dialogue"},
	"rubric/dialogue/importer/stream": {"rubric/dialogue", "rubric/dialogue/importer/lex"},
	"rubric/dialogue/importer/transcript": {"rubric/dialogue", "rubric/dialogue/importer/lex",
		"rubric/dialogue/importer/stream"},
	"rubric/dialogue/importer/formats": {"rubric/dialogue", "rubric/dialogue/importer/lex",
		"rubric/dialogue/importer/stream", "rubric/dialogue/importer/transcript"},
	"rubric/dialogue/importer/table": {"rubric/dialogue", "rubric/dialogue/importer/lex",
		"rubric/dialogue/importer/stream", "rubric/dialogue/importer/transcript",
		"rubric/dialogue/importer/formats"},
	"rubric/dialogue/importer/jsonfile": {"rubric/dialogue", "rubric/dialogue/importer/lex",
		"rubric/dialogue/importer/stream", "rubric/dialogue/importer/transcript",
		"rubric/dialogue/importer/formats", "rubric/dialogue/importer/table"},
	"rubric/dialogue/importer": {"rubric/dialogue", "rubric/dialogue/importer/lex",
		"rubric/dialogue/importer/stream", "rubric/dialogue/importer/transcript",
		"rubric/dialogue/importer/formats", "rubric/dialogue/importer/table",
		"rubric/dialogue/importer/jsonfile"},
	"rubric":       {"rubric/dialogue"},
	"rubric/check": {"rubric", "rubric/dialogue", "rubric/dialogue/importer"},
	// The rooms of the rules, from the ground up: see the documentation of package heuristics.
	"heuristics/text":     {"rubric/dialogue"},
	"heuristics/quantity": {"heuristics/text"},
	"heuristics/talk": {"rubric", "rubric/dialogue", "heuristics/text",
		"heuristics/quantity"},
	"heuristics/deeds": {"rubric/dialogue/forms", "rubric/dialogue", "heuristics/text",
		"heuristics/quantity", "heuristics/talk"},
	"heuristics/evidence": {"rubric", "rubric/dialogue", "heuristics/text", "heuristics/quantity",
		"heuristics/talk", "heuristics/deeds"},
	"heuristics": {"rubric", "rubric/dialogue", "heuristics/text", "heuristics/talk",
		"heuristics/evidence"},
	"heuristics/satisfaction": {"rubric", "rubric/dialogue", "heuristics", "heuristics/text",
		"heuristics/talk", "heuristics/evidence"},
	"localllm": {"rubric", "rubric/dialogue"},
	"cmd/assize": {"rubric", "rubric/check", "rubric/dialogue", "rubric/dialogue/importer",
		"heuristics", "heuristics/talk", "heuristics/evidence", "heuristics/satisfaction",
		"localllm", "cmd/assize",
		"cmd/assize/internal/stats"},
	// Only tests and tools import these two.
	"heuristics/measure": {"rubric", "rubric/dialogue", "rubric/dialogue/importer", "heuristics",
		"heuristics/satisfaction"},
	"localllm/fakeollama": {},
	// Statistics of agreement are arithmetic, and must not depend on the origin of the ratings.
	"cmd/assize/internal/stats": {},
}

// onlyIn lists which folders may import an external module, and why others must not.
var onlyIn = map[string]struct {
	folders []string
	why     string
}{
	"github.com/jdkato/prose":  {[]string{"heuristics/text"}, "its quirks are guarded in one place"},
	"github.com/ollama/ollama": {[]string{"localllm"}, "nothing else may talk to a server"},
	"github.com/spf13":         {[]string{"cmd/assize"}, "libraries have no command line"},
	"golang.org/x/term": {[]string{"cmd/assize"},
		"libraries do not ask what looks at them"},
	"github.com/goccy/go-yaml": {[]string{"cmd/assize", "rubric", "heuristics", "localllm"},
		"it reads the config file, rubrics and questions"},
	"net/http": {[]string{"localllm", "cmd/assize/internal/serving/web",
		"cmd/assize/internal/judging/fleet"},
		"nothing leaves the machine but to the address that the user gave"},
	"github.com/nats-io": {[]string{"cmd/assize/internal/judging/fleet"},
		"dialogues are sent in one place"},
	"modernc.org/sqlite": {[]string{"cmd/assize/internal/serving/review"},
		"reviews are kept in one place"},
	"github.com/stretchr": {nil, "tests only"},
	"github.com/rogpeppe": {nil, "tests only"},
	"github.com/chromedp": {nil, "tests only: nothing of ours starts a browser"},
	"github.com/santhosh-tekuri": {nil,
		"tests only: the schemas are applied where findings need their places"},
}

// impure are packages that the domain must not import, because its decisions may not depend on
// place and time.
var impure = []string{"os", "net", "time", "math/rand", "math/rand/v2", "runtime", "syscall",
	"os/exec", "net/http"}

// floors are the folders of internal from the ground up. A package imports none of a higher floor.
var floors = []string{"stats", "terminal", "records", "reading", "output",
	"statistics", "judging", "showing", "serving"}

func TestFloors(t *testing.T) {
	const internal = "cmd/assize/internal/"
	height := map[string]int{}
	for i, name := range floors {
		height[internal+name] = i
	}
	checked := 0
	for file, imports := range importsOf(t, "../..") {
		if !strings.HasPrefix(file, internal) {
			continue
		}
		own, ok := longest(height, path.Dir(file))
		assert.True(t, ok, "%s is on no floor", file)
		for _, imp := range imports {
			if name, ok := longest(height, strings.TrimPrefix(imp, "assize/")); ok {
				assert.LessOrEqual(t, height[name], height[own], "%s imports %s", file, imp)
				checked++
			}
		}
	}
	assert.Greater(t, checked, 100, "imports")
}

func TestLayers(t *testing.T) {
	checked := 0
	for file, imports := range importsOf(t, "../..") {
		folder := path.Dir(file)
		layer, ok := longest(layers, folder)
		if !assert.True(t, ok, "%s is in no layer", file) {
			continue
		}
		may := layers[layer]
		checked++
		for _, imp := range imports {
			if ours, ok := strings.CutPrefix(imp, "assize/"); ok {
				imported, _ := longest(layers, ours)
				assert.Contains(t, may, imported, "%s imports %s", file, ours)
			}
			if name, ok := longest(onlyIn, imp); ok {
				rule := onlyIn[name]
				assert.True(t, under(folder, rule.folders), "%s imports %s: %s", file, imp,
					rule.why)
			}
			if under(folder, []string{"rubric"}) && !isCalendar(t, file, imp) {
				assert.NotContains(t, impure, imp,
					"%s imports %s: the domain has no I/O, clock or chance", file, imp)
			}
		}
	}
	assert.Greater(t, checked, 50, "files of the program")
}

// No room of the rules or the readers is so large that nobody reads it as a whole.
func TestRooms(t *testing.T) {
	const limit = 3000
	lines := map[string]int{}
	for file := range importsOf(t, "../..") {
		if under(file, []string{"heuristics", "rubric/dialogue/importer"}) {
			text, err := os.ReadFile(filepath.Join("..", "..", file))
			require.NoError(t, err)
			lines[path.Dir(file)] += strings.Count(string(text), "\n")
		}
	}
	assert.Greater(t, len(lines), 13, "rooms")
	for room, n := range lines {
		assert.Less(t, n, limit, room)
	}
}

// TestDomainDependencies holds the list of all packages that the domain needs, directly or not. A
// reader of files among them would make it depend on workbooks, mail and archives.
func TestDomainDependencies(t *testing.T) {
	const form = "{{.ImportPath}} {{if .Standard}}std{{else}}{{.Module.Path}}{{end}}"
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", form,
		"assize/rubric").Output()
	require.NoError(t, err)
	modules := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		name, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		modules[module] = true
		assert.NotContains(t, []string{"net", "net/mail", "archive/zip", "compress/gzip",
			"encoding/csv", "assize/rubric/dialogue/importer"}, name)
	}
	assert.Equal(t, []string{"assize", "github.com/go-json-experiment/json",
		"github.com/goccy/go-yaml", // for the file of a rubric
		"golang.org/x/text",        // for comparing quotations
		"std"}, slices.Sorted(maps.Keys(modules)))
}

// TestHelpNamesWhatConnects compares the imports that can reach a network with the table in assize
// help network.
func TestHelpNamesWhatConnects(t *testing.T) {
	short := map[string]string{"github.com/nats-io": "nats", "github.com/ollama": "ollama"}
	for _, name := range []string{"net", "net/http", "net/http/cgi", "net/http/httputil", "net/rpc",
		"net/smtp", "net/textproto", "log/syslog", "os/exec"} {
		short[name] = name
	}
	found := map[string][]string{}
	for file, imports := range importsOf(t, "../..") {
		folder := path.Dir(file)
		if folder == "localllm/fakeollama" { // TestLayers: only tests import it
			continue
		}
		for _, imp := range imports {
			name, ok := longest(short, imp)
			if ok && (name != "net" || imp == "net") && !slices.Contains(found[folder], short[name]) {
				found[folder] = append(found[folder], short[name])
				slices.Sort(found[folder])
			}
		}
	}
	listed := map[string][]string{}
	_, table, _ := strings.Cut(helpText("help/topics/network.md"), "| package |")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if len(cells) == 3 && !strings.HasPrefix(line, " imports") {
			listed[cells[0]] = strings.Split(cells[1], ", ")
			slices.Sort(listed[cells[0]])
		}
	}
	assert.Equal(t, listed, found)
}

// importsOf returns the imports of every file of the program, without tests.
func importsOf(t *testing.T, root string) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		if entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") &&
			name != root) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		rel, err := filepath.Rel(root, name)
		require.NoError(t, err)
		rel = filepath.ToSlash(rel)
		imports[rel] = []string{}
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			imports[rel] = append(imports[rel], imp)
		}
		return nil
	})
	require.NoError(t, err)
	return imports
}

// under reports whether a path is in folders or inside one of them.
func under(name string, folders []string) bool {
	return slices.ContainsFunc(folders,
		func(f string) bool { return name == f || strings.HasPrefix(name, f+"/") })
}

// longest returns the longest path in a table that is name or contains it.
func longest[V any](table map[string]V, name string) (string, bool) {
	for ; name != "."; name = path.Dir(name) {
		if _, ok := table[name]; ok {
			return name, true
		}
	}
	return "", false
}

// isCalendar reports whether a file imports time for the calendar only, not for the clock.
func isCalendar(t *testing.T, file, imported string) bool {
	text, err := os.ReadFile(filepath.Join("..", "..", file))
	require.NoError(t, err)
	clock := regexp.MustCompile(`time\.(Now|Since|Until|Local|LoadLocation|Sleep|After|New|Tick)`)
	return imported == "time" && !clock.Match(text)
}
