package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// metaOf reads a stream and returns the metadata of each dialogue.
func metaOf(t *testing.T, in string) (all []dialogue.Meta) {
	for s, err := range Read(strings.NewReader(in), "f", Options{}) {
		require.NoError(t, err)
		all = append(all, s.Source.Meta)
	}
	return all
}

func TestMetaOfRows(t *testing.T) {
	for _, c := range []struct {
		reason, in string
		want       []dialogue.Meta
	}{
		{"a column counts where all rows that say anything agree", "id,role,text,Agent,queue," +
			"time\n1,user,a,,billing,10:00\n1,agent,b,Ann,billing,10:01\n2,user,c,Bo,x,\n2," +
			"agent,d,Bo,y,\n",
			[]dialogue.Meta{{{Name: "Agent", Value: "Ann"}, {Name: "queue", Value: "billing"}},
				{{Name: "Agent", Value: "Bo"}}}},
		{"a dialogue does not inherit from the one before",
			"id,role,text,agent\n1,user,a,Ann\n2,user,b,\n3,user,c,Bo\n",
			[]dialogue.Meta{{{Name: "agent", Value: "Ann"}}, nil, {{Name: "agent", Value: "Bo"}}}},
		{"an empty id goes on, and so does the agreement",
			"id,role,text,agent\n1,user,a,Ann\n,agent,b,Bo\n", []dialogue.Meta{nil}},
		{"the name of a system counts, and a prompt does not", `{"id":"1","system":"fern","messages":` +
			`[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}` + "\n" +
			`{"id":"2","system":"You are a helpful agent.","messages":` +
			`[{"role":"user","content":"a"},{"role":"assistant","content":"c"}]}`,
			[]dialogue.Meta{{{Name: "system", Value: "fern"}}, nil}},
		{"ratings and labels never count, whether or not the reader takes them",
			"id,role,text,rating,csat,NPS score,QA_Grade,userRating,intent label,CSATComment," +
				"agent\n1,user,a,4,5,9,B,5,x,bad,Ann\n",
			[]dialogue.Meta{{{Name: "agent", Value: "Ann"}}}},
		{"words that only look like ratings do", "id,role,text,operating system,integration," +
			"upgrade,scoreboard\n1,user,a,Linux,web,yes,on\n",
			[]dialogue.Meta{{{Name: "integration", Value: "web"},
				{Name: "operating system", Value: "Linux"},
				{Name: "scoreboard", Value: "on"},
				{Name: "upgrade", Value: "yes"}}}},
		{"nor does more text",
			"id,role,text,translated_text,Subject,message type\n1,user,a,b,c,d\n",
			[]dialogue.Meta{{{Name: "message type", Value: "d"}}}},
		{"quoted names, names twice, and a column without a name",
			"id;role;text;\"Bot version\";;v;v\n1;user;a;2.4;x;1;2\n",
			[]dialogue.Meta{{{Name: "Bot version", Value: "2.4"}}}},
		{"an utterance a line, with and without meta", `{"id":"u1","conversation_id":"c",` +
			`"speaker":"user","text":"a","reply-to":null,"timestamp":1,"meta":{"agent":"Ann",` +
			`"n":2,"rating":5,"deep":{"x":1}}}` + "\n" +
			`{"id":"u2","conversation_id":"c","speaker":"agent","text":"b","reply-to":"u1",` +
			`"timestamp":2,"bot":true,"meta":{"agent":"Ann"}}`,
			[]dialogue.Meta{{{Name: "agent", Value: "Ann"},
				{Name: "bot", Value: "true"}, {Name: "n", Value: "2"}}}},
		{"a message a line",
			`{"conversation_id":"1","role":"user","content":"a","channel":"web"}` + "\n" +
				`{"conversation_id":"1","role":"assistant","content":"b","model":"m-2"}`,
			[]dialogue.Meta{{{Name: "channel", Value: "web"}, {Name: "model", Value: "m-2"}}}},
	} {
		t.Run(c.reason, func(t *testing.T) { assert.Equal(t, c.want, metaOf(t, c.in)) })
	}
}

// TestMetaOfTheAgent checks that the columns that the user names are those of the agent and the
// queue in every shape.
func TestMetaOfTheAgent(t *testing.T) {
	for _, in := range []string{
		"id,text,Colleague,Desk\n1,\"Agent: a\nCustomer: b\nAgent: c\",Ann,North\n",
		"id,role,text,Colleague,Desk\n1,user,a,Ann,North\n1,agent,b,Ann,North\n",
		"id,question,answer,Colleague,Desk\n1,Is it open?,Yes it is.,Ann,North\n",
		`{"id":"1","Colleague":"Ann","Desk":"North","role":"user","text":"a"}` + "\n" +
			`{"id":"1","Colleague":"Ann","Desk":"North","role":"agent","text":"b"}`,
	} {
		opt := Options{Columns: map[string]string{"agent": "Colleague", "queue": "Desk"}}
		for s, err := range Read(strings.NewReader(in), "f", opt) {
			require.NoError(t, err)
			agent, _ := s.Source.Meta.Value("agent")
			assert.Equal(t, "Ann", agent, in)
			queue, _ := s.Source.Meta.Value("queue")
			assert.Equal(t, "North", queue, in)
		}
	}
}

