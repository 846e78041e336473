package replay

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
)

// The changes of a single value that leave no trace, and why. A replay detects any change of
// everything else in a record.
var (
	// evidence lists the detectors' signals and the agents' answers, from which other values
	// follow, or nothing.
	evidence = map[string]string{
		"/signals/*/id": "a detector's name counts only where the profile or a demand " +
			"names it",
		"/signals/*/turn": "a signal may move to a neighbouring turn where nothing is " +
			"settled by it",
		"/signals/*/about": "nothing is settled by the other turn that a signal concerns",
		"/signals/*/start": "nothing is settled by where in its turn a signal begins",
		"/signals/*/end":   "nor by where it ends",
		"/signals/*/points": "the points of a detector that is no reaction decide nothing but " +
			"their sign does",
		"/evaluator/*/justification": "a claim that the Referee did not take stands nowhere else",
		"/reason":                    "nothing follows from why a dialogue is unscored",
	}
	// never lists values that cannot be derived from the run: data about the source, or people's
	// ratings.
	never = map[string]string{
		"/dialogue_id":     "the source gives it",
		"/source/file":     "the user gives it",
		"/source/format":   "the reader finds it",
		"/source/id":       "the source gives it",
		"/source/meta/*":   "the source gives it",
		"/turns/*/speaker": "the source gives it",
		"/turns/*/at":      "the source gives it",
		"/truth/overall/*": "people's ratings are no evidence",
		"/truth/turns/*/*": "nor are these",
		"/truth/labels/*":  "nor the labels of turns",
	}
	// emptied lists what may be omitted as a whole.
	emptied = map[string]string{
		"/signals/*/criteria": "what a signal speaks to is evidence",
	}
)

func TestAChangeOfAnyOneValueIsFound(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	tried, unseen := 0, map[string]int{}
	for _, r := range f.records {
		line := r.Append(nil)
		tree, err := parse(line)
		require.NoError(t, err)
		for _, l := range leaves(tree, "") {
			for _, value := range changes(t, l.node) {
				tried++
				edited := with(line, l, value)
				got, err := run.Line{Text: edited, Header: &f.header}.Recompute(f.header.Lexicon)
				if err != nil || !bytes.Equal(got.Append(nil), edited) {
					continue
				}
				at := pattern(l.pointer)
				unseen[at]++
				assert.NotEmpty(t, never[at]+evidence[at], "%s: %s as %s is found by nothing",
					r.Source.File, l.pointer, value)
			}
		}
	}
	t.Logf("%d changes; without a trace: %v", tried, unseen)
	assert.Greater(t, tried, 12_000)
	for _, list := range []map[string]string{evidence, never} {
		for _, at := range slices.Sorted(maps.Keys(list)) {
			assert.NotZero(t, unseen[at], "%s is always found; take it off the list", at)
		}
	}
}

// If anything is missing from a record or has the wrong type, replay reports it and does not crash.
func TestWhateverIsMissing(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	for _, file := range []string{"restaurant.txt", "silence.txt"} {
		line := f.of(t, file).Append(nil)
		tree, err := parse(line)
		require.NoError(t, err)
		for _, l := range values(tree, "") {
			for _, value := range []string{`null`, `0`, `-1`, `1e99`, `"x"`, `[]`, `[null]`, `{}`,
				`true`} {
				if strings.HasPrefix(l.pointer, "/source/meta") || value == string(l.node.raw) {
					continue
				}
				results, _ := f.replayed(t, with(line, l, value))
				require.NotEmpty(t, results)
				if r := results[0]; r.Err == nil && len(r.Differences) == 0 {
					at := pattern(l.pointer)
					assert.True(t, never[at]+evidence[at]+emptied[at] != "",
						"%s: %s as %s is found by nothing", file, l.pointer, value)
				}
			}
		}
		for _, l := range values(tree, "") {
			key := fmt.Sprintf("%q:", l.pointer[strings.LastIndexByte(l.pointer, '/')+1:])
			if !bytes.HasSuffix(line[:l.node.start], []byte(key)) {
				continue // it is in a list
			}
			edited := slices.Clone(line)
			edited[l.node.start-len(key)+1] = '_'
			results, _ := f.replayed(t, edited)
			require.NotEmpty(t, results)
			assert.True(t, results[0].Err != nil ||
				len(results[0].Differences) > 0, "%s: nothing shows that %s is missing", file,
				l.pointer)
		}
	}
}
