// Pack does what .ci/release cannot do with the tools of Debian.
//
//	go run ./.ci/pack components PROGRAM FOLDER   writes components.cdx.json and NOTICES into FOLDER
//	go run ./.ci/pack zip FOLDER                  writes a zip archive of FOLDER to standard output
package main

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	err := errors.New("want components PROGRAM FOLDER, or zip FOLDER")
	switch args := os.Args[1:]; {
	case len(args) == 3 && args[0] == "components":
		err = writeComponents(args[1], args[2])
	case len(args) == 2 && args[0] == "zip":
		z := zip.NewWriter(os.Stdout)
		err = cmp.Or(z.AddFS(os.DirFS(filepath.Clean(args[1]))), z.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