// Who wrote a message names its speaker; the kind of its row, such as "answer", names nobody.
func TestPersonsBesideKinds(t *testing.T) {
	const asks, says = "When is my yearly service due this time?", "It is due in the second week of May."
	for _, c := range []struct{ in, want, note string }{
		{"Case ref,Written by,Kind of entry,Wording\n" +
			"1,Birgit Oehler,customer mail," + asks + "\n1,Marta Vogel,answer," + says + "\n" +
			"2,Hanne Solberg,customer mail," + asks + "\n2,Selin Aksoy,answer," + says + "\n",
			"Birgit Oehler, Marta Vogel, Hanne Solberg, Selin Aksoy",
			"speaker = Kind of entry + Written by"},
		{"Case ref,Written by,Direction,Wording\n" +
			"1,Birgit Oehler,from client," + asks + "\n1,Marta Vogel,from us," + says + "\n" +
			"1,Marta Vogel,backstage,Told her so.\n" +
			"2,Hanne Solberg,from client," + asks + "\n2,Selin Aksoy,from us," + says + "\n",
			"Birgit Oehler, Marta Vogel, Hanne Solberg, Selin Aksoy",
			"speaker = Direction + Written by"},
		{"Case ref,Kind of entry,Wording\n" +
			"1,customer mail," + asks + "\n1,answer," + says + "\n" +
			"2,customer mail," + asks + "\n2,answer," + says + "\n",
			"", "speaker = Kind of entry"},
	} {
		var notes, names []string
		opt := Options{Note: func(s string) { notes = append(notes, s) }}
		for s, err := range Read(strings.NewReader(c.in), "f", opt) {
			require.NoError(t, err)
			for _, v := range s.Source.Voices {
				names = append(names, v.Speaker)
			}
		}
		assert.Equal(t, c.want, strings.Join(names, ", "))
		assert.Contains(t, strings.Join(notes, "; "), c.note)
	}
}

func TestMetaOfObjects(t *testing.T) {
	for _, c := range []struct {
		reason, in string
		want       dialogue.Meta
	}{
		{"plain members and the metadata of messages", `{"id":4,"Agent":"Ann","vip":false,` +
			`"n":1e3,"none":null,"list":[1],"rating":5,"messages":[{"role":"user","content":"a"}],` +
			`"metadata":{"queue":"billing","score":3,"Agent":"Bo"}}`,
			dialogue.Meta{{Name: "Agent", Value: "Ann"}, {Name: "n", Value: "1e3"},
				{Name: "queue", Value: "billing"}, {Name: "vip", Value: "false"}}},
		{"ShareGPT has its prompt beside the conversation", `{"id":"x","system":"Be brief.",` +
			`"model":"m-1","conversations":[{"from":"human","value":"a"}]}`,
			dialogue.Meta{{Name: "model", Value: "m-1"}}},
		{"a contact, its customer and its attributes", `{"ContactId":"c","Channel":"CHAT",` +
			`"CustomerMetadata":{"ContactId":"c","InstanceId":"i"},"Attributes":{"queue":"q",` +
			`"csat":"5"},"Transcript":[{"ParticipantRole":"AGENT","Content":"a"}]}`,
			dialogue.Meta{{Name: "Channel", Value: "CHAT"}, {Name: "InstanceId", Value: "i"},
				{Name: "queue", Value: "q"}}},
		{"a ticket with names, channel and fields by number or title",
			`{"id":5,"requester_id":1,"subject":"s","description":"d","priority":"high",` +
				`"assignee":{"id":2,"name":"Ann"},"via":{"channel":"email"},` +
				`"satisfaction_rating":"good",` +
				`"custom_fields":[{"id":360,"value":"gold"},{"title":"Queue","value":"billing"},` +
				`{"id":361,"value":null}],"comments":[{"author_id":1,"body":"a"}]}`,
			dialogue.Meta{{Name: "360", Value: "gold"}, {Name: "Queue", Value: "billing"},
				{Name: "assignee", Value: "Ann"},
				{Name: "channel", Value: "email"},
				{Name: "priority", Value: "high"}}},
		{"a ticket in an envelope, with fields by name",
			`{"count":1,"ticket":{"id":5,"fields":{"queue":"q"},"requester_id":1},"comments":[{"author_id":1,"body":"a"}]}`,
			dialogue.Meta{{Name: "queue", Value: "q"}}},
		{"a conversation of Intercom", `{"type":"conversation","id":"8","title":"t",` +
			`"priority":"not_priority","custom_attributes":{"plan":"pro","CSAT":4},` +
			`"source":{"type":"email","body":"a","author":{"type":"user","id":"u"}}}`,
			dialogue.Meta{{Name: "plan", Value: "pro"}, {Name: "priority", Value: "not_priority"},
				{Name: "source", Value: "email"}}},
	} {
		t.Run(c.reason,
			func(t *testing.T) { assert.Equal(t, []dialogue.Meta{c.want}, metaOf(t, c.in)) })
	}
	assert.Equal(t, []dialogue.Meta{nil}, metaOf(t, "Agent: Hello\nCustomer: Hi\n"),
		"plain text has nothing besides")
}
