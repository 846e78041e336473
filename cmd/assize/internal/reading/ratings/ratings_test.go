package ratings_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

var nan = math.NaN()

// records returns the records of transcripts, given as a file name followed by its text.
func records(t testing.TB, files ...string) []*run.Row {
	var all []*run.Row
	for i := 0; i < len(files); i += 2 {
		for s, err := range importer.Read(strings.NewReader(files[i+1]), files[i],
			importer.Options{}) {
			require.NoError(t, err)
			all = append(all, new(run.New(s).Row(len(all))))
		}
	}
	return all
}

// shop returns three dialogues: 1 with two ratings, 2 with one, 3 with none.
const shop = "USER\tIs it open?\t\t\nSYSTEM\tUntil six.\t\t\nUSER\tOVERALL\t\t4,2\n\n" +
	"USER\tA room?\t\t\nSYSTEM\tNo.\t\t\nUSER\tOVERALL\t\t1\n\n" +
	"USER\tThanks!\t\t\nSYSTEM\tBye.\t\t\n"

func shopRun(t testing.TB) []*run.Row { return records(t, "sets/shop.txt", shop) }

// join reads a file of ratings and joins it with a run.
func join(
	t *testing.T, file string, run []*run.Row, s ratings.Scale,
) ([]ratings.Rated, []string, error) {
	f, err := ratings.ReadFile(strings.NewReader(file), "people.csv", nil, nil)
	require.NoError(t, err)
	return ratings.Collect(run, []*ratings.File{f}, nil, s)
}

// The raters of each source have their own positions.
func TestCollectMixesSources(t *testing.T) {
	var files []*ratings.File
	for _, f := range [][2]string{{"csat.csv", "id,csat\n1,2\n2,4\n"},
		{"team.csv", "id,source,rating\n1,boss,5\n1,peer,1\n"}} {
		f, err := ratings.ReadFile(strings.NewReader(f[1]), f[0], nil, nil)
		require.NoError(t, err)
		files = append(files, f)
	}
	rows := records(t, "shop.txt",
		"USER: Is it open?\nAgent: Until six.\n---\nUSER: Hi.\nAgent: Hello.\n")
	rated, _, err := ratings.Collect(rows, files, []string{"csat", "boss"},
		ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []float64{2, 5}, rated[0].Overall)
	assert.Equal(t, 3.5, rated[0].Mean())
	assert.Equal(t, 4.0, rated[1].Mean())
}

