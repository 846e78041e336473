package dialogue

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// metaOf reads a stream and returns the metadata of each dialogue.
func metaOf(t *testing.T, in string) (all []Meta) {
	for s, err := range Read(strings.NewReader(in), "f", Options{}) {
		require.NoError(t, err)
		all = append(all, s.Source.Meta)
	}
	return all
}

func TestMetaOfRows(t *testing.T) {
	for _, c := range []struct {
		reason, in string
		want       []Meta
	}{
		{"a column counts where all rows that say anything agree", "id,role,text,Agent,queue,time\n1,user,a,,billing,10:00\n1,agent,b,Ann,billing,10:01\n2,user,c,Bo,x,\n2,agent,d,Bo,y,\n",
			[]Meta{{{"Agent", "Ann"}, {"queue", "billing"}}, {{"Agent", "Bo"}}}},
		{"a dialogue does not inherit from the one before", "id,role,text,agent\n1,user,a,Ann\n2,user,b,\n3,user,c,Bo\n", []Meta{{{"agent", "Ann"}}, nil, {{"agent", "Bo"}}}},
		{"an empty id goes on, and so does the agreement", "id,role,text,agent\n1,user,a,Ann\n,agent,b,Bo\n", []Meta{nil}},
		{"ratings and labels never count, whether or not the reader takes them", "id,role,text,rating,csat,NPS score,QA_Grade,userRating,intent label,CSATComment,agent\n1,user,a,4,5,9,B,5,x,bad,Ann\n",
			[]Meta{{{"agent", "Ann"}}}},
		{"words that only look like ratings do", "id,role,text,operating system,integration,upgrade,scoreboard\n1,user,a,Linux,web,yes,on\n",
			[]Meta{{{"integration", "web"}, {"operating system", "Linux"}, {"scoreboard", "on"},
				{"upgrade", "yes"}}}},
		{"nor does more text", "id,role,text,translated_text,Subject,message type\n1,user,a,b,c,d\n", []Meta{{{"message type", "d"}}}},
		{"quoted names, names twice, and a column without a name", "id;role;text;\"Bot version\";;v;v\n1;user;a;2.4;x;1;2\n", []Meta{{{"Bot version", "2.4"}}}},
		{"an utterance a line, with and without meta", `{"id":"u1","conversation_id":"c","speaker":"user","text":"a","reply-to":null,"timestamp":1,"meta":{"agent":"Ann","n":2,"rating":5,"deep":{"x":1}}}` + "\n" +
			`{"id":"u2","conversation_id":"c","speaker":"agent","text":"b","reply-to":"u1","timestamp":2,"bot":true,"meta":{"agent":"Ann"}}`, []Meta{{{"agent", "Ann"}, {"bot", "true"}, {"n", "2"}}}},
		{"a message a line", `{"conversation_id":"1","role":"user","content":"a","channel":"web"}` + "\n" + `{"conversation_id":"1","role":"assistant","content":"b","model":"m-2"}`,
			[]Meta{{{"channel", "web"}, {"model", "m-2"}}}},
	} {
		t.Run(c.reason, func(t *testing.T) { assert.Equal(t, c.want, metaOf(t, c.in)) })
	}
}

func TestMetaOfObjects(t *testing.T) {
	for _, c := range []struct {
		reason, in string
		want       Meta
	}{
		{"plain members and the metadata of messages", `{"id":4,"Agent":"Ann","vip":false,"n":1e3,"none":null,"list":[1],"rating":5,"messages":[],"metadata":{"queue":"billing","score":3,"Agent":"Bo"}}`,
			Meta{{"Agent", "Ann"}, {"n", "1e3"}, {"queue", "billing"}, {"vip", "false"}}},
		{"ShareGPT has its prompt beside the conversation", `{"id":"x","system":"Be brief.","model":"m-1","conversations":[{"from":"human","value":"a"}]}`, Meta{{"model", "m-1"}}},
		{"a contact, its customer and its attributes", `{"ContactId":"c","Channel":"CHAT","CustomerMetadata":{"ContactId":"c","InstanceId":"i"},"Attributes":{"queue":"q","csat":"5"},"Transcript":[]}`,
			Meta{{"Channel", "CHAT"}, {"InstanceId", "i"}, {"queue", "q"}}},
		{"a ticket with names, channel and fields by number or title", `{"id":5,"requester_id":1,"subject":"s","description":"d","priority":"high","assignee":{"id":2,"name":"Ann"},"via":{"channel":"email"},"satisfaction_rating":"good",` +
			`"custom_fields":[{"id":360,"value":"gold"},{"title":"Queue","value":"billing"},{"id":361,"value":null}],"comments":[]}`,
			Meta{{"360", "gold"}, {"Queue", "billing"}, {"assignee", "Ann"}, {"channel", "email"},
				{"priority", "high"}}},
		{"a ticket in an envelope, with fields by name", `{"count":1,"ticket":{"id":5,"fields":{"queue":"q"}},"comments":[]}`, Meta{{"queue", "q"}}},
		{"a conversation of Intercom", `{"type":"conversation","id":"8","title":"t","priority":"not_priority","custom_attributes":{"plan":"pro","CSAT":4},"source":{"type":"email","body":"","author":{"type":"user","id":"u"}}}`,
			Meta{{"plan", "pro"}, {"priority", "not_priority"}, {"source", "email"}}},
	} {
		t.Run(c.reason, func(t *testing.T) { assert.Equal(t, []Meta{c.want}, metaOf(t, c.in)) })
	}
	assert.Equal(t, []Meta{nil}, metaOf(t, "Agent: Hello\nCustomer: Hi\n"),
		"plain text has nothing besides")
}

