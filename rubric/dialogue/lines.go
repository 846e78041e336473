package dialogue

import (
	"bufio"
	"io"
)

// lines reads a stream line by line. A line of any length is read in linear time; of one that is longer
// than most bytes only the fact is kept.
type lines struct {
	in      *bufio.Reader
	most    int
	text    []byte // the line without its \n; valid until the next call of next
	number  int    // of the line, from 1
	tooLong bool   // the line was longer than most; text is empty
	err     error  // what ended the stream, unless it was its end
	long    []byte // where a line longer than the buffer of in is put together
	done    bool
}

func (f *file) lines() lines { return lines{in: f.in, most: f.most.text} }

// next moves to the next line and reports whether there is one.
func (l *lines) next() bool {
	if l.done {
		return false
	}
	l.tooLong = false
	line, err := l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = l.rest(line)
	}
	if err != nil {
		l.done = true
		if err != io.EOF {
			l.err = err // what came of this line is a fragment
			return false
		}
		if len(line) == 0 && !l.tooLong {
			return false
		}
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	l.text = line
	l.number++
	return true
}

// rest reads on where a line is longer than the buffer.
func (l *lines) rest(part []byte) ([]byte, error) {
	l.long = append(l.long[:0], part...)
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.long)+len(part) > l.most {
			l.tooLong = true
		}
		if !l.tooLong {
			l.long = append(l.long, part...)
		}
		if err != bufio.ErrBufferFull {
			if l.tooLong {
				l.long = l.long[:0]
			}
			return l.long, err
		}
	}
}