// An identity identifies a dialogue regardless of the ID. If no dialogue has it, the ID identifies
// other words, unless they were masked.
func TestAnIdentityWins(t *testing.T) {
	rows := shopRun(t)
	rated, warnings, err := join(t,
		fmt.Sprintf("dialogue_id,rating,identity,text\n1,4,%s,\n'=1+1,2,%s,\n1,5,,\n"+
			"3,1,%032x,Call [phone]\n2,5,%032x,Hi\n", rows[1].Identity, rows[1].Identity, 7, 8),
		rows, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Contains(t, warnings, "people.csv: left out, because the dialogues with these ids have "+
		"other words: 1 dialogue 2")
	require.Len(t, rated, 3)
	for i, want := range []float64{5, 3, 1} {
		assert.Equal(t, want, rated[i].Mean())
	}
}

// Ratings follow the words of dialogues that have other numbers than in the sheet.
func TestNumbersChange(t *testing.T) {
	const talk = "USER: Is it open?\nAgent: Until six.\n---\nUSER: A room?\nAgent: No.\n---\n" +
		"USER: Thanks!\nAgent: Bye.\n"
	_, rest, _ := strings.Cut(talk, "---\n")
	for _, columns := range []string{"dialogue_id,rating,identity,file", "dialogue_id,rating,identity"} {
		sheet := columns + "\n"
		for i, r := range records(t, "talk.txt", talk) {
			row := fmt.Sprintf("%s,%d,%s,%s\n", r.Name, 5-i, r.Identity, r.File)
			if strings.Count(columns, ",") == 2 {
				row = strings.TrimSuffix(row, ",talk.txt\n") + "\n"
			}
			sheet += row
		}
		rated, warnings, err := join(t, sheet, records(t, "talk.txt", rest), ratings.DefaultScale)
		require.NoError(t, err)
		require.Len(t, rated, 2, columns)
		assert.Equal(t, []float64{4, 3}, []float64{rated[0].Mean(), rated[1].Mean()})
		said := strings.Join(warnings, "\n")
		assert.Contains(t, said, "found by words, since the dialogues have other numbers: 2 dialogues 2")
		assert.Contains(t, said, "left out, because the dialogues with these ids have other words: 1 dialogue 1")
		_, _, err = join(t, sheet, records(t, "talk.txt", strings.ReplaceAll(talk, "USER: ", "USER: Hm. ")),
			ratings.DefaultScale)
		assert.ErrorContains(t, err, "no rating belongs to a dialogue of the run")
	}
}

// A table of this program's scores has no ratings by people, unless its column rating is filled.
func TestScoresAreNoRatings(t *testing.T) {
	const table = "dialogue_id,OverallExperience,numeric_weighted_average,satisfaction,Empathy,%s\n" +
		"1,60,77.00,3.26,60,%s\n"
	for _, column := range []string{"rating", "quote"} {
		_, err := ratings.ReadFile(strings.NewReader(fmt.Sprintf(table, column, "")), "worst.csv", nil, nil)
		assert.EqualError(t, err, "worst.csv: contains scores of assize, and no ratings by people; "+
			"want a sheet of triage --sample, or ratings in a column rating")
	}
	rated, _, err := join(t, fmt.Sprintf(table, "rating", "2"), shopRun(t), ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, 2.0, rated[0].Mean())
	assert.Nil(t, rated[0].Criteria)
}

// A smaller draw of the same dialogues is the beginning of a larger one, whatever the columns.
func TestDrawsOfOneRun(t *testing.T) {
	rows := shopRun(t)
	small := "dialogue_id,file,rating,probability,identity\n1,sets/shop.txt,4,0.3333," +
		string(rows[0].Identity) + "\n2,sets/shop.txt,2,,\n"
	const large, other = "dialogue_id,rating,probability\n1,,0.6667\n2,3,0.6667\n",
		"dialogue_id,rating,probability\n1,4,0.5\n2,3,0.5\n"
	for _, tt := range []struct {
		sheets  [2]string
		want    float64
		warning string
	}{
		{[2]string{small, large}, .6667, ""},
		{[2]string{large, small}, .6667, ""},
		{[2]string{other, large}, 0, "the sample represents 7 dialogues, and the run has 3 (a.csv " +
			"has 2, b.csv has 2); want all rows of the sheets drawn from this run; nothing is corrected"},
	} {
		var files []*ratings.File
		for i, sheet := range tt.sheets {
			f, err := ratings.ReadFile(strings.NewReader(sheet), []string{"a.csv", "b.csv"}[i], nil, nil)
			require.NoError(t, err)
			files = append(files, f)
		}
		rated, warnings, err := ratings.Collect(rows, files, nil, ratings.DefaultScale)
		require.NoError(t, err)
		require.Len(t, rated, 2)
		for _, r := range rated {
			assert.Equal(t, tt.want, r.Drawn.Probability)
		}
		assert.NotContains(t, strings.Join(warnings, " "), "--since")
		if tt.warning != "" {
			assert.Contains(t, warnings, tt.warning)
		} else {
			assert.NotContains(t, strings.Join(warnings, " "), "represents")
		}
	}
}

func ExampleCollect() {
	var records []*run.Row
	for s := range importer.Read(strings.NewReader("USER: Is it open?\nAgent: Until six.\n"),
		"shop.txt", importer.Options{}) {
		records = append(records, new(run.New(s).Row(len(records))))
	}
	table := "dialogue_id,rater,rating,criterion\n1,ann,8,\n1,bob,6,overall\n1,bob,10,Empathy\n2,ann,3,\n"
	f, err := ratings.ReadFile(strings.NewReader(table), "people.csv", nil, nil)
	if err != nil {
		fmt.Println(err)
	}
	rated, warnings, _ := ratings.Collect(records, []*ratings.File{f}, nil,
		ratings.Scale{Low: 0, High: 10})
	fmt.Println(rated[0].Overall, rated[0].Mean(), rated[0].Criteria[rubric.Empathy])
	fmt.Println(warnings)
	// Output:
	// [4.2 3.4] 3.8 [NaN 5]
	// [people.csv: not scored in the run: 1 rated dialogue 2]
}

func TestForms(t *testing.T) {
	want := [][]float64{{4, 2}, {1, nan}}
	for reason, file := range map[string]string{
		"commas":                     "dialogue_id,rater,rating\n1,ann,4\n1,bob,2\n2,ann,1\n",
		"tabs":                       "dialogue_id\trater\trating\n1\tann\t4\n1\tbob\t2\n2\tann\t1\n",
		"semicolons, decimal commas": "dialogue_id;rater;rating\n1;ann;4,0\n1;bob;2\n2;ann;1,00\n",
		"another order, other case":  "Rating,Dialogue ID,RATER\n4,1,ann\n2,1,bob\n1,2,ann\n",
		"another order of rows":      "dialogue_id,rater,rating\n2,ann,1\n1,bob,2\n1,ann,4\n",
		"quotes": "\"dialogue_id\",\"rater\",\"rating\"\n\"1\",\"an\"\"n, " +
			"A.\",\"4\"\n\"1\",\"bob\",\"2\"\n\"2\",\"an\"\"n, A.\",\"1\"\n",
		"byte-order mark and CRLF": "\xef\xbb\xbfdialogue_id,rater,rating\r\n1,ann,4\r\n1,bob,2\r\n2,ann,1\r\n",
		"UTF-16": utf16(
			"dialogue_id\trater\trating\r\n1\tann\t4\r\n1\tbob\t2\r\n2\tann\t1\r\n"),
		"gzip": zipped(
			"dialogue_id,rater,rating\n1,ann,4\n1,bob,2\n2,ann,1\n"),
		"files":     "dialogue_id,rater,rating,file\n1,ann,4,shop.txt\n1,bob,2,sets/shop.txt\n2,ann,1,C:\\data\\sets\\shop.txt\n",
		"no rating": "dialogue_id,rater,rating\n1,ann,4\n1,bob,2\n2,ann,1\n2,bob,\n3,ann,NA\n",
		"a help desk's export": "Report: satisfaction\n\nTicket " +
			"ID;CSAT;Rater\n1;4;ann\n1;2,0;bob\n2;★☆☆☆☆;ann\n3;Unoffered;\n",
		"empty lines":            "\n\ndialogue_id,rater,rating\n\n1,ann,4\n1,bob,2\n\n2,ann,1\n\n",
		"criteria named overall": "dialogue_id,rater,rating,criterion\n1,ann,4,\n1,bob,2,overall\n2,ann,1,OverallExperience\n",
		"JSON lines": `{"dialogue_id":1,"rater":"ann","rating":4}` + "\n" +
			`{"rating":"2","rater":"bob","dialogue_id":"1"}` + "\n\n" +
			`{"dialogue_id":2,"rater":"ann","rating":1.0,"file":"shop.txt"}`,
		"JSON lines without a rating": `{"dialogue_id":1,"rater":"ann","rating":4}` + "\n" +
			`{"dialogue_id":1,"rater":"bob","rating":2}` + "\n" +
			`{"dialogue_id":2,"rater":"ann","rating":1}` + "\n" +
			`{"dialogue_id":3,"rater":"ann","rating":null}`,
		"a JSON array": `[{"dialogue_id":1,"rater":"ann","rating":4},` + "\n" +
			`{"dialogue_id":1,"rater":"bob","rating":2}, {"dialogue_id":2,"rater":"ann","rating":1}]`,
	} {
		t.Run(reason, func(t *testing.T) {
			rated, warnings, err := join(t, file, shopRun(t), ratings.DefaultScale)
			require.NoError(t, err)
			require.Len(t, rated, 2)
			for i := range rated {
				same(t, want[i][:len(rated[i].Overall)], rated[i].Overall)
				assert.Equal(t, i+1, rated[i].Row.ID)
			}
			assert.EqualValues(t, []string{"not rated, so in no figure about ratings: 1 of 3 dialogues"}, warnings)
		})
	}
}

// JSON may have other names, in lists of the dialogues, and some members in later objects alone.
func TestRatingsInJSON(t *testing.T) {
	columns := map[string]string{"id": "chat.no", "rating": "by[].all", "rater": "by[].who",
		"Empathy": "by[].Tone"}
	for reason, file := range map[string]string{
		"lines": `{"chat":{"no":1},"turns":[{"who":"x","text":"4"}],"by":[{"who":"ann","all":7},` +
			`{"who":"bob","all":"1"}]}` + "\n" + `{"chat":{"no":2},"by":[{"who":"ann","tone":4}]}`,
		"an array over lines": "[\n" + `{"chat":{"no":1},"by":[{"all":7,"who":"ann"},` + "\n" +
			`{"who":"bob","all":1}]},` + "\n" + `{"by":[{"who":"ann","tone":4}],"chat":{"no":2}}` + "\n]\n",
	} {
		f, err := ratings.ReadFile(strings.NewReader(file), "r.json", columns, nil)
		require.NoError(t, err, reason)
		rated, notes, err := ratings.Collect(shopRun(t), []*ratings.File{f}, nil,
			ratings.Scale{Low: 1, High: 7})
		require.NoError(t, err, reason)
		assert.Equal(t, []float64{5, 1}, rated[0].Overall, reason)
		assert.Equal(t, []string{"ann", "bob"}, rated[0].Raters, reason)
		same(t, []float64{3, nan}[:len(rated[1].On(rubric.Empathy))], rated[1].On(rubric.Empathy))
		assert.EqualValues(t, []string{"not rated, so in no figure about ratings: 1 of 3 dialogues"}, notes, reason)
	}
	_, err := ratings.ReadFile(strings.NewReader("[\n{\"id\":1,\n\"rating\":\"x\"},\n"+
		"{\"id\":2,\"rating\":\"y\"}]"), "r.json", nil, nil)
	assert.ErrorContains(t, err, `"x" in row 2 (dialogue 1), "y" in row 4 (dialogue 2)`)
}

func utf16(s string) string {
	b := []byte{0xff, 0xfe}
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return string(b)
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func TestMissingIsNaN(t *testing.T) {
	rated, warnings, err := join(t,
		"dialogue_id,rater,rating,criterion\n1,cy,5,Empathy\n1,bob,2,\n1,ann,3,fluency\n2,bob,1,Empathy\n", shopRun(t), ratings.DefaultScale)
	require.NoError(t, err)
	require.Len(t, rated, 2)
	same(t, []float64{nan, 2, nan}, rated[0].Overall)
	same(t, []float64{nan, nan, 5}, rated[0].Criteria[rubric.Empathy])
	same(t, []float64{3, nan, nan}, rated[0].Criteria[rubric.Fluency])
	assert.Nil(t, rated[0].Criteria[rubric.Accuracy])
	assert.Nil(t, rated[1].Overall)
	assert.True(t, math.IsNaN(rated[1].Mean()))
	assert.Equal(t, 2.0, rated[0].Mean())
	assert.Len(t, warnings, 1)
}

// TestEqualMeansTie has people's means of 5/3 on a scale that is converted.
func TestEqualMeansTie(t *testing.T) {
	rated, _, err := join(t,
		"dialogue_id,rater,rating\n1,a,1\n1,b,1\n1,c,3\n2,a,1\n2,b,2\n2,c,2\n", shopRun(t),
		ratings.Scale{Low: 1, High: 7})
	require.NoError(t, err)
	require.Len(t, rated, 2)
	assert.Equal(t, rated[0].Mean(), rated[1].Mean())
}

func TestARaterHasOnePlace(t *testing.T) {
	rated, _, err := join(t, "dialogue_id,rater,rating\n1,cy,5\n2,bob,2\n2,cy,4\n", shopRun(t),
		ratings.DefaultScale)
	require.NoError(t, err)
	same(t, []float64{nan, 5}, rated[0].Overall)
	same(t, []float64{2, 4}, rated[1].Overall)

	var crowd strings.Builder
	crowd.WriteString("dialogue_id,rater,rating\n")
	for i := range 65 {
		fmt.Fprintf(&crowd, "%d,worker %02d,%d\n", 1+i%2, i, 1+i%5)
	}
	rated, _, err = join(t, crowd.String(), shopRun(t), ratings.DefaultScale)
	require.NoError(t, err)
	assert.Len(t, rated[0].Overall, 33, "of a crowd only those who rated")
}

func TestMean(t *testing.T) {
	assert.Equal(t, ratings.Mean([]float64{.1, .2, .3}),
		ratings.Mean([]float64{.3, .2, .1}), "the order decides nothing")
	assert.Equal(t, 2.5, ratings.Mean([]float64{nan, 2, 3}))
	assert.True(t, math.IsNaN(ratings.Mean(nil)))
}

func same(t *testing.T, want, got []float64) {
	t.Helper()
	assert.Equal(t, fmt.Sprint(want), fmt.Sprint(got)) // NaN does not equal itself
}

func TestFromTruth(t *testing.T) {
	rated, warnings, err := ratings.Collect(shopRun(t), nil, nil, ratings.DefaultScale)
	require.NoError(t, err)
	require.Len(t, rated, 2)
	assert.Equal(t, 3.0, rated[0].Mean())
	assert.EqualValues(t, []string{"not rated, so in no figure about ratings: 1 of 3 dialogues"}, warnings)

	_, _, err = ratings.Collect(shopRun(t), nil, nil, ratings.Scale{Low: 1, High: 3})
	assert.EqualError(t, err,
		"sets/shop.txt: dialogue 1: the rating 4 is outside the scale from 1 to 3; want --scale with "+
			"the ends of the people's scale, such as --scale 0-10 (of agree, fit and report; score --by needs ratings from 1 to 5)")

	_, _, err = ratings.Collect(records(t, "a.txt", "USER: Hello?\nAgent: Hello.\n"), nil, nil,
		ratings.DefaultScale)
	assert.EqualError(t, err,
		"no dialogue has a rating; want --ratings FILE or, for a column of an export, "+
			"--columns rating=NAME")
}

func TestARunGivenTwiceCountsOnce(t *testing.T) {
	rated, warnings, err := ratings.Collect(append(shopRun(t), shopRun(t)...), nil, nil,
		ratings.DefaultScale)
	require.NoError(t, err)
	assert.Len(t, rated, 2)
	assert.EqualValues(t,
		[]string{"3 records left out, because the dialogue occurred before; each dialogue counts once",
			"not rated, so in no figure about ratings: 1 of 3 dialogues"}, warnings)

	other := shopRun(t)
	other[1].Reason = "another judge"
	rated, _, err = ratings.Collect(append(shopRun(t), other...), nil, nil, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Empty(t, rated[1].Row.Reason, "the first counts")
}

func TestReadFileRefuses(t *testing.T) {
	const head = "dialogue_id,rater,rating,criterion\n"
	for _, tt := range []struct{ reason, file, want string }{
		{"nothing", "", "r.csv: is not a table of ratings: "},
		{"a column is missing", "dialogue_id,rater,score\n1,a,2\n",
			"r.csv:1: the columns are dialogue_id, rater, score; want an id and a rating, such as " +
				"dialogue_id and rating or Ticket ID and CSAT, and perhaps rater, criterion, file and source"},
		{"JSON with other names", `{"item": "1", "marks": [{"overall": 2}]}` + "\n",
			"r.csv:1: the columns are item, marks[].overall; want an id and a rating"},
		{"a header in brackets", "[item],[overall]\n1,2\n", "r.csv:1: the columns are [item], [over"},
		{"a column is doubled", "dialogue_id,rating,Rating\n1,2,3\n",
			"r.csv:1: the column rating occurs twice; want"},
		{"no rows", head, "r.csv: contains no rating; want"},
		{"no rows and other columns", "colour,shape\n", "r.csv:1: the columns are colour, shape; want an id"},
		{"no rating at all", head + "1,ann,NA,\n", "r.csv: contains no rating; want a number"},
		{"no finite number", head + "1,ann,1e999,\n", "r.csv: not read: 1 rating: \"1e999\" in row " +
			"2 (dialogue 1); r.csv: contains no rating; want a number, 4/5, 80%, stars, or words such as"},
		{"no id", head + "1,ann,3,\n,ann,3,\n", "r.csv:3: the id is empty"},
		{"an unknown criterion", head + "1,ann,3,Beauty\n", "r.csv:2: unknown criterion \"Beauty\"; " +
			"want one of TaskSuccess, Helpfulness, Accuracy, Understanding, Empathy, Fluency, or overall"},
		{"no probability", "id,rating,probability\n1,2,0.5\n2,2,1.5\n",
			"r.csv:3: the probability 1.5; want one above 0 and up to 1, or no value"},
		{"an edited probability", "id,rating,group,probability\n1,2,Ann,0.25\n2,2,Ben,1\n3,2,Ann,1\n",
			"r.csv:4: the probability 1 of a group that has 0.25 on line 2; want one for each group, " +
				"as drawn, and each sheet in a file of its own"},
		{"a short row", head + "1,ann\n", "r.csv:2: 2 fields where the header names 4; put"},
		{"two lines in one", head + "1,ann,3,\r2,ann,4,\n", "r.csv:2: 7 fields where the header " +
			"names 4, and a carriage return without a line feed; end all lines alike; one inside " +
			"a text needs double quotes"},
		{"an open quote", head + "1,\"ann,3,\n", "r.csv:2: extraneous or missing \" in quoted-field"},
		{"broken JSON", `{"dialogue_id":1,"rating":4}` + "\n" + `{"dialogue_id":`,
			"r.csv:2: not valid JSON: unexpected EOF"},
		{"a member that occurs twice", `{"dialogue_id":1,"rating":4,"rating":2}`,
			"r.csv:1: not valid JSON: duplicate object member name"},
		{"two on a line", `{"dialogue_id":1,"rating":4}` + "\n" + `{"dialogue_id":1,"rating":4} {}`,
			"r.csv:2: not valid JSON: invalid character '{' after top-level value"},
		{"a list for a rating", `{"dialogue_id":1,"rating":[4]}`,
			"r.csv:1: the columns are dialogue_id, rating[]; want"},
		{"a run", `{"assize_run":2,"program":"x"}` + "\n", "r.csv: is a run; want a table of ratings"},
		{"a transcript", "USER: Hello?\nAgent: Hello.\n", "r.csv:1: the columns are USER: Hello?; want " +
			"an id and a rating"},
		{"a torn archive", zipped(head + strings.Repeat("1,ann,3,\n", 50))[:30],
			"r.csv: gzip: unexpected EOF"},
		{"hostile text is quoted and cut", head + "1,ann,\x1b[2J" + strings.Repeat("x", 1<<20) + ",\n",
			`r.csv: not read: 1 rating: "\x1b[2Jxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" in row ` +
				`2 (dialogue 1); r.csv: contains`},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			f, err := ratings.ReadFile(strings.NewReader(tt.file), "r.csv", nil, nil)
			require.Error(t, err)
			assert.Nil(t, f)
			assert.True(t, strings.HasPrefix(err.Error(), tt.want), err.Error())
		})
	}
}

// A sheet says which dialogues were drawn at random. All its rows together must represent the run.
func TestSheets(t *testing.T) {
	for _, tt := range []struct {
		reason, sheet string
		drawn         []float64 // of the rated dialogues
		warning       string
	}{
		{"two of three, and a chosen one", "id,rating,probability,picked\n1,4,0.6667,\n2,3," +
			"0.6667,\n3,1,,worst\n", []float64{.6667, .6667, 0}, ""},
		{"of groups, with a decimal comma", "id;rating;probability\n1;4;0,5\n2;3;1\n",
			[]float64{.5, 1}, ""},
		{"one is not rated", "id,rating,probability\n1,4,0.6667\n2,,0.6667\n", []float64{.6667 / 2},
			"drawn but not rated: 1 of 2 dialogues; if these differ from the rated ones, the " +
				"corrected figures are wrong"},
		{"rated by two", "id,rater,rating,probability\n1,a,4,1\n1,b,2,1\n2,a,2,1\n3,b,2,1\n",
			[]float64{1, 1, 1}, ""},
		{"of another run", "id,rating,probability\n1,4,0.01\n2,3,0.01\n", []float64{0, 0},
			"the sample represents 200 dialogues, and the run has 3; want all rows of the sheets " +
				"drawn from this run; nothing is corrected"},
		{"cut", "id,rating,group,probability\n1,4,Ann,0.4\n2,3,Ben,1\n", []float64{0, 0},
			"1 drawn with the probability 0.4 of group Ann represent 2.5 dialogues, not a whole " +
				"number; want all rows of the sheets drawn from this run; nothing is corrected"},
		{"groups answer differently", "id,rating,group,probability\n1,4,a,1\n2,,b,1\n3,1,b,1\n",
			[]float64{1, .5}, "drawn but not rated: 1 of 3 dialogues; if these differ from the " +
				"rated ones, the corrected figures are wrong"},
		{"no sheet", "id,rating\n1,4\n", []float64{0}, ""},
	} {
		rated, warnings, err := join(t, tt.sheet, shopRun(t), ratings.DefaultScale)
		require.NoError(t, err, tt.reason)
		var drawn []float64
		for _, r := range rated {
			drawn = append(drawn, r.Drawn.Probability)
		}
		assert.Equal(t, tt.drawn, drawn, tt.reason)
		if tt.warning != "" {
			assert.Contains(t, warnings, tt.warning, tt.reason)
		}
		assert.Equal(t, tt.reason == "no sheet" || strings.HasSuffix(tt.warning, "is corrected") &&
			len(rated) < 3, strings.Contains(strings.Join(warnings, " "), "not rated, so in no figure"),
			tt.reason)
	}
}

func TestJoinRefuses(t *testing.T) {
	two := append(shopRun(t),
		records(t, "sets/inn.txt", shop, "old/inn.txt", "USER\tHello?\t\t\nSYSTEM\tYes?\t\t\n")...)
	twice := shopRun(t)
	twice[1].ID, twice[1].Name = 1, "1"
	for _, tt := range []struct {
		reason, file, want string
		run                []*run.Row
	}{
		{"off the scale", "dialogue_id,rating\n1,4\n2,6\n", "people.csv:3: the rating 6 is outside the " +
			"scale from 1 to 5; want --scale", shopRun(t)},
		{"in two files", "dialogue_id,rating\n2,4\n", "people.csv:2: dialogue 2 could be one of 2 in " +
			"sets/inn.txt, sets/shop.txt; want unique ids, or a column file that names the file", two},
		{"in two files of a name", "dialogue_id,rating,file\n1,4,inn.txt\n",
			"people.csv:2: dialogue 1 of inn.txt could be one of 2 in old/inn.txt, sets/inn.txt; want", two},
		{"twice in a file", "dialogue_id,rating\n1,4\n", "people.csv:2: dialogue 1 could be one of 2 " +
			"in sets/shop.txt; want unique ids", twice},
		{"nothing fits", "dialogue_id,rating\n77,4\n78,4\n",
			"people.csv: no rating belongs to a dialogue of the run; the file rates 77, 78, the run has " +
				"1, 2, 3", shopRun(t)},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			rated, _, err := join(t, tt.file, tt.run, ratings.DefaultScale)
			require.Error(t, err)
			assert.Nil(t, rated)
			assert.True(t, strings.HasPrefix(err.Error(), tt.want), err.Error())
		})
	}
	rated, _, err := join(t, "dialogue_id,rating,file\n1,4,sets/inn.txt\n2,3,shop.txt\n", two,
		ratings.DefaultScale)
	require.NoError(t, err)
	assert.Len(t, rated, 2)
	assert.Equal(t, "sets/inn.txt", rated[1].Row.File)
}

