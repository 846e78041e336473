package importer

import (
	"bytes"
	"encoding/gob"
)

// spool stores parts of dialogues, and returns them in any order. The latest ones are in memory,
// the others in a file.
type spool struct {
	memory bytes.Buffer
	size   int64 // of the file
	file   Temp
	enc    *gob.Encoder
	dec    *gob.Decoder
	in     bytes.Reader // input of dec
}

const inMemory = 4 << 20 // bytes

// piece is the location of a part in a spool.
type piece struct {
	at   int64
	size int32
}

// put stores a part. Without Options.Temp, memory holds all parts. An error ends the reading of the
// file.
func (s *spool) put(f *file, p *part) piece {
	if s.enc == nil { // gob first writes the type of a part
		s.enc, s.dec = gob.NewEncoder(&s.memory), gob.NewDecoder(&s.in)
		f.fail(s.enc.Encode(part{}))
		s.in.Reset(s.memory.Bytes())
		f.fail(s.dec.Decode(new(part)))
		s.memory.Reset()
	}
	if s.memory.Len() > inMemory && f.opt.Temp != nil {
		if s.file == nil {
			var err error
			if s.file, err = f.opt.Temp(); err != nil {
				f.fail(err)
				return piece{}
			}
		}
		n, err := s.memory.WriteTo(s.file)
		s.size += n
		f.fail(err)
	}
	before := s.memory.Len()
	f.fail(s.enc.Encode(p))
	return piece{s.size + int64(before), int32(s.memory.Len() - before)}
}

func (s *spool) get(f *file, at piece) (p part) {
	var row []byte
	if at.at >= s.size {
		row = s.memory.Bytes()[at.at-s.size:][:at.size]
	} else {
		row = make([]byte, at.size)
		_, err := s.file.ReadAt(row, at.at)
		f.fail(err)
	}
	s.in.Reset(row)
	f.fail(s.dec.Decode(&p))
	return p
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
