package transcript

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// This file reads mail (.eml, RFC 5322, and .mbox, RFC 4155). Messages that answer one another are
// a dialogue, in the order of their dates, without quotes and signatures. The SYSTEM is known from
// --system-name or an address such as support@, or guessed to be the side that did not write first.

// isMail reports whether a stream begins with the header of a message.
func isMail(head string) bool {
	if first, rest, _ := strings.Cut(head, "\n"); lex.Match("from-line", first) {
		head = rest
	}
	m, err := mail.ReadMessage(strings.NewReader(head))
	if err != nil || m.Header.Get("From") == "" {
		return false
	}
	_, err = mail.ParseAddress(m.Header.Get("From"))
	return m.Header.Get("Date")+m.Header.Get("Message-Id")+m.Header.Get("Received") != "" ||
		err == nil && m.Header.Get("To") != "" && m.Header.Get("Subject") != ""
}

type letter struct {
	line    int
	from    mail.Address
	to      string // addresses, as written
	ids     []string
	subject string
	answers bool // its subject shows that it is a reply
	quotes  bool // it quotes others, whose text is removed
	isQuote bool // it contains only a quote
	isAuto  bool // an automatic reply, which nobody wrote
	time    int64
	text    string
}

// readMail reads all messages first, since a reply may precede the message that it answers.
func readMail(f *stream.File) {
	const most = 64 << 20 // bytes of text
	var list []letter
	var raw []byte
	first, size := 1, 0
	end := func() {
		if len(bytes.TrimSpace(raw)) == 0 {
			return
		}
		if l, err := parseLetter(raw); err != nil {
			f.Omissions.First("letter", fmt.Sprintf("line %d: %v", first, err))
		} else {
			l.line = first
			size += len(l.text)
			list = append(list, l)
		}
		raw = raw[:0]
	}
	l := stream.NewLines(f)
	blank := true
	for f.Err == nil && l.Next() {
		if blank && lex.Expr("from-line").Match(l.Text) {
			end()
			first, blank = l.Number+1, true
			continue
		}
		blank = len(l.Text) == 0
		if len(raw)+len(l.Text) < f.Limits.Text { // the rest is attachments
			text := l.Text
			// This is how mbox escapes a line that is not a separator.
			if bytes.HasPrefix(text, []byte(">From ")) {
				text = text[1:]
			}
			raw = append(append(raw, text...), '\n')
		}
		if size > most {
			f.Wrong(lex.Problem("much-mail", most>>20))
		}
	}
	f.Fail(l.Err)
	end()
	isMixed := func(l letter) bool { return strings.ContainsRune(l.text, utf8.RuneError) }
	if i := slices.IndexFunc(list, isMixed); i >= 0 {
		f.Note(lex.Text("encodings", list[i].line))
	}
	for _, thread := range threads(list) {
		readThread(f, thread)
	}
}

// threads groups messages that answer one another: by the references in their headers or, without
// any, by subject and addresses. Threads are in the order of their first messages in the file.
func threads(list []letter) (all [][]letter) {
	key := func(l *letter) string {
		pair := []string{strings.ToLower(l.from.Address), strings.ToLower(l.to)}
		slices.Sort(pair)
		return strings.ToLower(l.subject) + "\x00" + strings.Join(pair, "\x00")
	}
	var trees stream.Forest
	nodes, bySubject := make([]int32, len(list)), map[string]int32{}
	for i := range list {
		l := &list[i]
		nodes[i] = trees.Put(&stream.Link{Message: fmt.Sprintf("\x00%d", i), Others: l.ids})
		if !l.answers {
			bySubject[key(l)] = nodes[i]
		}
	}
	for i := range list {
		if n, ok := bySubject[key(&list[i])]; ok && list[i].answers && len(list[i].ids) < 2 {
			trees.Join(nodes[i], n)
		}
	}
	place := map[int32]int{} // of the thread in all, by its root
	for i, l := range list {
		root := trees.Root(nodes[i])
		n, ok := place[root]
		if !ok {
			n = len(all)
			place[root], all = n, append(all, nil)
		}
		all[n] = append(all[n], l)
	}
	return all
}

func readThread(f *stream.File, list []letter) {
	p := stream.Part{Line: list[0].line}
	domains := map[string]bool{} // of the agents
	for i, l := range list {
		if i > 0 && l.time == 0 { // a message without a date stays after the one before it
			list[i].time = list[i-1].time
		}
		box, domain, _ := strings.Cut(strings.ToLower(l.from.Address), "@")
		domains[domain] = domains[domain] || lex.Match("service-name", box)
	}
	slices.SortStableFunc(list, func(a, b letter) int { return cmp.Compare(a.time, b.time) })
	p.Meta = []dialogue.Field{{Name: "subject", Value: list[0].subject}}
	role := func(a mail.Address) dialogue.Role {
		box, domain, _ := strings.Cut(strings.ToLower(a.Address), "@")
		for _, name := range []string{a.Name, a.Address, box} {
			if r, ok := f.Who.Roles[lex.FoldName(name)]; ok && name != "" {
				return r
			}
		}
		if lex.Match("service-name", box) || domains[domain] {
			return dialogue.System
		}
		return stream.Nobody
	}
	if len(list) == 1 && list[0].quotes {
		f.Report(lex.Text("quoted-mail"))
	}
	first := list[0].from.Address
	isOurs := func(l letter) bool { return role(l.from) == dialogue.System }
	isServed := slices.ContainsFunc(list, isOurs)
	for _, l := range list {
		who := role(l.from)
		if l.isQuote {
			f.Omissions.Add("quote", lex.Quote(list[0].subject))
		}
		if who == stream.Nobody && !isServed && l.from.Address != first {
			f.Note(lex.Text("answers-mail"))
			who = dialogue.System
		} else if who == stream.Nobody {
			who = dialogue.User
		}
		if l.text != "" {
			s := stream.Message{Name: cmp.Or(l.from.Name, l.from.Address), Text: l.text, Role: who,
				IsKnown: true, Line: l.line}
			if l.isAuto {
				s.Name, s.Role = "", dialogue.Other
			}
			p.Messages = append(p.Messages, s)
		}
	}
	stream.Assemble(f, []stream.Part{p}, false)
}