func TestNewMetaIsBounded(t *testing.T) {
	var many []Field
	for i := range 100 {
		many = append(many, Field{fmt.Sprintf("n%02d", 99-i), "v"})
	}
	m := NewMeta(many)
	require.Len(t, m, MaxFields)
	assert.Equal(t, Field{"n68", "v"}, m[0], "those that come first in the source are kept")
	long := NewMeta(
		[]Field{{"a" + strings.Repeat("é", 50), strings.Repeat("語", 100) + " x"},
			{" b ", " \x00\xff "}, {"c", " "}, {"", "d"}, {"b", "again"}})
	require.Len(t, long, 2)
	assert.Equal(t, "a"+strings.Repeat("é", 31), long[0].Name, "63 bytes: half a sign is none")
	assert.Equal(t, strings.Repeat("語", 85), long[0].Value)
	assert.Equal(t, Field{"b", "\uFFFD"}, long[1])
	assert.Equal(t, long, NewMeta(long), "what is within the bounds stays as it is")
}

func TestMetaValue(t *testing.T) {
	m := NewMeta([]Field{{"Agent", "Ann"}, {"agent", "Bo"}, {"Queue", "q"}})
	for name, want := range map[string]string{"Agent": "Ann", "agent": "Bo", "AGENT": "Ann",
		"queue": "q", "chan": ""} {
		got, ok := m.Value(name)
		assert.Equal(t, want, got, name)
		assert.Equal(t, want != "", ok, name)
	}
}

// checkMeta checks what holds for every dialogue's metadata.
func checkMeta(t *testing.T, m Meta) {
	if len(m) > MaxFields {
		t.Fatalf("%d fields", len(m))
	}
	for i, f := range m {
		if len(f.Name) > MaxFieldName || len(f.Value) > MaxFieldValue || f.Name == "" ||
			f.Value == "" {
			t.Fatalf("%q", f)
		}
		if !utf8.ValidString(f.Name+f.Value) || strings.ContainsRune(f.Name+f.Value, 0) {
			t.Fatalf("%q", f)
		}
		if i > 0 && m[i-1].Name >= f.Name {
			t.Fatalf("%q after %q", f, m[i-1])
		}
	}
}

// FuzzNewMeta makes fields from the lines of a text: a name, a tab and a value.
func FuzzNewMeta(f *testing.F) {
	f.Add("agent\tAnn\nqueue\t" + strings.Repeat("é", 200))
	f.Add(strings.Repeat("a\xff", 40) + "\tx\n\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		var fields []Field
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(line, "\t")
			fields = append(fields, Field{name, value})
		}
		m := NewMeta(fields)
		checkMeta(t, m)
		if again := NewMeta(m); !assert.ObjectsAreEqual(m, again) {
			t.Fatalf("%q and then %q", m, again)
		}
	})
}

func TestAsideFile(t *testing.T) {
	seen := map[string]bool{}
	data, err := wordFiles.ReadFile("aside.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, word, ok := strings.Cut(line, " ")
		require.True(t, ok, line)
		assert.Contains(t, []string{"judgement", "text"}, kind, line)
		assert.Equal(t, foldColumn(word), word, "a word is folded")
		assert.False(t, seen[line], "%q stands twice", line)
		seen[line] = true
		assert.True(t, setAside(word), line)
	}
	for _, name := range columnWords()[uses[ratingColumn]] {
		assert.True(t, setAside(name), "%s is a column of ratings", name)
	}
}
