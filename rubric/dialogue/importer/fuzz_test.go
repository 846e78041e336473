package importer

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/stream"
)

// laws checks what holds for every stream, however broken: texts and names are UTF-8 without NUL;
// every dialogue, broken or not, has turns and a later position; parallel lists have the same
// length; no text is invented or duplicated; and any error but the last is a SyntaxError of this
// file.
func laws(t *testing.T, data []byte, opt Options) {
	position, size := 0, 0
	var last error
	for s, err := range Read(bytes.NewReader(data), "f", opt) {
		if last != nil {
			t.Fatalf("after the last error came %v, %v", s, err)
		}
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			if syntax.File != "f" || syntax.Msg == "" || syntax.Line < 0 ||
				!utf8.ValidString(err.Error()) {
				t.Fatalf("%#v", syntax)
			}
			if syntax.Position == 0 {
				last = err
			} else if syntax.Position <= position {
				t.Fatalf("position %d after %d", syntax.Position, position)
			} else {
				position = syntax.Position
			}
			continue
		}
		if last = err; err != nil {
			continue
		}
		if s.Source.Position <= position || s.Dialogue.ID < 1 || len(s.Dialogue.Turns) == 0 {
			t.Fatalf("position %d, id %d after %d", s.Source.Position, s.Dialogue.ID, position)
		}
		position = s.Source.Position
		size += checkSample(t, s)
	}
	if position == 0 && last == nil {
		t.Fatal("neither a dialogue nor an error")
	}
	if limit := 3*len(data) + 16; size > limit && !bytes.HasPrefix(data, []byte("\x1f\x8b")) &&
		!bytes.HasPrefix(data, []byte(stream.ZipMagic)) {
		t.Fatalf("%d bytes of text out of %d", size, len(data))
	}
}

// checkSample checks the laws for one dialogue and returns the length of its texts.
func checkSample(t *testing.T, s dialogue.Sample) (size int) {
	n := len(s.Dialogue.Turns)
	if tr := s.Truth; tr.Turns != nil && len(tr.Turns) != n ||
		tr.Labels != nil && len(tr.Labels) != n {
		t.Fatalf("%d turns, truth %v", n, tr)
	}
	sound := func(text string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			t.Fatalf("%q", text)
		}
	}
	for _, turn := range s.Dialogue.Turns {
		sound(turn.Text)
		size += len(turn.Text)
	}
	if m := s.Source.Meta; !slices.Equal(m, dialogue.NewMeta(m)) {
		t.Fatalf("metadata %q", m)
	}
	sound(s.Source.ID)
	named := 0
	for _, p := range s.Source.Speakers {
		sound(p.Name)
		named += p.Turns
	}
	if named > n || s.Source.Format == stream.Auto || s.Source.Format == stream.AnyJSON {
		t.Fatalf("%d turns, source %+v", n, s.Source)
	}
	return size
}

// fuzz seeds a format with our transcripts and a few broken inputs.
func fuzz(f *testing.F, format dialogue.Format, seeds ...string) {
	for _, s := range seeds {
		if data, err := os.ReadFile(filepath.Join(transcripts, s)); err == nil {
			f.Add(data, "")
			f.Add(data[:len(data)*2/3], "Brightline Mobile")
		} else {
			f.Add([]byte(s), "Priya")
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, system string) {
		opt := Options{Format: format}
		if system != "" {
			opt.SystemNames = []string{system}
		}
		laws(t, data, opt)
	})
}

func FuzzReadAuto(f *testing.F) {
	fuzz(f, stream.Auto, "parcel.txt", "bot.json", "uss.txt", "\xff\xfea\x00", "\x1f\x8b\x08\x00", "{",
		"[1,2]", "\x00\x00\x00\x00", "\f")
}

// FuzzReadMisread reads files of kinds that were once misread, also with a condition.
func FuzzReadMisread(f *testing.F) {
	all, err := txtar.ParseFile(filepath.Join("testdata", "misread.txtar"))
	require.NoError(f, err)
	for _, file := range all.Files {
		f.Add(file.Data, "messages[].type=!a,b*")
	}
	f.Add([]byte("Agent: a\n+44 (0) 1: b!\n# c\nA, B: d. TERMINATE\n---\nme: e\n"), "a=b")
	f.Fuzz(func(t *testing.T, data []byte, condition string) {
		laws(t, data, Options{})
		laws(t, data, Options{Columns: map[string]string{"id": "none", "where": condition,
			"speaker": "messages[].role", "text": "messages[].content"}})
	})
}

