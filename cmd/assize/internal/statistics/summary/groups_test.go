package summary

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// made returns a dialogue with a column agent, unless that is empty. It is unscored if overall is
// 0.
func made(agent string, overall rubric.Score, average, estimate rubric.Hundredths) *run.Row {
	r := &run.Row{Overall: overall, Average: average,
		Estimate: satisfaction.Estimate{Satisfaction: estimate}}
	if agent != "" {
		r.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "agent", Value: agent},
			{Name: "queue", Value: "q"}})
	}
	return r
}

// grouped returns the groups of rows, each with words of its own.
func grouped(t *testing.T, by string, rows ...*run.Row) *Groups {
	g := newGrouper(by)
	for i, r := range rows {
		r.Said = run.Key{byte(i), byte(i >> 8)}
		g.Add(r)
	}
	got, err := g.Groups(nil, nil)
	require.NoError(t, err)
	return got
}

func names(t *Groups) (list []string) {
	for _, g := range t.List {
		list = append(list, g.Name)
	}
	return list
}

// TestFigures checks figures that were computed by hand. The interval of a mean of equal values is
// that value.
func TestFigures(t *testing.T) {
	got := grouped(t, "Agent",
		made("Ann", 60, 6100, 301), made("Ann", 80, 8000, 400), made("Ann", 40, 5900, 200),
		made("Ann", 0, 0, 0), made("Bo", 80, 8000, 400), made("Bo", 80, 8000, 400),
		made("Cy", 20, 2000, 100),
		made("", 0, 0, 0),
	)
	assert.Equal(t, "Agent", got.By)
	require.Equal(t, []string{"Cy", "Ann", "Bo", NoGroup}, names(got))
	cy, ann, bo, none := got.List[0], got.List[1], got.List[2], got.List[3]
	assert.Equal(t, [...]any{"Cy", 1, 1, true}, [...]any{cy.Name, cy.Scored, cy.Below, cy.TooFew})
	assert.Equal(t, []string{"20.00", "1.00", "–"}, []string{cy.Average.Range(),
		cy.Satisfaction.Range(), cy.Checklist.Range()}, "one dialogue has no interval")
	assert.Equal(t, 66.67, ann.Average.Value, "20000/3, to the nearest")
	assert.Equal(t, 3.0, ann.Satisfaction.Value, "9.01/3")
	assert.Equal(t, []int{3, 1, 1}, []int{ann.Scored, ann.Unscored, ann.Below})
	assert.Less(t, ann.Average.Low, ann.Average.Value)
	assert.Greater(t, ann.Average.High, ann.Average.Value)
	assert.Equal(t, interval(2, 80, 80, 80), bo.Average)
	assert.Equal(t, [...]any{NoGroup, true, 1, 0, true, "–"}, [...]any{none.Name, none.None,
		none.Unscored, none.Scored, none.TooFew, none.Average.Range()})
}

func TestHalvesGoUp(t *testing.T) {
	got := grouped(t, "agent", made("Ann", 60, 6000, 245), made("Ann", 60, 6001, 246))
	assert.Equal(t, 60.01, got.List[0].Average.Value)
	assert.Equal(t, 2.46, got.List[0].Satisfaction.Value, "as in the summary of a run")
}

func TestGroupsWithTheLowestSatisfactionComeFirst(t *testing.T) {
	var records []*run.Row
	for range minScored {
		records = append(records, made("many, high", 80, 8000, 400),
			made("many, low", 60, 7000, 300), made("", 20, 2000, 100))
	}
	for range minScored - 1 {
		records = append(records, made("few", 20, 2000, 100))
	}
	records = append(records, made("nothing scored", 0, 0, 0), made("b", 60, 6000, 200),
		made("a", 60, 6000, 200), made("c", 60, 5900, 200), made(NoGroup, 80, 8000, 500))
	got := grouped(t, "agent", records...)
	assert.Equal(t, []string{"few", "c", "a", "b", "many, low", "many, high", NoGroup,
		"nothing scored", NoGroup}, names(got))
	assert.False(t, got.List[6].None, "a value of this name is a group as any other")
	assert.True(t, got.List[8].None)
	assert.False(t, got.List[4].TooFew)
	assert.True(t, got.List[0].TooFew)
}

// Of dialogues with the same words, agent and queue, one counts, by whatever columns.
func TestCopiesCountOnce(t *testing.T) {
	g := NewGroupers([]string{"agent", "site"}, nil)
	for i, agent := range []string{"Ann", "Ann", "Ann", "Bo"} {
		r := made(agent, 60, 6000, 300)
		r.Agent, r.Meta = agent,
			append(r.Meta, dialogue.Field{Name: "site", Value: []string{"x", "y"}[i/2]})
		g.Add(r)
	}
	list, err := g.Groups()
	require.NoError(t, err)
	require.Equal(t, []string{"Ann", "Bo"}, names(list[0]))
	require.Equal(t, []string{"x", "y"}, names(list[1]))
	assert.Equal(t, []int{1, 1, 1, 1}, []int{list[0].List[0].Scored, list[0].List[1].Scored,
		list[1].List[0].Scored, list[1].List[1].Scored})
}

