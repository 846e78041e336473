package importer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
)

// samples returns our sample of every format that is defined by a layout.
func samples(t testing.TB) map[dialogue.Format][]byte {
	files, err := filepath.Glob(filepath.Join("testdata", "formats", "*.json*"))
	require.NoError(t, err)
	for _, name := range []string{"connect", "intercom", "zendesk"} {
		files = append(files, filepath.Join(transcripts, name+".json"))
	}
	files = append(files, filepath.Join(transcripts, "sharegpt.json"),
		filepath.Join(transcripts, "convokit.jsonl"))
	of := map[dialogue.Format][]byte{}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		of[dialogue.Format(name)], err = os.ReadFile(file)
		require.NoError(t, err)
	}
	return of
}

// formatOptions are the options needed to read samples whose formats do not identify the agent.
var formatOptions = map[dialogue.Format]Options{
	"discord":   {SystemNames: []string{"ada"}},
	"telegram":  {SystemNames: []string{"Otto Shoes"}},
	"teams":     {SystemNames: []string{"Sam Ott"}},
	"slack":     {SystemNames: []string{"Desk Otto"}},
	"fireflies": {SystemNames: []string{"Tom Berg"}},
	"gong":      {SystemNames: []string{"a12"}},
	"deepgram":  {Roles: map[string]dialogue.Role{"0": dialogue.System, "1": dialogue.User}},
	"whisperx": {Roles: map[string]dialogue.Role{"SPEAKER_00": dialogue.System,
		"speaker 01": dialogue.User}},
}

// TestLayouts reads a sample of every format, both detected and with the format set.
func TestLayouts(t *testing.T) {
	of := samples(t)
	for _, l := range formats.All() {
		t.Run(string(l.Format), func(t *testing.T) {
			data, opt := string(of[l.Format]), formatOptions[l.Format]
			require.NotEmpty(t, data, "a format has a sample in testdata/formats")
			got := dump(strings.NewReader(data), "f", opt)
			assert.NotContains(t, got, "\n! ", "our own samples are sound")
			for _, m := range append([]formats.Messages{l.Messages}, l.Turns...) {
				for _, role := range l.Roles {
					_, err := dialogue.ParseRole(role)
					assert.NoError(t, err)
				}
				assert.False(t, m.List != nil && m.Speaker == nil,
					"a list of messages has speakers")
			}
			golden := filepath.Join("testdata", "formats", string(l.Format)+".golden")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
			opt.Format = l.Format
			assert.Equal(t, got, dump(strings.NewReader(data), "f", opt),
				"with the format asked for")
		})
	}
}

// Signs are searched in one of each kind of element of a long list, and the whole list is read.
func TestSignsOfALongList(t *testing.T) {
	const said = `{"role":"user","content":"And this one?"},{"role":"assistant","content":"Yes."}`
	const often = 1000
	list := "[" + strings.Repeat(said+",", 2*often) + said + "]"
	events := strings.Repeat(`{"event":"typing","at":"2026-04-08 10:15:00"},`, 4*often)
	for s, err := range Read(strings.NewReader(`{"messages":[`+events+list[1:]+"}"),
		"a.json", Options{}) {
		require.NoError(t, err)
		assert.Len(t, s.Dialogue.Turns, 4*often+2, "with events above the first sign")
	}
	for _, text := range []string{list, `{"messages":` + list + "}"} {
		for s, err := range Read(strings.NewReader(text), "a.json", Options{}) {
			require.NoError(t, err)
			assert.Len(t, s.Dialogue.Turns, 4*often+2)
		}
	}
}
