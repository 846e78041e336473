// Package redact masks what identifies a person: e-mail addresses, telephone numbers, card numbers and
// account numbers.
//
// Dialogues are judged by what was really said; masking comes after it, on everything that is written. A quote is
// cut from its masked turn, so that it is still verbatim in the turn that is written beside it.
// Numbers that identify nobody stay: times, dates, years, prices, booking and order numbers.
package redact

import (
	"cmp"
	"errors"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"assize/cmd/assize/internal/run"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The masks. Each says what it replaces.
const (
	Email   = "[email]"
	Phone   = "[phone]"
	Card    = "[card]"
	Account = "[account]"
)

// Text masks s on its own, without the words around it.
func Text(s string) string { return newMasked(s, asked{}).text }

// Record masks everything of r that is written. Its digest becomes that of the masked turns: a digest of the
// original words would let anybody test guesses at what is masked.
//
// What r shares with its sample or its Evaluation is left as it is; r gets copies.
func Record(r *run.Record) {
	turns := dialogueTurns(r.Dialogue.Turns)
	r.Dialogue.Turns = slices.Clone(r.Dialogue.Turns)
	for i := range r.Dialogue.Turns {
		r.Dialogue.Turns[i].Text = turns.all[i].text
	}
	r.Source.Digest, r.Source.Meta = r.Dialogue.Digest(), turns.meta(r.Source.Meta)
	r.Source.File, r.Source.ID = Text(r.Source.File), Text(r.Source.ID)
	r.Reason = turns.text(r.Reason)
	r.Truth.Labels = slices.Clone(r.Truth.Labels)
	for i, label := range r.Truth.Labels {
		r.Truth.Labels[i] = Text(label)
	}
	if r.Model != nil {
		account := *r.Model
		account.Calls = slices.Clone(account.Calls)
		for i := range account.Calls {
			account.Calls[i].Raw = turns.text(account.Calls[i].Raw)
		}
		r.Model = &account
	}
	if r.Evaluation != nil {
		e := *r.Evaluation
		e.Dialogue = r.Dialogue
		turns.evaluation(&e)
		r.Evaluation = &e
		r.Reasons = slices.Clone(r.Reasons)
		for i, why := range r.Reasons {
			r.Reasons[i].Quote = turns.quotes([]rubric.Quote{{Turn: why.Turn, Text: why.Quote}})[0].Text
		}
	}
}

// cutQuote matches a quote of a file that a message has cut, so that nobody can tell what its last word is.
var cutQuote = regexp.MustCompile(`"(?:[^"\\]|\\.)*…"`)

// Error masks what an error quotes.
func Error(err error) error {
	syntax, ok := errors.AsType[*dialogue.SyntaxError](err)
	if !ok {
		return errors.New(Message(err.Error()))
	}
	masked := *syntax
	masked.File, masked.Msg, masked.Hint = Text(masked.File), Message(masked.Msg), Message(masked.Hint)
	masked.Speakers = nil
	for _, name := range syntax.Speakers {
		masked.Speakers = append(masked.Speakers, Text(name))
	}
	return &masked
}

// Message masks a message that may quote a file.
func Message(s string) string { return Text(cutQuote.ReplaceAllString(s, `"…"`)) }

// maskedTurns are a dialogue's turns.
type maskedTurns struct {
	all   []masked          // by number less one
	known map[string]string // the masks of the numbers in them, by their digits
}

func dialogueTurns(turns []dialogue.Turn) maskedTurns {
	m := maskedTurns{make([]masked, len(turns)), map[string]string{}}
	var a asked
	for i, t := range turns {
		m.all[i] = newMasked(t.Text, a)
		a = about(t.Text, nil)
		for _, sp := range m.all[i].spans {
			if sp.mask != Email {
				m.known[digits(t.Text[sp.start:sp.end])] = sp.mask
			}
		}
	}
	for i := range m.all { // a number may come before what tells its sense
		m.all[i].know(m.known)
	}
	return m
}

// text masks what is said of the dialogue, which may repeat its numbers.
func (m maskedTurns) text(s string) string { return newMasked(s, asked{known: m.known}).text }

// meta masks metadata, names too. A name tells what its value is, as a question does. Where two names become the same,
// the first counts.
func (m maskedTurns) meta(fields dialogue.Meta) dialogue.Meta {
	var list []dialogue.Field
	for _, f := range fields {
		value := newMasked(f.Value, about(strings.ReplaceAll(f.Name, "_", " "), m.known))
		list = append(list, dialogue.Field{Name: m.text(f.Name), Value: value.text})
	}
	return dialogue.NewMeta(list)
}

func (m maskedTurns) evaluation(e *rubric.Evaluation) {
	for i := range rubric.NumCriteria {
		for _, r := range []*rubric.Rating{&e.Evaluator[i], &e.Final[i]} {
			r.Claim, r.Quotes = m.text(r.Claim), m.quotes(r.Quotes)
		}
		o := &e.Critique[i]
		o.Claim, o.Quotes = m.text(o.Claim), m.quotes(o.Quotes)
		e.Rulings[i].Quotes = m.quotes(e.Rulings[i].Quotes)
	}
	e.Signals = slices.Clone(e.Signals)
	for i := range e.Signals {
		e.Signals[i].Start, e.Signals[i].End = 0, 0 // they are places in the original text
	}
}

func (m maskedTurns) quotes(quotes []rubric.Quote) []rubric.Quote {
	quotes = slices.Clone(quotes)
	for i, q := range quotes {
		if 0 < q.Turn && q.Turn <= len(m.all) {
			quotes[i].Text = m.all[q.Turn-1].quote(q.Text)
		} else {
			quotes[i].Text = Text(q.Text)
		}
	}
	return quotes
}

// masked is a text and what is masked in it.
type masked struct {
	original, text string
	spans          []span // in order, none overlapping
	numbers        []span // that nothing masks
}

// span is a part of a text to be masked.
type span struct {
	start, end int
	mask       string
}

func newMasked(s string, a asked) masked {
	m := masked{original: s}
	m.find(a)
	m.know(a.known)
	return m
}

// know masks the numbers that are known from elsewhere, by their digits. What two patterns share is masked once, whole.
func (m *masked) know(known map[string]string) {
	for _, n := range m.numbers {
		if n.mask = known[digits(m.original[n.start:n.end])]; n.mask != "" {
			m.spans = append(m.spans, n)
		}
	}
	slices.SortFunc(m.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	kept := m.spans[:0]
	for _, sp := range m.spans {
		if n := len(kept); n > 0 && sp.start < kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, sp.end)
			continue
		}
		kept = append(kept, sp)
	}
	m.spans = kept
	m.text = m.part(0, len(m.original))
}

