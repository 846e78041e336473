package run

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Packed is the extension of a compressed run, as in run.jsonl.zst.
const Packed = ".zst"

// blockSize is the size of a complete block of lines, in bytes. Larger ones hardly compress better.
const blockSize = 256 << 10

// packedBeginning is the beginning of a compressed run and of each frame in it: a skippable frame
// of zstd (RFC 8878, 3.1.2) whose four bytes contain the length of the frame that follows.
const packedBeginning = "\x5a\x2a\x4d\x18\x04\x00\x00\x00"

const zstdBeginning = "\x28\xb5\x2f\xfd"

// Unpack returns a reader of the text of a run, compressed or not.
func Unpack(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(4); string(head) != packedBeginning[:4] && string(head) != zstdBeginning {
		return in
	}
	z, _ := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(1<<28)) // an error is impossible with these options
	return unpacked{z}
}

type unpacked struct{ *zstd.Decoder }

// Read implements [io.Reader]. A run that was stopped may end with part of a frame.
func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.Decoder.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// storage is a file whose text can be read, cut off and appended to.
type storage interface {
	Text(from, to int64) io.Reader // of what is in the file, between two offsets
	io.WriterAt
	Truncate(size int64) error
	Stat() (os.FileInfo, error)
	Sync() error
	Close() error
}

// plain is the storage of a run that is not compressed.
type plain struct{ *os.File }

func (p plain) Text(from, to int64) io.Reader { return io.NewSectionReader(p, from, to-from) }

func (p plain) Truncate(size int64) error { return cut(p.File, size) }

// cut cuts off a file. If another program has done so before, it would be filled up with zeros.
func cut(f *os.File, size int64) error {
	info, err := f.Stat()
	switch {
	case err != nil || info.Size() == size:
		return err
	case info.Size() < size:
		return texts.Error("cut", f.Name())
	}
	return f.Truncate(size)
}

// packed is the storage of a compressed run. All offsets are in its text. Complete blocks of lines
// are a frame each. The last block is a frame when the file is closed, and until then perhaps
// several smaller ones, so that a crash loses at most maxPending of work, or the last block if it
// happens while that is made one frame. What a closed file contains depends on its text alone.
type packed struct {
	*os.File
	mu      sync.Mutex
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	blocks  []block // the complete ones
	rest    []byte  // the text after them
	written int     // bytes of rest that are in the file
	start   block   // of rest: where it is, and the end of its frames
	torn    int     // bytes of an incomplete frame after them
	waiting bool    // text is not in the file, and will be written by a timer
}

// block is a block of lines: the offset of its text, and the part of the file with its frames.
type block struct{ text, from, to int64 }

// maxPending is the maximum time for which a record may not be in the file.
const maxPending = time.Second

// openPacked reads the frames of a compressed run and returns its storage and the size of its text.
func openPacked(f *os.File) (*packed, int64, error) {
	p := &packed{File: f}
	// errors are impossible with these options
	p.encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	p.decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(1<<28))
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	for p.start.to < info.Size() {
		text, next, err := p.frame(p.start.to)
		if err != nil {
			p.torn = int(info.Size() - p.start.to)
			isCut := errors.Is(err, io.EOF)
			// all of it, or a frame after it: what cannot be read was damaged, and not cut off
			rest, err := io.ReadAll(io.NewSectionReader(f, p.start.to+1, int64(p.torn)))
			if err != nil || !isCut || bytes.Contains(rest, []byte(packedBeginning)) {
				return nil, 0, cmp.Or(err, texts.Error("damaged", p.start.to, info.Size()))
			}
			// the whole lines in it are kept, and are in the file again after the next write
			text, err := io.ReadAll(Unpack(io.NewSectionReader(f, p.start.to, int64(p.torn))))
			if n := bytes.LastIndexByte(text, '\n') + 1; err == nil && n > 0 {
				p.rest, p.torn = append(p.rest, text[:n]...), len(text)-n
			}
			break
		}
		p.rest, p.start.to = append(p.rest, text...), next
		p.written = len(p.rest)
		p.complete()
	}
	return p, p.start.text + int64(len(p.rest)), nil
}

