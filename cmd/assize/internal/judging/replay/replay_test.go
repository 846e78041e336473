package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

func TestARunReplays(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	results, s := f.replayed(t, f.run())
	assert.Len(t, results, len(f.records)+2)
	for _, r := range results {
		require.NoError(t, r.Err)
		assert.Empty(t, r.Differences)
	}
	assert.True(t, s.Sound)
	assert.Equal(t, len(f.records), s.Records)
	assert.NotZero(t, s.Scored)
	assert.NotZero(t, s.Unscored)
	assert.Len(t, s.NotVerified, 2)
}

func TestAClosingLineShowsWhatNothingElseDoes(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	run := f.run()
	lines := bytes.SplitAfter(run, []byte("\n"))
	n := len(f.records)
	join := func(parts ...[][]byte) []byte { return bytes.Join(slices.Concat(parts...), nil) }
	digest := `^/digest is [0-9a-f]{12}…; the lines before it yield [0-9a-f]{12}…$`
	for _, tt := range []struct {
		reason string
		run    []byte
		told   []string // about the closing line
	}{
		{"a record is gone", join(lines[:4], lines[5:]),
			[]string{fmt.Sprintf("^/records is %d; the lines before it yield %d$", n, n-1),
				"^/scored is", digest}},
		{"two have changed places", join(lines[:4], lines[5:6], lines[4:5], lines[6:]),
			[]string{digest}},
		{"one is there twice", join(lines[:4], lines[3:]), []string{"^/records is", "^/scored is",
			digest}},
		{"another file is named", edit(t, run, `"file":"restaurant.txt"`, `"file":"station.txt"`),
			[]string{digest}},
		{"another id", edit(t, run, `"dialogue_id":1,`, `"dialogue_id":11,`), []string{digest}},
		{"another rating", edit(t, run, `"overall":\[.`, `"overall":[1`), []string{digest}},
		{"an empty line", join(lines[:4], [][]byte{[]byte("\n")}, lines[4:]), []string{digest}},
		{"it was counted up itself", edit(t, run, `"records":`, `"records":1`),
			[]string{"^/records is"}},
		{"it claims a duplicate", edit(t, run, `"duplicates":0`, `"duplicates":1`),
			[]string{"^/duplicates is 1; the lines before it yield 0$"}},
	} {
		results, s := f.replayed(t, tt.run)
		end := results[len(results)-1]
		require.NotNil(t, end.Line.Expected, tt.reason)
		var told []string
		for _, d := range end.Differences {
			told = append(told, d.Error())
		}
		require.Len(t, told, len(tt.told), "%s: %q", tt.reason, told)
		for i := range told {
			assert.Regexp(t, tt.told[i], told[i], tt.reason)
		}
		assert.Equal(t, 1, s.WrongEnds, tt.reason)
		assert.True(t, s.Differs(), tt.reason)
	}

	results, s := f.replayed(t, join(lines, lines[3:4]))
	assert.Equal(t,
		"the line is after the closing line; want it before the closing line, or after another header",
		results[len(results)-1].Differences[0].Error())
	assert.True(t, s.Differs())

	_, s = f.replayed(t, join(lines[:n]))
	assert.False(t, s.Sound, "records may be missing at the end")
	assert.Equal(t, 1, s.Unfinished)
	assert.Contains(t, s.NotVerified,
		"file, id and ratings of a dialogue; and that no record was left out, added or moved before "+
			"the run was closed: nothing in a run proves these")
}

