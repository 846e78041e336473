package importer

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	transcripts = "../../../testdata/transcripts"

	shareGPT dialogue.Format = "sharegpt"
	convoKit dialogue.Format = "convokit"
)

// dump reads a stream and returns everything read from it, one line per dialogue, turn or error.
func dump(r io.Reader, name string, opt Options) string {
	var b strings.Builder
	for s, err := range Read(r, name, opt) {
		if err != nil {
			fmt.Fprintf(&b, "! %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%s %d", s.Source.Format, s.Dialogue.ID)
		if s.Source.ID != "" {
			fmt.Fprintf(&b, " (%s)", s.Source.ID)
		}
		fmt.Fprintf(&b, " at %d:", s.Source.Line)
		for _, p := range s.Source.Speakers {
			fmt.Fprintf(&b, " %s=%s*%d", p.Name, p.Role, p.Turns)
		}
		if !s.Truth.Empty() {
			fmt.Fprintf(&b, " truth %v %v %q", s.Truth.Overall, s.Truth.Turns, s.Truth.Labels)
		}
		if s.Source.Meta != nil {
			fmt.Fprintf(&b, " meta %q", s.Source.Meta)
		}
		b.WriteByte('\n')
		for _, t := range s.Dialogue.Turns {
			fmt.Fprintf(&b, "  %s %q\n", t.Role, t.Text)
		}
	}
	return b.String()
}

// readCase is an input and the expected dump.
type readCase struct {
	reason string
	in     string
	opt    Options
	want   string
}

// runReadCases checks each case with the whole stream at once and byte by byte.
func runReadCases(t *testing.T, format dialogue.Format, cases []readCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.reason, func(t *testing.T) {
			require.NotEmpty(t, c.reason, "a case must say why it is here")
			want := strings.TrimPrefix(c.want, "\n")
			assert.Equal(t, want, dump(strings.NewReader(c.in), "f", c.opt))
			assert.Equal(t, want, dump(iotest.OneByteReader(strings.NewReader(c.in)), "f", c.opt),
				"byte by byte")
			if c.opt.Format == stream.Auto {
				c.opt.Format = format
				assert.Equal(t, want, dump(strings.NewReader(c.in), "f", c.opt),
					"with the format asked for")
			}
		})
	}
}

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(transcripts, "*"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 14)
	var all strings.Builder
	for _, name := range files {
		in, err := os.Open(name)
		require.NoError(t, err)
		defer in.Close()
		opt := Options{}
		if filepath.Base(name) == "whatsapp.txt" {
			opt.SystemNames = []string{"brightline  MOBILE"}
		}
		fmt.Fprintf(&all, "== %s\n%s", filepath.Base(name), dump(in, filepath.Base(name), opt))
	}
	golden := filepath.Join("testdata", "transcripts.golden")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(all.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), all.String())
	assert.NotContains(t, all.String(), "\n! ", "our own transcripts are sound")
}

// TestUSSSets reads the complete research sets, whose sizes are published.
func TestUSSSets(t *testing.T) {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: the rated research sets are NOT read")
	}
	for _, set := range []struct {
		name                 string
		dialogues, utterance int
	}{{"CCPE", 400, 9574}, {"MWOZ", 800, 17588}, {"ReDial", 800, 17062}, {"SGD", 800, 20414}} {
		t.Run(set.name, func(t *testing.T) {
			in, err := os.Open(filepath.Join(shared, "data", "uss", set.name+".txt"))
			require.NoError(t, err)
			defer in.Close()
			n, turns := 0, 0
			for s, err := range Read(in, set.name, Options{}) {
				require.NoError(t, err)
				n++
				turns += len(s.Dialogue.Turns)
				assert.Equal(t, USS, s.Source.Format)
				assert.Equal(t, n, s.Dialogue.ID)
				assert.GreaterOrEqual(t, len(s.Truth.Overall), 3,
					"three or more people rated every session")
				assert.Len(t, s.Truth.Turns, len(s.Dialogue.Turns))
				for _, turn := range s.Dialogue.Turns {
					assert.NotEqual(t, "OVERALL", turn.Text, "ratings are no turn")
					assert.NotContains(t, turn.Text, "\t",
						"ratings and labels never land in a turn")
				}
			}
			assert.Equal(t, set.dialogues, n)
			assert.Equal(t, set.utterance, turns)
		})
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ reason, in, want string }{
		{"empty file", "", "! f: holds no dialogue\n"},
		{"nothing but white space", " \n\n\t\n", "! f: holds no dialogue\n"},
		{"only a byte-order mark", "\xef\xbb\xbf", "! f: holds no dialogue\n"},
		{"only an empty list", "[]", "! f: holds no dialogue\n"},
		{"a letter", "Dear all,\nthis is a letter.\nYours\n", "! f: the format is not " +
			"recognised, since no line begins a turn; begin every turn " +
			"with a speaker and a colon, such as \"Agent:\" or \"Customer:\", even if " +
			"the words are on the next line\n"},
		{"an office document", "PK\x03\x04rest", "! f: the workbook or archive is damaged or " +
			"cut off: zip: not a valid zip file\n"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			assert.Equal(t, c.want, dump(strings.NewReader(c.in), "f", Options{}))
		})
	}
	names := strings.ReplaceAll(strings.Trim(fmt.Sprint(Formats()), "[]"), " ", ", ")
	assert.Equal(t, "! f: unknown format \"xml\"; want one of "+names+"\n",
		dump(strings.NewReader("Agent: hi"), "f", Options{Format: "xml"}))
}

