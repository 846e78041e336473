package dialogue

import (
	"bytes"
	"encoding/gob"
	"io"
)

// Temp is a temporary file, which nobody needs once it is closed.
type Temp interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// spool holds rows, and gives them again in any order. The last of them are in memory, the others in a file.
type spool struct {
	memory bytes.Buffer
	size   int64 // of the file
	file   Temp
	enc    *gob.Encoder
	dec    *gob.Decoder
	in     bytes.Reader // of dec
	buf    []byte
}

const inMemory = 4 << 20 // bytes

// piece is the place of a row in a spool.
type piece struct {
	at   int64
	size int32
}

// put takes a row. Without a function that makes a file, memory holds all of them.
func (s *spool) put(temp func() (Temp, error), r *Part) (p piece, err error) {
	if s.enc == nil { // what gob writes first is what a row is
		s.enc, s.dec = gob.NewEncoder(&s.memory), gob.NewDecoder(&s.in)
		if err := s.enc.Encode(Part{}); err != nil {
			return p, err
		}
		s.in.Reset(s.memory.Bytes())
		if err := s.dec.Decode(new(Part)); err != nil {
			return p, err
		}
		s.memory.Reset()
	}
	if s.memory.Len() > inMemory && temp != nil {
		if s.file == nil {
			if s.file, err = temp(); err != nil {
				return p, err
			}
		}
		n, err := s.memory.WriteTo(s.file)
		if s.size += n; err != nil {
			return p, err
		}
	}
	before := s.memory.Len()
	err = s.enc.Encode(r)
	return piece{s.size + int64(before), int32(s.memory.Len() - before)}, err
}

func (s *spool) get(p piece) (r Part, err error) {
	row := s.buf
	if p.at >= s.size {
		row = s.memory.Bytes()[p.at-s.size:][:p.size]
	} else {
		if cap(row) < int(p.size) {
			row = make([]byte, p.size)
			s.buf = row
		}
		row = row[:p.size]
		if _, err := s.file.ReadAt(row, p.at); err != nil && err != io.EOF {
			return r, err
		}
	}
	s.in.Reset(row)
	err = s.dec.Decode(&r)
	return r, err
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