func FuzzReadUSS(f *testing.F) {
	fuzz(f, USS, "uss.txt", "USER\t\xff\t\t1,2\nUSER\tOVERALL\t\t\nUSER\tx", "USER\ta\t\t-1e3\n")
}

func FuzzReadPlain(f *testing.F) {
	fuzz(f, Plain, "parcel.txt", "injection.txt", "**A:** b\n---\nC: d\n=== 5 ===\nC:\n",
		"Priya:a\nTom :b\n\r\rPriya:",
		"Agent: a\n- **Client:** b\n1. Agent: c\n```\nUser: d\n```\nUser: e\n", "> - Agent: a\n"+
			"> - User: None\n~~~\nUser: b\n~~~~")
}

func FuzzReadChat(f *testing.F) {
	fuzz(f, Chat, "whatsapp.txt", "helpdesk.txt", "10:00 A: b\n[1/1/1, 10:00] C:\u200ex\n---\n[",
		"17. 6. 20. 오후 8:28, A : <a: b>\n20.6.17, 8:28 Uhr - B: a.b (file attached) <This "+
			"message was edited>\n")
}

func FuzzReadSubtitles(f *testing.F) {
	fuzz(f, stream.Subtitles,
		"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Priya>a</v> <v.x Tom>b &amp; c\n\n1\n00:00:03,"+
			"000 --> 00:00:04,0\nTom: d\n",
		"WEBVTT\n\n00:01.000 --> 00:02.000\nAgent: a\n- <v >\x00\x01b")
}

func FuzzReadMail(f *testing.F) {
	fuzz(f, stream.Mail,
		"From a b 2024\nFrom: Tom <t@x.example>\nSubject: =?utf-8?q?a=C3?=\nDate: Thu, 13 Jun "+
			"2024 09:12:44 +0000\n"+
			"Message-ID: <1>\n\nhi\n\nFrom a b 2024\nFrom: help@y.example\nIn-Reply-To: <1>\n"+
			"Content-Type: multipart/mixed; boundary=b\n\n"+
			"--b\nContent-Type: text/html; charset=latin1\nContent-Transfer-Encoding: base64\n\n"+
			"PGI+eA==\n--b--\n",
		"From: Tom <t@x.example>\nTo: a@b.example\nSubject: b\n\nHi\nOn a, b wrote:\n> c\n\nd\n"+
			"-- \ne\n> f\ng\n> h\n")
}

func FuzzReadTable(f *testing.F) {
	fuzz(f, stream.Table, "support.csv",
		"id;role;text;turn;rating\n1;user;\"a\"\"\n\";NaN;1,2\n;agent;b;-1;\n1;x\n", "role\ttext"+
			"\nuser\t\"\n", "id,role,text,agent,queue\n1,user,a,Ann,\n1,agent,b,,\xff\n2,user,c,"+
			"\"B\no\",x\n",
		"Ticket No,Author,Comment,Created\nA-1,agent,hi there,03/04/2024 10:00\nA-1,customer,"+
			"hello,03/05/24 9:00 pm\nA-1,agent,x y,4.5.24\n",
		"tweet_id,inbound,text,response_tweet_id,in_response_to_tweet_id\n1,True,a b,\"2,3\",\n"+
			"2,False,b c,,1\n3,False,c d,,1\n",
		"id,updated_at,author_type,conversation_id,body\n1,2024-05-01,user,7,a b\n1,2024-05-02,"+
			"user,7,a c\n2,2024-05-01,admin,7,d\n2,,admin,7,d\n",
		"prompt,chosen,rejected\na b,c d,e f\n", "id,role,text,time\n1,user,CafÃ©,2024-10-27 "+
			"02:50\n1,agent,b,2024-10-27 02:10\n",
		"ref,Agent,log\n1,Ann,\"Ann: a\nTom - 10:15\nb\"\n2,Bo,<p>Bo: a<br>( 5s ) Tom: b\n3,Cy,"+
			"agent: a | customer: b\n")
}