func TestTheSourcesOwnIDIsAnIDToo(t *testing.T) {
	chat := records(t, "desk.csv",
		"ticket_id,role,text\nT-9,user,Hello?\nT-9,agent,Yes?\nT-7,user,Hello?\nT-7,agent,No.\n")
	require.Equal(t, "T-9", chat[0].Name)
	rated, warnings, err := join(t, "dialogue_id,rating,comment\nT-7,4,fine\n1,3,\nT-1,2,\n", chat,
		ratings.DefaultScale)
	require.NoError(t, err)
	require.Len(t, rated, 2)
	assert.Equal(t, 3.0, rated[0].Mean())
	assert.Equal(t, 4.0, rated[1].Mean())
	assert.EqualValues(t, []string{"people.csv: not read: 1 column comment; --columns rating=comment reads ratings there, rater=comment names of raters",
		"people.csv: not scored in the run: 1 rated dialogue T-1"}, warnings)
}

func TestScale(t *testing.T) {
	for in, want := range map[string]ratings.Scale{
		"1-5": {Low: 1, High: 5}, "0-10": {Low: 0, High: 10}, " 1 – 100 ": {Low: 1, High: 100},
		"6-1": {Low: 6, High: 1}, "-2-2": {Low: -2, High: 2}, "-3--1.5": {Low: -3, High: -1.5},
	} {
		s, err := parseScale(in)
		require.NoError(t, err, in)
		assert.Equal(t, want, s)
		for end, five := range map[float64]float64{s.Low: 1, s.High: 5} {
			got, err := s.ToFive(end)
			require.NoError(t, err)
			assert.Equal(t, five, got)
		}
		_, err = s.ToFive(max(s.Low, s.High) + 1)
		assert.ErrorContains(t, err, "is outside the scale")
		again, err := parseScale(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, again)
	}
	same, err := ratings.DefaultScale.ToFive(2.7)
	require.NoError(t, err)
	assert.Equal(t, 2.7, same, "that scale is left as it is")
	good, err := ratings.Scale{Low: 6, High: 1}.ToFive(2)
	require.NoError(t, err)
	assert.InDelta(t, 4.2, good, 1e-12, "the school grade 2 is good")
	for _, in := range []string{"", "5", "-5", "1-", "1-1", "a-b", "1-5-9", "1-inf", "NaN-5",
		"1e3-5"} {
		_, err := parseScale(in)
		assert.ErrorContains(t, err, "want its two ends, worst first, such as 1-5 or 0-10", in)
	}
}

