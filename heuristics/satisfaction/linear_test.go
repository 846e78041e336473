package satisfaction

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// said returns a dialogue of alternating turns, the first by the USER.
func said(turns ...string) (d dialogue.Dialogue) {
	for i, text := range turns {
		d.Turns = append(d.Turns,
			dialogue.Turn{Role: []dialogue.Role{dialogue.User, dialogue.System}[i%2], Text: text})
	}
	return d
}

// wordsOf returns the words of a turn that are features.
func wordsOf(text string) (list []string) {
	for f := range Features(said(text), nil) {
		if f.Group.Anywhere() {
			list = append(list, f.Name)
		}
	}
	return list
}

// Text that may identify a person is not a feature, and no two words are joined across it.
func TestFeaturesTellNoNames(t *testing.T) {
	for text, want := range map[string]string{
		"The bill is late.":               "the|bill|the bill|is|bill is|late|is late",
		"The bill. It is late":            "the|bill|the bill|it|is|it is|late|is late",
		"ask Maria today":                 "ask|today",
		"pay 300 euros":                   "pay|euros",
		"write to bo@example.org now":     "write|to|write to|now",
		"see www.example.org/x now":       "see|now",
		"call [phone] now":                "call|now",
		"I am here, and I'm late":         "i|am|i am|here|am here|and|i'm|and i'm|late|i'm late",
		"order AB-1234 and @Telecom help": "order|and|help",
	} {
		assert.Equal(t, want, strings.Join(wordsOf(text), "|"), text)
	}
}

func TestFeaturesHavePlaces(t *testing.T) {
	d := said("good", "well", "fine", "sure", "thanks", "bye")
	d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.Other, Text: "hidden"})
	var got []string
	for f := range Features(d, []rubric.Signal{{ID: "a", Turn: 2}, {ID: "b", Turn: 5}}) {
		got = append(got, f.Group.String()+": "+f.Name)
	}
	assert.Equal(t, []string{"detectors: a", "detectors: b", "detectors: b, last",
		"USER: good", "USER opening: good", "SYSTEM: well", "SYSTEM opening: well",
		"USER: fine", "USER middle: fine", "SYSTEM: sure", "SYSTEM middle: sure",
		"USER: thanks", "USER last: thanks", "SYSTEM: bye", "SYSTEM last: bye"}, got)
}

// A profile that was changed is rejected, however small the change; its layout does not matter.
func TestAChangedProfileIsRefused(t *testing.T) {
	p := DefaultProfile()
	p.Linear = NewLinear(map[string]map[string]Millionths{"USER": {"late": -20_000}})
	file := string(p.File())
	read, err := ParseProfile("p.json", []byte(strings.ReplaceAll(file, "\n", " ")))
	assert.NoError(t, err)
	assert.Equal(t, p.Digest(), read.Digest())
	for _, change := range [][2]string{{"-0.02", "-0.03"}, {`"late"`, `"lazy"`},
		{`"USER"`, `"SYSTEM"`}} {
		_, err := ParseProfile("p.json", []byte(strings.Replace(file, change[0], change[1], 1)))
		assert.ErrorContains(t, err, "p.json: was changed after fit wrote it", change[0])
	}
}

func TestLinearAdds(t *testing.T) {
	l := NewLinear(map[string]map[string]Millionths{
		"detectors":   {"a": 200_000, "a, last": 100_000},
		"USER":        {"bad": -300_000, "is bad": -100_000, "fine": 50_000},
		"USER last":   {"fine": 30_000},
		"SYSTEM last": {"bad": one}, // nobody says it there
	})
	d := said("The oven is bad. It is bad!", "I see.", "Fine. All fine.")
	sum, why := l.Adds(d, []rubric.Signal{{ID: "a", Turn: 3}, {ID: "a", Turn: 1}})
	assert.Equal(t, Millionths(-300_000-100_000+80_000+300_000), sum, "a feature counts once")
	assert.Equal(t, []Reason{
		{Points: -40, Turn: 1, What: "bad", Quote: "The oven is bad."},
		{Points: 30, Turn: 3, What: "a", Quote: "Fine. All fine."},
	}, why, "a sentence is quoted once, for what counts most")
	assert.Equal(t, "satisfaction lowered by 0.40 (bad)", why[0].String())

	for range 2 { // data of one dialogue does not affect the next
		again, _ := l.Adds(said("@shop is open. fine", "I see."), nil)
		assert.Equal(t, Millionths(50_000), again)
	}
	_, why = l.Adds(said("That is well. 47 days are bad"), nil)
	assert.Equal(t, "47 days are bad", why[0].Quote, "a number may begin a sentence")

	long := strings.Repeat("so it goes on and on ", 10) + "until the parcel is lost at last."
	words := NewLinear(map[string]map[string]Millionths{"USER": {"the": one, "and on": 300_000,
		"on and": one, "lost": 20_000}})
	_, why = words.Adds(said(long, "I see.", "The end."), nil)
	assert.Len(t, why, 1, "function words alone are no reason")
	assert.Equal(t, "lost", why[0].What)
	assert.Contains(t, why[0].Quote, "parcel is lost")
	assert.Contains(t, long, why[0].Quote)

	title := Reason{Points: -9, What: "reaction-thanks"}.String()
	assert.Equal(t, "satisfaction lowered by 0.09 (the USER thanks the SYSTEM)", title)

	sum, why = (*Linear)(nil).Adds(d, nil)
	assert.Zero(t, sum)
	assert.Nil(t, why)
}

