package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLicence(t *testing.T) {
	const bsd = "Redistributions of source code\n  must retain the above notice."
	const mit = "Permission is hereby granted,\nfree of charge, to any person"
	for _, tt := range []struct{ want, first, second string }{
		{"MIT", mit, ""},
		{"BSD-2-Clause", bsd, ""},
		{"BSD-3-Clause", bsd + " No names to endorse or\npromote products.", ""},
		{"BSD-2-Clause AND BSD-3-Clause", bsd, bsd + " No names to endorse or promote products."},
		{"Apache-2.0 AND MIT", "Apache License\n Version 2.0", mit},
		{"MIT", mit, mit},
		{"", "All rights reserved.", ""},
	} {
		c := components{}.add("golang", "example.org/m", "v1.0.0")
		c.terms["LICENSE"], c.terms["sub/LICENSE"] = tt.first, tt.second
		got, err := c.licence()
		assert.Equal(t, tt.want, got, tt.first)
		assert.Equal(t, tt.want == "", err != nil, "an unknown licence is an error")
	}
}
