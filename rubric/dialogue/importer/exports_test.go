package importer_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// export is a sample of testdata/exports: a file as a product or a person writes it, and the
// dialogues that an expert on the product would read in it. Each file is followed by one with lines
// such as these:
//
//	4021 kettle rating=5 Queue=East   id, text (dialogues.txt), rating and metadata of a dialogue
//	refused Zorg                      the file cannot be read, and the error names Zorg
//	note newest first                 a note says so
//	option system Ines Falk           a flag that the user must set
//	encode utf-16le                   the encoding of the file
//	blind Public: reason              nothing in the file shows that this column or key is missing
//	waiting NAME                      may fail until NAME has built the reader
//
// A rating is a number or none, or lo, mid or hi if it is in words.
type export struct {
	name, text string
	opt        importer.Options
	encode     []string
	want       []wantedDialogue
	refused    string // what the error must name, if the file cannot be read
	isRefused  bool
	note       string   // what a note must say
	blind      []string // columns and keys that nothing in the file distinguishes from others
	waiting    string   // who is building the reader; until then it may fail
}

type wantedDialogue struct {
	id, said string // the source's id, "*" for any; the names of the texts, joined by +
	facts    map[string]string
}

// outcome is the result of reading a file.
type outcome struct {
	samples []dialogue.Sample
	errs    []error
	notes   []string
}

func read(data []byte, name string, opt importer.Options) (r outcome) {
	opt.Note = func(s string) { r.notes = append(r.notes, s) }
	for s, err := range importer.Read(bytes.NewReader(data), name, opt) {
		if err != nil {
			r.errs = append(r.errs, err)
		} else {
			r.samples = append(r.samples, s)
		}
	}
	return r
}

// said returns the text of SYSTEM and USER with white space folded, which is the same for the same
// dialogue in different formats.
func said(d dialogue.Dialogue) string {
	var b strings.Builder
	for _, t := range d.Turns {
		if t.Role != dialogue.Other && t.Text != "" {
			fmt.Fprintf(&b, "%s: %s\n", t.Role, strings.Join(strings.Fields(t.Text), " "))
		}
	}
	return b.String()
}

// TestExports reads every sample of testdata/exports.
func TestExports(t *testing.T) {
	for _, x := range exports(t) {
		t.Run(x.name, func(t *testing.T) {
			faults := x.check(read(x.data(t), x.name, x.opt))
			if x.waiting != "" {
				t.Skipf("waiting for %s: %d faults %s", x.waiting, len(faults),
					strings.Join(faults, "\n"))
			}
			for _, f := range faults {
				t.Error(f)
			}
		})
	}
}

// check lists the differences between an outcome and what x expects.
func (x *export) check(r outcome) (faults []string) {
	fault := func(format string,
		args ...any) {
		faults = append(faults, fmt.Sprintf(format, args...))
	}
	if x.isRefused {
		if len(r.samples) > 0 {
			fault("read, want it refused; notes %q; dialogue %+v", r.notes, r.samples[0].Dialogue)
		} else if err := fmt.Sprint(r.errs); !strings.Contains(err, x.refused) {
			fault("the error does not name %q: %s", x.refused, err)
		}
		return faults
	}
	if len(r.errs) > 0 {
		fault("%d errors, the first: %v", len(r.errs), r.errs[0])
	}
	if x.note != "" && !strings.Contains(strings.Join(r.notes, "\n"), x.note) {
		fault("no note says %q: %q", x.note, r.notes)
	}
	if len(r.samples) != len(x.want) {
		fault("%d dialogues, want %d; notes %q", len(r.samples), len(x.want), r.notes)
		return faults
	}
	ratings := map[string][]float64{} // by word, such as good, the ratings read for it, in order
	left := slices.Clone(r.samples)
	for _, w := range x.want {
		i := slices.IndexFunc(left, func(s dialogue.Sample) bool {
			isNumber := strings.TrimLeft(w.id, "0") == strconv.Itoa(s.Dialogue.ID)
			return isNumber || w.id == s.Source.ID || w.id == "*" && said(s.Dialogue) == w.said
		})
		if i < 0 {
			fault("no dialogue %s; first: %s", w.id, said(left[0].Dialogue))
			continue
		}
		s := left[i]
		left = slices.Delete(left, i, i+1)
		if got := said(s.Dialogue); got != w.said {
			fault("dialogue %s:\n%swant\n%s", w.id, got, w.said)
		}
		for name, want := range w.facts {
			got, _ := s.Source.Meta.Value(name)
			if name == "rating" {
				got = strings.Trim(fmt.Sprint(s.Truth.Overall), "[]")
				if len(s.Truth.Overall) == 1 && slices.Contains([]string{"lo", "mid", "hi"}, want) {
					ratings[want] = append(ratings[want], s.Truth.Overall[0])
					continue
				}
				want = strings.TrimPrefix(want, "none")
			}
			if strings.ReplaceAll(got, " ", "_") != want {
				fault("dialogue %s: %s is %q, want %q", w.id, name, got, want)
			}
		}
	}
	order := slices.Concat(ratings["lo"], ratings["mid"], ratings["hi"])
	if !slices.IsSorted(order) || len(ratings) > 1 && order[0] == order[len(order)-1] {
		fault("ratings lo, mid, hi are %v", ratings)
	}
	return faults
}