// part gives a part of the original with its masks. A mask that the part only touches is given whole.
func (m *masked) part(from, to int) string {
	var b strings.Builder
	for _, sp := range m.spans {
		if from < sp.end && sp.start < to {
			b.WriteString(m.original[from:max(from, sp.start)])
			b.WriteString(sp.mask)
			from = sp.end
		}
	}
	b.WriteString(m.original[from:max(from, to)])
	return b.String()
}

// quote masks words of the text as they are masked there. Words that are not in the text are masked by themselves.
func (m *masked) quote(words string) string {
	bare := strings.TrimSuffix(words, "…")
	at := strings.Index(m.original, bare)
	if at < 0 || bare == "" {
		return Text(words)
	}
	return m.part(at, at+len(bare)) + words[len(bare):]
}

// asked says which number the turn before this one spoke of: "What is your account number?" makes an
// account number of bare digits that no pattern would know.
type asked struct {
	phone, account bool
	known          map[string]string // masks of numbers that are known from elsewhere, by their digits
}

// about reads from a turn which numbers the next one may answer with.
func about(s string, known map[string]string) asked {
	a := asked{known: known}
	for _, t := range tells(s) {
		a.phone, a.account = a.phone || t.mask == Phone, a.account || t.mask == Account
	}
	return a
}

// tell is a word of a text, or two, that tells what the numbers after it are.
type tell struct {
	start, end int
	mask       string // of the numbers; "" where they identify nobody
}

