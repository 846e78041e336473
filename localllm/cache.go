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
	"strings"
	"time"

	"github.com/ollama/ollama/api"
)

// Cache keeps a model's answers in a folder, each under the digest of its request and of the model, so that repeating
// a run costs nothing and gives the same bytes. It is safe for concurrent use, also by several processes: each entry
// is a file that appears whole or not at all. The nil Cache is empty and keeps nothing. It holds parts of transcripts,
// and only its user may read it.
type Cache struct{ dir string }

// DefaultCacheSize is the usual bound of a cache in bytes: some 500,000 answers.
const DefaultCacheSize = 256 << 20

// OpenCache opens the folder, and makes it if need be. What then exceeds limit bytes is removed, beginning with the
// answers that were not used for longest; 0 is DefaultCacheSize. One run adds little: some 500 bytes for each answer.
func OpenCache(dir string, limit int64) (*Cache, error) {
	if limit <= 0 {
		limit = DefaultCacheSize
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = trim(dir, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Cache{dir}, nil
}

// entry is the content of a file.
type entry struct {
	Key   string // the file's own name, so that a copied or cut file is noticed
	Reply reply
}

// key names a request to a model; "" where there is no cache.
func (c *Cache) key(req *api.ChatRequest, digest string) string {
	if c == nil {
		return ""
	}
	body, err := json.Marshal(req)
	if err != nil {
		return "" // it cannot be sent either
	}
	sum := sha256.Sum256(append([]byte(digest+"\n"), body...))
	return hex.EncodeToString(sum[:])
}

func (c *Cache) file(key string) string { return filepath.Join(c.dir, key[:2], key[2:]+".json") }

// find gives the answer under a key. A broken file is none.
func (c *Cache) find(key string) (reply, bool) {
	if key == "" {
		return reply{}, false
	}
	data, err := os.ReadFile(c.file(key))
	if err != nil {
		return reply{}, false
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Key != key {
		return reply{}, false
	}
	now := time.Now()
	_ = os.Chtimes(c.file(key), now, now)
	return e.Reply, true
}

// keep stores an answer, under another name first, so that no reader sees half of it. An error is ignored: a full disk
// must not stop a run.
func (c *Cache) keep(key string, r reply) {
	if key == "" {
		return
	}
	data, err := json.Marshal(entry{key, r})
	folder := filepath.Dir(c.file(key))
	if err != nil || os.MkdirAll(folder, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(folder, "unfinished-*.json")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.file(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// trim removes what was not used for longest from a folder of more than limit bytes, until it is a tenth below. Files may
// vanish meanwhile, since other processes do the same. What is not named like an answer is not ours.
func trim(dir string, limit int64) error {
	type file struct {
		name string
		fs.FileInfo
	}
	var files []file
	size := int64(0)
	names, err := filepath.Glob(filepath.Join(dir, "??", strings.Repeat("[0-9a-f]", 62)+".json"))
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil {
			files = append(files, file{name, info})
			size += info.Size()
		}
	}
	if err != nil || size <= limit {
		return err
	}
	slices.SortFunc(files, func(a, b file) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if size <= limit-limit/10 {
			break
		}
		if err := os.Remove(f.name); err == nil || errors.Is(err, fs.ErrNotExist) {
			size -= f.Size()
		}
	}
	return nil
}
