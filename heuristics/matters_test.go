package heuristics_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/measure"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// version is a variant of a matter in testdata/matters.
type version byte

const (
	good     version = 'B' // the USER gets what the USER asked for
	friendly version = 'T' // the SYSTEM is warm and attentive, but the USER does not get it
	misread  version = 'U' // the SYSTEM first misunderstands the request
	cold     version = 'X' // the SYSTEM is curt, but the USER gets it
)

// versions lists all versions.
func versions() []version { return []version{good, friendly, misread, cold} }

// matter is a dialogue in its versions.
type matter struct {
	name     string
	versions map[version]dialogue.Dialogue
}

// readMatters reads a file of testdata/matters. A matter begins with "== " and its name. A line
// that begins with "[BU] " belongs only to these versions, any other to all versions of the matter.
// `\n` in a line is a line break.
func readMatters(t *testing.T, name string) (list []matter) {
	data, err := os.ReadFile(filepath.Join("testdata", "matters", name))
	require.NoError(t, err)
	for part := range strings.SplitSeq(string(data), "== ") {
		title, lines, found := strings.Cut(part, "\n")
		if !found {
			continue
		}
		m := matter{title, map[version]dialogue.Dialogue{}}
		for _, v := range versions() {
			var d dialogue.Dialogue
			own := false
			for line := range strings.Lines(lines) {
				line = strings.TrimSpace(line)
				if line == "" {
					continue
				}
				if rest, only := strings.CutPrefix(line, "["); only {
					of, text, closed := strings.Cut(rest, "] ")
					require.True(t, closed, "%s: %q", name, line)
					if !strings.ContainsRune(of, rune(v)) {
						continue
					}
					line, own = text, true
				}
				role, text, found := strings.Cut(line, ": ")
				require.True(t, found, "%s: %q", name, line)
				turn := dialogue.Turn{Role: dialogue.User, Text: strings.ReplaceAll(text, `\n`,
					"\n")}
				if role == "SYSTEM" {
					turn.Role = dialogue.System
				}
				d.Turns = append(d.Turns, turn)
			}
			if own {
				m.versions[v] = d
			}
		}
		require.Contains(t, m.versions, good, "%s: %s", name, title)
		list = append(list, m)
	}
	return list
}

// A matter that is not met costs TaskSuccess, however friendly the SYSTEM is, and one that is met
// does not, however curt the SYSTEM. A request that is misunderstood at first costs Understanding.
// The matters in aside.txt were held out before their rules were written.
func TestMatters(t *testing.T) {
	panel := measure.Panel()
	floors := map[string]map[version]int{"choose.txt": {good: 14, friendly: 2, misread: 6,
		cold: 4}}
	if *withAside {
		floors["aside.txt"] = nil
	}
	for name, atLeast := range floors {
		list := readMatters(t, name)
		right, all := map[version]int{}, map[version]int{}
		for _, m := range list {
			scores := map[version]*measure.Judged{}
			for v, d := range m.versions {
				scores[v] = judgeOne(t, panel, m.name, d)
			}
			base := scores[good]
			assert.GreaterOrEqual(t, base.Score(rubric.Understanding), 80., "%s: %s", name, m.name)
			for _, v := range versions() {
				j, ok := scores[v]
				if !ok {
					continue
				}
				all[v]++
				success := j.Score(rubric.TaskSuccess)
				holds := false
				switch v {
				case good:
					holds = success >= 80
				case friendly:
					holds = success <= 60
				case misread:
					holds = j.Score(rubric.Understanding) <= base.Score(rubric.Understanding)-20
				case cold:
					holds = success >= base.Score(rubric.TaskSuccess)-20
				}
				if holds {
					right[v]++
				} else {
					t.Logf("%s: %s, %c: TaskSuccess %v, Understanding %v", name, m.name, v,
						success, j.Score(rubric.Understanding))
				}
			}
		}
		for _, v := range versions() {
			t.Logf("%s: %c: %d of %d", name, v, right[v], all[v])
			assert.GreaterOrEqual(t, right[v], atLeast[v], "%s: %c", name, v)
		}
	}
}
