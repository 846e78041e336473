package table

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// A workbook (.xlsx) is an archive of XML. One of its sheets is read like the same table in CSV:
// cells as they are displayed, but dates as 2024-03-12 10:15:00, whose order is unambiguous.

// Limits of a workbook. Excel itself limits a cell to 32,767 characters.
const (
	maxPacked    = 32 << 20 // bytes of the file
	maxUnpacked  = 1 << 30  // bytes of a sheet, which is stored on disk while it is read
	maxHeld      = 4 << 20  // bytes of any other part
	maxTextBytes = 1 << 20  // bytes between two tags
	maxTags      = 1 << 20  // of a row
)

// sheet reads a sheet as CSV.
type sheet struct {
	book  *excelize.File
	rows  *excelize.Rows
	ahead [][]string // rows that were read to determine the width
	Width int
	text  bytes.Buffer
}

// OpenSheet opens the requested sheet, or the first whose header satisfies isHeader, a guess.
func OpenSheet(in io.Reader, wanted string, isHeader func(cells []string) bool) (s *sheet,
	note string, err error) {
	defer recovered(&err)
	data, unsaved, err := onlyParts(in)
	if err != nil {
		return nil, "", err
	}
	book, err := excelize.OpenReader(data, excelize.Options{
		UnzipSizeLimit: 100 * maxUnpacked, UnzipXMLSizeLimit: maxHeld,
		ShortDatePattern: "yyyy-mm-dd"})
	if err != nil {
		return nil, "", fmt.Errorf("the workbook cannot be read: %w", err)
	}
	s = &sheet{book: book}
	plainDates(book)
	names := book.GetSheetList()
	if wanted != "" {
		i := slices.IndexFunc(names,
			func(name string) bool { return strings.EqualFold(name, wanted) })
		if n, err := strconv.Atoi(wanted); err == nil && i < 0 {
			i = n - 1
		}
		if i < 0 || i >= len(names) {
			return s, "", errors.New(lex.Text("no-sheet", lex.Quote(wanted), lex.Quoted(names)))
		}
		return s, unsaved, s.open(names[i])
	}
	who := stream.NewNames(stream.Options{})
	isChat := func(cell string) bool { return formats.IsTranscript(who, cell) }
	isTurns := func(cells []string) bool {
		return len(cells) > 1 && (isHeader(cells) || slices.ContainsFunc(cells, isChat))
	}
	var filled []string
	best := ""
	for _, name := range names {
		if visible, err := book.GetSheetVisible(name); err != nil || !visible {
			continue
		}
		if err := s.open(name); err != nil {
			return s, "", err
		}
		if s.Width > 0 {
			filled = append(filled, name)
		}
		if best == "" && slices.ContainsFunc(s.ahead, isTurns) { // not a cover sheet
			best = name
		}
	}
	if len(filled) == 0 {
		return s, "", errors.New(lex.Text("hidden-sheets", lex.Quoted(names)))
	}
	best = cmp.Or(best, filled[0])
	if others := slices.DeleteFunc(filled,
		func(name string) bool { return name == best }); len(others) > 0 {
		note = lex.Text("sheet", lex.Quote(best), lex.Quoted(others)) + "; "
	}
	return s, strings.TrimSuffix(note+unsaved, "; "), s.open(best)
}

// open opens a sheet and reads its first rows.
func (s *sheet) open(name string) (err error) {
	if s.rows != nil {
		s.rows.Close()
	}
	s.ahead, s.Width = nil, 0
	if s.rows, err = s.book.Rows(name); err != nil {
		return fmt.Errorf("sheet %s cannot be read: %w", lex.Quote(name), err)
	}
	const most = 100
	for len(s.ahead) < most {
		cells, err := s.next()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		s.ahead, s.Width = append(s.ahead, cells), max(s.Width, len(cells))
	}
	return nil
}

// next returns the next row, without trailing empty cells.
func (s *sheet) next() ([]string, error) {
	if !s.rows.Next() {
		return nil, cmp.Or(s.rows.Error(), io.EOF)
	}
	cells, err := s.rows.Columns()
	if err == nil && len(cells) > maxColumns {
		err = fmt.Errorf("a row of more than %d columns", maxColumns)
	}
	for n := len(cells); n > 0 && strings.TrimSpace(cells[n-1]) == ""; n-- {
		cells = cells[:n-1]
	}
	return cells, err
}

