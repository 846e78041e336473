package web

import (
	"archive/zip"
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/serving/review"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// Scoring configures how POST /v1/score reads and judges dialogues.
type Scoring struct {
	Judge *judge.Judge
	// Reading returns how to read the dialogues of a request, by its query without "as".
	Reading func(url.Values) (importer.Options, error)
	Jobs    int           // requests judged at the same time, each on one processor
	Body    int64         // the maximum size of a body, in bytes
	Time    time.Duration // the time limit of a request
}

// maxScoring is the maximum number of scoring requests that are received, wait or are judged.
const maxScoring = 64

// score judges the dialogues in the body and answers with their records as JSON lines, the same
// bytes as those of assize score --format jsonl. A dialogue that cannot be read has a line with a
// [problem] instead. If there is no record at all, the answer is an error.
//
// The whole body is received before it is judged, so that a slow client does not occupy a
// processor, and a client that reads the answer only after sending everything does not block.
// Guesses made when reading are reported in the trailer Assize-Notes.
func (s *Server) score(w http.ResponseWriter, r *http.Request) error {
	if s.Scoring == nil {
		return refuse(http.StatusNotImplemented, "no model here")
	}
	if !s.underWay.TryAcquire(1) {
		w.Header().Set("Retry-After", "1")
		return refuse(http.StatusServiceUnavailable, "under way", maxScoring)
	}
	defer s.underWay.Release(1)
	q := r.URL.Query()
	q.Del("as")
	reading, err := s.Scoring.Reading(q)
	if err != nil {
		return wrong("of an error", err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.Scoring.Time)
	defer cancel()
	body, size, err := receive(r.Body)
	if err != nil {
		return err
	}
	defer body.Close()
	if s.judging.Acquire(ctx, 1) == nil {
		defer s.judging.Release(1)
	}
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	if s.Redact {
		con.Mask = redact.Error
	}
	j := *s.Scoring.Judge
	header := j.Header(reading)
	j.Profile = review.ProfileOf(s.Store.Profile(), &header) // the same as in the queue
	w.Header().Set("Assize-Profile", j.Profile.Digest())
	b := batch.Batch{Judge: &j, Jobs: 1}
	var unread []string   // errors of reading that are not reported yet
	const maxErrors = 100 // in an answer without records
	begun := false        // a record was written; until then the answer may still become an error
	tell := func(err error) {
		text := ui.Visible(err.Error())
		if strings.HasPrefix(text, ui.Stdin+":") {
			text = "the body" + text[len(ui.Stdin):]
		}
		if begun || len(unread) < maxErrors {
			unread = append(unread, text)
		}
	}
	const inflation = 8 // maximum sizes; transcripts compress to about a fifth
	files, err := unpack(con, body, size, inflation*s.Scoring.Body)
	if errors.As(err, new(*problem)) {
		return err
	} else if err != nil {
		tell(err)
	}
	for res, err := range b.All(ctx, corpus.Samples(con, files, reading)) {
		if ctx.Err() != nil { // also if the client is gone
			break
		}
		if err = cmp.Or(err, res.Err); err != nil {
			tell(err)
		} else if !begun {
			begun = true
			w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
		}
		for ; begun && len(unread) > 0; unread = unread[1:] {
			p := refuse(http.StatusUnprocessableEntity, "of an error", unread[0])
			_, _ = w.Write(append(rubric.AppendJSON(nil, p), '\n'))
		}
		if err == nil {
			_, _ = w.Write(append(res.Record.Append(nil), '\n'))
		}
	}
	switch late := ctx.Err() != nil; {
	case late && begun && r.Context().Err() == nil:
		s.Log(fmt.Sprintf("POST %s: cut off after %s", r.URL.Path, s.Scoring.Time))
		panic(http.ErrAbortHandler) // the only way to signal that the answer is incomplete
	case late:
		w.Header().Set("Retry-After", "10")
		return refuse(http.StatusServiceUnavailable, "slow", s.Scoring.Time)
	case !begun:
		p := refuse(http.StatusUnprocessableEntity, "no dialogue")
		if len(unread) > 0 {
			p.Detail = unread[0]
		}
		if len(unread) > 1 {
			p.Errors = unread
		}
		return p
	}
	if notes := ui.Each(con.PrintGuesses(), strconv.QuoteToASCII); len(notes) > 0 {
		w.Header().Set(http.TrailerPrefix+"Assize-Notes", strings.Join(notes, ", "))
	}
	return nil
}

// receive copies a body into a temporary file that is deleted when closed.
func receive(body io.Reader) (f importer.Temp, size int64, err error) {
	if f, err = source.Temporary(); err != nil {
		return nil, 0, err
	}
	if size, err = io.Copy(f, body); err != nil {
		f.Close()
		return nil, 0, bodyError(err)
	}
	return f, size, nil
}

// bodyError returns the error to report for one that occurred while a body was received.
func bodyError(err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return wrong("short body")
	case errors.As(err, &timeout) && timeout.Timeout():
		return refuse(http.StatusRequestTimeout, "slow body")
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*http.MaxBytesError)):
		return err // it is not the client's form
	}
	return wrong("of an error", err) // such as a chunk of the wrong size
}

// unpack returns the files to read from a body: the body itself or, if it is an archive but not a
// workbook, the files in the archive. The error is a [problem] if the unpacked content exceeds most
// bytes, but not if only some files are left out.
func unpack(con *console.Console, body io.ReaderAt, size, most int64) (files []string, err error) {
	whole := func() *io.SectionReader { return io.NewSectionReader(body, 0, size) }
	left := most
	con.In, files = whole(), []string{ui.Stdin}
	z, err := zip.NewReader(body, size)
	if err != nil {
		return files, count(whole(), &left, most)
	}
	if !slices.ContainsFunc(z.File,
		func(f *zip.File) bool { return f.Name == "[Content_Types].xml" }) {
		con.In = struct { // only its files are read
			io.Reader
			fs.FS
		}{nil, z}
		files, _, err = source.Transcripts.Entries(z, ui.Stdin)
	}
	for _, f := range z.File {
		if in, wrong := f.Open(); wrong == nil { // an error is reported when the file is read
			wrong = count(in, &left, most)
			in.Close()
			if wrong != nil {
				return nil, wrong
			}
		}
	}
	return files, err
}

// count subtracts the unpacked size of r, which may be gzip data, from left. It reports only an
// excess over most bytes; other errors are found when the data is read.
func count(r io.Reader, left *int64, most int64) error {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(2); string(head) == "\x1f\x8b" {
		if z, err := gzip.NewReader(in); err == nil {
			in = bufio.NewReader(z)
		}
	}
	n, _ := io.CopyN(io.Discard, in, *left+1)
	if *left -= n; *left < 0 {
		return refuse(http.StatusRequestEntityTooLarge, "unpacks", most>>20)
	}
	return nil
}