// exports reads the archives of testdata/exports.
func exports(t *testing.T) (all []*export) {
	pool, err := os.ReadFile("testdata/exports/dialogues.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for part := range strings.SplitSeq(string(pool), "## ") {
		name, lines, _ := strings.Cut(part, "\n")
		lines = regexp.MustCompile(`\s+`).ReplaceAllString(lines, " ")
		lines = regexp.MustCompile(` ([SU]): `).ReplaceAllString(" "+strings.TrimSpace(lines),
			"\n$1: ")
		lines = strings.NewReplacer("\nS: ", "\nSYSTEM: ", "\nU: ", "\nUSER: ").Replace(lines)
		words[name] = strings.TrimPrefix(lines, "\n") + "\n"
	}
	files, _ := filepath.Glob("testdata/exports/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil || len(archive.Files)%2 != 0 {
			t.Fatal(file, err)
		}
		for pair := range slices.Chunk(archive.Files, 2) {
			x := &export{name: pair[0].Name, text: string(pair[0].Data)}
			for line := range strings.Lines(string(pair[1].Data)) {
				x.expect(t, strings.TrimSpace(line), words)
			}
			all = append(all, x)
		}
	}
	return all
}

// expect parses a line of the expectations.
func (x *export) expect(t *testing.T, line string, words map[string]string) {
	key, rest, _ := strings.Cut(line, " ")
	switch key {
	case "option":
		name, value, _ := strings.Cut(rest, " ")
		switch pairs := strings.Split(value, ","); name {
		case "system":
			x.opt.SystemNames = pairs
		case "dates":
			x.opt.Dates = value
		case "roles", "columns":
			x.opt.Roles, x.opt.Columns = map[string]dialogue.Role{}, map[string]string{}
			for _, p := range pairs {
				k, v, _ := strings.Cut(p, "=")
				x.opt.Columns[k] = v
				x.opt.Roles[k], _ = dialogue.ParseRole(v)
			}
			if name == "roles" {
				x.opt.Columns = nil
			} else {
				x.opt.Roles = nil
			}
		default:
			t.Fatalf("%s: option %q", x.name, name)
		}
	case "encode":
		x.encode = append(x.encode, rest)
	case "refused":
		x.isRefused, x.refused = true, rest
	case "note":
		x.note = rest
	case "waiting":
		x.waiting = rest
	case "blind":
		name, reason, ok := strings.Cut(rest, ": ")
		if !ok || reason == "" {
			t.Fatalf("%s: %q gives no reason", x.name, line)
		}
		x.blind = append(x.blind, name)
	default:
		fields := strings.Fields(rest)
		w := wantedDialogue{id: key, facts: map[string]string{}}
		for name := range strings.SplitSeq(fields[0], "+") {
			if words[name] == "" {
				t.Fatalf("%s: no dialogue %q", x.name, name)
			}
			w.said += words[name]
		}
		for _, f := range fields[1:] {
			k, v, _ := strings.Cut(f, "=")
			w.facts[k] = v
		}
		x.want = append(x.want, w)
	}
}

