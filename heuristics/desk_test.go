package heuristics_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// The golden of the desk has one line for each dialogue of ours: its file and ID, a short hash of
// its signals, its six scores and its satisfaction. A change that is meant to move nothing leaves
// it as it is, and every other change shows what it moved.
func TestDeskGolden(t *testing.T) {
	const golden = "testdata/desk.golden"
	var got strings.Builder
	files, err := filepath.Glob("../testdata/desk/*.txt")
	require.NoError(t, err)
	r, a := rubric.Default(), heuristics.New()
	panel := rubric.Panel{Rubric: r, Observe: a.Observe, Evaluator: a.Evaluator(r),
		Critic: a.Critic(r)}
	for _, name := range append(files, "../testdata/desk/dialogues.jsonl") {
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		for sample, err := range importer.Read(f, name, importer.Options{}) {
			require.NoError(t, err)
			fmt.Fprintf(&got, "%s\t%s\t", filepath.Base(name), sample.Source.ID)
			e, err := panel.Judge(context.Background(), sample.Dialogue)
			var unscored *rubric.Unscored
			if errors.As(err, &unscored) {
				fmt.Fprintf(&got, "unscored: %v\n", unscored)
				continue
			}
			require.NoError(t, err)
			fmt.Fprintf(&got, "%.4x\t%v\t%v\n", sha256.Sum256(fmt.Append(nil, e.Signals)),
				e.Final.Scores(), satisfaction.DefaultProfile().Estimate(e).Satisfaction)
		}
	}
	if flag.Lookup("update").Value.String() == "true" {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	data, err := os.ReadFile(golden)
	require.NoError(t, err)
	was := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		was[line] = true
	}
	moved := 0
	for line := range strings.Lines(got.String()) {
		if moved++; was[line] {
			moved--
		} else if moved <= 10 {
			t.Logf("now: %s", line)
		}
	}
	if moved > 0 || got.String() != string(data) {
		t.Errorf("%s: %d lines moved; if they should have, read them after -update", golden, moved)
	}
}
