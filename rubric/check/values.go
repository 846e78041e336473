package check

import (
	"bufio"
	"bytes"
	"io"
)

// value reads the JSON value at the next byte. It is cut where it is larger than a document may be.
func (s *splitter) value() (text []byte, scan scanner, cut bool, err error) {
	for !scan.over {
		if _, err := s.peek(); err == io.EOF {
			break
		} else if err != nil {
			return text, scan, cut, err
		}
		head, _ := s.in.Peek(s.in.Buffered())
		n := scan.scan(head)
		s.position = s.over(head[:n])
		if len(text)+n > s.most {
			cut = true
		} else if !cut {
			text = append(text, head[:n]...)
		}
		s.in.Discard(n)
	}
	return text, scan, cut, nil
}

const tooLarge = "more than 64 MiB in one document"

// emitCut emits a document that is too large.
func (s *splitter) emitCut(at position) {
	d := s.emit(nil, at)
	d.Cut, d.broken = true, tooLarge
}

// emitTrimmed emits a document without the white space that ends its text.
func (s *splitter) emitTrimmed(text []byte, at position) {
	n := len(bytes.TrimRight(text, " \t\r\n"))
	s.emit(text[:n:n], at)
	s.before = append(s.before, text[n:]...)
}

// object reads the object at the next byte, or where each line holds one all of them. Text that follows it
// and is no JSON makes the whole an answer in prose.
func (s *splitter) object() error {
	if s.last == nil && s.holdsLines() {
		return s.lines()
	}
	at := s.position
	text, scan, cut, err := s.value()
	if err != nil {
		return err
	}
	if cut {
		s.emitCut(at)
		return nil
	}
	rest := s.before
	s.before = nil
	if err := s.space(); err != nil {
		return err
	}
	space := s.before
	s.before = rest
	c, err := s.peek()
	if err == nil && c != '{' && c != '[' {
		return s.prose(append(text, space...), at)
	}
	s.emitTrimmed(text, at)
	s.before = append(s.before, space...)
	oneLine := bytes.IndexByte(text, '\n') < 0 && !scan.interrupted && bytes.IndexByte(space, '\n') >= 0
	if oneLine && err == nil && c == '{' {
		return s.lines()
	}
	return nil
}

// holdsLines looks ahead to tell JSON lines from other JSON. The first line may be the broken one.
func (s *splitter) holdsLines() bool {
	head, _ := s.in.Peek(bufferSize)
	line, rest, whole := bytes.Cut(head, []byte("\n"))
	if !whole {
		return false // one line: it is a document either way
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	line = bytes.TrimSpace(line)
	if _, err := parse(string(line)); err == nil {
		return bytes.HasPrefix(rest, []byte("{")) || bytes.Contains(rest, []byte("\n{"))
	}
	if !bytes.HasPrefix(rest, []byte("{")) {
		return false
	}
	if bytes.IndexByte([]byte("[{,:"), line[len(line)-1]) < 0 {
		return true
	}
	next, _, whole := bytes.Cut(rest, []byte("\n"))
	root, err := parse(string(next))
	return whole && err == nil && isEvaluation(root) && root.has("evaluator", "OverallExperience")
}

// lines reads a document from every line that is not blank.
func (s *splitter) lines() error {
	for !s.stopped {
		if err := s.space(); err != nil {
			return err
		}
		at := s.position
		line, cut, err := s.line()
		switch {
		case err != nil:
			return err
		case cut:
			s.emitCut(at)
		case len(line) == 0:
			return nil
		default:
			s.emitTrimmed(line, at)
		}
	}
	return nil
}

// line reads to the end of a line, and with it.
func (s *splitter) line() (line []byte, cut bool, err error) {
	for {
		piece, err := s.in.ReadSlice('\n')
		s.position = s.over(piece)
		if len(line)+len(piece) > s.most {
			cut = true
		} else if !cut {
			line = append(line, piece...)
		}
		switch err {
		case bufio.ErrBufferFull:
		case nil, io.EOF:
			return line, cut, nil
		default:
			return line, cut, err
		}
	}
}