// data returns the file as it would be stored on disk.
func (x *export) data(t *testing.T) []byte {
	text := x.text
	for _, how := range x.encode {
		switch how {
		case "crlf":
			text = strings.ReplaceAll(text, "\n", "\r\n")
			continue
		case "xlsx":
			text = workbook(t, text)
			continue
		}
		enc := map[string]encoding.Encoding{
			"utf-8-bom":    unicode.UTF8BOM,
			"utf-16le":     unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
			"utf-16be":     unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
			"windows-1252": charmap.Windows1252,
		}[how]
		out, err := enc.NewEncoder().String(text)
		if err != nil {
			t.Fatal(x.name, how, err)
		}
		text = out
	}
	return []byte(text)
}

// TestExportMutations changes every readable sample in the ways in which exports differ. Each
// mutant must produce the same result, be refused, or cause a note that the sample did not cause.
func TestExportMutations(t *testing.T) {
	count := map[string]int{}
	for _, x := range exports(t) {
		before := read(x.data(t), x.name, x.opt)
		if x.isRefused || x.waiting != "" || len(x.check(before)) > 0 {
			continue
		}
		for how, text := range x.mutants(t) {
			y := *x
			y.text = text
			after := read(y.data(t), x.name, x.opt)
			is := verdict(before, after)
			if is == silent &&
				slices.ContainsFunc(x.blind,
					func(b string) bool { return strings.Contains(how, b) }) {
				is = "blind"
			}
			count[is]++
			if is == silent {
				t.Errorf("%s, %s: a silent misreading: %d dialogues, %d before; notes %q", x.name,
					how,
					len(after.samples), len(before.samples), after.notes)
			}
			if testing.Verbose() && is == toldOf {
				t.Logf("%s, %s: told of: %q", x.name, how, after.notes)
			}
		}
	}
	for _, is := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%d mutants: %s", count[is], is)
	}
}

const (
	same    = "read the same"
	refused = "refused"
	toldOf  = "read otherwise, and told of"
	silent  = "silent misreading"
)

// verdict returns the fate of a mutant. A dialogue with only one side is not scored, and the run
// reports why.
func verdict(before, after outcome) string {
	left := map[string]int{}
	for _, s := range before.samples {
		left[said(s.Dialogue)]++
	}
	other, unscored := false, 0
	for _, s := range after.samples {
		if s.Dialogue.Count(dialogue.System) == 0 || s.Dialogue.Count(dialogue.User) == 0 {
			unscored++
			continue
		}
		text := said(s.Dialogue)
		other = other || left[text] == 0
		left[text]--
	}
	switch told := slices.ContainsFunc(after.notes,
		func(n string) bool { return !slices.Contains(before.notes, n) }); {
	case !other && unscored == 0 && len(after.samples) == len(before.samples):
		return same
	case !other && len(after.errs)+unscored > 0:
		return refused
	case told:
		return toldOf
	}
	return silent
}

// mutants returns variants of the sample's text, by the name of the change.
func (x *export) mutants(t *testing.T) map[string]string {
	switch filepath.Ext(x.name) {
	case ".csv", ".tsv":
		return x.tableMutants(t)
	case ".json", ".jsonl":
		return x.jsonMutants(t)
	}
	lines := strings.Split(strings.TrimSpace(x.text), "\n")
	slices.Reverse(lines)
	return map[string]string{"order: lines reversed": strings.Join(lines, "\n")}
}

