package order

import (
	"bytes"
	"encoding/gob"
	"io"
	"os"

	"assize/rubric/dialogue"
)

// spool holds rows, and gives them again in any order. The last of them are in memory, the others in a file.
type spool struct {
	memory bytes.Buffer
	size   int64 // of the file
	file   *os.File
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

func (s *spool) put(r *dialogue.Row) (p piece, err error) {
	if s.enc == nil { // what gob writes first is what a row is
		s.enc, s.dec = gob.NewEncoder(&s.memory), gob.NewDecoder(&s.in)
		if err := s.enc.Encode(dialogue.Row{}); err != nil {
			return p, err
		}
		s.in.Reset(s.memory.Bytes())
		if err := s.dec.Decode(new(dialogue.Row)); err != nil {
			return p, err
		}
		s.memory.Reset()
	}
	if s.memory.Len() > inMemory {
		if s.file == nil {
			if s.file, err = os.CreateTemp("", "assize-*"); err != nil {
				return p, err
			}
			os.Remove(s.file.Name()) // where the system keeps open files, nothing stays behind even after a crash
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

func (s *spool) get(p piece) (r dialogue.Row, err error) {
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
		os.Remove(s.file.Name())
	}
}
