package importer

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExchanges reads tool calls and results in the forms in which providers write them.
func TestExchanges(t *testing.T) {
	file := filepath.Join("testdata", "exchanges.txtar")
	all, err := txtar.ParseFile(file)
	require.NoError(t, err)
	for i := 0; i+1 < len(all.Files); i += 2 {
		in, want := all.Files[i], &all.Files[i+1]
		t.Run(in.Name, func(t *testing.T) {
			require.Equal(t, "want", want.Name)
			_, said, _ := strings.Cut(dump(bytes.NewReader(in.Data), "f", Options{}), "\n")
			got := strings.ReplaceAll(strings.TrimPrefix(said, "  "), "\n  ", "\n")
			if *update {
				want.Data = []byte(got)
			}
			assert.Equal(t, string(want.Data), got)
		})
	}
	if *update {
		require.NoError(t, os.WriteFile(file, txtar.Format(all), 0o644))
	}
}

// TestManyCalls checks that reading thousands of calls takes linear time.
func TestManyCalls(t *testing.T) {
	const many = 3000
	var b strings.Builder
	b.WriteString(`{"messages":[{"role":"user","content":"a"}`)
	for i := range many {
		fmt.Fprintf(&b, `,{"role":"assistant","tool_calls":[{"id":"c%d",`+
			`"function":{"name":"f","arguments":"{}"}}]}`, i)
	}
	for i := range many {
		n := many - 1 - i
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":"%d"}`, n, n)
	}
	b.WriteString(`]}`)
	for s, err := range Read(strings.NewReader(b.String()), "f", Options{}) {
		assert.NoError(t, err)
		uses := s.Dialogue.Tools()
		assert.Len(t, uses, many)
		for i, u := range uses {
			assert.Equal(t, strconv.Itoa(i), u.Answer)
		}
	}
}
