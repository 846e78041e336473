package page

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"strings"
)

// shell is the file around a page: what the browser must know before it reads on.
type shell struct {
	title, style string
	body, data   []byte
	scripts      []string
}

// policy is the Content-Security-Policy: nothing may be loaded, and only the scripts and the style in the file count,
// which it knows by their digests. Nothing may make text into markup, and no form may send anything anywhere.
func (s shell) policy() string {
	var scripts []string
	for _, script := range s.scripts {
		scripts = append(scripts, source(script))
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + strings.Join(scripts, " "),
		"style-src " + source(s.style),
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

// source names an element's content by its digest (Content Security Policy Level 3, "hash-source").
func source(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (s shell) write(w io.Writer) error {
	b := bufio.NewWriter(w) // its first error is that of Flush
	for _, part := range []string{
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		`<meta http-equiv="Content-Security-Policy" content="`, s.policy(), "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
		"<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n",
		"<title>", html.EscapeString(s.title), "</title>\n",
		"<link rel=\"icon\" href=\"data:,\">\n",
		"<style>", s.style, "</style>\n</head>\n<body>\n",
	} {
		b.WriteString(part)
	}
	b.Write(s.body)
	b.WriteString(`<script type="application/json" id="data">`)
	b.Write(s.data)
	b.WriteString("</script>\n")
	for _, script := range s.scripts {
		b.WriteString("<script>" + script + "</script>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return b.Flush()
}
