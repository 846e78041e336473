package importer

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

const greeting = "Agent: £5, naïve 🎉\nCustomer: ok\n"

const greetingWant = "plain 1 at 1: Agent=SYSTEM*1 Customer=USER*1\n  SYSTEM \"£5, naïve 🎉\"\n  " +
	"USER \"ok\"\n"

func gzipped(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, s)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// utf16Bytes encodes s, high byte first if big.
func utf16Bytes(s string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		hi, lo := byte(u>>8), byte(u)
		if !big {
			hi, lo = lo, hi
		}
		b.WriteByte(hi)
		b.WriteByte(lo)
	}
	return b.String()
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ reason, in, want string }{
		{"UTF-8", greeting, greetingWant},
		{"UTF-8 with a mark", "\xef\xbb\xbf" + greeting, greetingWant},
		{"UTF-16 LE with a mark", "\xff\xfe" + utf16Bytes(greeting, false), greetingWant},
		{"UTF-16 BE with a mark", "\xfe\xff" + utf16Bytes(greeting, true), greetingWant},
		{"UTF-16 LE without a mark", utf16Bytes(greeting, false), greetingWant},
		{"UTF-16 BE without a mark", utf16Bytes(greeting, true), greetingWant},
		{"CR alone", strings.ReplaceAll(greeting, "\n", "\r"), greetingWant},
		{"zstd", "\x28\xb5\x2f\xfd\x00",
			"! f: this is compressed with zstd; unpack it, or compress it with gzip\n"},
		{"gzip", string(gzipped(t, greeting)), greetingWant},
		{"gzip of UTF-16 with CRLF",
			string(gzipped(t, "\xff\xfe"+
				utf16Bytes(strings.ReplaceAll(greeting, "\n", "\r\n"), false))), greetingWant},
		{"two gzip members", string(gzipped(t, greeting[:10])) + string(gzipped(t, greeting[10:])),
			greetingWant},
		{"CRLF", strings.ReplaceAll(greeting, "\n", "\r\n"), greetingWant},
		{"invalid UTF-8", "Agent: é a\xffb\xc3\nCustomer: ok\n", "plain 1 at 1: Agent=SYSTEM*1 " +
			"Customer=USER*1\n  SYSTEM \"é a�b�\"\n  USER \"ok\"\n"},
		{"Windows-1252", "Agent: I\x92m here \xfcber 5 \x80\nCustomer: ok\n",
			"plain 1 at 1: Agent=SYSTEM*1 Customer=USER*1\n  SYSTEM \"I’m here über 5 €\"\n  " +
				"USER \"ok\"\n"},
		{"Windows-1252 from the first byte", "\xc9mil: Hi\nAgent: Caf\xe9?\n", "! f:1: " +
			"dialogue 1: unknown speaker \"Émil\"; say who it is with --role-map \"Émil=user\" " +
			"(or =system, =other)\n"},
		{"a lone surrogate in UTF-16", "\xfe\xff" + utf16Bytes("Agent: a", true) + "\xd8\x00" +
			utf16Bytes("b\n", true), "plain 1 at 1: Agent=SYSTEM*1\n  SYSTEM \"a�b\"\n"},
		{"an odd last byte in UTF-16", "\xfe\xff" + utf16Bytes("Agent: a", true) + "\x00",
			"plain 1 at 1: Agent=SYSTEM*1\n  SYSTEM \"a�\"\n"},
		{"gzip of other words than it says",
			string(gzipped(t, greeting)[:len(gzipped(t, greeting))-8]) +
				"\x00\x00\x00\x00\x00\x00\x00\x00", "! f: gzip: invalid checksum\n"},
		{"gzip that ends before anybody speaks", string(gzipped(t, "Nobody has")[:20]),
			"! f: gzip: unexpected EOF\n"},
		{"a broken gzip header", "\x1f\x8b\x00", "! f: gzip: unexpected EOF\n"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			assert.Equal(t, c.want, dump(strings.NewReader(c.in), "f", Options{}))
		})
	}
}

func TestTruncatedGzip(t *testing.T) {
	var in strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&in, "USER\tnumber %d %x\n\n", i, i*7919)
	}
	whole := gzipped(t, in.String())
	n := 0
	var last error
	for s, err := range Read(bytes.NewReader(whole[:len(whole)*2/3]), "f.gz", Options{}) {
		require.NoError(t, last)
		if last = err; err == nil {
			assert.Equal(t, fmt.Sprintf("number %d %x", n, n*7919), s.Dialogue.Turns[0].Text,
				"no dialogue is cut")
			n++
		}
	}
	assert.Greater(t, n, 1000)
	assert.ErrorIs(t, last, io.ErrUnexpectedEOF)
	assert.EqualError(t, last, "f.gz: gzip: unexpected EOF")
}

