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

// The tools that a list next to the messages holds are named, in any of its forms. The digest
// depends on them only if none was called.
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
	assert.Empty(t, plain.Listed)
	for _, form := range []string{`{"messages":[%s],"tools":[{"name":"stop"}]}`,
		`{"functions":[{"name":"stop"}],"messages":[%s]}`,
		`{"messages":[%s],"tools":[{"type":"function","function":{"name":"stop"}}]}`,
		`{"messages":[%s],"tools":["stop","stop"]}`, `{"messages":[%s],"tools":[{"type":"stop"}]}`,
		`{"model":"m","request":{"tools":[{"name":"stop"}],"messages":[%s]},"response":"Bye."}`} {
		d := read(form, talk)
		assert.Equal(t, []string{"stop"}, d.Listed, form)
		assert.NotEqual(t, plain.Digest(), d.Digest(), form)
		d = read(form, call)
		digest := d.Digest()
		d.Listed = nil
		assert.Equal(t, d.Digest(), digest, "a call says so itself: %s", form)
	}
	for _, form := range []string{`{"messages":[%s],"tools":[]}`, `{"messages":[%s],"tools":null}`} {
		assert.Equal(t, plain, read(form, talk), form)
	}
}
