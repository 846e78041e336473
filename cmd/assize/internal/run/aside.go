package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SetAside gives the run at path a name that is free, run.old.jsonl or run.old2.jsonl and so on, and tells which. It is
// empty where there is nothing to keep.
func SetAside(path string) (kept string, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err == nil {
		err = lock(f)
	}
	if err := errors.Join(err, f.Close()); err != nil || info.Size() == 0 {
		return "", err
	}
	ending := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ending) + ".old"
	kept = stem + ending
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			return kept, os.Rename(path, kept)
		} else if err != nil {
			return "", err
		}
		kept = fmt.Sprintf("%s%d%s", stem, n, ending)
	}
}