// TestLong reads one line of 10 MB (1 MB for two formats that share their reader with another) and
// one dialogue of 100,000 turns in every format that allows them.
func TestLong(t *testing.T) {
	line := strings.Repeat("lorem ipsum ", 10<<20/12)
	const n = 100_000
	repeat := func(s string) string { return strings.Repeat(s, n/2) }
	for _, c := range []struct{ reason, long, many string }{
		{"uss", "USER\t" + line + "\t\t3\n", repeat("USER\ta\t\t3\nSYSTEM\tb\t\t\n")},
		{"plain", "User: " + line + "\n", repeat("User: a\nAgent: b\n")},
		{"chat", "[10:00] User: " + line + "\n", repeat("[10:00] User: a\n[10:00] Agent: b\n")},
		{"table", "id,role,text\n1,user," + line + "\n", "id,role,text\n" +
			repeat("1,user,a\n1,agent,b\n")},
		{"openai", `{"messages":[{"role":"user","content":"` + line + `"}]}`, `{"messages":[` +
			repeat(`{"role":"user","content":"a"},{"role":"assistant","content":"b"},`) +
			`{"role":"system","content":""}]}`},
		{"rows", `{"role":"user","content":"` + line[:1<<20] + `"}`,
			repeat(`{"id":1,"role":"user","content":"a"}` + "\n" +
				`{"id":1,"role":"assistant","content":"b"}` + "\n")},
		{"convokit", `{"root":"1","speaker":"user","text":"` + line[:1<<20] + `"}`,
			repeat(`{"root":"1","speaker":"user","text":"a"}` + "\n" +
				`{"root":"1","speaker":"agent","text":"b"}` + "\n")},
	} {
		t.Run(c.reason, func(t *testing.T) {
			for s, err := range Read(strings.NewReader(c.long), "f", Options{MaxDialogue: 64}) {
				require.NoError(t, err)
				require.Len(t, s.Dialogue.Turns, 1)
				assert.Greater(t, len(s.Dialogue.Turns[0].Text), 1<<20-20)
			}
			dialogues := 0
			for s, err := range Read(strings.NewReader(c.many), "f", Options{MaxDialogue: 64}) {
				require.NoError(t, err)
				dialogues++
				require.Len(t, s.Dialogue.Turns, n)
				assert.Equal(t, n/2, s.Dialogue.Count(dialogue.User))
				assert.Equal(t, n/2, s.Source.Speakers[0].Turns)
			}
			assert.Equal(t, 1, dialogues)
		})
	}
}

// TestMonologue reads a call with a single speaker in a great many cues or segments, which are one
// turn.
func TestMonologue(t *testing.T) {
	const n = 50_000
	for _, in := range []string{
		"WEBVTT\n\n00:01.000 --> 00:02.000\nAgent: hi\n" +
			strings.Repeat("a word or two, and more and more of them\n", n),
		`{"segments":[{"speaker":"Agent","text":"hi","start":1}` +
			strings.Repeat(`,{"text":"a word or two","start":2}`, n) + "]}",
	} {
		for s, err := range Read(strings.NewReader(in), "f", Options{}) {
			require.NoError(t, err)
			require.Len(t, s.Dialogue.Turns, 1)
			assert.Greater(t, len(s.Dialogue.Turns[0].Text), n*len("a word or two"))
		}
	}
}

// TestTooLong checks the limits: exceeding them causes one error, and the other dialogue is read.
// The long line does not fit the buffers either.
func TestTooLong(t *testing.T) {
	most := stream.Limits{Text: 2 * stream.HeadSize, Turns: 100, Rows: 1000}
	huge := strings.Repeat("x", most.Text+1)
	each := func(s string) string { return strings.Repeat(s, most.Turns+1) }
	for _, c := range []struct{ reason, in string }{
		{"a line of uss", "USER\tok\n\nUSER\t" + huge + "\n"},
		{"rows of uss", each("USER\t\n") + "\nUSER\tok\n"},
		{"a line of text", "User: " + huge + "\n===\nUser: ok\n"},
		{"lines of text", "User: " + each(strings.Repeat("x", most.Text/most.Turns)+"\n") +
			"---\nUser: ok\n"},
		{"turns of text", each("User:\n") + "===\nUser: ok\n"},
		{"a cell", "id,role,text\n1,user,ok\n2,user,cut off\n3,user," + huge + "\n"},
		{"rows of a table", "id,role,text\n1,user,ok\n" + each("2,user,\n")},
		{"an element", `[{"messages":[{"role":"user","content":"ok"}]},{"messages":["` + huge +
			`"]}]`},
		{"a line of JSON", `{"messages":[]}` + "\n" + `{"messages":["` + huge + `"]}` + "\n" +
			`{"messages":[{"role":"user","content":"ok"}]}` + "\n"},
		{"messages", `[{"messages":[` + each(`{"role":"user","content":""},`) +
			`{}]},{"messages":[{"role":"user","content":"ok"}]}]`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var got string
			failed := 0
			for s, err := range readWithin(most, strings.NewReader(c.in), "f", Options{}) {
				var syntax *SyntaxError
				if err != nil {
					require.ErrorAs(t, err, &syntax)
					assert.Contains(t, syntax.Msg, "more than")
					failed++
				} else if len(s.Dialogue.Turns) > 0 {
					got += s.Dialogue.Turns[0].Text
				}
			}
			assert.Equal(t, 1, failed)
			assert.Equal(t, "ok", got)
		})
	}
}

