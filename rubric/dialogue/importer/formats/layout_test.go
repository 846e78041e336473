package formats

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDistinct(t *testing.T) {
	const said = `{"role":"user","content":"And this one?"},{"role":"assistant","content":"Yes."}`
	list := "[" + strings.Repeat(said+",", 2000) + said + "]"
	assert.Equal(t, "["+said+"]", string(distinct([]byte(list))))
	for _, v := range []string{`"[1,2"`, `{"a":[1]}`, "[" + said + "]"} {
		assert.Equal(t, v, string(distinct([]byte(v))))
	}
}
