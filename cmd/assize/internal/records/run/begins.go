package run

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"regexp"
)

// runStart matches the beginning of a run: its header or, if that is missing, a record.
var runStart = regexp.MustCompile(`^\s*\{("assize_run":|` +
	`"dialogue_id":-?\d+,("evaluator":\{"TaskSuccess":\{"score"|"source":\{"file":))`)

// Begins reports whether an input, packed or not, begins like a run. It consumes no input.
func Begins(in *bufio.Reader) bool {
	head, _ := in.Peek(1 << 10)
	if unpacked, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		head, _ = io.ReadAll(unpacked) // the truncation error is ignored
	}
	return runStart.Match(head) || bytes.HasPrefix(head, []byte(packedBeginning))
}

// IsFile reports whether a file is a run. It returns false for a pipe, which can be read only
// once.
func IsFile(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return Begins(bufio.NewReader(f))
}
