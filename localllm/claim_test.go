package localllm

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// A sentence of the model says what it was asked and how sure it is, and nothing else.
func TestFinds(t *testing.T) {
	for _, tt := range []struct {
		yes      int
		question Question
		want     string
	}{
		{214, Question{Ask: "Was it carried out?", Says: "the request was carried out"},
			"the model finds it unlikely (21 %) that the request was carried out"},
		{500, Question{Says: `the USER says "ok"`},
			"the model finds it likely (50 %) that the USER says 'ok'"},
		{955, Question{Ask: "Is it clear?"},
			"the model finds it likely (96 %) that the answer to 'Is it clear?' is yes"},
	} {
		assert.Equal(t, tt.want, finds(tt.yes, tt.question.statement()))
	}
}
