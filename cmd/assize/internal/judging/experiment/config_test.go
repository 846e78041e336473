package experiment

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

// safeName matches file names that every system accepts.
var safeName = regexp.MustCompile(`^[A-Za-z0-9_x][A-Za-z0-9._-]*\.jsonl$`)

func filesOf(p Plan) (files []string) {
	for _, c := range p.Configs() {
		files = append(files, c.File)
	}
	return files
}

func TestConfigs(t *testing.T) {
	p := Plan{
		Models:  []string{"smollm2", Rules, "qwen2.5:1.5b@sha256:0123456789abcdef0123"},
		Panels:  []Panel{{Name: "full"}, {Name: "rules-critic"}},
		Prompts: []string{Default}, Repeats: 2,
	}
	assert.Equal(t, []string{
		"rules.jsonl",
		"smollm2.full.default.1.jsonl", "smollm2.full.default.2.jsonl",
		"smollm2.rules-critic.default.1.jsonl", "smollm2.rules-critic.default.2.jsonl",
		"qwen2.5-1.5b-0123456789ab.full.default.1.jsonl",
		"qwen2.5-1.5b-0123456789ab.full.default.2.jsonl",
		"qwen2.5-1.5b-0123456789ab.rules-critic.default.1.jsonl",
		"qwen2.5-1.5b-0123456789ab.rules-critic.default.2.jsonl",
	}, filesOf(p))
	cells := p.Configs()
	assert.Equal(t, "rules 1", cells[0].String())
	assert.Equal(t, "qwen2.5:1.5b@0123456789ab rules-critic default 2", cells[8].String())
	assert.Equal(t, cells[7].Row(), cells[8].Row())
}

func TestNamesOfFiles(t *testing.T) {
	for _, tt := range []struct{ reason, model, file string }{
		{"a namespace", "hf.co/a/b:Q4_K_M", "hf.co-a-b-Q4_K_M.p.default.1.jsonl"},
		{"out of the folder", "../../etc", "etc.p.default.1.jsonl"},
		{"nothing that is safe", "模型", "x.p.default.1.jsonl"},
		{"too long", "a123456789b123456789c123456789d123456789e123456789f123456789", "a123456789b123456789c123456789d123456789e123456789.p.default.1.jsonl"},
	} {
		files := filesOf(Plan{Models: []string{tt.model}, Panels: []Panel{{Name: "p"}},
			Prompts: []string{Default}, Repeats: 1})
		assert.Equal(t, []string{tt.file}, files, tt.reason)
		assert.Regexp(t, safeName, files[0])
	}
}
