package run_test

import (
	"fmt"
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

// The day of a dialogue is that of its first turn with a time, or else that of a column. A date
// that can be read in two ways needs the setting that says how.
func TestDay(t *testing.T) {
	at := func(times ...string) (list []dialogue.Voice) {
		for _, at := range times {
			list = append(list, dialogue.Voice{At: at})
		}
		return list
	}
	columns := dialogue.Meta{{Name: "created_at", Value: "2024-05-30"}}
	for _, test := range []struct {
		voices []dialogue.Voice
		meta   dialogue.Meta
		dates  string
		want   string
	}{
		{at("", "2024-05-31T23:59:00Z", "2024-06-01T00:01:00Z"), nil, "", "2024-05-31"},
		{at("2024-05-31 10:00"), columns, "", "2024-05-31"},
		{at("10:00", "10:01"), columns, "", "2024-05-30"},
		{at("10:00", "10:01"), nil, "", ""},
		{nil, columns, "", "2024-05-30"},
		{at("10:00", "2024-05-31 10:01"), columns, "", "2024-05-31"},
		{at("03/12/2024 10:00"), nil, "", ""},
		{at("03/12/2024 10:00"), nil, "us", "2024-03-12"},
		{at("03/12/2024 10:00"), nil, "eu", "2024-12-03"},
		{at("31/12/2024 10:00"), nil, "", "2024-12-31"},
	} {
		r := run.Record{Source: run.Source{Meta: test.meta, Dates: test.dates}, Voices: test.voices}
		assert.Equal(t, test.want, r.Row(0).Day, "%+v", test)
	}
}

// The same masked words are repeats only if they were the same words: of the same file and name,
// wherever one of these has a space.
func TestCopyOfMasked(t *testing.T) {
	row := func(file, id string, of *run.Origin) run.Row {
		r := run.Record{Source: run.Source{File: file, ID: id, DuplicateOf: of}, Masked: true}
		return r.Row(0)
	}
	one, other := row("a b", "c", nil), row("a", "b c", nil)
	repeat := row("d", "e", &run.Origin{File: "a b", Name: "c"})
	assert.NotEqual(t, one.Copy(), other.Copy())
	assert.Equal(t, one.Copy(), repeat.Copy())
}

func TestAgentIsWhoSpeaks(t *testing.T) {
	tests := []struct {
		name     string
		meta     dialogue.Meta
		speakers []string // of the turns, SYSTEM and USER by turns
		want     string
	}{
		{"one person", nil, []string{"Ann", "Bob", "Ann", "Bob"}, "Ann"},
		{"a person after a role", nil, []string{"", "Bob", "Ann"}, "Ann"},
		{"two persons, the first of whom counts", nil, []string{"Ann", "Bob", "Paul", "Bob"}, "Ann"},
		{"who speaks most", nil, []string{"Oke", "Bob", "Ann", "Bob", "Ann"}, "Ann"},
		{"nobody named", nil, []string{"", "Bob"}, ""},
		{"the source says who", dialogue.Meta{{Name: "Agent Name", Value: "Ines"}},
			[]string{"Ann", "Bob"}, "Ines"},
		{"the source does not say", dialogue.Meta{{Name: "queue", Value: "mail"}},
			[]string{"Ann", "Bob"}, "Ann"},
	}
	for _, tt := range tests {
		r := run.Record{Source: run.Source{Meta: tt.meta}}
		for i, name := range tt.speakers {
			role := []dialogue.Role{dialogue.System, dialogue.User}[i%2]
			r.Dialogue.Turns = append(r.Dialogue.Turns, dialogue.Turn{Role: role})
			r.Voices = append(r.Voices, dialogue.Voice{Speaker: name})
		}
		row := r.Row(0)
		assert.Equal(t, tt.want, row.Agent, tt.name)
		if tt.want == "Ann" {
			value, ok := row.Column("AGENT")
			assert.Equal(t, "Ann true", fmt.Sprint(value, " ", ok), tt.name)
		}
	}
}

func TestRowDates(t *testing.T) {
	for day, want := range map[string][]string{
		"2024-05-27": {"2024-05-27", "2024-05-27", "2024-05"},
		"2024-06-02": {"2024-06-02", "2024-05-27", "2024-06"},
		"2024-01-01": {"2024-01-01", "2024-01-01", "2024-01"}, "": {"", "", ""},
	} {
		for i, name := range run.DateColumns() {
			got, ok := (&run.Row{Day: day}).Column(name)
			assert.Equal(t, want[i], got, "%s of %q", name, day)
			assert.Equal(t, day != "", ok)
		}
	}
	own := run.Row{Day: "2024-05-27", Meta: dialogue.Meta{{Name: "Week", Value: "22"}}}
	got, _ := own.Column("week")
	assert.Equal(t, "22", got, "the source's own column comes first")
}