// frame reads the frame at an offset of the file, and returns its text and the offset after it.
func (p *packed) frame(at int64) (text []byte, next int64, err error) {
	var head [len(packedBeginning) + 4]byte
	if _, err := p.File.ReadAt(head[:], at); err != nil {
		return nil, 0, err
	}
	n := int64(binary.LittleEndian.Uint32(head[len(packedBeginning):]))
	if at += int64(len(head)); string(head[:len(packedBeginning)]) != packedBeginning || n > 1<<28 {
		return nil, 0, zstd.ErrMagicMismatch
	}
	data := make([]byte, n)
	if _, err := p.File.ReadAt(data, at); err != nil {
		return nil, 0, err
	}
	text, err = p.decoder.DecodeAll(data, nil)
	return text, at + n, err
}

// complete ends the block of rest if it is large enough and in the file.
func (p *packed) complete() {
	if len(p.rest) >= blockSize && p.written == len(p.rest) {
		p.blocks = append(p.blocks, p.start)
		p.start = block{p.start.text + int64(len(p.rest)), p.start.to, p.start.to}
		p.rest, p.written = p.rest[:0], 0
	}
}

// put writes the text of rest from an offset on as a frame, which replaces the file from at on.
func (p *packed) put(from int, at int64) error {
	frame := p.encoder.EncodeAll(p.rest[from:], nil)
	data := binary.LittleEndian.AppendUint32([]byte(packedBeginning), uint32(len(frame)))
	data = append(data, frame...)
	if err := cut(p.File, at); err != nil {
		return err
	}
	p.torn = 0
	if _, err := p.File.WriteAt(data, at); err != nil {
		return err
	}
	p.written, p.start.to = len(p.rest), at+int64(len(data))
	return nil
}

// seal makes the frames of rest one, or removes what follows the complete blocks if rest is empty:
// an incomplete frame, or frames of text that was cut off.
func (p *packed) seal() error {
	if len(p.rest) == 0 {
		p.torn = 0
		return cut(p.File, p.start.from)
	}
	return p.put(0, p.start.from)
}

func (p *packed) Text(from, to int64) io.Reader {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := io.MultiReader(Unpack(io.NewSectionReader(p.File, 0, p.start.to)),
		strings.NewReader(string(p.rest[p.written:]))) // of a frame that was cut off
	_, _ = io.CopyN(io.Discard, in, from) // the next read returns the error again
	return io.LimitReader(in, to-from)
}

// WriteAt appends a line, which is in the file after maxPending; off is the size of the text.
func (p *packed) WriteAt(line []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest = append(p.rest, line...); !p.waiting {
		p.waiting = true
		time.AfterFunc(maxPending, func() { _ = p.flush() }) // Sync and Close report errors
	}
	if len(p.rest) >= blockSize {
		if err := p.seal(); err != nil {
			return 0, err
		}
		p.complete()
	}
	return len(line), nil
}

// Truncate cuts off the text. The file changes with the next write.
func (p *packed) Truncate(size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for size < p.start.text {
		last, rest := p.blocks[len(p.blocks)-1], []byte(nil)
		for at := last.from; at < last.to; {
			text, next, err := p.frame(at)
			if err != nil {
				return err
			}
			rest, at = append(rest, text...), next
		}
		p.start, p.blocks, p.rest, p.written = last, p.blocks[:len(p.blocks)-1], rest, len(rest)
	}
	if p.rest = p.rest[:size-p.start.text]; p.written > len(p.rest) {
		p.written, p.start.to = 0, p.start.from
	}
	return nil
}

// flush writes the text that is not in the file.
func (p *packed) flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = false
	switch {
	case len(p.rest) == 0:
		return p.seal()
	case p.written == len(p.rest):
		return nil
	}
	return p.put(p.written, p.start.to)
}

// Sync writes everything to disk.
func (p *packed) Sync() error { return errors.Join(p.flush(), p.File.Sync()) }

// Close completes the file.
func (p *packed) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.seal(), p.File.Sync(), p.File.Close())
}

// isPacked reports whether a run at path is compressed: as the file is or, if it is empty, by name.
func isPacked(f *os.File, path string) (bool, error) {
	head := make([]byte, 4)
	switch n, _ := f.ReadAt(head, 0); {
	case n < len(head):
		return strings.HasSuffix(strings.ToLower(path), Packed), nil
	case string(head) == zstdBeginning:
		return false, texts.Error("compressed")
	}
	return string(head) == packedBeginning[:4], nil
}
