package lex

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
)

// format writes a moment as in the table below: with either order if they differ, and z for a zone.
func format(m Moment) string {
	layout := map[[2]bool]string{{true, true}: "2006-01-02 15:04:05.000", {true, false}: "2006-01-02",
		{false, true}: "15:04:05.000"}[[2]bool{m.HasDate, m.HasTime}]
	at := func(ms int64) string { return time.UnixMilli(ms).UTC().Format(layout) }
	s := at(m.EU)
	if m.US != m.EU {
		s = at(m.US) + " or " + s
	}
	s = strings.ReplaceAll(s, ":00.000", "")
	s = strings.ReplaceAll(s, ".000", "")
	for word, is := range map[string]bool{" only-us": m.OnlyUS, " only-eu": m.OnlyEU,
		" z": m.HasZone} {
		if is {
			s += word
		}
	}
	return s
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2024-05-03T10:00:07.5Z":         "2024-05-03 10:00:07.500 z",
		"2024-05-03 10:00:07,25 +02:30":  "2024-05-03 07:30:07.250 z",
		"2024-05-03T10:00:07-0500":       "2024-05-03 15:00:07 z",
		"2024-05-03 10:00 +02":           "2024-05-03 08:00 z",
		"2024-05-03":                     "2024-05-03",
		"20240503 10:15":                 "2024-05-03 10:15",
		"20240503101530":                 "2024-05-03 10:15:30",
		"[10:15]":                        "10:15",
		"10h15":                          "10:15",
		"12:15 am":                       "00:15",
		"12:15 PM":                       "12:15",
		"1:15 p. m.":                     "13:15",
		"03/05/2024 10:15":               "2024-03-05 10:15 or 2024-05-03 10:15",
		"3.5.24":                         "2024-05-03",
		"13/05/2024":                     "2024-05-13 only-eu",
		"05/13/2024":                     "2024-05-13 only-us",
		"13.05.2024":                     "2024-05-13",
		"3 May 2024":                     "2024-05-03",
		"May 3, 2024 at 10:15":           "2024-05-03 10:15",
		"Fri, 3 May 2024 10:15 GMT":      "2024-05-03 10:15 z",
		"2024 May 3":                     "2024-05-03",
		"Tue Oct 31 22:10:00 +0000 2017": "2017-10-31 22:10 z",
		"12/03/2024 10.15":               "2024-12-03 10:15 or 2024-03-12 10:15",
		"24년 5월 3일 오후 1:15":              "2024-05-03 13:15",
		"1714730400":                     "2024-05-03 10:00",
		"1714730400.5":                   "2024-05-03 10:00:00.500",
		"1714730400500":                  "2024-05-03 10:00:00.500",
		"1714730400500000":               "2024-05-03 10:00:00.500",
	} {
		m, ok := ParseTime(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, format(m), text)
	}
	for _, text := range []string{"", "noon", "30/02/2024", "13/13/2024", "2024-13-01", "10:61",
		"10:15:61", "10:155", "lamp 7", "1/2/3/4", "12345/1/1", "17147304005000000000000",
		strings.Repeat(" ", 80) + "x 10:15", "10:15 +1", "10:15 ?"} {
		_, ok := ParseTime(text)
		assert.False(t, ok, text)
	}
	m, ok := ParseTime("12.5")
	assert.True(t, ok && m.IsNumber && !m.HasDate)
	assert.Equal(t, int64(12_500), m.US, "seconds since some start")
}

// Clocks are set back in the night to a Sunday, by up to an hour, where no zone is written.
func TestSetBack(t *testing.T) {
	for _, tt := range []struct {
		earlier, later string
		want           bool
	}{
		{"2024-10-27 02:50", "2024-10-27 02:10", true},
		{"2024-10-27 02:50", "2024-10-27 01:50", true},
		{"2024-10-27 02:50", "2024-10-27 01:49", false},
		{"2024-10-27 02:50", "2024-10-27 02:50", false},
		{"2024-10-26 23:50", "2024-10-26 23:10", true},
		{"2024-10-26 22:50", "2024-10-26 22:10", false},
		{"2024-10-27 03:59", "2024-10-27 03:10", true},
		{"2024-10-27 04:00", "2024-10-27 03:10", false},
		{"2024-10-28 02:50", "2024-10-28 02:10", false},
		{"2024-07-28 02:50", "2024-07-28 02:10", false},
		{"2024-10-27 02:50Z", "2024-10-27 02:10", false},
		{"2024-10-27 02:50", "2024-10-27 02:10Z", false},
		{"02:50", "02:10", false},
	} {
		earlier, _ := ParseTime(tt.earlier)
		later, _ := ParseTime(tt.later)
		assert.Equal(t, tt.want, SetBack(earlier, later, false), "%s, %s", tt.earlier, tt.later)
	}
}

