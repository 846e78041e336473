package table_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/table"
)

type player struct {
	name  string
	goals int
}

var columns = table.Columns[player]{
	{Name: "name", Value: func(p player) any { return p.name }},
	{Name: "goals", Value: func(p player) any { return p.goals }},
	{Name: "top", Value: func(p player) any {
		if p.goals < 5 {
			return nil
		}
		return true
	}},
}

func TestAllFormatsHaveTheSameValues(t *testing.T) {
	type team struct{ captain player }
	picked := table.Of(columns, func(t team) player { return t.captain }).Pick(
		"top", "name as captain", "goals")
	for _, tt := range []struct {
		player
		values []any
		object string
	}{
		{player{"<Ann>", 7}, []any{true, "<Ann>", 7},
			`{"top":true,"captain":"\u003cAnn\u003e","goals":7}`},
		{player{"", 0}, []any{"", "", 0}, `{"goals":0}`},
	} {
		assert.Equal(t, tt.values, picked.Values(team{tt.player}))
		text, err := json.Marshal(picked.Object(team{tt.player}))
		require.NoError(t, err)
		assert.Equal(t, tt.object, string(text))
	}
	assert.Equal(t, []string{"top", "captain", "goals"}, picked.Names())
	assert.Panics(t, func() { columns.Pick("assists") })
	text, err := json.Marshal(table.Object{})
	require.NoError(t, err)
	assert.Equal(t, "{}", string(text))
}