// Readable ratings are joined without loss: every rating of the file is in the result, or the
// warnings report a dialogue that is not in the run.
func FuzzReadFile(f *testing.F) {
	f.Add(
		[]byte(
			"dialogue_id,rater,rating,criterion,file\n1,a,4,,\n2,\"b\"\"c\",3,Empathy,shop.txt\n"))
	f.Add([]byte(`{"dialogue_id":1,"rater":"ann","rating":4}` + "\n" +
		`{"dialogue_id":"9","rating":null}`))
	f.Add([]byte(utf16("dialogue_id;rating\r\n1;2,5\r\n")))
	f.Add([]byte(zipped("dialogue_id\trating\n1\t2\n")))
	all := shopRun(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ratings.ReadFile(bytes.NewReader(data), "r", nil, nil)
		if err != nil {
			assert.Nil(t, file)
			return
		}
		rated, _, err := ratings.Collect(all, []*ratings.File{file}, nil, ratings.DefaultScale)
		if err != nil {
			assert.Nil(t, rated)
			return
		}
		assert.NotEmpty(t, rated)
		for _, r := range rated {
			n := 0
			all := [][]float64{r.Overall}
			for _, k := range rubric.Criteria() {
				all = append(all, r.On(k))
			}
			for _, marks := range all {
				for _, m := range marks {
					if !math.IsNaN(m) {
						n++
						assert.True(t, 1 <= m && m <= 5)
					}
				}
			}
			assert.Positive(t, n)
		}
	})
}

