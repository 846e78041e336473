// Pack writes the archive of a release for one platform: the program, the README, what it consists
// of with all licences, man pages, completions, and dialogues to try. The bytes of the archive
// depend on the commit and the version of Go alone.
//
//	go run ./.ci/pack PROGRAM NATIVE FOLDER
//
// PROGRAM is the program to pack. NATIVE is one that this machine can run, for its help. Pack runs
// at the root of the sources of both.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"debug/buildinfo"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: go run ./.ci/pack PROGRAM NATIVE FOLDER")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// files holds the content of an archive by name.
type files map[string][]byte

func pack(program, native, folder string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	built, err := time.Parse(time.RFC3339, settings["vcs.time"])
	if err != nil || settings["vcs.modified"] != "false" {
		return fmt.Errorf("%s: want a build of a commit, with its time: %w", program, err)
	}
	content := files{}
	for _, path := range []string{"README.md", "LICENSE", "testdata/nearest.yaml",
		"testdata/report.png", "testdata/review.png", "testdata/evaluations", "testdata/rated",
		"testdata/release", "testdata/scorecard", "testdata/teams", "testdata/transcripts"} {
		if err := content.add(path); err != nil && path != "LICENSE" { // the owner may add one
			return err
		}
	}
	if err := cmp.Or(content.addComponents(info, settings),
		content.addManual(native, info.Main.Version, settings["GOOS"])); err != nil {
		return err
	}
	name := "assize" + map[bool]string{true: ".exe"}[settings["GOOS"] == "windows"]
	if content[name], err = os.ReadFile(program); err != nil {
		return err
	}
	stem := strings.Join([]string{"assize", info.Main.Version, settings["GOOS"],
		settings["GOARCH"]}, "_")
	write, suffix := content.tar, ".tar.gz"
	if settings["GOOS"] == "windows" {
		write, suffix = content.zip, ".zip"
	}
	var archive bytes.Buffer
	if err := write(&archive, stem, built.UTC()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, stem+suffix), archive.Bytes(), 0o644)
}

// add adds a file, or all files in a folder.
func (f files) add(path string) error {
	return filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			f[filepath.ToSlash(name)], err = os.ReadFile(name)
		}
		return err
	})
}

// all calls write for each file in the order of their names, with the mode that it is to have.
func (f files) all(write func(name string, mode fs.FileMode, data []byte) error) error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, "assize") {
			mode = 0o755
		}
		if err := write(name, mode, f[name]); err != nil {
			return err
		}
	}
	return nil
}

// tar writes the files in a folder of this name, all with the same time and owner.
func (f files) tar(w io.Writer, folder string, at time.Time) error {
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	err := f.all(func(name string, mode fs.FileMode, data []byte) error {
		err := t.WriteHeader(&tar.Header{Name: folder + "/" + name, Mode: int64(mode),
			Size: int64(len(data)), ModTime: at, Format: tar.FormatUSTAR})
		_, failed := t.Write(data)
		return cmp.Or(err, failed)
	})
	return cmp.Or(err, t.Close(), z.Close())
}

// zip does for Windows what tar does for other systems.
func (f files) zip(w io.Writer, folder string, at time.Time) error {
	z := zip.NewWriter(w)
	err := f.all(func(name string, mode fs.FileMode, data []byte) error {
		h := &zip.FileHeader{Name: folder + "/" + name, Method: zip.Deflate, Modified: at}
		h.SetMode(mode)
		entry, err := z.CreateHeader(h)
		if err == nil {
			_, err = entry.Write(data)
		}
		return err
	})
	return cmp.Or(err, z.Close())
}
