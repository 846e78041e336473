package check

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var kinds = Kinds()

var update = flag.Bool("update", false, "write what comes out to testdata")

// defect is a case of testdata/defects: a sound document with one replacement. The comment says
// which document it is and explains the findings; a line "mapping nearest" selects that mapping.
//
//	-- old --       the text to replace; empty for the whole document
//	-- new --       its replacement; there may be several pairs
//	-- alone --     the findings without a transcript
//	-- held --      the findings with a transcript
//	-- fixed --     the changed lines after the edits; omitted if there are no edits
type defect struct {
	*txtar.Archive
	file, base string
	text       string
	checker    *Checker
}

func defects(t testing.TB) []defect {
	files, err := filepath.Glob("testdata/defects/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	list := make([]defect, len(files))
	for i, file := range files {
		list[i] = readDefect(t, file)
	}
	return list
}

func readDefect(t testing.TB, file string) defect {
	a, err := txtar.ParseFile(file)
	require.NoError(t, err)
	d := defect{Archive: a, file: file, base: "debate"}
	rub := rubric.Default()
	for line := range strings.Lines(string(a.Comment)) {
		switch strings.TrimSpace(line) {
		case "single":
			d.base = "single"
		case "mapping nearest":
			rub.Mapping = rubric.Nearest
		}
	}
	require.Greater(t, len(bytes.TrimSpace(a.Comment)), 10, "%s: a reason must be given", file)
	d.checker = &Checker{Rubric: rub, Observe: observeBooking}
	sound, err := os.ReadFile("testdata/sound/" + d.base + ".json")
	require.NoError(t, err)
	d.text = string(sound)
	for i, f := range a.Files {
		if f.Name != "old" {
			continue
		}
		old, put := strings.TrimSuffix(string(f.Data), "\n"),
			strings.TrimSuffix(string(a.Files[i+1].Data), "\n")
		if old == "" {
			d.text = put
			continue
		}
		require.Equal(t, 1, strings.Count(d.text, old),
			"%s: what is to be replaced must occur once: %s", file, old)
		d.text = strings.Replace(d.text, old, put, 1)
	}
	return d
}

func (d *defect) section(name string) string {
	for _, f := range d.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func (d *defect) set(name, text string) {
	i := slices.IndexFunc(d.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case i >= 0 && text == "" && name == "fixed":
		d.Files = slices.Delete(d.Files, i, i+1)
	case i >= 0:
		d.Files[i].Data = []byte(text)
	case text != "" || name != "fixed":
		d.Files = append(d.Files, txtar.File{Name: name, Data: []byte(text)})
	}
}

// booking returns the dialogue of the sound documents.
func booking(t testing.TB) *Transcript {
	f, err := os.Open("testdata/sound/booking.txt")
	require.NoError(t, err)
	defer f.Close()
	for s, err := range importer.Read(f, "booking.txt", importer.Options{}) {
		require.NoError(t, err)
		return NewTranscript(s.Dialogue)
	}
	t.Fatal("no dialogue")
	return nil
}

// observeBooking returns signals for a correction in the USER's second turn, and for politeness of
// SYSTEM and USER.
func observeBooking(dialogue.Dialogue) ([]rubric.Signal, error) {
	return []rubric.Signal{
		{ID: "correction", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Accuracy,
			rubric.Understanding), Turn: 3, Points: -200},
		{ID: "thanks", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness,
			rubric.Empathy), Turn: 5, Points: 100},
		{ID: "courtesy", Criteria: rubric.SetOf(rubric.Fluency), Turn: 2, Points: 100},
	}, nil
}

// show formats findings as in the test cases.
func show(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%d:%d %v %s", f.Line, f.Column, f.Severity, f.ID)
		if f.Path != "" {
			fmt.Fprintf(&b, " at %s", f.Path)
		}
		fmt.Fprintf(&b, "\n    %s\n", f.Message)
		for _, line := range []struct{ name, text string }{{"got", f.Got}, {"want", f.Want},
			{"nearest", f.Nearest}, {"difference", f.Difference}} {
			if line.text != "" {
				fmt.Fprintf(&b, "    %s %s\n", line.name, line.text)
			}
		}
	}
	return b.String()
}