func parseLetter(raw []byte) (l letter, err error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return l, err
	}
	words := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	from, err := (&mail.AddressParser{WordDecoder: &words}).Parse(m.Header.Get("From"))
	if err != nil {
		return l, err
	}
	l.from, l.to = *from, m.Header.Get("To")
	if to, err := (&mail.AddressParser{WordDecoder: &words}).Parse(l.to); err == nil {
		l.to = to.Address
	}
	if l.subject, err = words.DecodeHeader(m.Header.Get("Subject")); err != nil {
		l.subject = m.Header.Get("Subject")
	}
	l.isAuto = strings.HasPrefix(m.Header.Get("Auto-Submitted"), "auto-replied") ||
		m.Header.Get("X-Autoreply") != "" || m.Header.Get("Precedence") == "auto_reply"
	mark := lex.Expr("answer-mark").FindString(l.subject)
	l.answers, l.subject = mark != "", strings.TrimSpace(l.subject[len(mark):])
	for _, name := range []string{"Message-Id", "In-Reply-To", "References"} {
		l.ids = append(l.ids, strings.Fields(m.Header.Get(name))...)
	}
	if date, err := m.Header.Date(); err == nil {
		l.time = date.UnixMilli()
	}
	text, isHTML := body(m.Header, m.Body, 0)
	if isHTML {
		text = lex.HTMLLines(text, "", "> ")
	}
	l.text, l.quotes = said(text), lex.Match("quote-head", text)
	l.isQuote = l.text == "" && strings.TrimSpace(text) != ""
	return l, nil
}

// body returns the text of a message or of a part of one: plain text if available, else HTML.
func body(head interface{ Get(string) string }, r io.Reader, depth int) (text string, isHTML bool) {
	const maxDepth = 10
	media, params, err := mime.ParseMediaType(head.Get("Content-Type"))
	if err != nil {
		media = "text/plain"
	}
	switch {
	case strings.HasPrefix(media, "multipart/") && depth < maxDepth:
		parts := multipart.NewReader(r, params["boundary"])
		for {
			p, err := parts.NextRawPart()
			if err != nil {
				return text, isHTML
			}
			if p.FileName() != "" ||
				strings.HasPrefix(p.Header.Get("Content-Disposition"), "attachment") {
				continue
			}
			t, h := body(p.Header, p, depth+1)
			if t != "" && !h {
				return t, false
			} else if text == "" {
				text, isHTML = t, h
			}
		}
	case !strings.HasPrefix(media, "text/"):
		return "", false
	}
	switch strings.ToLower(strings.TrimSpace(head.Get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	}
	if set := params["charset"]; set != "" {
		if decoded, err := charset.NewReaderLabel(set, r); err == nil {
			r = decoded
		}
	}
	data, _ := io.ReadAll(r) // an error means that the end of a long message was cut off
	return strings.ReplaceAll(string(data), "\r\n", "\n"), media == "text/html"
}

// said returns what the sender wrote above, between and below the quotes, without signatures.
func said(text string) string {
	var own []string // between two quotes
	add := func(s string) {
		if at := lex.Expr("signature").FindStringIndex(s); at != nil {
			s = s[:at[0]]
		}
		lines := lex.Each(strings.Split(s, "\n"),
			func(line string) string { return strings.TrimRight(line, " \t\r") })
		if s = strings.Trim(strings.Join(lines, "\n"), "\n"); strings.TrimSpace(s) != "" {
			own = append(own, s)
		}
	}
	for text != "" {
		begin, end := len(text), len(text)
		quote := lex.Expr("quoted-line").FindStringIndex(text)
		isQuote := quote != nil
		if isQuote {
			begin = quote[0]
		}
		if head := lex.Expr("quote-head").FindStringIndex(text[:begin]); head != nil {
			isQuote = isQuote && strings.TrimSpace(text[head[1]:begin]) == ""
			begin = head[0]
		} else if isQuote {
			const longest = 300 // bytes
			above := text[max(0, begin-longest):begin]
			if head := lex.Expr("marked-head").FindStringIndex(above); head != nil {
				begin -= len(above) - head[0]
			}
		}
		if isQuote {
			end = quote[0] + quoteLength(text[quote[0]:])
		}
		add(text[:begin])
		text = text[end:]
	}
	return strings.TrimSpace(strings.Join(own, "\n\n"))
}

// quoteLength returns the length of the quote at the beginning of s. A line without ">" between two
// that have it is part of it if a mail program has cut it from a long line above.
func quoteLength(s string) (n int) {
	const long = 60
	isCut := false
	for n < len(s) {
		line, below, _ := strings.Cut(s[n:], "\n")
		words := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, ">"):
			isCut = len(words) >= long && !strings.ContainsAny(words[len(words)-1:], ".!?:;")
		case isCut && words != "" && strings.HasPrefix(below, ">"):
			isCut = false
		default:
			return n
		}
		n = min(n+len(line)+1, len(s))
	}
	return n
}
