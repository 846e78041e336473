package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
)

// beginsRun is how a run begins: with its header or, where that is lost, with a record.
var beginsRun = regexp.MustCompile(`^\s*\{("assize_run":|"dialogue_id":-?\d+,("evaluator":\{"TaskSuccess":\{"score"|"source":\{"file":))`)

// isRun tells whether an input is a run, by how it begins. The error is of standard input, if the command is stopped
// before anything comes; what else is wrong is told of where the input is read.
func (p *program) isRun(ctx context.Context, input string) (bool, error) {
	if input != stdinName {
		return fileIsRun(input), nil
	}
	in := bufio.NewReader(p.stdin)
	p.stdin = in // what was seen is still to be read
	is, err := stoppable(ctx, func() bool { return beginsRun.Match(start(in)) })
	if err != nil {
		err = errors.New("stopped before anything was read")
	}
	return is, err
}

// fileIsRun is isRun of a file. What a pipe has could be read only once, so it counts as none.
func fileIsRun(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return beginsRun.Match(start(bufio.NewReader(f)))
}

// start gives the first bytes of an input, unpacked where it is packed, and leaves them in it.
func start(in *bufio.Reader) []byte {
	const most, mostPacked = 256, 1 << 10
	head, _ := in.Peek(mostPacked)
	unpacked, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return head[:min(len(head), most)]
	}
	head, _ = io.ReadAll(io.LimitReader(unpacked, most))
	return head
}
