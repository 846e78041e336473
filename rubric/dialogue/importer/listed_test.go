package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// A dialogue has tools if a list next to its messages holds some and none was called. Only then
// does its digest depend on them.
func TestListedTools(t *testing.T) {
	const talk = `{"role":"user","content":"Stop order 7."},` +
		`{"role":"assistant","content":"I stopped it."}`
	const call = `{"role":"user","content":"Stop order 7."},{"role":"assistant","content":null,` +
		`"tool_calls":[{"id":"1","type":"function","function":{"name":"stop","arguments":"{}"}}]}`
	read := func(form, messages string) dialogue.Dialogue {
		for sample, err := range importer.Read(strings.NewReader(fmt.Sprintf(form, messages)),
			"a.json", importer.Options{}) {
			require.NoError(t, err)
			return sample.Dialogue
		}
		t.Fatal("no dialogue")
		return dialogue.Dialogue{}
	}
	plain := read(`{"messages":[%s]}`, talk)
	assert.False(t, plain.HasTools)
	for _, form := range []string{`{"messages":[%s],"tools":[{"name":"stop"}]}`,
		`{"functions":[{"name":"stop"}],"messages":[%s]}`,
		`{"model":"m","request":{"tools":[{"name":"stop"}],"messages":[%s]},"response":"Bye."}`} {
		d := read(form, talk)
		assert.True(t, d.HasTools, form)
		assert.NotEqual(t, plain.Digest(), d.Digest(), form)
		assert.False(t, read(form, call).HasTools, "a call says so itself: %s", form)
	}
	for _, form := range []string{`{"messages":[%s],"tools":[]}`, `{"messages":[%s],"tools":null}`} {
		assert.Equal(t, plain, read(form, talk), form)
	}
}