// FuzzReadRecords reads tables whose rows are records of a log, or whose columns have dotted names.
func FuzzReadRecords(f *testing.F) {
	fuzz(f, stream.Table,
		"span_kind,llm.input_messages.0.message.role,llm.input_messages.0.message.content\nLLM,"+
			"user,a\nLLM,b\n",
		"context.trace_id,llm.input_messages,llm.output_messages.9.message.content\n1,"+
			"\"[{\"\"message.role\"\":\"\"user\"\"}]\",&amp;\n",
		"id,timestamp,sessionId,input,output\n1,2,3,\"{\"\"messages\"\":[{\"\"role\"\":\"\"user\""+
			"\",\"\"content\"\":\"\"a\"\"}]}\",<think>x\n",
		"prompt,completion\n\"Human: a\n\nAssistant: b\n\nHuman: c\n\nAssistant:\","+
			"\"{\"\"role\"\":1}\"\n")
}

func FuzzReadMessages(f *testing.F) {
	fuzz(f, stream.OpenAI, "bot.json", "sharegpt.json", `[[{"role":"user","content":["\ud800"]}]]`,
		`{"data":[{"messages":`, `{"role":"user"}`+"\n"+`{"role":`)
}

func FuzzReadConnect(f *testing.F) {
	fuzz(f, "connect", "connect.json", `{"transcript":[{"content":1}]}`)
}

func FuzzReadZendesk(f *testing.F) {
	fuzz(f, "zendesk", "zendesk.json",
		`{"comments":[{"author_id":1,"html_body":"<p><!--"}],"users":[{"id":1}]}`)
}

func FuzzReadIntercom(f *testing.F) {
	fuzz(f, "intercom", "intercom.json", `{"source":{"body":"<script>"},"conversation_parts":[{}]}`)
}

// FuzzReadLayout reads JSON as every format that is defined by a layout.
func FuzzReadLayout(f *testing.F) {
	for name, data := range samples(f) {
		f.Add(data, uint8(slices.Index(formats.Names(), name)), "")
		f.Add(data[:len(data)*2/3], uint8(0), "a[].b")
	}
	f.Add([]byte(
		`{"a":[{"b":1e999,"c":[[[]]]},{"b":"{\"c\":[1]}"}],"mapping":{"x":{"parent":"x"}},`+
			`"current_node":"x"}`), uint8(1), "a[].b.c[]")
	f.Fuzz(func(t *testing.T, data []byte, n uint8, place string) {
		laws(t, data, Options{Format: formats.Names()[int(n)%len(formats.Names())]})
		laws(t, data,
			Options{Format: stream.AnyJSON,
				Columns: map[string]string{"text": place, "speaker": "a[].b", "id": place}})
	})
}

func FuzzReadConvoKit(f *testing.F) {
	fuzz(f, convoKit, "convokit.jsonl", `{"root":1,"speaker":{"id":2},"text":"a"}`+"\n[]\n\"x\"",
		`{"root":1,"speaker":"user","text":"a","bot":true,"meta":{"agent":"Ann","rating":3}}`)
}

// FuzzReadWorkbook reads workbooks whose parts are well-formed XML with invalid content.
func FuzzReadWorkbook(f *testing.F) {
	const head = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>role</t></is><` +
		`/c><c r="B1" t="str"><v>text</v></c></row>`
	f.Add(head+`<row r="2"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row></sheetData></workshe`+
		`et>`, `<sst><si><t>user</t></si><si><r><t>hi</t></r></si></sst>`)
	f.Add(head+`<row r="9"><c r="ZZ1" s="7"><v>45000.5</v></c><c r="A9" `+
		`t="d"><v>x</v></c></row></sheetData>`, `<sst count="-1"/>`)
	f.Fuzz(func(t *testing.T, sheet, shared string) {
		var data bytes.Buffer
		w := zip.NewWriter(&data)
		for _, part := range [][2]string{
			{"[Content_Types].xml", `<Types/>`},
			{"xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocu` +
				`ment/2006/relationships">` +
				`<sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`},
			{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" ` +
				`Target="worksheets/sheet1.xml"/></Relationships>`},
			{"xl/worksheets/sheet1.xml", sheet}, {"xl/sharedStrings.xml", shared},
		} {
			out, err := w.Create(part[0])
			if err == nil {
				_, err = out.Write([]byte(part[1]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		laws(t, data.Bytes(), Options{})
	})
}