// tableMutants returns tables with a column renamed, removed or moved, or with the rows in another
// order.
func (x *export) tableMutants(t *testing.T) map[string]string {
	out := map[string]string{}
	var comma rune
	for _, c := range ",;\t|" {
		if comma == 0 || strings.Count(x.text, string(c)) > strings.Count(x.text, string(comma)) {
			comma = c
		}
	}
	r := csv.NewReader(strings.NewReader(x.text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, true
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(x.name, err)
	}
	width := len(records[len(records)-1])
	head := slices.IndexFunc(records,
		func(r []string) bool { return len(r) == width && !slices.Contains(r[:2], "") })
	title, header, rows := records[:head], records[head], records[head+1:]
	write := func(how string, change func(row []string, isHeader bool) []string, rows [][]string) {
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Comma = comma
		w.WriteAll(title)
		w.Write(change(slices.Clone(header), true))
		for _, row := range rows {
			w.Write(change(slices.Clone(row), false))
		}
		w.Flush()
		out[how] = b.String()
	}
	for i, name := range header {
		write("renamed "+name, func(row []string, isHeader bool) []string {
			if isHeader {
				row[i] = "Xq 7"
			}
			return row
		}, rows)
		write("removed "+name,
			func(row []string, _ bool) []string { return slices.Delete(row, i, i+1) }, rows)
		write("moved to the front: "+name, func(row []string, _ bool) []string {
			cell := row[i]
			return slices.Insert(slices.Delete(row, i, i+1), 0, cell)
		}, rows)
		write("moved to the end: "+name, func(row []string, _ bool) []string {
			cell := row[i]
			return append(slices.Delete(row, i, i+1), cell)
		}, rows)
	}
	as := func(row []string, _ bool) []string { return row }
	for how, mixed := range reorder(rows) {
		write("order: rows "+how, as, mixed)
	}
	if header, rows = rows[0], rows[1:]; !strings.Contains(x.name, "no-header") {
		write("the header is missing", as, rows)
	}
	return out
}

// reorder returns the rows newest first, and with the halves of the file interleaved.
func reorder[T any](rows []T) map[string][]T {
	back := slices.Clone(rows)
	slices.Reverse(back)
	var mixed []T
	half := (len(rows) + 1) / 2
	for i := range half {
		mixed = append(mixed, rows[i])
		if half+i < len(rows) {
			mixed = append(mixed, rows[half+i])
		}
	}
	return map[string][]T{"reversed": back, "interleaved": mixed}
}

// jsonMutants returns JSON with a key renamed or removed, or with its lists or lines in another
// order.
func (x *export) jsonMutants(t *testing.T) map[string]string {
	out := map[string]string{}
	var values []any
	for d := json.NewDecoder(strings.NewReader(x.text)); ; {
		d.UseNumber()
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(x.name, err)
		}
		values = append(values, v)
	}
	keys := map[string]bool{}
	change(values, func(m map[string]any) {
		for k := range m {
			keys[k] = true
		}
	}, nil)
	write := func(how string, object func(map[string]any), list func([]any) []any) {
		var b strings.Builder
		for _, v := range values {
			line, err := json.Marshal(change(v, object, list))
			if err != nil {
				t.Fatal(x.name, how, err)
			}
			b.Write(append(line, '\n'))
		}
		out[how] = b.String()
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		write("renamed "+k, func(m map[string]any) {
			if v, ok := m[k]; ok {
				delete(m, k)
				m["xq_7"] = v
			}
		}, nil)
		write("removed "+k, func(m map[string]any) { delete(m, k) }, nil)
	}
	write("order: lists reversed", nil, func(list []any) []any {
		slices.Reverse(list)
		return list
	})
	for how, mixed := range reorder(slices.Clone(values)) {
		values = mixed
		write("order: lines "+how, nil, nil)
	}
	return out
}

// change returns a copy of a JSON value in which the functions have replaced objects and lists of
// objects.
func change(v any, object func(map[string]any), list func([]any) []any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, member := range v {
			m[k] = change(member, object, list)
		}
		if object != nil {
			object(m)
		}
		return m
	case []any:
		all := []any{}
		objects := len(v) > 0
		for _, e := range v {
			_, is := e.(map[string]any)
			objects = objects && is
			all = append(all, change(e, object, list))
		}
		if list != nil && objects {
			return list(all)
		}
		return all
	}
	return v
}
