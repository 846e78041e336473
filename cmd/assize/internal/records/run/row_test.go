package run_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/rubric/dialogue"
)

// Columns are recognised by their usual names in several languages, regardless of spelling.
func TestAgentAndQueue(t *testing.T) {
	for _, names := range [][2]string{{"agent", "queue"}, {"Assigned To", "Team"},
		{"agent_name", "departmentName"}, {"Bearbeiter", "Warteschlange"},
		{"Asesor", "departamento"}} {
		r := rowOf(dialogue.Meta{{Name: names[0], Value: "Ann"},
			{Name: "priority", Value: "high"}, {Name: names[1], Value: "Refunds"}})
		assert.Equal(t, []string{"Ann", "Refunds"}, []string{r.Agent, r.Queue}, names)
	}
	none := rowOf(dialogue.Meta{{Name: "priority", Value: "high"}})
	assert.Empty(t, none.Agent+none.Queue)
}

func rowOf(meta dialogue.Meta) run.Row {
	r := run.Record{Source: run.Source{Meta: meta}}
	return r.Row(0)
}