func BenchmarkReadAndJoin(b *testing.B) {
	var table, text strings.Builder
	table.WriteString("dialogue_id,rater,rating\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "USER\tIs number %d open?\t\t\nSYSTEM\tUntil six.\t\t\n\n", i)
		for r := range 4 {
			fmt.Fprintf(&table, "%d,rater %d,%d\n", i+1, r, 1+(i+r)%5)
		}
	}
	all := records(b, "shop.txt", text.String())
	b.ReportAllocs()
	b.SetBytes(int64(table.Len()))
	for b.Loop() {
		f, err := ratings.ReadFile(strings.NewReader(table.String()), "r.csv", nil, nil)
		require.NoError(b, err)
		_, _, err = ratings.Collect(all, []*ratings.File{f}, nil, ratings.DefaultScale)
		require.NoError(b, err)
	}
}

// If a person rated a dialogue several times, the mean counts once, and a warning reports differing
// ratings.
func TestRatingsAtOdds(t *testing.T) {
	rated, warnings, err := join(t,
		"dialogue_id,rater,rating\n1,ann,4\n2,bob,4\n1,ann,4\n1,ann,3\n1,bob,1\n1,bob,2\n",
		shopRun(t), ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []float64{3.5, 1.5}, rated[0].Overall)
	assert.Contains(t, warnings,
		"people.csv: 2 ratings in conflict with another of the same dialogue by the same rater, or by "+
			"an unnamed one, the first in row 5 (dialogue 1); their mean counts")

	rated, warnings, err = join(t, "dialogue_id,rating\n1,4\n1,3\n", shopRun(t),
		ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []float64{3.5}, rated[0].Overall)
	assert.Contains(t, warnings,
		"people.csv: 1 rating in conflict with another of the same dialogue by the same rater, or by "+
			"an unnamed one, the first in row 3 (dialogue 1); their mean counts")
}