// changed returns the lines of a fixed document that differ from the original.
func changed(old, fixed string) string {
	was := strings.Split(old, "\n")
	var b strings.Builder
	for i, line := range strings.Split(fixed, "\n") {
		if i >= len(was) || line != was[i] {
			b.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}

func TestDefects(t *testing.T) {
	transcript := booking(t)
	for _, d := range defects(t) {
		t.Run(strings.TrimSuffix(filepath.Base(d.file), ".txtar"), func(t *testing.T) {
			doc := Document{File: "evaluation.json", Line: 1, Column: 1, Text: []byte(d.text)}
			alone, held := d.checker.Check(doc, nil), d.checker.Check(doc, transcript)
			got := map[string]string{"alone": show(alone), "held": show(held),
				"fixed": changed(d.text, string(alone.Fix()))}
			if d.text == string(alone.Fix()) {
				got["fixed"] = ""
			}
			if *update {
				for _, name := range []string{"alone", "held", "fixed"} {
					d.set(name, got[name])
				}
				require.NoError(t, os.WriteFile(d.file, txtar.Format(d.Archive), 0o644))
			}
			for name, text := range got {
				assert.Equal(t, d.section(name), text, "%s: %s", name, d.Comment)
			}
			keepsLaws(t, d.checker, alone, nil)
			keepsLaws(t, d.checker, held, transcript)
		})
	}
}

// keepsLaws checks the invariants of every report.
func keepsLaws(t testing.TB, c *Checker, r Report, transcript *Transcript) {
	lines := bytes.Split(r.Document.Text, []byte("\n"))
	for _, f := range r.Findings {
		require.NotEmpty(t, f.Message)
		require.True(t, slices.ContainsFunc(kinds, func(k FindingKind) bool {
			return k.ID == f.ID
		}),
			"no kind is called %s", f.ID)
		line, column := f.Line-max(r.Document.Line, 1), f.Column
		if line == 0 {
			column -= max(r.Document.Column, 1) - 1
		}
		require.True(t, line >= 0 && line < len(lines), "line %d of %d: %s", f.Line, len(lines),
			f.ID)
		require.True(t, column >= 1 && column <= len(lines[line])+1, "column %d of %d: %s",
			f.Column, len(lines[line]), f.ID)
	}
	at := 0
	for _, e := range r.Edits {
		require.True(t, at <= e.Start && e.Start < e.End && e.End <= len(r.Document.Text))
		require.Equal(t, e.Was, string(r.Document.Text[e.Start:e.End]))
		require.NotEqual(t, e.Was, e.Text)
		at = e.End
	}
	fixed := r.Document
	fixed.Text = r.Fix()
	after := c.Check(fixed, transcript)
	require.Empty(t, after.Edits, "nothing is left to be put right:\n%s", fixed.Text)
	for _, f := range after.Findings {
		require.False(t, f.Fixable, "%v", f)
		require.True(t, slices.ContainsFunc(r.Findings, func(before Finding) bool {
			return !before.Fixable && before.ID == f.ID && before.Path == f.Path
		}), "putting a document right makes nothing wrong: %v", f)
	}
}

func TestSoundDocuments(t *testing.T) {
	c := &Checker{Rubric: rubric.Default(), Observe: observeBooking}
	for _, name := range []string{"debate", "single"} {
		text, err := os.ReadFile("testdata/sound/" + name + ".json")
		require.NoError(t, err)
		for _, transcript := range []*Transcript{nil, booking(t)} {
			r := c.Check(Document{Text: text}, transcript)
			assert.Empty(t, show(r))
			assert.Empty(t, r.Edits)
			assert.Equal(t, name, r.Protocol)
			assert.Equal(t, transcript != nil, r.Verified)
			assert.Equal(t, string(text), string(r.Fix()))
		}
	}
}

// TestEveryKindFires checks that each documented ID can occur, with its documented severity.
func TestEveryKindFires(t *testing.T) {
	fired := map[string]bool{}
	severe := map[string]bool{}
	transcript := booking(t)
	for _, d := range defects(t) {
		doc := Document{Text: []byte(d.text),
			findings: []Finding{{ID: "text-around", Severity: Note}}}
		for _, r := range []Report{d.checker.Check(doc, nil), d.checker.Check(doc, transcript)} {
			for _, f := range r.Findings {
				fired[f.ID] = true
				severe[fmt.Sprint(f.ID, f.Severity)] = true
			}
		}
	}
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if k.ID == "findings-left-out" {
			continue // see TestFindingsAreBounded
		}
		assert.True(t, fired[k.ID], "%s fires nowhere in testdata/defects", k.ID)
		assert.True(t, severe[fmt.Sprint(k.ID, k.Severity)],
			"%s is never the %v that it is said to be", k.ID, k.Severity)
		assert.False(t, seen[k.ID], "%s is there twice", k.ID)
		seen[k.ID] = true
		for _, text := range []string{k.Title, k.Why, k.Bad, k.Good} {
			assert.NotEmpty(t, text, k.ID)
		}
		assert.True(t, strings.HasSuffix(k.Title, ".") && strings.HasSuffix(k.Why, "."), k.ID)
	}
}

func TestFindingsAreBounded(t *testing.T) {
	c := &Checker{Rubric: rubric.Default()}
	entries := strings.Repeat(`{"a":1,"b":2,"c":3},`, 10*maxItems)
	r := c.Check(Document{Text: []byte(`{"critic":[` + entries + `{}]}`)}, nil)
	require.Len(t, r.Findings, maxFindings+1)
	last := r.Findings[maxFindings]
	assert.Equal(t, "findings-left-out", last.ID)
	assert.Equal(t, Note, last.Severity)
	keys := strings.Builder{}
	for i := range 10 * maxItems {
		fmt.Fprintf(&keys, `"k%d":1,`, i)
	}
	r = c.Check(Document{Text: []byte(`{` + keys.String() + `"critic":[]}`)}, nil)
	assert.Less(t, len(r.Findings), 2*maxItems)
	sentence := strings.Repeat(`USER: \"nobody says so\" `, 10*maxItems)
	r = c.Check(Document{Text: []byte(`{"TaskSuccess":{"score":80,"justification":"` + sentence +
		`"}}`)}, booking(t))
	assert.Less(t, len(r.Findings), 2*maxItems)
}

// TestCheckerIsSafe checks that a Checker and a Transcript can be used concurrently, and that the
// same document always has the same report.
func TestCheckerIsSafe(t *testing.T) {
	c := &Checker{Rubric: rubric.Default(), Observe: observeBooking}
	transcript := booking(t)
	list := defects(t)
	want := make([]string, len(list))
	for i, d := range list {
		want[i] = show(c.Check(Document{Text: []byte(d.text)}, transcript))
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i, d := range list {
				assert.Equal(t, want[i], show(c.Check(Document{Text: []byte(d.text)}, transcript)))
			}
		})
	}
	wait.Wait()
}

// Every finding that the program names has a text.
func TestFindingsHaveTexts(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	named := regexp.MustCompile(`(?:finding\(|report\([^;\n]*, |checkJustifications\(.*, |id :?= )"([a-z-]+(?:/[a-z]+)?)"`)
	used := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range named.FindAllSubmatch(text, -1) {
			assert.NotPanics(t, func() { finding(string(m[1])) }, string(m[1]))
			used[string(m[1])] = true
		}
	}
	for _, k := range kinds {
		for _, s := range k.Says {
			id := strings.TrimSuffix(k.ID+"/"+s.Case, "/")
			assert.True(t, used[id], "no finding says %q", id)
		}
	}
}