// The numbers of a file's dialogues show where records were removed or moved, whatever the closing
// line says; ids that the source gives do not.
func TestTheNumbersOfDialoguesShowGaps(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	r := f.of(t, "restaurant.txt")
	for _, tt := range []struct {
		reason, id, gap string
		numbers         []int
	}{
		{"all", "", "", []int{1, 2, 3}},
		{"one is missing", "", "number 4 is followed by 6", []int{1, 2, 3, 4, 6}},
		{"two were swapped", "", "number 2 is followed by 4", []int{1, 2, 4, 3}},
		{"the first is missing", "T-7", ", but restaurant.txt begins with number 2", []int{2, 3}},
		{"the first of few", "", ", but restaurant.txt begins with number 2", []int{2, 3}},
		{"the first, and a format without ids", "", ", but restaurant.txt begins with number 12",
			[]int{12, 13}},
		{"ids of the source", "", "", []int{1039, 1052, 7}},
	} {
		f.records = nil
		for _, n := range tt.numbers {
			one := *r
			one.Dialogue.ID, one.Source.ID = n, tt.id
			if n > 1000 {
				one.Source.Format = "csv"
			}
			one.Source.DuplicateOf = nil
			f.records = append(f.records, &one)
		}
		_, s := f.replayed(t, f.run())
		said := strings.Join(s.NotVerified, "\n")
		assert.Equal(t, tt.gap != "", strings.Contains(said, ", but "), tt.reason)
		assert.Contains(t, said, tt.gap, tt.reason)
	}
}

func TestARunByItsOwnRubricAndProfileReplays(t *testing.T) {
	basis := run.DefaultBasis()
	var err error
	basis.Rubric, err = rubric.Parse("r.yaml",
		[]byte("weights: {TaskSuccess: 10, Helpfulness: 30, Accuracy: 30, Understanding: 10, Empathy: "+
			"10, Fluency: 10}\nmapping: nearest\ndemands: {Empathy: {80: [courtesy-empathy]}}\n"))
	require.NoError(t, err)
	basis.Profile = satisfaction.Profile{
		Version: satisfaction.ProfileVersion, Input: satisfaction.Reactions,
		Line: &satisfaction.Line{Intercept: 3_000_000, Slope: 1_000_000},
		Cuts: []rubric.Hundredths{150, 250, 350, 450}, Triage: &satisfaction.Triage{Rate: 200_000,
			Cut: 280},
	}
	f := newFixture(t, basis)
	_, s := f.replayed(t, f.run())
	assert.True(t, s.Sound)

	line := f.of(t, "restaurant.txt").Append(nil)
	first, _ := f.told(t, edit(t, line, `"level":.`, `"level":5`))
	assert.Regexp(t, `^/level is 5; its evidence yields [1-4]$`, first)
	first, _ = f.told(t, edit(t, line, `"level":`, `"flagged":true,"level":`))
	assert.Equal(t, "/flagged is true; its evidence yields nothing", first)
}

