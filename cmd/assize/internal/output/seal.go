package output

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
)

// A seal is a checksum in a file given with -o, by which [Check] recognises the file as long as
// nobody has changed it. A row of CSV has it in the last column, a workbook as the comment of its
// archive, and a page or text in its last line. JSON has no place for it.
const (
	sealColumn = "seal"
	sealMark   = "assize seal "
)

// sealLine returns the last line of a format: a comment, if the format has these. It is "" for a
// format without such a line.
func sealLine(format string, sum uint32) string {
	switch format {
	case "html", "markdown", "junit":
		return "<!-- " + sealMark + seal(sum) + " -->\n"
	case "text":
		return sealMark + seal(sum) + "\n"
	}
	return ""
}

func seal(sum uint32) string { return fmt.Sprintf("s%08x", sum) }

// sealRow returns the seal of a row of CSV. It does not depend on how lines end.
func sealRow(heading, row []string) string {
	all := strings.Join(slices.Concat(heading, row), "\x00")
	return seal(crc32.ChecksumIEEE([]byte(strings.ReplaceAll(all, "\r", ""))))
}

// sealBook returns the seal of a workbook with these parts.
func sealBook(parts []*zip.File) string {
	sum := crc32.NewIEEE()
	for _, part := range parts {
		fmt.Fprintln(sum, part.Name, part.CRC32)
	}
	return sealMark + seal(sum.Sum32())
}

// copySealed copies results in a format, and adds their seals.
func copySealed(to io.Writer, results *os.File, format string) error {
	switch format {
	case "csv":
		var heading []string
		in, out := csv.NewReader(results), csv.NewWriter(to)
		for {
			row, err := in.Read()
			switch {
			case err != nil && err != io.EOF:
				return err
			case err != nil:
				out.Flush()
				return out.Error()
			case heading == nil:
				heading = row
				out.Write(append(slices.Clone(row), sealColumn))
			default:
				out.Write(append(row, sealRow(heading, row)))
			}
		}
	case "xlsx":
		info, err := results.Stat()
		if err != nil {
			return err
		}
		in, err := zip.NewReader(results, info.Size())
		if err != nil {
			return err
		}
		out := zip.NewWriter(to)
		for _, part := range in.File {
			err = cmp.Or(err, out.Copy(part))
		}
		return cmp.Or(err, out.SetComment(sealBook(in.File)), out.Close())
	}
	sum := crc32.NewIEEE()
	_, err := io.Copy(io.MultiWriter(to, sum), results)
	if err == nil {
		_, err = io.WriteString(to, sealLine(format, sum.Sum32()))
	}
	return err
}

// isSealed reports whether a file of this size is one that [copySealed] wrote, and nobody has
// changed it.
func isSealed(f *os.File, size int64) bool {
	if book, err := zip.NewReader(f, size); err == nil {
		return book.Comment == sealBook(book.File)
	}
	for _, format := range []string{"html", "text"} {
		last, sum := []byte(sealLine(format, 0)), crc32.NewIEEE()
		rest := size - int64(len(last))
		if n, _ := f.ReadAt(last, rest); !bytes.Contains(last[:n], []byte(sealMark)) {
			continue
		}
		_, err := io.Copy(sum, io.NewSectionReader(f, 0, rest))
		if err == nil && string(last) == sealLine(format, sum.Sum32()) {
			return true
		}
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