func TestFormats(t *testing.T) {
	all := Formats()
	assert.Greater(t, len(all), 25)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all),
		"no name is there twice")
	assert.NotContains(t, all, stream.AnyJSON)
	all[0] = "changed"
	assert.Equal(t, USS, Formats()[0], "the list is a copy")
	for _, format := range Formats() {
		got := dump(strings.NewReader(""), "f", Options{Format: format})
		assert.Equal(t, "! f: holds no dialogue\n", got, string(format))
	}
}

func TestReadStops(t *testing.T) {
	for _, in := range []string{
		"USER\ta\n\nUSER\tb\n\nUSER\tc\n",
		"Agent: a\n===\nAgent: b\n===\nAgent: c\n",
		"[10:00] Agent: a\n===\n[10:00] Agent: b\n",
		"id,role,text\n1,user,a\n2,user,b\n3,user,c\n",
		`{"messages":[]}` + "\n" + `{"messages":[]}` + "\n{\n",
		`[{"messages":[]},{"messages":[]}]`,
		"x\ty\n\nUSER\ta\n\nUSER\tb\n",
	} {
		n := 0
		for range Read(strings.NewReader(in), "f", Options{}) {
			n++
			break
		}
		assert.Equal(t, 1, n, in)
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("USER\tone\n\nUSER\ttwo\n\nUSER\tthr"),
		iotest.ErrReader(broken))
	var texts []string
	var last error
	for s, err := range Read(in, "f", Options{}) {
		require.NoError(t, last, "an error of the stream is the last thing")
		if last = err; err == nil {
			texts = append(texts, s.Dialogue.Turns[0].Text)
		}
	}
	assert.Equal(t, []string{"one", "two"}, texts,
		"the dialogue that was cut off is not read as if it were whole")
	assert.ErrorIs(t, last, broken)
	var syntax *SyntaxError
	assert.False(t, errors.As(last, &syntax))
}

func TestSyntaxError(t *testing.T) {
	var got *SyntaxError
	for _, err := range Read(strings.NewReader("USER\thi\nNORA\thello\n"), "calls.txt", Options{}) {
		require.ErrorAs(t, err, &got)
	}
	require.NotNil(t, got)
	assert.Equal(t,
		SyntaxError{File: "calls.txt", Line: 2, Position: 1, Msg: `unknown speaker "NORA"`,
			Hint:     `say who it is with --role-map "NORA=system" (or =user, =other)`,
			Speakers: []string{"NORA"}, Likely: "=system", Openings: []Opening{
				{Speaker: "USER", Text: "hi"}, {Speaker: "NORA", Text: "hello"}}},
		*got)
	assert.Equal(t,
		`calls.txt:2: dialogue 1: unknown speaker "NORA"; say who it is with --role-map `+
			`"NORA=system" (or =user, =other)`, got.Error())
}

func BenchmarkReadUSS(b *testing.B) {
	session, err := os.ReadFile(filepath.Join(transcripts, "uss.txt"))
	require.NoError(b, err)
	data := bytes.Repeat(append(session, '\n'), 500)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range Read(bytes.NewReader(data), "uss.txt", Options{}) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		b.ReportMetric(float64(n), "dialogues/op")
	}
}