func TestWhatIsTold(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	for _, tt := range []struct {
		reason, file  string
		pattern, with string // several edits are separated by |
		first         string
	}{
		{"a score of the Evaluator", "restaurant.txt", `"Accuracy":{"score":40`,
			`"Accuracy":{"score":60`,
			"/evaluator/numeric_weighted_average is 74.00; its evidence yields 77.00"},
		{"a final score", "restaurant.txt", `"referee_final":{"TaskSuccess":{"score":80`,
			`"referee_final":{"TaskSuccess":{"score":100`,
			"/referee_final/TaskSuccess/score is 100; its evidence yields 80"},
		{"a final score, with all that follows from it", "restaurant.txt",
			`"referee_final":{"TaskSuccess":{"score":80|74\.00,"OverallExperience":60|"80\*0\.40([^"]*)74\.00|74\.00 → 60`,
			`"referee_final":{"TaskSuccess":{"score":100|82.00,"OverallExperience":80|"100*0.40${1}82.00|82.00 → 80`, "/referee_final/TaskSuccess/score is 100; its evidence yields 80"},
		{"a quote in the panel", "mended.txt", `("panel".*"critic".*?)The class costs`,
			`${1}The class! Costs`,
			`/critic/1/comment is "The SYSTEM was of help: the SYSTEM gives facts that can be…"; its ` +
				`evidence yields "No reason was given and no words were quoted."`},
		{"the words of a turn that are quoted", "restaurant.txt", `("turns":\[.*)I can book`,
			`${1}I can! Book`,
			`/evaluator/Accuracy/justification is "A statement of the SYSTEM is contradicted or ` +
				`unsupported: …"; its evidence yields "USER: \"Hello, I'd like to book a table at the Olive Branc…"`},
		{"the words of a turn", "parcel.txt", `("turns":\[{"role":"[A-Z]+","text":")`, `${1}Well. `,
			"/source/digest is f7328406ec20…; its evidence yields b5f404aa4b1c…"},
		{"a digest", "parcel.txt", `"digest":"....`, `"digest":"0000`,
			"/source/digest is 00008406ec20…; its evidence yields f7328406ec20…"},
		{"an objection taken away", "mended.txt", `{"criterion":"Helpfulness","by":[^}]*}`, ``,
			"/critic/1/agree is false; its evidence yields true"},
		{"the status", "restaurant.txt", `"status":"scored"`, `"status":"unscored"`,
			"/evaluator/TaskSuccess/score is 80; its evidence yields nothing"},
		{"a speaker", "restaurant.txt", `"USER","text":"No, I`, `"SYSTEM","text":"No, I`,
			`/evaluator/Understanding/justification is "The SYSTEM missed something that ` +
				`the USER said: the USER p…"; its evidence yields "SYSTEM: \"I can book a table at the ` +
				`Olive Branch for 2 peo…"`},
		{"a satisfaction", "restaurant.txt", `"satisfaction":3.28`, `"satisfaction":4.25`,
			"/satisfaction is 4.25; its evidence yields 3.28"},
		{"a score off the scale", "restaurant.txt", `"score":40`, `"score":70`,
			"the line cannot be recomputed: evaluator: Accuracy has the score 70; want 20, 40, 60, 80 " +
				"or 100"},
		{"an unknown criterion", "restaurant.txt", `"evaluator":\[{"criterion":"TaskSuccess"`,
			`"evaluator":[{"criterion":"Charm"`,
			`/panel/evaluator/0/criterion cannot be read: unknown criterion "Charm"; want one of ` +
				`TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy, Fluency`},
		{"a member that nobody writes", "restaurant.txt", `"status":`, `"approved":true,"status":`,
			"/approved is true; its evidence yields nothing"},
		{"a member that stands twice", "restaurant.txt", `"status":`,
			`"satisfaction":3.28,"status":`,
			"/satisfaction is not valid JSON: duplicate object member name"},
		{"a member left out", "restaurant.txt", `"satisfaction":3.28,`, ``,
			"/satisfaction is 0.00; want 1.00 to 5.00"},
		{"white space", "restaurant.txt", `,"source":`, `, "source":`,
			"the line has other white space, escapes, digits or order than in a run; all its values are right"},
		{"a number written otherwise", "restaurant.txt", `"satisfaction":3.28`,
			`"satisfaction":3.280`,
			`/satisfaction cannot be read: "3.280" is not a number with at most two decimals`},
		{"a number written with less", "restaurant.txt",
			`("referee_final".*?"numeric_weighted_average":74)\.00`, `$1`,
			"the line has other white space, escapes, digits or order than in a run; all its values are right"},
		{"an escape", "restaurant.txt", `"USER"`, `"\u0055SER"`,
			"the line has other white space, escapes, digits or order than in a run; all its values are right"},
		{"another order", "restaurant.txt", `"format":"([a-z]+)","turns":12`,
			`"turns":12,"format":"$1"`,
			"the line has other white space, escapes, digits or order than in a run; all its values are right"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			line := f.of(t, tt.file).Append(nil)
			patterns, withs := strings.Split(tt.pattern, "|"), strings.Split(tt.with, "|")
			for i := range patterns {
				line = edit(t, line, patterns[i], withs[i])
			}
			first, _ := f.told(t, line)
			assert.Equal(t, tt.first, first)
		})
	}
}

