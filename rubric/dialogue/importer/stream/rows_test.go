package stream

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/lex"
)

// Of several versions of a message the newest counts, and of equally new ones the last; of copies
// of a row, the first counts.
func TestNewest(t *testing.T) {
	for _, tt := range []struct {
		reason    string
		at        []string
		areCopies bool
		want      int64
	}{
		{"the newest is last", []string{"2024-05-01 10:00", "2024-05-01 10:09"}, false, 1},
		{"the newest is first", []string{"2024-05-01 10:09", "2024-05-01 10:00"}, false, 0},
		{"equally new", []string{"2024-05-01 10:09", "2024-05-01 10:09"}, false, 1},
		{"without times", []string{"", "", ""}, false, 2},
		{"copies", []string{"", ""}, true, 0},
	} {
		g := Rows{AreCopies: tt.areCopies}
		var list []rowKey
		for i, at := range tt.at {
			g.versions = append(g.versions, NewVersion("m1", at))
			list = append(list, rowKey{piece: piece{at: int64(i)},
				Moment: lex.Moment{US: 1, EU: 1}, version: int32(i + 1)})
		}
		kept := g.newest(list, false)
		if assert.Len(t, kept, 1, tt.reason) {
			assert.Equal(t, tt.want, kept[0].piece.at, tt.reason)
		}
	}
}
