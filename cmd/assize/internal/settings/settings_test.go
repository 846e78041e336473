package settings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFlags(t *testing.T) {
	var f Flags
	assert.NoError(t, Decode("c.yaml", []byte("# of this house\njobs: 4\nsystem-name: [Desk, Night Desk]\n"), &f))
	assert.Equal(t, Flags{{"jobs", "2:1", []Value{{"2:7", "4"}}},
		{"system-name", "3:1", []Value{{"3:15", "Desk"}, {"3:21", "Night Desk"}}}}, f)
	f = nil
	assert.NoError(t, Decode("c.yaml", []byte("# nothing\n"), &f))
	assert.Empty(t, f)
}

// Whatever the file, there are flags with values, or an error with the name of the file.
func FuzzFlags(f *testing.F) {
	f.Add([]byte("jobs: 4\nsystem-name: [a, b]\n? x\n: y"))
	f.Add([]byte("a: &x [1, 2]\nb: *x\nc: !t |\n  d\n"))
	f.Add([]byte("!t [a]\n---\n<<: {a: b}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var f Flags
		if err := Decode("c.yaml", data, &f); err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), "c.yaml:"), err.Error())
			return
		}
		for _, one := range f {
			assert.NotEmpty(t, one.Values)
		}
	})
}
