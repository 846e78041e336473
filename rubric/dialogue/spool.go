package dialogue

import "io"

// Scratch is a place for what does not fit into memory, such as a file that has no name.
type Scratch interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// spoolSize is how many bytes of a file whose order is not yet known are held in memory before Options.Scratch is used.
const spoolSize = 16 << 20

// spool puts pieces of a file aside and gives them again in any order.
type spool struct {
	open   func() (Scratch, error) // nil: everything is held in memory
	blocks [][]byte                // of blockSize bytes each, so that growing copies nothing
	disk   Scratch
	size   int64
	buf    []byte
}

const blockSize = 1 << 20

// add puts a piece aside and gives its place.
func (s *spool) add(piece []byte) (at int64, err error) {
	at = s.size
	s.size += int64(len(piece))
	if s.disk == nil && s.open != nil && s.size > spoolSize {
		if s.disk, err = s.open(); err != nil {
			return 0, err
		}
		for _, b := range s.blocks {
			if _, err := s.disk.Write(b); err != nil {
				return 0, err
			}
		}
		s.blocks = s.blocks[:1]
		s.blocks[0] = s.blocks[0][:0] // now gathers what is to be written
	}
	for len(piece) > 0 {
		last := len(s.blocks) - 1
		if last < 0 || s.disk == nil && len(s.blocks[last]) == blockSize {
			s.blocks = append(s.blocks, nil)
			last++
		} else if len(s.blocks[last]) == blockSize {
			if err := s.flush(); err != nil {
				return 0, err
			}
		}
		n := min(len(piece), blockSize-len(s.blocks[last]))
		s.blocks[last] = append(s.blocks[last], piece[:n]...)
		piece = piece[n:]
	}
	return at, nil
}

// flush writes what is gathered for the disk.
func (s *spool) flush() error {
	if s.disk == nil || len(s.blocks) == 0 || len(s.blocks[0]) == 0 {
		return nil
	}
	_, err := s.disk.Write(s.blocks[0])
	s.blocks[0] = s.blocks[0][:0]
	return err
}

// piece gives a piece again. It may be used until the next call.
func (s *spool) piece(at int64, size int) ([]byte, error) {
	if s.disk != nil {
		if err := s.flush(); err != nil {
			return nil, err
		}
		if cap(s.buf) < size {
			s.buf = make([]byte, size)
		}
		s.buf = s.buf[:size]
		_, err := s.disk.ReadAt(s.buf, at)
		if err == io.EOF {
			err = nil
		}
		return s.buf, err
	}
	s.buf = s.buf[:0]
	for len(s.buf) < size {
		block := s.blocks[at/blockSize][at%blockSize:]
		n := min(len(block), size-len(s.buf))
		if n == size {
			return block[:n], nil // as most pieces, which lie within one block
		}
		s.buf, at = append(s.buf, block[:n]...), at+int64(n)
	}
	return s.buf, nil
}

// close lets everything go.
func (s *spool) close() {
	if s.disk != nil {
		s.disk.Close()
	}
	*s = spool{open: s.open}
}