func TestTooManyRows(t *testing.T) {
	most := stream.Limits{Text: 1 << 20, Turns: 100, Rows: 10}
	for in, want := range map[string]string{
		"id,role,text\n" + strings.Repeat("1,user,a\n", 11): "f: more than 10 rows that must be put in order; " +
			"split it between two conversations, or allow more with the setting max-dialogue",
		strings.Repeat(`{"session_id":"1","messages":[{"role":"user","content":"a"}]}`+"\n",
			5): "f: more requests than " +
			"can be compared; split it between two sessions, or allow more with the setting max-dialogue",
	} {
		var told []string
		for _, err := range readWithin(most, strings.NewReader(in), "f", Options{}) {
			require.Error(t, err)
			told = append(told, err.Error())
		}
		assert.Equal(t, []string{want}, told)
	}
}

// Rows of a conversation are put together even if chunks of others are between them.
func TestRowsInSeveralChunks(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,role,text\n")
	const chats = 1<<16 + 1
	for _, side := range []string{"user,where is ", "agent,here is "} {
		for i := range chats {
			fmt.Fprintf(&b, "c%d,%s%d\n", i, side, i)
		}
	}
	n := 0
	for s, err := range Read(strings.NewReader(b.String()), "f", Options{}) {
		require.NoError(t, err)
		require.Equal(t, []dialogue.Turn{
			{Role: dialogue.User, Text: fmt.Sprint("where is ", n)},
			{Role: dialogue.System, Text: fmt.Sprint("here is ", n)}}, s.Dialogue.Turns)
		n++
	}
	assert.Equal(t, chats, n)
}

// endless writes a head followed by the same dialogue over and over.
type endless struct {
	pending []byte
	body    []byte
	left    int
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.pending) == 0 {
		if e.left == 0 {
			return 0, io.EOF
		}
		e.left--
		e.pending = e.body
	}
	n := copy(p, e.pending)
	e.pending = e.pending[n:]
	return n, nil
}

// TestStreams reads far more than memory may hold.
func TestStreams(t *testing.T) {
	words := strings.Repeat("words and words ", 50)
	for _, c := range []struct{ reason, head, body string }{
		{"uss", "", "USER\t" + words + "\t\t3\nSYSTEM\t" + words + "\n\n"},
		{"plain", "", "User: " + words + "\nAgent: " + words + "\n=====\n"},
		{"a JSON array on one line", "[", `{"messages":[{"role":"user","content":"` + words +
			`"},{"role":"assistant","content":"` + words + `"}]},`},
		{"a wrapped array", `{"tickets":[` + "\n",
			`{"id":1,"requester_id":1,"comments":[{"author_id":1,"body":"` + words +
				`"},{"author_id":2,"body":"` + words + `"}]},` + "\n"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			const dialogues, most = 10_000, 6 << 20
			var stats runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&stats)
			before, n := stats.HeapAlloc, 0
			in := &endless{pending: []byte(c.head), body: []byte(c.body), left: dialogues}
			for s, err := range Read(in, "f", Options{}) {
				if n++; n > dialogues { // the array is never closed
					break
				}
				require.NoError(t, err)
				require.Len(t, s.Dialogue.Turns, 2)
				if n%2500 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&stats)
					assert.Less(t, stats.HeapAlloc, before+most, "after %d dialogues", n)
				}
			}
			assert.GreaterOrEqual(t, n, dialogues)
		})
	}
}

// TestSmallFiles checks the memory overhead of a file with one dialogue, since a folder may hold a
// hundred thousand.
func TestSmallFiles(t *testing.T) {
	const files = 100
	least := uint64(math.MaxUint64) // what other goroutines of the process allocate only adds
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range files {
			for _, err := range Read(strings.NewReader("USER: Hello?\nSYSTEM: Good morning.\n"), "f",
				Options{}) {
				require.NoError(t, err)
			}
		}
		runtime.ReadMemStats(&after)
		least = min(least, (after.TotalAlloc-before.TotalAlloc)/files)
	}
	assert.Less(t, least, uint64(128<<10), "bytes a file")
}
