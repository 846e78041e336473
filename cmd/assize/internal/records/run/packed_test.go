package run

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// long returns a record whose line is about 40 kB, so that a few of them make a block.
func long(id int) *Record {
	r := unscored(id)
	chance := rand.New(rand.NewPCG(uint64(id), 0))
	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(chance.Uint32())
	}
	r.Reason = hex.EncodeToString(noise)
	return r
}

// pack continues the run at path up to n records. It finishes the run if finish is set, and
// releases it unless it is to be killed.
func pack(t *testing.T, path string, n int, finish, kill bool) *Writer {
	t.Helper()
	w, err := Create(path, &head)
	require.NoError(t, err)
	require.NoError(t, w.Changed)
	stored := 0
	for l, err := range w.Lines() {
		require.NoError(t, err)
		stored++
		require.Equal(t, string(long(stored).Append(nil)), string(l.Text))
	}
	require.Equal(t, w.Stored, stored)
	for i := w.Stored; i < n; i++ {
		require.NoError(t, w.Add(long(i+1)))
		if kill { // as if time passed
			require.NoError(t, w.file.(*packed).flush())
		}
	}
	if finish {
		require.NoError(t, w.Close())
	}
	if kill {
		require.NoError(t, w.file.(*packed).File.Close())
		return w
	}
	require.NoError(t, w.Release())
	return w
}

// A compressed run has the lines of one that is not, and the same bytes however often it was
// stopped, killed, cut off and continued.
func TestPackedIsTheSameAfterAnything(t *testing.T) {
	const n = 23
	folder := t.TempDir()
	whole, plain := filepath.Join(folder, "whole.jsonl.zst"), filepath.Join(folder, "plain.jsonl")
	pack(t, whole, n, true, false)
	pack(t, plain, n, true, false)
	want := read(t, whole)
	z, err := zstd.NewReader(nil)
	require.NoError(t, err)
	text, err := z.DecodeAll(want, nil)
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, read(t, plain)), "any program for zstd reads it")
	require.Greater(t, bytes.Count(want, []byte(packedBeginning)), 2)

	path, chance := filepath.Join(folder, "run.jsonl.zst"), rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		require.NoError(t, os.RemoveAll(path))
		for records := 0; records < n; {
			records = min(n, records+1+chance.IntN(9))
			pack(t, path, records, round%2 == 0, chance.IntN(2) == 0)
			if chance.IntN(3) > 0 {
				continue
			}
			data := read(t, path)
			require.NoError(t, os.WriteFile(path, data[:chance.IntN(len(data)+1)], 0o666))
		}
		w := pack(t, path, n, true, false)
		require.True(t, bytes.Equal(want, read(t, path)), "round %d", round)
		assert.LessOrEqual(t, w.Stored, n)
	}
	before := read(t, path)
	assert.True(t, pack(t, path, n, true, false).Finished())
	assert.Equal(t, before, read(t, path))
}

// What is readable of a run that ends in the middle of a frame is read, and continued.
func TestPackedIsReadWhileItGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl.zst")
	pack(t, path, 12, true, false)
	data := read(t, path)
	for _, size := range []int{len(data) - 1, len(data) / 2} {
		records := 0
		var last error
		for l, err := range Read(bytes.NewReader(data[:size]), "run.jsonl.zst") {
			if last = err; err == nil && !l.Torn {
				records++
			}
		}
		assert.Greater(t, records, 2)
		assert.IsType(t, &Unfinished{}, last)
		require.NoError(t, os.WriteFile(path, data[:size], 0o666))
		assert.Equal(t, records, pack(t, path, records, false, false).Stored)
		assert.Equal(t, records, pack(t, path, 12, true, false).Stored)
		assert.Equal(t, data, read(t, path))
	}
}

// A dialogue can be removed from a compressed run, which is then as if it never had been there.
func TestPackedRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl.zst")
	pack(t, path, 10, true, false)
	require.NoError(t, Remove(path, long(4).Identity()))
	var ids []int
	for l, err := range Read(bytes.NewReader(read(t, path)), path) {
		require.NoError(t, err)
		r, err := l.Decode()
		require.NoError(t, err)
		ids = append(ids, r.Dialogue.ID)
	}
	assert.Equal(t, []int{1, 2, 3, 5, 6, 7, 8, 9, 10}, ids)
	_, err := Create(path, &head)
	require.NoError(t, err, "it can still be continued")
}

func TestPackedByOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl.zst")
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, z.EncodeAll([]byte("{}\n"), nil), 0o666))
	_, err = Create(path, &head)
	assert.EqualError(t, err, "is compressed by another program; want it unpacked, or a new name")
}

// A run that was damaged, and not cut off, is left as it is.
func TestPackedDamaged(t *testing.T) {
	for _, records := range []int{2, 20} { // of one frame, and of several
		path := filepath.Join(t.TempDir(), "run.jsonl.zst")
		pack(t, path, records, true, false)
		data := read(t, path)
		require.Equal(t, records == 2, bytes.Count(data, []byte(packedBeginning)) == 1)
		data[500] ^= 1
		require.NoError(t, os.WriteFile(path, data, 0o666))
		_, err := Create(path, &head)
		assert.ErrorContains(t, err, "the compressed run is damaged at byte 0 of ")
		assert.Equal(t, data, read(t, path))
	}
}

// A record is in the file soon after it was added, however long the next one takes.
func TestPackedDoesNotWaitForTheNextRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "run.jsonl.zst")
		w, err := Create(path, &head)
		require.NoError(t, err)
		for id := 1; id < 12; id++ {
			require.NoError(t, w.Add(long(id)))
			time.Sleep(2 * maxPending)
			synctest.Wait()
			records := 0
			for l, err := range Read(bytes.NewReader(read(t, path)), path) {
				require.True(t, err == nil || errors.As(err, new(*Unfinished)), "%v", err)
				if l.Text != nil {
					records++
				}
			}
			assert.Equal(t, id, records)
		}
		require.NoError(t, w.Close())
		require.NoError(t, w.Release())
	})
}

// What follows the complete blocks does not stay in the file when all of it is cut off.
func TestPackedEndsAtABlock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl.zst")
	use := func(work func(p *packed, size int64)) []byte {
		f, err := open(path)
		require.NoError(t, err)
		p, size, err := openPacked(f)
		require.NoError(t, err)
		work(p, size)
		require.NoError(t, p.Close())
		return read(t, path)
	}
	line := bytes.Repeat([]byte("x"), blockSize)
	blocks := use(func(p *packed, _ int64) {
		for range 2 {
			_, err := p.WriteAt(line, 0)
			require.NoError(t, err)
		}
		require.Empty(t, p.rest)
	})
	for _, n := range []int{1, 11, 30} { // bytes of a frame
		require.NoError(t, os.WriteFile(path, append(bytes.Clone(blocks), blocks[:n]...), 0o666))
		got := use(func(p *packed, size int64) {
			assert.Equal(t, n, p.torn)
			assert.EqualValues(t, 2*blockSize, size)
		})
		assert.Equal(t, blocks, got, "%d bytes of a frame", n)
	}
	for _, sync := range []bool{true, false} {
		use(func(p *packed, size int64) {
			_, err := p.WriteAt([]byte("short"), size)
			require.NoError(t, err)
		})
		got := use(func(p *packed, size int64) {
			require.Less(t, int64(len(blocks)), p.start.to)
			require.NoError(t, p.Truncate(2*blockSize))
			if sync {
				require.NoError(t, p.Sync())
				assert.Equal(t, blocks, read(t, path))
			}
		})
		assert.Equal(t, blocks, got)
	}
}
