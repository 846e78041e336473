package dialogue

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue/forms"
)

// Every expression of forms.txt is used, and compiles.
func TestForms(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var code strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		code.Write(data)
	}
	for name := range forms.Texts(formsFile, "") {
		if name != "" && name != "#" {
			assert.NotPanics(t, func() { form(name) }, name)
			assert.True(t, strings.Contains(code.String(), `form("`+name+`")`) ||
				strings.Contains(formsFile, "«"+name+"»"), "nobody uses %s", name)
		}
	}
	uses := regexp.MustCompile(`\bform\("([\w-]+)"\)`)
	for _, m := range uses.FindAllStringSubmatch(code.String(), -1) {
		assert.NotPanics(t, func() { form(m[1]) }, m[1])
	}
}
