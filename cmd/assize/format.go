package main

import (
	"fmt"
	"os"
	"strings"
)

// endings are what the name of a file of each format may end in, the usual one first.
var endings = map[string][]string{
	"text":     {".txt"},
	"json":     {".json"},
	"jsonl":    {".jsonl", ".ndjson"},
	"csv":      {".csv"},
	"markdown": {".md", ".markdown"},
	"junit":    {".xml"},
	"sarif":    {".sarif"},
	"html":     {".html", ".htm"},
}

// follow takes the format, which is what is chosen, from the name of the file behind -o, unless there is none or --format
// is given. Errors call what is written what.
func (c *choice) follow(output, what string, given map[string]bool) error {
	if output == "" || output == stdinName || given["format"] {
		return nil
	}
	if info, err := os.Stat(output); err == nil && info.IsDir() {
		return fmt.Errorf("-o %s: is a folder; want a file", output)
	}
	name := strings.ToLower(output)
	usual := oneOf("")
	for _, word := range c.list() {
		for _, ending := range endings[word] {
			if strings.HasSuffix(name, ending) {
				c.value = word
				return nil
			}
		}
		usual.words = append(usual.words, endings[word][0])
	}
	return fmt.Errorf("-o %s: the name tells no format of %s; want one that ends in %s, or --format", output, what, usual.any())
}