// Read implements [io.Reader]. A sheet of one column is text, whose cells are not quoted.
func (s *sheet) Read(p []byte) (n int, err error) {
	defer recovered(&err)
	for s.text.Len() == 0 {
		var cells []string
		if len(s.ahead) > 0 {
			cells, s.ahead = s.ahead[0], s.ahead[1:]
		} else if cells, err = s.next(); err != nil {
			return 0, err
		}
		if s.Width == 1 || len(cells) == 0 {
			s.text.WriteString(strings.Join(cells, "\t") + "\n")
			continue
		}
		for len(cells) < s.Width {
			cells = append(cells, "")
		}
		w := csv.NewWriter(&s.text)
		w.Write(cells)
		w.Flush()
	}
	return s.text.Read(p)
}

func (s *sheet) Close() {
	if s.rows != nil {
		s.rows.Close()
	}
	s.book.Close()
}

// recovered turns a panic of the library, which broken workbooks may cause, into an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the workbook is damaged: %v", r)
	}
}

// plainDates replaces every date format by an unambiguous one.
func plainDates(book *excelize.File) {
	if _, err := book.GetStyle(0); err != nil || book.Styles == nil || book.Styles.NumFmts == nil {
		return
	}
	for _, f := range book.Styles.NumFmts.NumFmt {
		code := strings.ToLower(f.FormatCode)
		if !strings.Contains(code, "y") || !strings.Contains(code, "d") ||
			strings.Contains(code, "general") {
			continue
		}
		if f.FormatCode = "yyyy-mm-dd"; strings.Contains(code, "h") {
			f.FormatCode += " hh:mm:ss"
		}
		f.FormatCode16 = ""
	}
}

// onlyParts returns the workbook without parts that a table does not need, such as pictures and
// pivot tables. It rejects broken parts, whose errors the library would treat as the end of the
// part, and parts that would fill the memory. unsaved says which formula has no value, if any.
func onlyParts(in io.Reader) (book *bytes.Buffer, unsaved string, err error) {
	data, err := io.ReadAll(io.LimitReader(in, maxPacked+1))
	if err != nil {
		return nil, "", err
	}
	if len(data) > maxPacked {
		return nil, "", errors.New(lex.Text("big-book", maxPacked>>20))
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, "", fmt.Errorf("the workbook or archive is damaged or cut off: %w", err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	isBook := false
	for _, part := range archive.File {
		name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
		isBook = isBook || name == "xl/workbook.xml"
		most := uint64(maxHeld)
		if lex.Match("large-part", name) {
			most = maxUnpacked
		} else if !lex.Match("small-part", name) {
			continue
		}
		if part.UncompressedSize64 > most {
			return nil, "", errors.New(lex.Text("big-part", lex.Quote(part.Name), most>>20))
		}
		empty, err := checkPart(part)
		if err == nil {
			err = w.Copy(part)
		}
		if err != nil {
			err = fmt.Errorf("the workbook's %s is damaged: %w", lex.Quote(part.Name), err)
			return nil, "", err
		}
		if empty != "" {
			unsaved = cmp.Or(unsaved, lex.Text("unsaved", lex.Quote(empty), path.Base(name)))
		}
	}
	if !isBook {
		return nil, "", errors.New(lex.Text("no-book"))
	}
	return &out, unsaved, w.Close()
}

// checkPart reads a part to its end. It returns the first cell with a formula and no value, if any.
func checkPart(part *zip.File) (empty string, err error) {
	in, err := part.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	cell, within := "", "" // the last one, and the elements in it
	d := xml.NewDecoder(&guard{in: in})
	for tags := 0; tags <= maxTags; tags++ {
		token, err := d.Token() // its error reports an unclosed element
		if err == io.EOF {
			return empty, nil
		} else if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch within += t.Name.Local; t.Name.Local {
			case "row", "si":
				tags, within = 0, ""
			case "c":
				cell, within = "", ""
				for _, a := range t.Attr {
					if a.Name.Local == "r" { // its place
						cell = a.Value
					}
				}
			}
		case xml.EndElement:
			if t.Name.Local == "c" && within == "f" { // unlike "fv"
				empty = cmp.Or(empty, cell)
			}
		}
	}
	return "", errors.New("more than a row can hold")
}

// guard rejects XML with too much text between two tags.
type guard struct {
	in   io.Reader
	text int
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.in.Read(p)
	if i := bytes.LastIndexByte(p[:n], '<'); i >= 0 {
		g.text = n - i
	} else {
		g.text += n
	}
	if g.text > maxTextBytes {
		return 0, errors.New("a text of more than 1 MiB")
	}
	return n, err
}
