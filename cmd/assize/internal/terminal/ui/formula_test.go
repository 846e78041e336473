package ui

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// No cell is a formula, also for programs that fold wide signs or split cells at semicolons.
func TestEscapeFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+1 555": "'+1 555", "-x": "'-x", "@x": "'@x", " =1": "' =1",
		"＝1+1": "'＝1+1", "＋1": "'＋1", "－x": "'－x", "＠x": "'＠x",
		"a;=1": "a;'=1", "a;@x;+y;-z": "a;'@x;'+y;'-z",
		"-": "-", "-1.5": "-1.5", "+2": "+2", "a=b": "a=b", "a; b": "a; b", "": "", "é": "é",
	} {
		assert.Equal(t, want, EscapeFormula(cell), "%q", cell)
	}
}

// In Markdown, nothing is a link, a mention or a reference. A backslash is enough only for GitLab,
// and only for some signs.
func TestEscapeReferences(t *testing.T) {
	for text, want := range map[string]string{
		"ask @all":                    "ask @&#8203;all",
		"closes #12, a/b#12":          `closes \#&#8203;12, a/b\#&#8203;12`,
		"GH-12, gl-12":                "GH-&#8203;12, gl-&#8203;12",
		"see https://x.example/a?b=1": "see https:/&#8203;/x.example/a?b=1",
		"FTP://x.example, www.x.com":  "FTP:/&#8203;/x.example, www&#8203;.x.com",
		"(WWW.x.com)":                 "(WWW&#8203;.x.com)",
		"ann@x.com mailto:ann@x.com":  "ann@&#8203;x.com mailto:ann@&#8203;x.com",
		`!1 ~bug %1 %"v 2" &1 $1`:     `\!1 \~bug %&#8203;1 %"&#8203;v 2" &amp;&#8203;1 \$1`,
		"95 % of AB-12, at 10:30 & 1": "95 % of AB-12, at 10:30 &amp; 1",
		"a\u200bb":                    `a\\u200bb`,
	} {
		assert.Equal(t, want, Escape(text), text)
	}
}