func TestTheOrderOfRecordsDoesNotMatter(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	var records []*run.Row
	for i := range 300 {
		overall := rubric.Scale[chance.IntN(5)]
		records = append(records,
			made(fmt.Sprint(i%3), overall, rubric.Hundredths(2000+chance.IntN(8001)),
				rubric.Hundredths(100+chance.IntN(401))))
	}
	want := grouped(t, "agent", records...)
	chance.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	assert.Equal(t, fmt.Sprint(want), fmt.Sprint(grouped(t, "agent", records...)))
	for _, g := range want.List {
		assert.Less(t, g.Satisfaction.Low, g.Satisfaction.Value)
		assert.Greater(t, g.Satisfaction.High, g.Satisfaction.Value)
	}
	alone := newGrouper("agent")
	for _, r := range records {
		if v, _ := r.Meta.Value("agent"); v == "1" {
			alone.Add(r)
		}
	}
	one, err := alone.Groups(nil, nil)
	require.NoError(t, err)
	assert.Contains(t, fmt.Sprint(want.List), strings.Trim(fmt.Sprint(one.List), "[]"), "an interval depends on no other group")
}

func TestByFile(t *testing.T) {
	one, two, own := made("Ann", 60, 6000, 300), made("Ann", 60, 6000, 300), made("", 60, 6000, 300)
	one.File, two.File, own.File = "a.csv", "b.csv", "b.csv"
	own.Meta = dialogue.Meta{{Name: "File", Value: "recording 7"}}
	assert.Equal(t, []string{"a.csv", "b.csv", "recording 7"},
		names(grouped(t, "file", one, two, own)), "a column of this name comes first")
}

func TestWhatIsRefused(t *testing.T) {
	s := newGrouper("agent")
	for i := range maxGroups {
		s.Add(made(fmt.Sprint(i), 60, 6000, 300))
		s.Add(made(fmt.Sprint(i), 0, 0, 0))
	}
	got, err := s.Groups(nil, nil)
	require.NoError(t, err)
	assert.Len(t, got.List, maxGroups)
	s.Add(made("one more", 0, 0, 0))
	s.Add(made("0", 60, 6000, 300))
	_, err = s.Groups(nil, nil)
	assert.EqualError(t, err, "--by agent: more than 1000 groups; want a column with fewer values")

	s = newGrouper("agnt")
	got, err = s.Groups(nil, nil)
	require.NoError(t, err, "no dialogue, no group")
	assert.Empty(t, got.List)
	s.Add(made("", 60, 6000, 300))
	_, err = s.Groups(nil, nil)
	assert.EqualError(t, err, "--by agnt: no dialogue has this column; want one such as file; if the "+
		"transcripts have it, and it names the agents, score the transcripts with --columns agent=agnt --by agent")
	s.Add(made("Ann", 0, 0, 0))
	_, err = s.Groups(nil, nil)
	assert.EqualError(t, err,
		"--by agnt: no dialogue has this column; want one such as agent, queue, file; if the "+
			"transcripts have it, and it names the agents, score the transcripts with --columns agent=agnt --by agent")
	for i := range 20 {
		s.Add(&run.Row{Meta: dialogue.Meta{{Name: fmt.Sprintf("c%03d", i), Value: "v"}}})
	}
	_, err = s.Groups(nil, nil)
	assert.EqualError(t, err,
		"--by agnt: no dialogue has this column; want one such as agent, c000, c001, c002, c003, c004, "+
			"c005, c006, c007, queue, file; if the "+
			"transcripts have it, and it names the agents, score the transcripts with --columns agent=agnt --by agent")

	s = newGrouper("agent,weak")
	s.Add(&run.Row{Agent: "Ann", Day: "2024-05-31"})
	_, err = s.Groups(nil, nil)
	assert.EqualError(t, err, "--by agent,weak: no dialogue has all of these columns; the columns "+
		"are agent, day, month, week, file")

	s = newGrouper("agent,week") // one group for each agent and week
	for _, row := range []run.Row{{Agent: "Ben", Day: "2024-05-31"}, {Agent: "Ann",
		Day: "2024-05-31"}, {Agent: "Ann", Day: "2024-05-20"}, {Agent: "Ann", Day: "2024-05-22"},
		{Day: "2024-05-22"}} {
		s.Add(&row)
	}
	crossed, err := s.Groups(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Ann, 2024-05-20 2", "Ann, 2024-05-27 1", "Ben, 2024-05-27 1",
		"(none) 1"}, ui.Each(crossed.List,
		func(g Group) string { return fmt.Sprint(g.Name, " ", g.N) }))
}

func BenchmarkTable(b *testing.B) {
	s := newGrouper("agent")
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		s.Add(made(fmt.Sprint(i%10), 60, rubric.Hundredths(2000+100*chance.IntN(81)),
			rubric.Hundredths(100+chance.IntN(401))))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Groups(nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}