func TestAnEditedHeaderIsNamed(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	run := f.run()
	for _, tt := range []struct {
		reason, pattern, with string
		first                 string // the first message
		sound                 bool   // whether the records follow from the header
	}{
		{"masking denied", `"redacted":false`, `"redacted":true`, "/fingerprint is ", true},
		{"the mapping that was chosen", `"mapping":"down","redacted"`,
			`"mapping":"nearest","redacted"`,
			`/configuration/mapping is "nearest"; the rest of the header yields "down"`, true},
		{"the mapping of the rubric", `},"mapping":"down"`, `},"mapping":"nearest"`,
			`/configuration/mapping is "down"; the rest of the header yields "nearest"`, false},
		{"an agent", `"critic":"rules"`, `"critic":"model"`, "/fingerprint is", true},
		{"a format", `"mapping":"down","redacted"`,
			`"mapping":"down","input_format":"uss","redacted"`, "/fingerprint is", true},
		{"the program", `v1\.2\.3`, `v1.2.4`, "/fingerprint is", true},
		{"the lexicon", `"lexicon":"..`, `"lexicon":"zz`, "/fingerprint is", true},
		{"a weight that leaves a hundred", `"TaskSuccess":40,"Helpfulness":15`,
			`"TaskSuccess":45,"Helpfulness":10`,
			"/provenance/rubric is 7d591aaa057d…; the rest of the header yields", false},
		{"a level's text", `"Badly misread\."`, `"Misread."`, "/provenance/rubric is", true},
		{"the profile", `"intercept":3\.15`, `"intercept":4.15`, "/provenance/profile is", false},
		{"the rubric's digest", `"provenance":{"rubric":"..`, `"provenance":{"rubric":"00`,
			"/provenance/rubric is 00", true},
		{"the fingerprint", `"fingerprint":"....`, `"fingerprint":"0000`, "/fingerprint is 0000",
			true},
		{"the order", `{"assize_run":4,"program":"v1.2.3",`, `{"program":"v1.2.3","assize_run":4,`,
			"the line has other white space, escapes, digits or order than in a run; all its values are right",
			true},
		{"the writing", `,"program"`, `, "program"`,
			"the line has other white space, escapes, digits or order than in a run; all its values are right",
			true},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			results, s := f.replayed(t, edit(t, run, tt.pattern, tt.with))
			require.NotEmpty(t, results[0].Differences)
			assert.True(t, strings.HasPrefix(results[0].Differences[0].Error(), tt.first), "%s",
				&results[0].Differences[0])
			assert.False(t, s.Sound)
			assert.Equal(t, 1, s.Contradictions)
			assert.Equal(t, len(f.records), s.Records)
			assert.Equal(t, tt.sound, s.Different == 0)
		})
	}
}

func TestAHeaderThatCannotBeRead(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	run := f.run()
	for reason, edited := range map[string][]byte{
		"another version":        edit(t, run, `"assize_run":4`, `"assize_run":3`),
		"a member of nobody":     edit(t, run, `"program":`, `"colour":"green","program":`),
		"half of it":             edit(t, run, `"fingerprint":"[0-9a-f]*"}`, ``),
		"an option of some kind": edit(t, run, `"redacted":false`, `"redacted":"no"`),
	} {
		results, s := f.replayed(t, edited)
		assert.Error(t, results[0].Err, reason)
		assert.Zero(t, s.Records, reason)
		assert.False(t, s.Sound, reason)
	}
	results, s := f.replayed(t, edit(t, run, `("weights":{)[^}]*`, `$1"TaskSuccess":1`))
	assert.ErrorContains(t, results[0].Err, "/rubric cannot be read",
		"there is no rubric to settle by")
	assert.Zero(t, s.Records)
	results, s = f.replayed(t, []byte("USER: Hello?\n"))
	assert.ErrorContains(t, results[0].Err, "not a run")
	assert.Zero(t, s.Records)
}

