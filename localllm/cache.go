package localllm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
)

// Cache keeps a model's answers in a folder, each under the digest of the request that it answers and of the model
// that gave it, so that repeating a run is free and gives the same bytes. It is safe for concurrent use, by several
// processes too: an entry is a file of its own that appears whole or not at all. The nil Cache is empty and keeps
// nothing. It holds parts of transcripts, and only its user may read it.
type Cache struct {
	dir   string
	limit int64

	mu   sync.Mutex
	size int64 // bytes, as far as this process knows
}

// DefaultCacheSize is the bound of a cache whose user names none: some 500,000 answers.
const DefaultCacheSize = 256 << 20

// OpenCache opens the folder, and makes it if need be. It is kept below limit bytes, where the answers that were not
// used for longest go first; 0 is DefaultCacheSize.
func OpenCache(dir string, limit int64) (*Cache, error) {
	if limit <= 0 {
		limit = DefaultCacheSize
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &Cache{dir: dir, limit: limit}
	if err := c.trim(); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return c, nil
}

// entry is what a file holds.
type entry struct {
	Key   string // the file's own name, so that a copied or cut file is noticed
	Reply reply
}

// key names a request to a model.
func (c *Cache) key(req *api.ChatRequest, digest string) string {
	if c == nil {
		return ""
	}
	h := sha256.New()
	body, err := json.Marshal(req)
	if err != nil {
		return "" // cannot be sent either
	}
	fmt.Fprintf(h, "%s\n%s", digest, body)
	return hex.EncodeToString(h.Sum(nil))
}

func (c *Cache) file(key string) string { return filepath.Join(c.dir, key[:2], key[2:]+".json") }

// find gives the answer under a key. A file that is broken counts as none, and goes.
func (c *Cache) find(key string) (reply, bool) {
	if c == nil || key == "" {
		return reply{}, false
	}
	data, err := os.ReadFile(c.file(key))
	if err != nil {
		return reply{}, false
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Key != key {
		_ = os.Remove(c.file(key))
		return reply{}, false
	}
	now := time.Now()
	_ = os.Chtimes(c.file(key), now, now)
	return e.Reply, true
}

// keep stores an answer. What cannot be stored is not: a full disk must not stop a run.
func (c *Cache) keep(key string, r reply) {
	if c == nil || key == "" {
		return
	}
	data, err := json.Marshal(entry{key, r})
	if err != nil {
		return
	}
	if err := writeWhole(c.file(key), data); err != nil {
		return
	}
	c.mu.Lock()
	c.size += int64(len(data))
	over := c.size > c.limit
	c.mu.Unlock()
	if over {
		_ = c.trim()
	}
}

// writeWhole writes a file under another name and renames it, so that no reader sees half of it.
func writeWhole(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, temporary+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// temporary is what the names of unfinished files begin with.
const temporary = "unfinished-"

// stale is the age of an unfinished file whose writer is gone.
const stale = time.Hour

// trim measures the folder, since other processes write to it too, and if it is over its bound removes what was not
// used for longest until it is a tenth below.
func (c *Cache) trim() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	type file struct {
		name string
		size int64
		used time.Time
	}
	var files []file
	c.size = 0
	err := filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreAbsent(err)
		}
		info, err := d.Info()
		if err != nil {
			return ignoreAbsent(err)
		}
		ours := filepath.Ext(name) == ".json" && len(d.Name()) == 62+len(".json")
		unfinished := len(d.Name()) > len(temporary) && d.Name()[:len(temporary)] == temporary
		switch {
		case unfinished && time.Since(info.ModTime()) > stale:
			_ = os.Remove(name)
		case ours || unfinished:
			files = append(files, file{name, info.Size(), info.ModTime()})
			c.size += info.Size()
		}
		return nil
	})
	if err != nil || c.size <= c.limit {
		return err
	}
	slices.SortFunc(files, func(a, b file) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if c.size <= c.limit-c.limit/10 {
			break
		}
		if err := os.Remove(f.name); ignoreAbsent(err) == nil {
			c.size -= f.size
		}
	}
	return nil
}

// ignoreAbsent drops the error of a file that another process has removed.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
