package output

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Only a sheet in which people wrote something is kept from being overwritten.
func TestIsFilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheet.csv")
	assert.False(t, isFilled(path), "no file")
	for _, tt := range []struct {
		reason, text string
		want         bool
	}{
		{"blank", "dialogue_id,probability,rating,note\n1,0.5,,\n2,0.5,,\n", false},
		{"a rating", "dialogue_id,probability,rating,note\n1,0.5,,\n2,0.5,4,\n", true},
		{"a note", "dialogue_id,probability,rating,note\n1,0.5,,see ticket\n", true},
		{"no number", "dialogue_id,probability,rating\n1,0.5,?\n", true},
		{"a criterion", "dialogue_id,probability,rating,Empathy\n1,0.5,,3\n", true},
		{"of review", "dialogue_id,rater,rating\n1,ann,3\n", true},
		{"scores", "dialogue_id,satisfaction,rating\n1,3.2,4\n", false},
		{"no table", "Dear all,\n", false},
		{"empty", "", false},
	} {
		require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o666))
		assert.Equal(t, tt.want, isFilled(path), tt.reason)
	}
}
