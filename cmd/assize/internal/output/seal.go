package output

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"

	"assize/cmd/assize/internal/terminal/ui"
)

// A seal is a checksum in a file given with -o, by which [Check] recognises the file as long as
// nobody has changed it. A row of CSV has it in the last column, a page or text in its last line,
// and a workbook as in [ui.Seal]. JSON has no place for it.
const (
	sealColumn = "seal"
	sealLine   = "<!-- assize seal s%08x -->\n"
)

// sealRow returns the seal of a row of CSV. It does not depend on how lines end.
func sealRow(heading, row []string) string {
	all := strings.Join(slices.Concat(heading, row), "\x00")
	return fmt.Sprintf("s%08x", crc32.ChecksumIEEE([]byte(strings.ReplaceAll(all, "\r", ""))))
}

// copySealed copies results in a format, and adds their seals.
func copySealed(to io.Writer, results io.Reader, format string) error {
	if format != "csv" {
		sum := crc32.NewIEEE()
		_, err := io.Copy(io.MultiWriter(to, sum), results)
		if slices.Contains([]string{"text", "html", "markdown", "junit"}, format) && err == nil {
			_, err = fmt.Fprintf(to, sealLine, sum.Sum32())
		}
		return err
	}
	var heading []string
	for in, out := csv.NewReader(results), csv.NewWriter(to); ; {
		row, err := in.Read()
		switch {
		case err == io.EOF:
			out.Flush()
			return out.Error()
		case err != nil:
			return err
		case heading == nil:
			heading, row = row, append(slices.Clone(row), sealColumn)
		default:
			row = append(row, sealRow(heading, row))
		}
		out.Write(row) // Error returns the error
	}
}

// isSealed reports whether a file of this size is one that [copySealed] wrote, and nobody has
// changed it.
func isSealed(f *os.File, size int64) bool {
	if book, err := zip.NewReader(f, size); err == nil {
		return book.Comment == ui.Seal(book.File)
	}
	sum, last := crc32.NewIEEE(), make([]byte, len(fmt.Sprintf(sealLine, 0)))
	text := size - int64(len(last))
	io.Copy(sum, io.NewSectionReader(f, 0, text))
	if n, _ := f.ReadAt(last, text); string(last[:n]) == fmt.Sprintf(sealLine, sum.Sum32()) {
		return true
	}
	var heading []string
	for rows := csv.NewReader(f); ; {
		row, err := rows.Read()
		last := len(row) - 1
		switch {
		case err != nil:
			return err == io.EOF && heading != nil
		case heading == nil && row[last] == sealColumn:
			heading = row[:last]
		case heading == nil || row[last] != sealRow(heading, row[:last]):
			return false
		}
	}
}
