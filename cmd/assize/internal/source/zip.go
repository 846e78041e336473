package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// An archive (.zip) stands for the files in it, as a folder does. They are called archive.zip/entry and read where they
// lie; nothing is written to the disk, so that no name can lead anywhere else.

// mostEntry is how many bytes a file of an archive may have.
const mostEntry = 1 << 30

// unpack lists the files of this kind in an archive, and those of other kinds.
func (k Kind) unpack(path string) (files, others []string, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: the archive is damaged or cut off: %w", path, err)
	}
	defer z.Close()
	refused := map[string][]string{}
	for _, f := range z.File {
		name := strings.ReplaceAll(f.Name, `\`, "/")
		why := ""
		switch {
		case f.FileInfo().IsDir(), strings.HasPrefix(name, "__MACOSX/"), // and what is hidden
			strings.Contains("/"+name, "/.") && fs.ValidPath(name):
			continue
		case !fs.ValidPath(name):
			why = "whose name leads out of the archive; pack it anew"
		case Extension(name) == ".zip":
			why = "that is an archive itself; unpack it"
		case !slices.Contains(k.Extensions, Extension(name)):
			others = append(others, name)
			continue
		case f.Flags&1 != 0:
			why = "that is encrypted; unpack it with its password"
		case f.UncompressedSize64 > mostEntry:
			why = fmt.Sprintf("of more than %d MiB; split it", mostEntry>>20)
		}
		if why != "" {
			refused[why] = append(refused[why], name)
			continue
		}
		files = append(files, path+"/"+name)
	}
	for _, why := range slices.Sorted(maps.Keys(refused)) {
		names := refused[why]
		what, rest, _ := strings.Cut(why, "; ")
		e := fmt.Errorf("%s: not read: %s %s, the first %q; %s", path, ui.Counted(len(names), "file"), what, names[0], rest)
		err = errors.Join(err, e)
	}
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no %ss in this archive; want files that end in %s", path, k.Name, strings.Join(k.Extensions, " "))
		if len(others) > 0 {
			err = fmt.Errorf("%w; not read: %s", err, byKind(others))
		}
	}
	return files, others, err
}

// opener opens files one after the other, and an archive once for all of its files.
type opener struct {
	stdin   io.Reader
	path    string // of the archive
	archive *zip.ReadCloser
}

// Open opens a file of the command line; [Stdin] is stdin.
func (o *opener) Open(file string) (io.ReadCloser, error) {
	for i := range file {
		path, name, isEntry := file[:i], strings.TrimPrefix(file[i:], "/"), file[i] == '/'
		if !isEntry || Extension(path) != ".zip" {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return o.entry(path, name)
		}
	}
	return Open(o.stdin, file)
}

func (o *opener) entry(path, name string) (r io.ReadCloser, err error) {
	if o.archive == nil || o.path != path {
		o.close()
		if o.archive, err = zip.OpenReader(path); err != nil {
			return nil, fmt.Errorf("%s: the archive is damaged or cut off: %w", path, err)
		}
		o.path = path
	}
	f, err := o.archive.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &entry{f, mostEntry}, nil
}

func (o *opener) close() {
	if o.archive != nil {
		o.archive.Close()
		o.archive = nil
	}
}

// entry is a file of an archive. The size that the archive gives may be a lie.
type entry struct {
	io.ReadCloser
	left int
}

// Read implements [io.Reader].
func (e *entry) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	if e.left -= n; e.left < 0 {
		return 0, fmt.Errorf("more than %d MiB in a file of an archive", mostEntry>>20)
	}
	return n, err
}
