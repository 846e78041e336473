package table_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/table"
	"assize/rubric"
)

func TestAllFormatsHaveTheSameValues(t *testing.T) {
	player := func(name string, goals int) table.Values {
		return table.Values{"name": name, "goals": goals, "top": table.Only(goals > 5, true)}
	}
	format := table.Format{"top", "name as captain", "goals"}
	assert.Equal(t, []string{"top", "captain", "goals"}, format.Heading())
	for _, tt := range []struct {
		row    table.Values
		cells  []any
		object string
	}{
		{player("<Ann>", 7), []any{true, "<Ann>", 7},
			`{"top":true,"captain":"\u003cAnn\u003e","goals":7}`},
		{player("", 0), []any{"", "", 0}, `{"goals":0}`},
	} {
		assert.Equal(t, tt.cells, format.Cells(tt.row))
		assert.Equal(t, tt.object, string(rubric.AppendJSON(nil, format.Object(tt.row))))
	}
	assert.Panics(t, func() { table.Format{"assists"}.Cells(player("Ann", 7)) })
	assert.Equal(t, "{}", string(rubric.AppendJSON(nil, table.Object{})))
}

// A missing value has a name, and a wrong name is an error of the program.
func TestMissingValues(t *testing.T) {
	format := table.Format{"name", "goals as n"}
	row := table.Values{"name": "Ann"}.Including(format)
	assert.Equal(t, []any{"Ann", ""}, format.Cells(row))
	assert.Equal(t, table.Values{"name": "Ann", "goals": 7},
		table.Values{"name": "Ann", "goals": 7}.Including(format), "known values stay")
	assert.PanicsWithValue(t, `no value is called "n"`,
		func() { table.Format{"n"}.Object(row) })
	_, err := json.Marshal(table.Object{{Name: "n", Value: func() {}}, {Name: "m", Value: 1}})
	assert.Error(t, err)
}
