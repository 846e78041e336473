package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// fixture is a run of the dialogues under testdata/transcripts, of mended.txt, to which the Critic
// objects, and of one that cannot be judged.
type fixture struct {
	agents  *heuristics.Agents
	header  run.Header
	records []*run.Record
}

func newFixture(t testing.TB, basis run.Basis) *fixture {
	agents := heuristics.New()
	f := &fixture{agents: agents}
	f.header = run.Header{
		Program: "v1.2.3", Lexicon: agents.Digest(), Basis: basis,
		Configuration: run.Configuration{Evaluator: "rules", Critic: "rules",
			Mapping: basis.Rubric.Mapping.String()},
	}
	files, err := filepath.Glob("../../../../../testdata/transcripts/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range append(files, "../../../../../testdata/mended.txt") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		f.read(t, data, filepath.Base(name))
	}
	f.read(t, []byte("USER: Hello?\nUSER: Is anybody there?\n"), "silence.txt")
	return f
}

func (f *fixture) read(t testing.TB, data []byte, name string) {
	basis := f.header.Basis
	panel := rubric.Panel{Rubric: basis.Rubric, Observe: f.agents.Observe,
		Evaluator: f.agents.Evaluator(basis.Rubric), Critic: f.agents.Critic(basis.Rubric)}
	for sample, err := range importer.Read(bytes.NewReader(data), name, importer.Options{}) {
		if err != nil { // files that need a flag to be read are skipped
			continue
		}
		r := run.New(sample)
		e, err := panel.Judge(t.Context(), sample.Dialogue)
		if unscored := (*rubric.Unscored)(nil); errors.As(err, &unscored) {
			r.Reason = unscored.Reason
		} else {
			require.NoError(t, err)
			r.Evaluation, r.Estimate = e, basis.Profile.Estimate(e)
		}
		f.records = append(f.records, r)
	}
}

// run writes the run.
func (f *fixture) run() []byte {
	header := f.header.Append(nil)
	closing := run.NewClosing(header)
	b := append(header, '\n')
	for _, r := range f.records {
		line := r.Append(nil)
		closing.Add(line)
		b = append(append(b, line...), '\n')
	}
	return append(closing.End().Append(b), '\n')
}

// of returns the record of the first dialogue of a file.
func (f *fixture) of(t testing.TB, file string) *run.Record {
	for _, r := range f.records {
		if r.Source.File == file {
			return r
		}
	}
	require.FailNow(t, "no transcript of this name", file)
	return nil
}

// replayed replays a run and returns all results and their summary.
func (f *fixture) replayed(t testing.TB, run []byte) ([]Result, *Summary) {
	var results []Result
	s := &Summary{File: "run.jsonl", MaxLines: 1000, lexicon: f.header.Lexicon}
	for r := range replayLines(t.Context(), bytes.NewReader(run), "run.jsonl", 2, f.agents) {
		results = append(results, r)
		s.Add(&r)
	}
	s.Close()
	return results, s
}

// told replays a record under the fixture's header and returns the first message and the number of
// differences.
func (f *fixture) told(t testing.TB, line []byte) (first string, all int) {
	run := append(append(f.header.Append(nil), '\n'), append(line, '\n')...)
	results, _ := f.replayed(t, run)
	require.Len(t, results, 3)
	require.True(t, results[2].unfinished())
	list := results[1].Differences
	require.NotEmpty(t, list)
	for i := range list {
		require.Equal(t, i > 0, list[i].Follows)
	}
	return list[0].Error(), len(list)
}

// edit replaces the first match of a pattern and fails if there is none.
func edit(t testing.TB, line []byte, pattern, with string) []byte {
	re := regexp.MustCompile(pattern)
	at := re.FindSubmatchIndex(line)
	require.NotNil(t, at, "nothing matches %s", pattern)
	edited := append([]byte{}, line[:at[0]]...)
	edited = re.Expand(edited, []byte(with), line, at)
	edited = append(edited, line[at[1]:]...)
	require.NotEqual(t, string(line), string(edited), pattern)
	return edited
}

// leaf is a scalar value, or an empty list or object, in a line.
type leaf struct {
	pointer string
	node    *node
}

func leaves(n *node, at string) (list []leaf) {
	if n.kind() != '{' && n.kind() != '[' {
		return []leaf{{at, n}}
	}
	for _, m := range n.members {
		list = append(list, leaves(m.node, pointer(at, m.name))...)
	}
	return list
}

// values returns every value below another, at any depth.
func values(n *node, at string) (list []leaf) {
	for _, m := range n.members {
		below := pointer(at, m.name)
		list = append(append(list, leaf{below, m.node}), values(m.node, below)...)
	}
	return list
}

// pattern replaces every number and every criterion of a pointer by a star.
func pattern(pointer string) string {
	if strings.HasPrefix(pointer, "/source/meta/") {
		return "/source/meta/*"
	}
	for _, k := range rubric.Criteria() {
		pointer = strings.ReplaceAll(pointer, "/"+k.String(), "/*")
	}
	return regexp.MustCompile(`/[0-9]+`).ReplaceAllString(pointer, "/*")
}

// changes returns other values for a leaf, of the same type if that has others.
func changes(t testing.TB, n *node) (list []string) {
	switch n.kind() {
	case '"':
		for _, s := range []string{n.text + "x", "Z" + n.text, ""} {
			if s != n.text {
				list = append(list, string(jsonString(s)))
			}
		}
		return list
	case 't':
		return []string{"false"}
	case 'f':
		return []string{"true"}
	case 'n':
		return []string{"60"}
	}
	if bytes.IndexByte(n.raw, '.') >= 0 {
		h, err := rubric.ParseHundredths(string(n.raw))
		require.NoError(t, err)
		return []string{(h + 1).String(), (h - 100).String(), (-h - 1).String()}
	}
	var i int
	require.NoError(t, json.Unmarshal(n.raw, &i))
	return []string{fmt.Sprint(i + 1), fmt.Sprint(i - 1), fmt.Sprint(i + 20), fmt.Sprint(i - 20)}
}

// with returns the line with the leaf replaced by value.
func with(line []byte, l leaf, value string) []byte {
	b := append([]byte{}, line[:l.node.start]...)
	b = append(b, value...)
	return append(b, line[l.node.start+len(l.node.raw):]...)
}

func jsonString(s string) []byte { return rubric.AppendJSON(nil, s) }
