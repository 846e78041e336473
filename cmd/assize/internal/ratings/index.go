package ratings

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/record"
)

// index finds records by what a row says of its dialogue.
type index struct {
	records []*record.Record
	byID    map[string][]int
	byFile  map[[2]string][]int // by id and the name of the file without its folders
}

func newIndex(records []*record.Record) *index {
	x := &index{records, map[string][]int{}, map[[2]string][]int{}}
	for i, r := range records {
		own := r.Name()
		x.put(own, i)
		if number := strconv.Itoa(r.Dialogue.ID); number != own {
			x.put(number, i)
		}
	}
	return x
}

func (x *index) put(id string, i int) {
	file := [2]string{id, base(x.records[i].Source.File)}
	x.byID[id] = append(x.byID[id], i)
	x.byFile[file] = append(x.byFile[file], i)
}

// find gives the record that a row speaks of: -1 for none, an error for several.
func (x *index) find(r *row) (int, error) {
	fit := x.byID[r.id]
	if r.file != "" {
		fit = nil
		for _, i := range x.byFile[[2]string{r.id, base(r.file)}] {
			if sameFile(x.records[i].Source.File, r.file) {
				fit = append(fit, i)
			}
		}
	}
	switch len(fit) {
	case 0:
		return -1, nil
	case 1:
		return fit[0], nil
	}
	var files []string
	for _, i := range fit {
		files = append(files, x.records[i].Source.File)
	}
	slices.Sort(files)
	switch files = slices.Compact(files); {
	case len(files) == 1:
		return 0, fmt.Errorf("dialogue %s stands %d times in %s, so nobody can tell which is rated; want ids that differ", quote(r.id), len(fit), files[0])
	case r.file == "":
		return 0, fmt.Errorf("dialogue %s is in %s; want a column file that tells which", quote(r.id), listed(files))
	}
	return 0, fmt.Errorf("dialogue %s is in %s; want in the column file more of the path than %s", quote(r.id), listed(files), quote(r.file))
}

// sameFile reports whether two names are of one file: the same, or one with folders before the other's.
func sameFile(a, b string) bool {
	a, b = slashed(a), slashed(b)
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// base is the name of a file without its folders and without .gz.
func base(name string) string { return path.Base(slashed(name)) }

func slashed(name string) string {
	return strings.TrimSuffix(path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/")), ".gz")
}