// A file that is given twice, under two names, counts once.
func TestTheSameFileTwice(t *testing.T) {
	for n, raters := range map[int]int{9: 2, 10: 1} {
		talk, sheet := "", "id,rating\n"
		for i := range n {
			talk += fmt.Sprintf("USER: Where is parcel %d?\nAgent: Here.\n---\n", i)
			sheet += fmt.Sprintf("%d,%d\n", i+1, 1+i%5)
		}
		var files []*ratings.File
		for _, name := range []string{"a.csv", "b.csv"} {
			f, err := ratings.ReadFile(strings.NewReader(sheet), name, nil, nil)
			require.NoError(t, err)
			files = append(files, f)
		}
		rated, warnings, err := ratings.Collect(records(t, "talk.txt", talk), files, nil,
			ratings.DefaultScale)
		require.NoError(t, err)
		assert.Len(t, rated[0].Overall, raters)
		assert.Equal(t, raters == 1, slices.Contains(warnings,
			"b.csv: left out, since it has the same ratings as a.csv"))
	}
}

// A name is one person in all files. What the person says in the later file counts.
func TestARaterInTwoFiles(t *testing.T) {
	var files []*ratings.File
	for i, text := range []string{"id,rating,rater\n1,4,ben\n2,2,ben\n", "id,ben,ann\n1,4,5\n2,3,1\n"} {
		f, err := ratings.ReadFile(strings.NewReader(text), []string{"a.csv", "b.csv"}[i],
			[]map[string]string{nil, {"rating": "ben,ann"}}[i], nil)
		require.NoError(t, err)
		files = append(files, f)
	}
	rated, warnings, err := ratings.Collect(shopRun(t), files, nil, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []float64{4, 5}, rated[0].Overall)
	assert.Equal(t, []float64{3, 1}, rated[1].Overall)
	assert.Contains(t, warnings,
		"b.csv: 1 rating with rater, dialogue and value of an earlier one, counted once")
	assert.Contains(t, warnings, "b.csv: 1 rating other than the same rater's in an earlier file, "+
		"which it replaces: dialogue 2")
}

