package localllm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ollama/ollama/api"
)

// Cache stores a model's answers in a folder, each under the digest of its request and of the
// model, so that repeating a run costs nothing and yields the same bytes. It is safe for concurrent
// use, also by several processes: each entry is a file that is created atomically. A nil Cache is
// empty and stores nothing. It contains parts of transcripts, so only its user may read it.
type Cache struct{ dir string }

// OpenCache opens the folder and creates it if necessary. It grows by about 500 bytes per answer.
func OpenCache(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Cache{dir}, nil
}

type entry struct {
	Key   string // the file's own name, to detect copied or truncated files
	Reply reply
}

// key returns the key of a request to a model; "" if there is no cache.
func (c *Cache) key(req *api.ChatRequest, digest string) string {
	if c == nil {
		return ""
	}
	body, _ := json.Marshal(req) // numbers and strings always encode
	sum := sha256.Sum256(append([]byte(digest+"\n"), body...))
	return hex.EncodeToString(sum[:])
}

func (c *Cache) file(key string) string { return filepath.Join(c.dir, key[:2], key[2:]+".json") }

// lookup returns the answer stored under a key. A broken file counts as missing.
func (c *Cache) lookup(key string) (reply, bool) {
	if key == "" {
		return reply{}, false
	}
	var e entry
	data, err := os.ReadFile(c.file(key))
	if err != nil || json.Unmarshal(data, &e) != nil || e.Key != key {
		return reply{}, false
	}
	return e.Reply, true
}

// store stores an answer, under a temporary name first, so that no reader sees half of it. It
// ignores errors: a full disk must not stop a run.
func (c *Cache) store(key string, r reply) {
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
