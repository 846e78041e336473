package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/stream"
)

func TestManySpeakers(t *testing.T) {
	var in strings.Builder
	for i := range 60 {
		fmt.Fprintf(&in, "Agent %d: hello\n", i%20)
	}
	for s, err := range Read(strings.NewReader(in.String()), "f", Options{}) {
		assert.NoError(t, err)
		assert.Len(t, s.Source.Speakers, 20)
		for i, p := range s.Source.Speakers {
			assert.Equal(t,
				dialogue.Speaker{Name: fmt.Sprintf("Agent %d", i), Role: dialogue.System,
					Turns: 3}, p)
		}
	}
}

// TestBrokenValues checks that a syntactically invalid value causes one error in every format, and
// that the next value is read.
func TestBrokenValues(t *testing.T) {
	for format, value := range map[dialogue.Format]string{
		"connect":     `{"Transcript":[{"ParticipantRole":"AGENT","Content":"a"}]}`,
		"zendesk":     `{"requester_id":1,"comments":[{"author_id":1,"body":"a"}]}`,
		"intercom":    `{"source":{"body":"a","author":{"type":"user"}},"type":"conversation"}`,
		stream.OpenAI: `{"messages":[{"role":"user","content":"a"}]}`,
		shareGPT:      `{"conversations":[{"from":"human","value":"a"}]}`,
		convoKit:      `{"root":"1","speaker":"user","text":"a"}`,
	} {
		n := 0
		in := value + "\n" + strings.Replace(value, ":", "::", 1) + "\n" +
			strings.Replace(value, `"1"`, `"2"`, 1)
		var errs []string
		for _, err := range Read(strings.NewReader(in), "f", Options{}) {
			if n++; err != nil {
				errs = append(errs, err.Error())
			}
		}
		if format == convoKit { // the rest of the conversation may be in the broken line
			assert.Equal(t, 2, n, format)
		} else {
			assert.Equal(t, 3, n, format)
		}
		assert.Len(t, errs, 1, format)
		assert.Contains(t, errs[0], "not valid JSON: invalid character ':'", format)
	}
}

// TestMembersOfOtherKinds checks that members of the wrong type are skipped, or reported if the
// dialogue needs them.
func TestMembersOfOtherKinds(t *testing.T) {
	runReadCases(t, stream.OpenAI, []readCase{{"messages and parts of other kinds",
		`{"id":true,"messages":[{"role":"user","content":[5,null,"a",{"type":"text",` +
			`"text":["b"]}]},7]}`, Options{}, `
! f:1: dialogue 1: message 1 has no text at content or value or text or message or …; want a ` +
			`string there, or ` +
			`name the places with --columns id=PLACE,speaker=PLACE,text=PLACE, such as messages[].body
`}, {"an id and a model that are no text", `{"id":[1],"model":{"a":1},` +
		`"messages":[{"role":"user","content":[5,"a"]}]}`, Options{}, `
openai 1 at 1: user=USER*1
  USER "a"
`}})
	runReadCases(t, "zendesk", []readCase{{"people and fields of other kinds",
		`{"id":4,"requester_id":1,"assignee":"Ann","via":"email","custom_fields":7,` +
			`"satisfaction_rating":[1],"comments":[5,{"author_id":1,"body":8,"author":[]}]}`,
		Options{}, `
! f:1: dialogue 1: message 1 is no object: "5"
`}})
	runReadCases(t, "intercom", []readCase{{"a rating in words, and names that --role-map knows",
		`{"source":{"body":"a","author":{"name":"Ru"}},"type":"conversation",` +
			`"conversation_rating":{"rating":"amazing"}}`,
		Options{Roles: map[string]dialogue.Role{"Ru": dialogue.System}}, `
intercom 1 at 1: Ru=SYSTEM*1 truth [5] [] []
  SYSTEM "a"
`}})
}

// TestOversized checks that a dialogue that exceeds the limit is named and skipped, wherever a JSON
// file has it, and that the dialogues after it are read.
func TestOversized(t *testing.T) {
	dialogueOf := func(id string, n int) string {
		return `{"messages":[{"role":"user","content":"` + strings.Repeat(`a \" [{`, n) +
			`"},{"role":"assistant","content":"It \\"}],"id":"` + id + `"}`
	}
	large := dialogueOf("large", 200_000)
	list := strings.Join([]string{large, dialogueOf("a", 1), large, dialogueOf("b", 1)}, ",\n")
	for name, in := range map[string]string{
		"array":            "[" + list + "]",
		"indented array":   "[\n  " + list + "\n]",
		"wrapper":          `{"n":1,"conversations":[` + list + `]}`,
		"inner wrapper":    `{"data":{"items":[` + list + `]},"n":[1]}`,
		"other list below": `{"items":[` + list + `],"seen":["` + strings.Repeat("x", 2<<20) + `"]}`,
		"lines":            strings.ReplaceAll(list, ",\n", "\n"),
		"values":           strings.ReplaceAll(strings.ReplaceAll(list, ",\n", "\n"), `{"m`, "{\n\"m"),
	} {
		t.Run(name, func(t *testing.T) {
			var read, broken []string
			for s, err := range Read(strings.NewReader(in), "f", Options{MaxDialogue: 1}) {
				if err != nil {
					broken = append(broken, err.Error())
				} else {
					read = append(read, s.Source.ID)
				}
			}
			assert.Equal(t, []string{"a", "b"}, read)
			if assert.Len(t, broken, 2) {
				assert.Contains(t, broken[1], "dialogue 3: \"large\" has 1.3 MiB, more than the "+
					"limit of 1 MiB for one dialogue")
			}
		})
	}
	for s, err := range Read(strings.NewReader("["+dialogueOf("a", 1)+","+large[:len(large)-9]),
		"f", Options{MaxDialogue: 1}) {
		assert.True(t, s.Source.ID == "a" || err != nil, "an element without an end ends the file")
	}
}