// A table may have a column for each criterion, with or without one for the whole dialogue.
func TestColumnsByCriterion(t *testing.T) {
	for _, file := range []string{
		"dialogue_id,rater,rating,Task Success,empathy\n1,ann,4,5,\n1,bob,2,3,1\n",
		`{"dialogue_id":"1","rater":"ann","rating":4,"TaskSuccess":5}` + "\n" +
			`{"dialogue_id":"1","rater":"bob","rating":2,"TaskSuccess":3,"Empathy":1}`,
	} {
		rated, _, err := join(t, file, shopRun(t), ratings.DefaultScale)
		require.NoError(t, err)
		require.Len(t, rated, 1)
		assert.Equal(t, []float64{4, 2}, rated[0].Overall)
		assert.Equal(t, []float64{5, 3}, rated[0].Criteria[rubric.TaskSuccess])
		same(t, []float64{nan, 1}, rated[0].Criteria[rubric.Empathy])
	}
	rated, _, err := join(t, "dialogue_id,Fluency\n2,3\n", shopRun(t), ratings.DefaultScale)
	require.NoError(t, err)
	assert.Nil(t, rated[0].Overall)
	assert.Equal(t, []float64{3}, rated[0].Criteria[rubric.Fluency])

	f, err := ratings.ReadFile(strings.NewReader("case,OverallExperience,politeness\n2,4,3\n"),
		"people.csv", map[string]string{"id": "case", "Empathy": "politeness"}, nil)
	require.NoError(t, err)
	rated, _, err = ratings.Collect(shopRun(t), []*ratings.File{f}, nil, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []float64{4}, rated[0].Overall)
	assert.Equal(t, []float64{3}, rated[0].Criteria[rubric.Empathy])
}