var tellers = map[string]string{
	"phone": Phone, "telephone": Phone, "mobile": Phone, "cell": Phone, "contact number": Phone, "call me": Phone,
	"call you": Phone, "call us": Phone, "reach me": Phone, "reach you": Phone, "whatsapp": Phone, "fax": Phone,
	"account": Account, "acct": Account, "iban": Account, "routing": Account, "sort code": Account, "bank details": Account,
	"order": "", "booking": "", "reference": "", "ref": "", "confirmation": "", "ticket": "", "tracking": "", "case": "",
	"invoice": "", "train": "", "flight": "",
}

// tells finds the words in one pass, for hostile texts are long.
func tells(s string) (list []tell) {
	const longest = 14
	wordEnd := func(at int) int {
		for at < len(s) && (s[at]|0x20 >= 'a' && s[at]|0x20 <= 'z' || s[at] >= '0' && s[at] <= '9' || s[at] == '_') {
			at++
		}
		return at
	}
	for start, end := 0, 0; start < len(s); start = max(end, start+1) {
		if end = wordEnd(start); s[start] < 'A' {
			continue
		}
		mask, ok := tellers[strings.ToLower(s[start:min(end, start+longest)])]
		to := end
		if !ok && end < len(s) && s[end] == ' ' { // such as "sort code"
			to = wordEnd(end + 1)
			mask, ok = tellers[strings.ToLower(s[start:min(to, start+longest+1)])]
		}
		if ok && to-start <= longest {
			list = append(list, tell{start, to, mask})
		}
	}
	return list
}

// lazy compiles a pattern when the first text is masked.
func lazy(expr ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(strings.Join(expr, "|")) })
}

// The shapes that are looked for.
var (
	email = lazy(`[\p{L}\p{N}._%+'-]*[\p{L}\p{N}_]@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)
	// As speech recognition writes it: "ann dot lee at example dot com".
	spoken = lazy(`(?i)[a-z0-9_]+(?:(?: dot |\.)[a-z0-9_]+)* at [a-z0-9-]+(?: dot [a-z0-9-]+)+`)
	iban   = lazy(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b`)
	// Digits in groups, with one space, dash or dot between two: cards and accounts are picked from these. A
	// web page may have put spaces there at which a line must not break.
	grouped = lazy(`\b[0-9](?:[ .\x{a0}\x{202f}-]?[0-9]){3,40}\b`)
	phone   = lazy(
		`\+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9](?:[ ().-]{0,2}[0-9]){5,13}\b`, // +44 (0)20 7946 0958
		`(?:\b1[ .-]?)?(?:\([0-9]{3}\) ?|\b[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}\b`,       // (555) 123-4567
		`\(0[0-9]{2,4}\)[ -]?[0-9]{3,4}[ -]?[0-9]{3,4}\b`,                               // (020) 7946 0958
		`\b0[0-9](?:[ -]?[0-9]){8,9}\b`,                                                 // 07700 900123
		`\b[2-9][0-9]{2}[2-9][0-9]{6}\b`,                                                // 5552345678
		`\b[0-9]{3}-[0-9]{4}\b`)                                                         // 555-1234
	group = lazy(`[0-9]+`)
	// Digits in groups that begin with a date: 2024-05-01, 01-05-2024, 01.05.2024.
	date = lazy(`^[0-9]{4}[^0-9]+[0-9]{1,2}[^0-9]+[0-9]{1,2}\b`, `^[0-9]{1,2}[^0-9]+[0-9]{1,2}[^0-9]+[0-9]{4}\b`)
)

// find finds what identifies a person, and the numbers of which that is not known.
func (m *masked) find(a asked) {
	s := m.original
	add := func(pattern func() *regexp.Regexp, mask string) {
		for _, at := range pattern().FindAllStringIndex(s, -1) {
			if mask != Account || validIBAN(s[at[0]:at[1]]) {
				m.spans = append(m.spans, span{at[0], at[1], mask})
			}
		}
	}
	if strings.Contains(s, "@") {
		add(email, Email)
	}
	if strings.Contains(s, " dot ") || strings.Contains(s, " Dot ") {
		add(spoken, Email)
	}
	if len(digits(s)) < 5 {
		return
	}
	add(iban, Account)
	before := sense{asked: a, text: s, tells: tells(s), order: -1}
	for zone := range zones(s) {
		part := s[zone.start:zone.end]
		for _, at := range phone().FindAllStringIndex(part, -1) {
			m.spans = append(m.spans, span{zone.start + at[0], zone.start + at[1], Phone})
		}
		for _, at := range grouped().FindAllStringIndex(part, -1) {
			start, end := zone.start+at[0], zone.start+at[1]
			if from, to, ok := findCard(s[start:end]); ok {
				m.spans = append(m.spans, span{start + from, start + to, Card})
			} else if mask := before.mask(start, s[start:end]); mask != "" {
				m.spans = append(m.spans, span{start, end, mask})
			} else {
				m.numbers = append(m.numbers, span{start: start, end: end})
			}
		}
	}
}