// Every sentence is a reason of its own, also one that begins with a number, and each side lists up
// to three, the strongest first. Less than a hundredth of a point is no reason.
func TestReasonsOfSentences(t *testing.T) {
	l := NewLinear(map[string]map[string]Millionths{"USER": {"bad": -300_000, "worse": -200_000,
		"sad": -100_000, "grim": -50_000, "fine": 70_000, "so": 90_000, "faint": 4_000},
		"detectors": {"a": 400_000, "b": -60_000}})
	list := func(said1 string, signals ...rubric.Signal) string {
		_, why := l.Adds(said(said1, "I see."), signals)
		var got []string
		for _, r := range why {
			got = append(got, fmt.Sprintf("%d %s: %s", r.Points, r.What, r.Quote))
		}
		return strings.Join(got, " | ")
	}
	assert.Equal(t, "-30 bad: It is bad. | -20 worse: 47 days are worse.",
		list("It is bad. 47 days are worse."))
	assert.Equal(t, "-50 bad: It is bad and worse.", list("It is bad and worse."))
	assert.Equal(t, "-30 bad: It is bad", list("It is bad\nIt is bad"), "a word counts once")
	assert.Equal(t, "-20 worse: worse? | -10 sad: sad! | -5 grim: grim | 7 fine: fine.",
		list("fine. worse? sad! grim"))
	assert.Equal(t, "-30 bad: bad. | -20 worse: worse. | -10 sad: sad.",
		list("grim. sad. worse. bad."), "three of a side")
	assert.Equal(t, "", list("faint"))
	assert.Equal(t, "", list("so"), "a function word alone")
	assert.Equal(t, "16 fine: so fine", list("so fine"))
	assert.Equal(t, "40 a: It is bad.", list("It is bad.", rubric.Signal{ID: "a", Turn: 1}),
		"nothing is quoted twice")
	assert.Equal(t, "-6 b: It was. | 40 a: I see.", list("It was.",
		rubric.Signal{ID: "b", Turn: 1}, rubric.Signal{ID: "a", Turn: 2}))
	detectors, words := l.Count()
	assert.Equal(t, [2]int{2, 7}, [2]int{detectors, words})
	detectors, words = (*Linear)(nil).Count()
	assert.Zero(t, detectors+words)
}

// A long sentence is cut at words, around the word that counts.
func TestLongSentencesAreCut(t *testing.T) {
	l := NewLinear(map[string]map[string]Millionths{"USER": {"bad": one}})
	for _, tt := range []struct{ said, want string }{
		{strings.Repeat("a ", 50) + "bad", strings.Repeat("a ", 50) + "bad"},
		{"bad " + strings.Repeat("it goes ", 30), "bad " + strings.Repeat("it goes ", 14) + "it"},
		{strings.Repeat("it goes ", 30) + "bad", strings.Repeat("it goes ", 7) + "bad"},
		{strings.Repeat("x", 200) + " bad", "bad"},
	} {
		_, why := l.Adds(said(tt.said, "I see."), nil)
		assert.Len(t, why, 1)
		assert.Equal(t, tt.want, why[0].Quote)
	}
}

func TestStrongest(t *testing.T) {
	var list []Reason
	for _, points := range []rubric.Hundredths{5, -1, 9, -7, 2, 0, 7, -2, -3} {
		list = append(list, Reason{Points: points})
	}
	var got []int
	for _, r := range Strongest(list) {
		got = append(got, int(r.Points))
	}
	assert.Equal(t, []int{-7, -3, -2, 9, 7, 5}, got)
	assert.Empty(t, Strongest([]Reason{{Points: 0}}))
}

func TestLinearWeights(t *testing.T) {
	for _, tt := range []struct {
		group  string
		weight Millionths
		want   string
	}{
		{"USER", 5 * one, ""},
		{"USER", -5 * one, ""},
		{"USER", 5*one + 1, `linear: USER: "bad" has 5.000001; want a weight from -5 to 5`},
		{"SYSTEM last", -5*one - 1, `linear: SYSTEM last: "bad" has -5.000001; want a weight`},
		{"OTHER", one, `linear: "OTHER"; want one of detectors, USER`},
	} {
		err := NewLinear(map[string]map[string]Millionths{tt.group: {"bad": tt.weight}}).validate()
		if tt.want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, tt.want)
		}
	}
}