func TestWhatCannotBeVerifiedIsSaid(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	for i, r := range f.records {
		masked := *r
		redact.Record(&masked)
		f.records[i] = &masked
	}
	f.header.Configuration.Redacted = true
	_, s := f.replayed(t, f.run())
	assert.True(t, s.Sound)
	assert.Contains(t, s.NotVerified, "whether the masked turns of the run are those that were judged")
}

func TestLinesThatAreNotWhole(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	run := bytes.TrimSuffix(f.run(), []byte("\n"))
	results, s := f.replayed(t, run)
	assert.True(t, s.Sound, "the last line break may be lost")
	assert.Len(t, results, len(f.records)+2)

	_, s = f.replayed(t, run[:len(run)-40])
	assert.False(t, s.Differs(), "the run was stopped in its closing line")
	assert.Equal(t, 1, s.Unfinished)

	run = run[:bytes.LastIndexByte(run, '\n')]
	_, s = f.replayed(t, run[:len(run)-40])
	assert.False(t, s.Differs(), "the run was stopped in a record")
	assert.Equal(t, len(f.records)-1, s.Records)
	assert.Equal(t, 1, s.Unfinished)

	results, _ = f.replayed(t,
		append(run, "\n{\"dialogue_id\":}\n[]\n{}\n{\"dialogue_id\":7}\n"...))
	var told []string
	for _, r := range results[len(f.records)+1 : len(results)-1] {
		told = append(told, r.Differences[0].Error())
	}
	assert.Equal(t, []string{
		"/dialogue_id is not valid JSON: invalid character '}' at start of value",
		"the line is not an object",
		"the line is not a record; want one, as assize score -o run.jsonl writes",
		"the line is not a record; want one, as assize score -o run.jsonl writes",
	}, told)
}

func TestRunsThatWerePutTogether(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	n := len(f.records)
	_, s := f.replayed(t, append(f.run(), f.run()...))
	assert.Len(t, s.Headers, 2)
	assert.Equal(t, 2*n, s.Records)
	assert.Equal(t, n, s.Repeated, "the second run has no record of its own")
	assert.False(t, s.Sound)
	assert.Contains(t, s.String(), fmt.Sprintf("%d repeated from an earlier run", n))

	again := *f.records[2]
	f.records = append(f.records, &again)
	_, s = f.replayed(t, f.run())
	assert.Equal(t, 1, s.Different, "a repeated record is not marked as a duplicate")
	assert.Contains(t, s.Lines[0].Differences[0].Error(),
		"/source/duplicate_of does not name the earlier dialogue with the same turns")
	again.Source.DuplicateOf = new(again.Origin())
	_, s = f.replayed(t, f.run())
	assert.True(t, s.Sound, "a file may be scored twice")
	f.records[2], f.records[n] = f.records[n], f.records[2]
	_, s = f.replayed(t, f.run())
	assert.Equal(t, 1, s.Different, "the duplicate is before the first")
	f.records = f.records[:n]
	_, s = f.replayed(t, f.run())
	assert.True(t, s.Sound, "the first was deleted")
}

// For any input, a replay counts every line and does not panic, and a run without findings is one
// that follows from its evidence.
func FuzzReplay(f *testing.F) {
	fix := newFixture(f, run.DefaultBasis())
	run := fix.run()
	f.Add(run[:bytes.IndexByte(run, '\n')+1])
	for _, file := range []string{"restaurant.txt", "silence.txt"} {
		line := fix.of(f, file).Append(nil)
		f.Add(line)
		f.Add(append(append(fix.header.Append(nil), '\n'), line...))
		// a record without its turns
		f.Add(bytes.Replace(line, []byte(`"turns":[{`), []byte(`"tunes":[{`), 1))
	}
	f.Add([]byte("{}\n[]\n{\"assize_run\":2}\n{\"dialogue_id\":1,\"status\":\"unscored\"}\n"))
	f.Fuzz(func(t *testing.T, run []byte) {
		results, s := fix.replayed(t, run)
		for _, r := range results {
			if r.Record != nil && len(r.Differences) == 0 {
				assert.Contains(t, string(run), string(r.Record.Append(nil)))
			}
		}
		written(t, "text", s)
		assert.True(t, json.Valid(written(t, "json", s)))
	})
}