// One date that can be read in one way only decides how all are read.
func TestDateOrder(t *testing.T) {
	for _, tt := range []struct {
		said, dates, order, wrong string
		either                    bool
	}{
		{"", "03/05/2024 13/05/2024", "eu", "", false},
		{"", "03/05/2024 05/13/2024", "us", "", false},
		{"", "03/05/2024 2024-05-03", "", "", true},
		{"", "2024-05-03 05/05/2024", "", "", false},
		{"", "13/05/2024 05/13/2024", "", "13/05/2024", false},
		{"us", "03/05/2024", "us", "", false},
		{"us", "13/05/2024 14/05/2024", "us", "13/05/2024", false},
		{"eu", "13/05/2024", "eu", "", false},
		{"eu", "05/13/2024", "eu", "05/13/2024", false},
	} {
		d := DateOrder{Said: tt.said}
		for _, text := range strings.Fields(tt.dates) {
			m, _ := ParseTime(text)
			d.Add(m, text)
		}
		msg, _ := d.Wrong()
		assert.Equal(t, tt.order, d.Order(), tt.dates)
		assert.Equal(t, tt.order == "us", d.IsUS(), tt.dates)
		assert.Equal(t, tt.either, d.IsEither(), tt.dates)
		assert.Equal(t, tt.wrong == "", msg == "", tt.dates)
		assert.Contains(t, msg, tt.wrong)
	}
	for text, want := range map[string][3]string{ // by no order, us, eu
		"03/05/2024": {"", "2024-03-05", "2024-05-03"},
		"13/05/2024": {"2024-05-13", "2024-05-13", "2024-05-13"},
		"2024-05-03": {"2024-05-03", "2024-05-03", "2024-05-03"},
		"3 May":      {"", "", ""},
		"10:15":      {"", "", ""},
	} {
		m, _ := ParseTime(text)
		assert.Equal(t, want, [3]string{m.Day(""), m.Day("us"), m.Day("eu")}, text)
	}
}

func TestDates(t *testing.T) {
	meta := dialogue.Meta{{Name: "closed_at", Value: "2024-05-06"}, {Name: "note", Value: "2024-05-05"},
		{Name: "date", Value: "2024-05-04"}, {Name: "created_at", Value: "soon"}}
	dates := func(voices ...dialogue.Voice) string {
		var list []string
		for text := range Dates(voices, meta) {
			list = append(list, text)
		}
		return strings.Join(list, " ")
	}
	assert.Equal(t, "2024-05-04", strings.Fields(dates())[0])
	assert.NotContains(t, dates(), "2024-05-05", "a note is no time of a conversation")
	assert.Equal(t, "2024-05-03", strings.Fields(dates(dialogue.Voice{At: "10:15"},
		dialogue.Voice{At: "2024-05-03"}, dialogue.Voice{At: "2024-05-02"}))[0])
	assert.NotContains(t, dates(dialogue.Voice{At: "2024-05-03"}, dialogue.Voice{At: "2024-05-02"}),
		"2024-05-02", "the first turn begins")
}

func TestScaled(t *testing.T) {
	for text, want := range map[string]string{"0": "1", "1": "5", "0.5": "3", "-": "-", "": ""} {
		assert.Equal(t, want, Scaled(text), text)
	}
	for _, text := range []string{"1.1", "-0.1"} {
		_, ok := ParseRatings(Scaled(text))
		assert.False(t, ok, text)
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 999: "999 rows", 1808: "1,808 rows",
		1234567: "1,234,567 rows"} {
		assert.Equal(t, want, Counted(n, "row"))
	}
	names := strings.Split(strings.Repeat("a ", 20)+"b", " ")
	assert.Equal(t, strings.Repeat(`"a", `, 20)+"…", Quoted(names))
	assert.Equal(t, `"a", "a"`, Quoted(names[:2]))
	assert.Equal(t, `"`+strings.Repeat("é", 60)+`…"`, Quote(strings.Repeat("é", 61)))
	assert.Equal(t, `"`+strings.Repeat("é", 60)+`"`, Quote(strings.Repeat("é", 60)))
}
