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

// Markdown mentions nobody.
func TestEscapeMentions(t *testing.T) {
	assert.Equal(t, "ask @&#8203;all", Escape("ask @all"))
}
