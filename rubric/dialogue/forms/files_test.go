package forms

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every expression of the files of forms compiles and is used, and every one that is used is there.
func TestFiles(t *testing.T) {
	uses := regexp.MustCompile(`\bform\("([\w-]+)"\)`)
	for _, folder := range []string{"..", "../../../heuristics/deeds"} {
		data, err := os.ReadFile(filepath.Join(folder, "forms.txt"))
		require.NoError(t, err)
		form := In(string(data), None)
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		used := map[string]bool{}
		for _, file := range files {
			code, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range uses.FindAllStringSubmatch(string(code), -1) {
				used[m[1]] = true
				assert.NotPanics(t, func() { form(m[1]) }, "%s uses %s", file, m[1])
			}
		}
		assert.NotEmpty(t, used, folder)
		for name := range Texts(string(data), "") {
			if name != "" && name != "#" {
				assert.NotPanics(t, func() { form(name) }, name)
				assert.True(t, used[name] || strings.Contains(string(data), "«"+name+"»"),
					"nobody uses %s of %s", name, folder)
			}
		}
	}
}
