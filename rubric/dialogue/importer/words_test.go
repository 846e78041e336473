package importer

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A name that forms.txt does not have would match everything.
func TestFormsAreThere(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	used := regexp.MustCompile(`\bexpr\("([^"]+)"\)`)
	n := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range used.FindAllStringSubmatch(string(data), -1) {
			n++
			assert.Contains(t, forms(), m[1], file)
		}
	}
	assert.Positive(t, n)
}
