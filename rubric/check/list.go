package check

import "io"

// list reads a list of documents, element by element.
func (s *splitter) list() error {
	s.before = append(s.before, s.take(1)...)
	for elements, sure := 0, true; !s.stopped; elements++ {
		commas, err := s.commas()
		if err != nil {
			return err
		}
		at := s.position
		c, err := s.peek()
		switch {
		case err == io.EOF:
			s.fault(at, "the list of evaluations ends without its closing bracket")
			return nil
		case err != nil:
			return err
		case c == ']' || c == '}':
			s.before = append(s.before, s.take(1)...)
			if commas > 0 {
				s.fault(at, "a comma behind the last evaluation of the list")
			} else if elements == 0 && s.last == nil {
				s.emit(nil, s.position).Skip = emptyList
			}
			return nil
		}
		text, scan, cut, err := s.value()
		if err != nil {
			return err
		}
		if cut {
			s.emitCut(at)
		} else {
			s.emitTrimmed(text, at)
		}
		if want := min(elements, 1); sure && commas != want {
			s.fault(at, [...]string{"a comma before the first evaluation of the list", "not one comma between two evaluations of the list"}[want])
		}
		sure = !scan.interrupted
	}
	return nil
}

// commas reads white space and commas, and counts these.
func (s *splitter) commas() (int, error) {
	for n := 0; ; n++ {
		if err := s.space(); err != nil {
			return n, err
		}
		if c, _ := s.peek(); c != ',' {
			return n, nil
		}
		if b := s.take(1); len(s.before) < s.most {
			s.before = append(s.before, b...)
		}
	}
}

// fault notes what is wrong with the list; the document that was read last tells it.
func (s *splitter) fault(at position, msg string) {
	if s.last == nil {
		s.emit(nil, at).broken = msg
		return
	}
	s.last.faults = append(s.last.faults, fault{at.line, at.column, msg})
}