// written returns the report of a run in a format.
func written(t testing.TB, format string, s *Summary) []byte {
	var page ui.Page
	if format == "json" {
		require.NoError(t, ui.WriteJSON(&page, Document{[]*Summary{s}, s.Sound}, "  "))
	} else {
		s.Text(&page)
	}
	return page.Bytes()
}

// This program does not have the weights of another lexicon, so it takes the satisfaction as
// recorded and says so.
func TestARunOfAnotherLexicon(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	line := edit(t, f.of(t, "restaurant.txt").Append(nil), `"satisfaction":3.28`,
		`"satisfaction":3.25`)
	f.header.Lexicon = strings.Repeat("a", 64)
	text := append(append(f.header.Append(nil), '\n'), line...)
	s := &Summary{File: "run.jsonl", MaxLines: 1000, lexicon: f.agents.Digest()}
	for r := range replayLines(t.Context(), bytes.NewReader(text), "run.jsonl", 1, f.agents) {
		assert.Empty(t, r.Differences)
		s.Add(&r)
	}
	assert.Contains(t, s.Close().NotVerified,
		"satisfaction, which was computed with the weights of another lexicon")
}

// A line designed to keep a reader busy is reported quickly and briefly.
func TestHostileLines(t *testing.T) {
	f := newFixture(t, run.DefaultBasis())
	line := append(f.of(t, "restaurant.txt").Append(nil), '\n')
	var members, turns strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&members, `"k%d":1,`, i)
	}
	for range 40_000 {
		turns.WriteString(`{"role":"USER","text":"Perfect. And can we sit outside?"},`)
	}
	for _, tt := range []struct {
		reason, pattern, with, want string
	}{
		{"many members", `{"dialogue_id"`, "{" + members.String() + `"dialogue_id"`,
			"/k0 is 1; its evidence yields nothing"},
		{"one member, many times", `{"dialogue_id"`, "{" + strings.Repeat(`"k":1,`, 100_000) +
			`"dialogue_id"`, "/k is not valid JSON: duplicate object member name"},
		{"deep nesting", `"audit":{`, `"audit":{"k":` + strings.Repeat("[", 900) +
			strings.Repeat("]", 900) + ",", "/audit/k/0/0/0"},
		{"deeper nesting", `"audit":{`, `"audit":{"k":` + strings.Repeat("[", 9000) +
			strings.Repeat("]", 9000) + ",", "/audit/k/0/0/0"},
		{"nesting beyond what JSON readers take", `"audit":{`, `"audit":{"k":` +
			strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + ",", "/audit/k/0/0/0"},
		{"many turns", `"turns":\[{`, `"turns":[` + turns.String() + "{",
			"/turns is a list of 40012; want one of 12"},
		{"a long text", `"status":`, `"` + strings.Repeat("\u202e", 100_000) + `":1,"status":`, ""},
		{"a line of many megabytes", `"status":`, `"k":"` + strings.Repeat("x", 5<<20) +
			`","status":`,
			"the line is not what its evidence yields, and too long to be compared member by member; want " +
				"at most 4 MB"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			results, s := f.replayed(t, append(append(f.header.Append(nil), '\n'),
				edit(t, line, tt.pattern, tt.with)...))
			assert.True(t, s.Differs())
			require.NotEmpty(t, results[1].Differences)
			assert.LessOrEqual(t, len(results[1].Differences), 1000)
			assert.True(t, strings.HasPrefix(results[1].Differences[0].Error(), tt.want), "%.200s",
				&results[1].Differences[0])
			text := written(t, "text", s)
			assert.Less(t, len(text), 10_000)
			assert.NotContains(t, string(text), "\u202e")
			assert.True(t, json.Valid(written(t, "json", s)))
		})
	}
}
