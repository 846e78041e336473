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
// What r has in common with its sample or its Evaluation is left as it is; r gets copies.
func Record(r *run.Record) {
	turns := dialogueTurns(r.Dialogue.Turns)
	r.Dialogue.Turns = slices.Clone(r.Dialogue.Turns)
	for i := range r.Dialogue.Turns {
		r.Dialogue.Turns[i].Text = turns.all[i].text
	}
	r.Voices = slices.Clone(r.Voices)
	for i := range r.Voices {
		r.Voices[i].Speaker = turns.text(r.Voices[i].Speaker)
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
	masked.Speakers, masked.Openings = nil, nil
	for _, name := range syntax.Speakers {
		masked.Speakers = append(masked.Speakers, Text(name))
	}
	for _, o := range syntax.Openings {
		masked.Openings = append(masked.Openings,
			dialogue.Opening{Speaker: Text(o.Speaker), Text: Text(o.Text)})
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

// know masks the numbers that are known from elsewhere, by their digits. What two patterns match is masked once, whole.
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

// asked says which numbers the words so far ask for: "What is your account number?" makes an account number of bare
// digits that no pattern would know.
type asked struct {
	phone, account bool
	order          bool              // the sentence speaks of numbers that identify nobody
	known          map[string]string // masks of numbers that are known from elsewhere, by their digits
}

// about reads from a turn which numbers the next one may answer with.
func about(s string, known map[string]string) asked {
	a := asked{known: known}
	a.hear(s + ".")
	return a
}

// tellers are the words that tell what the numbers after them are.
var tellers = map[string]string{
	"phone": Phone, "telephone": Phone, "mobile": Phone, "cell": Phone, "contact number": Phone, "call me": Phone,
	"call you": Phone, "call us": Phone, "reach me": Phone, "reach you": Phone, "whatsapp": Phone, "fax": Phone,
	"account": Account, "acct": Account, "iban": Account, "routing": Account, "sort code": Account, "bank details": Account,
	"order": "", "booking": "", "reference": "", "ref": "", "confirmation": "", "ticket": "", "tracking": "", "case": "",
	"invoice": "", "train": "", "flight": "",
}

var stops = strings.NewReplacer("?", ".", "!", ".")

// hear reads what words tell of the numbers after them. It uses no pattern, which takes long in hostile texts.
func (a *asked) hear(words string) {
	for i, sentence := range strings.Split(stops.Replace(strings.ToLower(words)), ".") {
		a.order = a.order && i == 0
		before := ""
		for word := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			for _, tells := range []string{word, before + " " + word} {
				mask, ok := tellers[tells]
				a.phone, a.account = a.phone || mask == Phone, a.account || mask == Account
				a.order = a.order || ok && mask == ""
			}
			before = word
		}
	}
}

// shapes are the patterns that are looked for. They are compiled when the first text is masked.
var shapes = sync.OnceValue(func() (p struct{ email, spoken, iban, phone, number, date *regexp.Regexp }) {
	any := func(expr ...string) *regexp.Regexp { return regexp.MustCompile(strings.Join(expr, "|")) }
	p.email = any(`[\p{L}\p{N}._%+'-]*[\p{L}\p{N}_]@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)
	// As speech recognition writes it: "ann dot lee at example dot com".
	p.spoken = any(`(?i)[a-z0-9_]+(?:(?: dot |\.)[a-z0-9_]+)* at [a-z0-9-]+(?: dot [a-z0-9-]+)+`)
	p.iban = any(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b`)
	p.phone = any(
		`\+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9](?:[ ().-]{0,2}[0-9]){5,13}\b`, // +44 (0)20 7946 0958
		`(?:\b1[ .-]?)?(?:\([0-9]{3}\) ?|\b[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}\b`,       // (555) 123-4567
		`\(0[0-9]{2,4}\)[ -]?[0-9]{3,4}[ -]?[0-9]{3,4}\b`,                               // (020) 7946 0958
		`\b0[0-9](?:[ -]?[0-9]){8,9}\b`,                                                 // 07700 900123
		`\b[2-9][0-9]{2}[2-9][0-9]{6}\b`,                                                // 5552345678
		`\b[0-9]{3}-[0-9]{4}\b`)                                                         // 555-1234
	// Digits in groups, with one space, dash or dot between two: cards and accounts are picked from these. A
	// web page may have put spaces there at which a line must not break.
	p.number = any(`\b[0-9](?:[ .\x{a0}\x{202f}-]?[0-9]){3,40}\b`)
	// Digits in groups that begin with a date: 2024-05-01, 01-05-2024, 01.05.2024.
	p.date = any(`^[0-9]{4}[^0-9]+[0-9]{1,2}[^0-9]+[0-9]{1,2}\b`, `^[0-9]{1,2}[^0-9]+[0-9]{1,2}[^0-9]+[0-9]{4}\b`)
	return p
})

// find finds what identifies a person, and the numbers of which that is not known.
func (m *masked) find(a asked) {
	s, p := m.original, shapes()
	add := func(pattern *regexp.Regexp, mask string, valid func(string) bool) {
		for _, at := range pattern.FindAllStringIndex(s, -1) {
			if valid == nil || valid(s[at[0]:at[1]]) {
				m.spans = append(m.spans, span{at[0], at[1], mask})
			}
		}
	}
	if strings.Contains(s, "@") {
		add(p.email, Email, nil)
	}
	if strings.Contains(s, " dot ") || strings.Contains(s, " Dot ") {
		add(p.spoken, Email, nil)
	}
	if len(digits(s)) < 5 {
		return
	}
	add(p.iban, Account, validIBAN)
	add(p.phone, Phone, nil)
	last := 0 // where the number before begins
	for _, at := range p.number.FindAllStringIndex(s, -1) {
		number := span{start: at[0], end: at[1]}
		text := s[number.start:number.end]
		if from, to := findCard(text); to > 0 {
			m.spans = append(m.spans, span{number.start + from, number.start + to, Card})
			continue
		}
		a.hear(s[last:number.start])
		last = number.start
		sign, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s[:number.start], " "))
		isPrice := unicode.Is(unicode.Sc, sign) && !strings.ContainsAny(text, " -") // $2578.35
		switch n := len(digits(text)); {
		case n < 6 || a.order || p.date.MatchString(text) || isPrice:
		case a.account:
			number.mask = Account
		case n <= 15 && n >= 7 && a.phone:
			number.mask = Phone
		}
		if number.mask != "" {
			m.spans = append(m.spans, number)
		} else {
			m.numbers = append(m.numbers, number)
		}
	}
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if isDigit(r) {
			return r
		}
		return -1
	}, s)
}

// findCard finds a card number in digits in groups, which may begin or end with groups of something else, such as the
// code on the back of the card. The end is 0 where there is none.
func findCard(s string) (from, to int) {
	number := digits(s)
	var places []int // of the digits
	for i, r := range s {
		if isDigit(r) {
			places = append(places, i)
		}
	}
	for i, from := range places {
		if i > 0 && places[i-1] == from-1 { // not the first of its group
			continue
		}
		for n := min(len(number)-i, 19); n >= 13; n-- {
			to := places[i+n-1] + 1
			if endsGroup := to == len(s) || !isDigit(rune(s[to])); endsGroup && validCard(number[i:i+n]) {
				return from, to
			}
		}
	}
	return 0, 0
}

// validCard reports whether the last of 13 to 19 digits is right by Luhn's sum (ISO/IEC 7812-1).
func validCard(digits string) bool {
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
