package lex

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHTMLText(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                              "plain",
		"  a \n b ":                          "a \n b",
		"<p>a\n   b</p>":                     "a b",
		"a<br/>b<br><br>c":                   "a\nb\nc",
		"&lt;b&gt; &amp;amp; &#39;":          "<b> &amp; '",
		"a<script>x<b>y</b></script>b":       "ab",
		"<style>p{}</style>a":                "a",
		"a < b and c > d":                    "a < b and c > d",
		"<a href='x'>link</a><!-- note -->.": "link.",
		"<p>never closed":                    "never closed",
		"":                                   "",
	} {
		assert.Equal(t, want, HTMLText(in), in)
	}
}