// A rating that names its own scale is converted to the requested one and never read as a number on
// it.
func TestRatingsWithAScaleOfTheirOwn(t *testing.T) {
	for _, tt := range []struct {
		text, scale string
		want        float64 // from 1 to 5
		note        string
	}{
		{"1/10", "1-5", 1, "1 rating on a scale of its own converted to the scale 1-5"},
		{"10 out of 10", "1-5", 5, "1 rating on a scale of its own converted to the scale 1-5"},
		{"4 of 5", "1-5", 4, ""},
		{"5/5", "0-10", 5, "1 rating on a scale of its own converted to the scale 0-10"},
		{"8/10", "0-10", 4.2, ""},
		{"75%", "1-5", 4, "1 rating on a scale of its own converted to the scale 1-5"},
		{"0 %", "1-5", 1, "1 rating on a scale of its own converted to the scale 1-5"},
		{"75%", "0-100", 4, ""},
		{"★★★★", "1-5", 4, ""},
		{"★★★★☆", "0-10", 4, ""},
		{"Good", "0-10", 5, "words are converted to ratings from 1 to 5: good = 5 (1)"},
	} {
		scale, err := parseScale(tt.scale)
		require.NoError(t, err)
		rated, notes, err := join(t, "dialogue_id,rating\n1,"+tt.text+"\n", shopRun(t), scale)
		require.NoError(t, err, tt.text)
		assert.InDelta(t, tt.want, rated[0].Mean(), 1e-9, tt.text)
		if notes = notes[:len(notes)-1]; tt.note == "" { // the last note is about unrated dialogues
			assert.Empty(t, notes, tt.text)
		} else {
			assert.EqualValues(t, []string{"people.csv: " + tt.note}, notes, tt.text)
		}
	}
	_, _, err := join(t, "dialogue_id,rating\n1,11/10\n", shopRun(t), ratings.DefaultScale)
	assert.ErrorContains(t, err, "the rating 11 is outside the scale from 1 to 10")
}

func TestWordsAreTold(t *testing.T) {
	_, notes, err := join(t, "id,CSAT,rater\n1,good,a\n1,Great,b\n1,bad,c\n1,3,d\n2,great,a\n",
		shopRun(t), ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, "people.csv: words are converted to ratings from 1 to 5: bad = 1 (1), good = 5 "+
		"(1), great = 5 (2)",
		notes[0])
}

// Ratings from 1 to 5 would all be bad on a scale to 10.
func TestAScaleThatLooksWrong(t *testing.T) {
	var table strings.Builder
	table.WriteString("id,rating,rater\n")
	for i := range 10 {
		fmt.Fprintf(&table, "1,%d,r%d\n", 1+i%5, i)
	}
	for scale, want := range map[string]string{
		"0-10": "the scale 0-10 looks wrong: the highest of 10 ratings is 5; want --scale with the " +
			"ends of the one people used, such as 1-5 or 0-10",
		"0-100": "the scale 0-100 looks wrong: the highest of 10 ratings is 5; want --scale with the " +
			"ends of the one people used, such as 1-5 or 0-10",
		"1-5": "", "0-7": "", "10-0": "", "0-9": "",
	} {
		s, err := parseScale(scale)
		require.NoError(t, err)
		_, notes, err := join(t, table.String(), shopRun(t), s)
		require.NoError(t, err)
		assert.Equal(t, want != "", slices.Contains(notes, want), scale)
	}
}

func parseScale(text string) (s ratings.Scale, err error) {
	err = s.Set(text)
	return s, err
}

// All typing errors of a sheet are listed, by the rows that a spreadsheet shows: a cell may have
// several lines. One rating outside the scale is a typing error, too; several are another scale.
func TestTypingErrorsOfASheet(t *testing.T) {
	var chats, sheet strings.Builder
	for i := range 20 {
		fmt.Fprintf(&chats, "USER\tIs it open?\t\t\nSYSTEM\tUntil %d.\t\t\nUSER\tOVERALL\t\t%d\n\n", i,
			[]int{4, 44}[i/19])
		fmt.Fprintf(&sheet, "\"Is it open?\nUntil %d.\",%d,%s\n", i, i+1,
			[]string{"4", "2", "two", "O", "44"}[max(i-15, 0)])
	}
	run, typing := records(t, "shop.txt", chats.String()), sheet.String()
	_, notes, err := join(t, "text,dialogue_id,rating\n\n"+typing, run, ratings.DefaultScale)
	require.NoError(t, err)
	assert.EqualValues(t, []string{
		"people.csv: 1 of 18 ratings is outside the scale 1-5 and left out: 44 in row 22 (dialogue 20)",
		`people.csv: not read: 2 ratings: "two" in row 20 (dialogue 18), "O" in row 21 (dialogue 19)`,
		"not rated, so in no figure about ratings: 3 of 20 dialogues"}, notes)
	_, _, err = join(t, "text,dialogue_id,rating\n"+strings.ReplaceAll(typing, ",4\n", ",7\n"), run,
		ratings.DefaultScale)
	assert.EqualError(t, err, "people.csv:2: the rating 7 is outside the scale from 1 to 5; want --scale "+
		"with the ends of the people's scale, such as --scale 0-10 (of agree, fit and report; score --by needs ratings from 1 to 5)")
	var drawn strings.Builder
	for i := range 19 {
		fmt.Fprintf(&drawn, "%d,4,1\n", i+1)
	}
	_, notes, err = join(t, "id,rating,probability\n"+drawn.String(), run, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Contains(t, notes, "the sample was drawn from 19 dialogues, and the run has 20: it counts "+
		"as a sample of these")
	rated, notes, err := ratings.Collect(run, nil, nil, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Len(t, rated, 19)
	assert.Equal(t, "dialogues: 1 of 20 ratings is outside the scale 1-5 and left out: 44 of 20", notes[0])
}
