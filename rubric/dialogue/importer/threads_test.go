package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// TestThreads reads messages that name the ones they answer.
func TestThreads(t *testing.T) {
	const head = "tweet_id,author_id,inbound,text,in_response_to_tweet_id\n"
	runReadCases(t, stream.Table, []readCase{
		{"two answers to one message, and answers to one that is not there", head +
			"1,a,True,Hello there?,\n2,S,False,Yes one.,1\n3,S,False,Yes two.,1\n" +
			"4,b,True,Hello here?,99\n5,S,False,No one.,99\n6,b,True,What then?,5\n", Options{}, `
table 1 at 2: True=USER*1 False=SYSTEM*2
  USER "Hello there?"
  SYSTEM "Yes one."
  SYSTEM "Yes two."
table 4 at 5: True=USER*2 False=SYSTEM*1
  USER "Hello here?"
  SYSTEM "No one."
  USER "What then?"
`},
		{"a number that answers nothing is no link", "id,role,text,response_time\n1,user,Hello " +
			"there?,1\n2,agent,Yes one.,2\n3,user,And now?,3\n4,agent,Yes two.,1\n", Options{}, `
table 1 at 2: user=USER*2 agent=SYSTEM*2
  USER "Hello there?"
  SYSTEM "Yes one."
  USER "And now?"
  SYSTEM "Yes two."
`},
	})
}

// TestThreadsAreQuick reads chains and stars of many messages.
func TestThreadsAreQuick(t *testing.T) {
	const n = 20_000
	for _, parent := range []func(i int) int{func(i int) int { return i - 1 },
		func(i int) int { return i + 1 }, func(i int) int { return 5 }} {
		var in strings.Builder
		in.WriteString("tweet_id,inbound,text,in_response_to_tweet_id\n")
		for i := range n {
			fmt.Fprintf(&in, "%d,%v,some words here,%d\n", i, i%2 == 0, parent(i))
		}
		dialogues := 0
		for _, err := range Read(strings.NewReader(in.String()), "f", Options{MaxDialogue: 64}) {
			assert.NoError(t, err)
			dialogues++
		}
		assert.Equal(t, 1, dialogues)
	}
}

func TestYearAfterZone(t *testing.T) {
	got, ok := lex.ParseTime("Tue Oct 31 22:10:00 +0000 2017")
	want, _ := lex.ParseTime("2017-10-31T22:10:00Z")
	assert.True(t, ok)
	assert.Equal(t, want, got)
}