// zones yields the parts of a text that can hold numbers, with the byte to either side: four digits at least, with
// what may stand between them.
func zones(s string) iter.Seq[span] {
	return func(yield func(span) bool) {
		start, count := 0, 0
		for i, r := range s + "x" {
			switch {
			case '0' <= r && r <= '9':
				count++
			case strings.ContainsRune(" ().+-\u00a0\u202f", r):
			case count >= 4 && !yield(span{start: start, end: min(i+1, len(s))}):
				return
			default:
				start, count = i, 0
			}
		}
	}
}

// sense is what the words of a text tell of the numbers after them, up to the number that was asked for last.
type sense struct {
	asked        // also what the words up to there tell
	text         string
	tells        []tell // the words after that number
	order        int    // where the last word about an order before it begins
	sentence, at int    // where its sentence and the number itself begin
}

// mask gives the mask of bare digits whose meaning is in the words before them, in this turn or the one before; none
// where they seem to identify nobody. The numbers of a text must be asked for in their order.
func (w *sense) mask(at int, number string) string {
	if i := strings.LastIndexAny(w.text[w.at:at], ".?!"); i >= 0 {
		w.sentence = w.at + i + 1
	}
	w.at = at
	for ; len(w.tells) > 0 && w.tells[0].end <= at; w.tells = w.tells[1:] {
		switch w.tells[0].mask {
		case Phone:
			w.phone = true
		case Account:
			w.account = true
		default:
			w.order = w.tells[0].start
		}
	}
	sign, _ := utf8.DecodeLastRuneInString(strings.TrimRight(w.text[:at], " "))
	isPrice := unicode.Is(unicode.Sc, sign) && !strings.ContainsAny(number, " -") // $2578.35
	n := len(digits(number))
	switch {
	case n < 6 || w.order >= w.sentence || date().MatchString(number) || isPrice:
		return ""
	case w.account:
		return Account
	case n >= 7 && n <= 15 && w.phone:
		return Phone
	}
	return ""
}

// digits gives the digits of a text.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// findCard finds a card number in digits in groups, which may begin or end with groups of something else,
// such as the code on the back of the card.
func findCard(s string) (from, to int, ok bool) {
	number := digits(s)
	before := make([]int, len(s)+1) // how many digits are before a place of s
	for i := range len(s) {
		if before[i+1] = before[i]; '0' <= s[i] && s[i] <= '9' {
			before[i+1]++
		}
	}
	if len(number) < 13 {
		return 0, 0, false
	}
	groups := group().FindAllStringIndex(s, -1)
	for i, first := range groups {
		for _, last := range slices.Backward(groups[i:]) {
			part := number[before[first[0]]:before[last[1]]]
			if len(part) < 13 {
				break
			}
			if validCard(part) {
				return first[0], last[1], true
			}
		}
	}
	return 0, 0, false
}

// validCard reports whether there are 13 to 19 digits whose last is right by Luhn's sum (ISO/IEC 7812-1).
func validCard(digits string) bool {
	if len(digits) < 13 || len(digits) > 19 {
		return false
	}
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d = d*2%10 + d/5 // the digits of twice d, added up
		}
		sum += d
	}
	return sum%10 == 0
}

// validIBAN reports whether s has the remainder 1 by 97 (ISO 13616) that every IBAN has.
func validIBAN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	rest := 0
	for i := range len(s) {
		c := s[(i+4)%len(s)] // the country and the check digits count last
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}
