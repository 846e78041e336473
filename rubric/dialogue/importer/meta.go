package importer

import (
	"slices"
	"strings"
	"unicode"

	"assize/rubric/dialogue"
)

// maxGathered is the maximum number of fields collected before it is known which of them count. No
// known export has that many.
const maxGathered = 1000

// differs is the value of a field in which rows differ. NewMeta drops it, since no text contains a
// NUL.
const differs = "\x00"

// agree merges a row into the metadata of a dialogue that has several rows. It marks a field as
// differing if two rows have different values; rows without a value do not count.
func agree(fields, row []dialogue.Field) []dialogue.Field {
	for i, f := range row {
		f.Value = strings.TrimSpace(f.Value)
		// Most rows have the same fields in the same order.
		if i >= len(fields) || fields[i].Name != f.Name {
			i = slices.IndexFunc(fields, func(g dialogue.Field) bool { return g.Name == f.Name })
		}
		switch {
		case i < 0 && len(fields) < maxGathered:
			fields = append(fields, f)
		case i < 0 || f.Value == "":
		case fields[i].Value == "":
			fields[i].Value = f.Value
		case fields[i].Value != f.Value:
			fields[i].Value = differs
		}
	}
	return fields
}

// humps matches the boundaries between the words of a name like customerCSATScore.
var humps = lazy(`(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})`)

// setAside reports whether a field is not metadata, judging by the words of its name and by the
// whole name. Ratings of the dialogue belong to its Truth, which is read only from the ratings that
// the format defines, and its texts belong to its turns.
func setAside(name string) bool {
	parts := append(nameWords(name), foldColumn(name))
	for i, part := range parts {
		if kind := kinds()["aside"][part]; kind == "judgement" ||
			kind == "text" && i >= len(parts)-2 {
			return true
		}
	}
	return false
}

// foldColumn returns the form in which the names of columns are compared: letters and digits in
// lower case.
func foldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name[:min(len(name), maxName)])
}
