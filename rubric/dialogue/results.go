package dialogue

import (
	"bytes"
	"cmp"
	_ "embed"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Outcome is what the result of a call says about it.
type Outcome uint8

// The outcomes of a call.
const (
	Silent    Outcome = iota // nothing: it is missing, empty, truncated or an echo
	Succeeded                // what was called for is done
	Partial                  // only a part of it is done
	Pending                  // it is not done yet
	Failed
)

// String returns the word for an outcome in folded turns of pages; "" for success.
func (o Outcome) String() string {
	return [...]string{"no outcome", "", "done in part", "pending", "failed"}[o]
}

// Result is the result of a tool, as read by [ToolUse.Read].
type Result struct {
	Outcome Outcome
	Holds   string // the parts that say what is the case: members with their values, or sentences
	Denies  string // the parts that say what is not: empty, false, failed or pending
	// IsVague reports that nothing says so: a success rests only on values that are new, or the
	// result is about another object than the call.
	IsVague bool
	IsOpen  bool   // a success, but something in it is scheduled or waits
	IsTaken bool   // it has a new reference, and "accepted" may mean the request or all of it
	IsMade  bool   // it says only that it is done, or its HTTP status that something was created
	Decides string // the words of the result that report the outcome, or ""
}

//go:embed results.txt
var resultsFile string

// resultWords returns the kinds of the words in results.txt.
var resultWords = sync.OnceValue(func() map[string]wordKinds {
	all := map[string]wordKinds{}
	for line := range strings.Lines(resultsFile) {
		kind, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n := slices.Index(wordKindNames, kind); n >= 0 { // or else it is a remark
			for word := range strings.FieldsSeq(words) {
				all[word] |= 1 << n
			}
		}
	}
	return all
})

type wordKinds uint64

const (
	wraps wordKinds = 1 << iota
	statusOf
	messageOf
	okOf
	fatalOf
	partOf
	idleOf
	saysFail
	saysNo
	saysWait
	saysGood
	opensFailure
	refOf
	sinceOf
	rowsOf
	reasonOf
	exitOf
	saysOn
	endsIt
	clearOf
	tallyOf
	saysLater
	saysPart
	saysOwn
	saysTaken
	saysUndone
	afterOf
	saysElse
	rehearses
	supposes
	undoes
	tries
	setsOf
	stageOf
	startsIt
	ableOf
	looksUp
	makesIt
)

// wordKindNames are the kinds at the beginning of lines in results.txt, in the order of the
// constants.
var wordKindNames = strings.Fields("wrap status message ok fatal part idle fail no wait good " +
	"opening ref since rows reason exit on ends clear tally later partly own taken undone " +
	"after else rehearsal if undoes trial sets stage starts able looks makes")

// Limits that keep the time linear and the memory small: the bytes of a value or a sentence that
// are read for its outcome, the depth of objects, and the values compared with the arguments.
const (
	maxSaid     = 400
	maxDepth    = 64
	maxNested   = 4 // strings in strings that are read as JSON
	maxWrappers = 4 // objects around the one that is the result
	maxEchoed   = 16
	maxCompared = 4096
	maxPage     = 2048
)

// resultReader collects what the members or the sentences of a result say.
type resultReader struct {
	call          *ToolUse
	named         []string  // the words in the name of the call
	verbs         wordKinds // their kinds
	holds, denies bytes.Buffer
	verdict
	values  int
	isNew   bool   // a value is not among the arguments
	isNamed bool   // a new reference is among the values
	isNews  bool   // a new value is neither a reference nor an outcome
	isAfter bool   // a new balance is among the values, so more than the request is done
	isStage bool   // the result has the status of what the call changes, and it is pending
	echoes  uint64 // the arguments that are values, as bits
	// how many objects have each outcome in lists that belong to the result, such as the flights of
	// a booking
	aside  tally
	nested int // the number of strings with JSON that are being read
}

// verdict is what members report about what was called for, or about one of several objects.
type verdict struct {
	counts
	items   tally // how many objects have each outcome in a list that is the result
	isUnset bool  // a member such as "cancelled" is null, or the only one is a reason
	isOff   bool  // one such as "eligible" is false
	isOther bool  // the object is another one than the call's
	isSame  bool  // an object is the call's
	isMade  bool  // the HTTP status is 201
	isOpen  bool  // something is scheduled, or waits
	isTaken bool  // its status is "accepted", which may be only the request
	isElse  bool  // its status is one that the call was not for
	// the first member that reports each outcome, firmly and otherwise
	decides [2][Failed + 1]string
}

// tally is how often something reports each outcome.
type tally [Failed + 1]int

// outcome returns the outcome that is reported, or Partial if only some succeeded.
func (n *tally) outcome() Outcome {
	for of := Failed; of > Silent; of-- {
		if n[of] > 0 && of > Succeeded && n[Succeeded] > 0 {
			return Partial
		} else if n[of] > 0 {
			return of
		}
	}
	return Silent
}

// counts holds how often something reports each outcome: firmly, or only by the way.
type counts struct {
	firm, weak tally
	fatal      bool
	isListed   bool // a list of errors has some, which is no failure of what succeeded
	wasDone    bool // a failure says that it was done already
}

// Read reads the result of the call, which is JSON or text.
func (u *ToolUse) Read() Result {
	r := resultReader{call: u, named: wordsOf(u.Name)}
	text := strings.TrimSpace(u.Answer)
	text = text[len(form("label").FindString(text)):]
	if status, body, _ := strings.Cut(text, "\n"); strings.HasPrefix(status, "HTTP") &&
		strings.IndexByte("{[", (strings.TrimSpace(body) + " ")[0]) >= 0 {
		r.sentences(status, &r.firm)
		text = strings.TrimSpace(body)
	}
	text = form("row-count").ReplaceAllString(text, "$1 rows affected")
	for _, word := range r.named {
		r.verbs |= resultWords()[word]
	}
	isWhole := true
	if text == "null" {
		text = ""
	}
	switch page := text[:min(len(text), maxPage)]; {
	case text == "":
	case strings.IndexByte(`{["`, text[0]) >= 0:
		isWhole = r.json(text)
	case text[0] == '<':
		text = strings.Join(strings.Fields(form("tag").ReplaceAllString(page, " ")), " ")
		if isWhole = outcomeOf(text) == Failed; !isWhole { // not the page of an error
			isWhole = r.pairs(append(form("element").FindAllStringSubmatch(page, -1),
				form("attribute").FindAllStringSubmatch(page, -1)...))
		}
	case len(text) == len(page) && strings.ContainsAny(text, ";\n") &&
		strings.Trim(form("pair").ReplaceAllString(text, ""), "; \n") == "":
		isWhole = r.pairs(form("pair").FindAllStringSubmatch(text, -1))
	}
	if isWhole && r.values == 0 && strings.IndexByte(`{["`, (text + " ")[0]) < 0 {
		r.isNew = r.sentences(text, &r.firm) && !isNumber(text)
		r.isNamed = strings.ContainsFunc(text, unicode.IsDigit) &&
			slices.ContainsFunc(strings.Fields(text), func(word string) bool {
				return isCode(strings.Trim(word, ".,:;()#")) && !r.isGiven(word)
			})
	}
	_, word, _ := strings.Cut(r.decides[0][Succeeded], ":")
	word = keyOf(strings.Trim(word, ` "`)) // "ok" and "true" are only about the request
	isDone := saysDone(word) && word != "true" && resultWords()[word]&clearOf == 0
	EachArgument(u.Arguments, func(name, value string) {
		of := resultWords()[keyOf(name)]
		isTrial := of&rehearses != 0 && !(isDone && of&tries != 0)
		r.fatal = r.fatal || value == "true" && isTrial
	})
	says := Result{Outcome: r.outcome(isWhole), Holds: r.holds.String(), Denies: r.denies.String(),
		IsVague: r.isVague(), IsOpen: r.isOpen, IsTaken: r.isTaken && r.isNamed}
	of, sentences := says.Outcome, says.Holds
	says.IsMade = r.isMade || of == Succeeded && !says.IsVague && !r.isNews && r.values > 0
	if of >= Partial {
		sentences = says.Denies
	}
	if of == Partial { // what failed
		of = Failed
	}
	says.Decides = cmp.Or(r.decides[0][of], r.decides[1][of])
	if first, _, _ := strings.Cut(sentences, "\n"); r.values == 0 && strings.Count(first, " ") > 1 {
		says.Decides = first
	}
	return says
}

// note records the words of a member, if it has reported an outcome since the counts were as given.
func (r *resultReader) note(member string, before counts) {
	for of := range r.firm {
		isFirm := r.firm[of] > before.firm[of] || Outcome(of) == Failed && r.fatal && !before.fatal
		for i, is := range []bool{isFirm, r.weak[of] > before.weak[of]} {
			if is {
				r.decides[i][of] = cmp.Or(r.decides[i][of], member)
			}
		}
	}
}

// pairs reads members that are not in JSON: their names and values.
func (r *resultReader) pairs(list [][]string) bool {
	for _, m := range list {
		value, kind := strings.TrimSpace(m[2]), jsontext.Kind('"')
		if isNumber(value) {
			kind = '0'
		}
		if value != "" {
			r.member(m[1], value, kind, &object{isMain: true})
		}
	}
	return r.values > 0
}

// isVague reports whether only new values speak for a success, and no reference is among them, or
// whether the result is about another object.
func (r *resultReader) isVague() bool {
	said := r.firm[Succeeded] + r.weak[Succeeded] + r.aside[Succeeded]
	isChanged := r.does(setsOf) && bits.OnesCount64(r.echoes) > 1 // and the object is the same
	isNew := r.isNamed && !r.isStage || r.wasDone || isChanged && !r.isNamed
	return r.isElse || r.isOther && !r.isSame || said == 0 && !isNew
}

// does reports whether the name of the call has a word of these kinds.
func (r *resultReader) does(of wordKinds) bool { return r.verbs&of != 0 }

// isGiven reports whether a value is among the arguments of the call.
func (r *resultReader) isGiven(value string) bool {
	return strings.Contains(r.call.Arguments[:min(len(r.call.Arguments), maxCompared)], value)
}

// isCode reports whether a word may be a reference.
func isCode(word string) bool { return form("code").MatchString(word) }

// argument returns the value of the argument of the call that a member is named like, and whether
// it is the first one. It notes the arguments that have the member's value.
func (r *resultReader) argument(name, value string) (given string, isFirst bool) {
	n := 0
	EachArgument(r.call.Arguments, func(key, v string) {
		if key == name && given == "" {
			given, isFirst = v, n == 0
		}
		if v == value && (len(v) > 1 || key == name) {
			r.echoes |= 1 << n
		}
		n++
	})
	return given, isFirst
}

// EachArgument calls yield with the arguments of a call, or the members of a result: their names,
// or "", and values. It reads only the beginning.
func EachArgument(text string, yield func(name, value string)) {
	text = text[:min(len(text), maxCompared)]
	if strings.HasPrefix(text, "<") {
		text = form("attribute").ReplaceAllString(text, "\n$1:$2\n")
	}
	isEnd := func(r rune) bool { return strings.ContainsRune(",{}[]()&?\n'", r) }
	for part := range strings.FieldsFuncSeq(text, isEnd) {
		name, value := "", part
		if n := strings.IndexAny(part, ":="); n >= 0 {
			name, value = strings.Trim(part[:n], "\"'\\ "), part[n+1:]
		}
		yield(name, strings.Trim(value, "\"'\\ "))
	}
}

// IsReport reports whether a member of a result, by its name in lower case, says how the call went:
// its status, a message or a reason.
func IsReport(name string) bool {
	return resultWords()[name]&(statusOf|messageOf|reasonOf) != 0
}

// IsSuccess reports whether a word in lower case in the name of a member reports a success.
func IsSuccess(word string) bool { return resultWords()[word]&okOf != 0 }

// IsReference reports whether a word in lower case ends the names of members with references.
func IsReference(word string) bool { return resultWords()[word]&refOf != 0 }

// compare compares a member of the result with the argument of its name: the object of the call, or
// a switch that is as the call set it.
func (r *resultReader) compare(given, value string, isFirst bool, kind jsontext.Kind,
	of wordKinds) {
	switch {
	case given == "":
	case kind == 't' || kind == 'f' || given == value && outcomeOf(value) == Succeeded:
		if given == value {
			r.weak[Succeeded]++
		}
	case !isFirst && of&refOf == 0 || !strings.ContainsAny(value, "0123456789") ||
		strings.ContainsAny(value, ":. "):
	case given == value:
		r.isSame = true
	case strings.ContainsAny(given, "0123456789") && !strings.ContainsAny(given, ":. "):
		r.isOther = true
	}
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// outcome returns the outcome that members report: firmly, or else by the way.
func (c *counts) outcome() (of Outcome) {
	said := &c.firm
	if !c.fatal && !c.isListed && *said == (tally{}) {
		said = &c.weak
	}
	isDone := said[Succeeded] > 0 || c.isListed && c.weak[Succeeded] > 0
	switch c.fatal = c.fatal || c.isListed && !isDone; {
	case c.fatal && c.wasDone:
		of = Succeeded
	case c.fatal, said[Failed] > 0 && !isDone:
		of = Failed
	case said[Partial] > 0 && c.weak[Succeeded] > 0, c.isListed,
		isDone && said[Failed]+said[Partial] > 0:
		of = Partial
	case said[Pending] > 0:
		of = Pending
	case isDone:
		of = Succeeded
	}
	return of
}

// outcome returns the outcome of the whole result. It is a partial one if only some of several
// objects have succeeded.
func (r *resultReader) outcome(isWhole bool) Outcome {
	of := r.counts.outcome()
	switch {
	case r.items.outcome() == Partial && !r.fatal:
		return Partial
	case of > Succeeded:
		return of
	case r.isTaken && !r.isAfter, r.isStage && r.echoes == 0:
		return Pending
	case of == Silent && (r.isUnset || r.isOff && !r.isNamed && !r.does(looksUp|setsOf)):
		return Failed
	case of == Silent && r.aside.outcome() != Silent:
		return r.aside.outcome()
	case of == Silent && isWhole && r.isNew:
		return Succeeded
	}
	return of
}

// object is an open object or list.
type object struct {
	name   string // of the member that has it, as in results.txt
	isList bool
	isMain bool // it holds the result itself
	isPart bool // it lists what failed
	isDead bool // in a member that reports an error
	isOne  bool // in a list of errors
	isOwn  bool // it lists an argument of the call
	begin  int  // the length of what holds before it
	size   int
	// for one of the objects of a list, what was reported before it, and whether the list is main
	before    *verdict
	isCounted bool
}

// json reads a JSON result and reports whether it is complete.
func (r *resultReader) json(text string) bool {
	dec, wrappers := newDecoder(text), r.wrappersIn(text)
	var stack []object
	root := object{isMain: true}
	name, begin := "", int64(0) // of the member
	for {
		before := dec.InputOffset()
		tok, err := dec.ReadToken()
		if err != nil {
			for n := len(stack) - 1; n >= 0; n-- { // the result is cut off
				r.endItem(&stack[n])
			}
			return err == io.EOF
		}
		in := &root
		if len(stack) > 0 {
			in = &stack[len(stack)-1]
		}
		kind, depth := tok.Kind(), dec.StackDepth()
		if kind == '}' || kind == ']' {
			if depth < len(stack) {
				stack = stack[:depth]
				r.endItem(in)
				r.closed(in)
				name = ""
			}
			continue
		}
		opens := kind == '{' || kind == '['
		if depth > maxDepth || depth == maxDepth && opens {
			continue
		}
		of, length := dec.StackIndex(depth)
		if of == '{' && length%2 == 1 && kind == '"' {
			name, begin = tok.String(), before
			continue
		}
		in.size++
		if in.isList {
			name, begin, r.isNews = in.name, before, true
			in.isOwn = in.isOwn || r.isGiven(`"`+tok.String()+`"`)
		}
		if opens {
			is := r.kindsOf(keyOf(name))
			next := object{name: name, isList: kind == '[', begin: r.holds.Len(),
				isMain: in.isMain && (len(stack) <= wrappers || in.isList || is&wraps != 0 ||
					r.isKin(strings.ToLower(name))),
				isPart: in.isPart || is&partOf != 0 || kind == '[' && is&saysFail != 0,
				isDead: in.isDead || is&fatalOf != 0,
				isOne:  in.isOne || kind == '[' && is&fatalOf != 0}
			if in.isList && !next.isList && !next.isPart && !next.isDead {
				before := r.verdict
				next.before, next.isCounted, next.isMain = &before, next.isMain, true
				r.counts = counts{}
			}
			stack = append(stack, next)
			continue
		}
		if len(stack) == 0 && kind == '"' {
			r.values++
			r.isNew = r.text(tok.String(), &r.firm)
			continue
		}
		counted := r.counts
		r.member(name, tok.String(), kind, in)
		r.note(strings.TrimLeft(text[begin:dec.InputOffset()], " ,[{\r\n\t"), counted)
	}
}

// wrappersIn returns how many objects only hold the next one, as in {"slot": {…}}, also after texts
// that are arguments of the call. An object does not count if its member is an error, or parts that
// failed.
func (r *resultReader) wrappersIn(text string) (n int) {
	for ; n < maxWrappers; n++ {
		dec := newDecoder(text)
		if first, err := dec.ReadToken(); err != nil || first.Kind() != '{' ||
			dec.PeekKind() != '"' {
			return n
		}
		for isEcho := true; isEcho && dec.PeekKind() == '"'; {
			name, _ := dec.ReadToken()
			of := r.kindsOf(keyOf(name.String()))
			value, err := dec.ReadValue()
			if text = string(value); err != nil || of&(fatalOf|partOf) != 0 {
				return n
			}
			isEcho = of&statusOf == 0 && text[0] == '"' && r.isGiven(text)
		}
		if len(text) <= len("{}") || text[0] != '{' || dec.PeekKind() != '}' {
			return n
		}
	}
	return n
}

func newDecoder(text string) *jsontext.Decoder {
	return jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
}

// kindsOf returns the kinds of a key. One that is like the name of the call reports no failure: the
// number of a fault that was reported, or what was rejected as it was asked for.
func (r *resultReader) kindsOf(key string) wordKinds {
	of := resultWords()[key]
	if rest, isNot := strings.CutPrefix(key, "not"); isNot && r.isKin(rest) {
		return partOf // not_deleted
	}
	if of&(partOf|fatalOf) != 0 && r.isKin(key) {
		of &^= partOf | fatalOf
	}
	return of
}

// keyOf returns the name of a member in lower case without _ and -.
func keyOf(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' {
			return -1
		}
		return unicode.ToLower(c)
	}, name[:min(len(name), maxSaid)])
}

// endItem adds the outcome of an object in a list to what was reported before it. What a failed one
// holds is denied.
func (r *resultReader) endItem(o *object) {
	if o.before == nil {
		return
	}
	of := r.counts.outcome()
	if of > Succeeded {
		r.denies.Write(r.holds.Bytes()[o.begin:])
		r.holds.Truncate(o.begin)
	}
	if !o.isCounted {
		r.verdict = *o.before
		r.aside[of]++
		return
	}
	r.counts = o.before.counts
	r.items[of]++
	if of != Silent {
		r.weak[of]++
	}
}

// closed reads a complete object or list by its size.
func (r *resultReader) closed(o *object) {
	switch of := r.kindsOf(keyOf(o.name)); {
	case o.name == "" || of&wraps != 0:
	case o.size == 0:
		r.denies.WriteString(o.name + "\n")
	case of&partOf != 0, o.isList && of&saysFail != 0:
		r.firm[Partial]++
	case o.isList && isParticiple(o.name):
		r.firm[Succeeded]++
	case r.does(setsOf) && r.isNew && o.isMain && o.isOwn && of == 0 && outcomeOf(o.name) == Silent:
		r.weak[Succeeded]++ // what was added is in the list, with others
	}
}

// fail records a failure, unless it says that the deed was done already.
func (r *resultReader) fail(text string) {
	text = strings.ReplaceAll(strings.ToLower(text), "_", " ") // ALREADY_CANCELLED
	_, what, _ := strings.Cut(text, "already ")
	if what, _, _ = strings.Cut(what, " "); r.isKin(what) {
		r.wasDone = true
	}
	r.fatal = true
}

// isKin reports whether a word in lower case begins like one in the name of the call, or contains
// one: "cancelled" in cancel_order, "awake" in wake_device.
func (r *resultReader) isKin(word string) bool {
	return len(word) >= 4 && (strings.Contains(strings.ToLower(r.call.Name), word[:4]) ||
		slices.ContainsFunc(r.named, func(part string) bool {
			return len(part) >= 4 && strings.Contains(word, part)
		}))
}

// isObject reports whether a key contains a word in the name of the call other than its verb.
func (r *resultReader) isObject(key string) bool {
	return slices.ContainsFunc(r.named, func(word string) bool {
		return len(word) > 2 && resultWords()[word]&endsIt == 0 && strings.Contains(key, word)
	})
}

// isUndone reports whether the call undoes what a participle says: "locked" in unlock_door.
func (r *resultReader) isUndone(key string) bool {
	return slices.ContainsFunc(r.named, func(word string) bool {
		rest, isUn := strings.CutPrefix(word, "un")
		if !isUn && resultWords()[word]&undoes != 0 {
			rest, isUn = strings.TrimPrefix(strings.TrimPrefix(word, "dis"), "de"), true
		}
		return isUn && len(rest) > 2 && strings.HasPrefix(key, strings.TrimSuffix(rest, "e"))
	})
}

// member reads a member that is no object or list.
func (r *resultReader) member(name, value string, kind jsontext.Kind, in *object) {
	key, word, all := keyOf(name), strings.ToLower(value), resultWords()
	of, line := r.kindsOf(key), name+" "+value+"\n"
	switch {
	case kind == '"' && (word == "true" || word == "y"):
		kind = 't'
	case kind == '"' && value == "0" && isParticiple(name):
		kind = '0'
	case kind == '0' && of == 0:
		of = r.talliedBy(name)
	}
	var says wordKinds // of a status that is not the deed itself
	if of&statusOf != 0 && !r.isKin(word) {
		says = all[word]
	}
	r.isTaken = r.isTaken || says&saysTaken != 0
	said := r.outcomeOf(value)
	given, isFirst := "", false
	if in.isMain || r.does(setsOf) {
		given, isFirst = r.argument(name, value)
	}
	switch {
	case r.does(setsOf) && said == Pending && given == "" && all[keyOf(value)]&stageOf != 0 &&
		(strings.HasSuffix(key, "status") || strings.HasSuffix(key, "state")) && !r.isKin(key):
		said, of, r.isStage = Silent, 0, r.isStage || of&statusOf != 0
	case says&saysUndone != 0:
		said = Failed
	case says&saysElse != 0 && !r.does(endsIt) && !r.isGiven(word[:min(4, len(word))]):
		said, r.isElse = Silent, true
	}
	isEmpty := kind == 'n' || value == "" || kind == 'f'
	isClear := isEmpty || all[keyOf(value)]&clearOf != 0
	if !in.isMain && of&statusOf != 0 && in.name != "" {
		line = in.name + " " + line // "refund": {"status": "succeeded"}
	}
	isTrue, isWord := kind == 't', kind == '"' && !strings.Contains(value, " ")
	isHTTP := kind == '0' && len(value) == 3 && value >= "200" && value < "600"
	switch {
	case in.isPart, in.isDead:
		r.denies.WriteString(line)
		if in.isDead && !isClear {
			wasFatal := r.fatal
			r.fail(value)
			if in.isOne && !r.wasDone {
				r.fatal, r.isListed = wasFatal, true
			}
		}
		return
	case isEmpty, said >= Pending && of&messageOf == 0 && !r.isGiven(value):
		r.denies.WriteString(line)
	default:
		r.holds.WriteString(line)
	}
	r.values++
	isRead := r.isNew && r.isNamed && r.isNews
	if of&idleOf == 0 && !isEmpty && !isTrue && !isRead {
		isNew := r.values > maxEchoed || !r.isGiven(value) ||
			kind == '0' && r.does(setsOf) && !r.isGiven(name) // "brightness" for a "level"
		r.isNew = r.isNew || isNew
		r.isAfter = r.isAfter || isNew && of&afterOf != 0
		isError := of&statusOf != 0 && strings.HasPrefix(value, "E") // "code": "E1203"
		isRef := isNew && !isError && (isCode(value) || r.isReference(name, value))
		r.isNamed = r.isNamed || isRef
		r.isNews = r.isNews || isNew && !isRef && said == Silent && !isParticiple(name)
	}
	makes := func(verb string) bool { return all[verb+":"+key]&makesIt != 0 } // activate:active
	isDone := of&idleOf == 0 && in.isMain &&
		(isParticiple(name) || kind == '0' && r.isKin(key) && saysDone(firstWord(name)))
	if isDone && (isTrue || kind == 'f') && r.isUndone(key) {
		isTrue, kind = kind == 'f', 'f'
	}
	if in.isMain && r.values <= maxEchoed {
		r.compare(given, value, isFirst, kind, of)
	}
	switch {
	case of&fatalOf != 0, of&rehearses != 0 && isTrue:
		if !isClear && in.isMain {
			r.fail(value)
		}
	case said == Pending && isWord && of&(messageOf|statusOf) == 0 && !r.isGiven(value),
		said == Pending && of&statusOf != 0 && !in.isMain && !r.isGiven(in.name),
		says&saysLater != 0:
		if r.isOpen = true; in.isMain && (of&saysWait != 0 || r.isKin(key)) {
			r.firm[Pending]++
		}
	case of&statusOf != 0 && isHTTP && in.isMain:
		if said = outcomeOfHTTP(value); said == Failed {
			r.fail("")
		} else if value == "200" { // of the request, not of what was asked for
			r.weak[Succeeded]++
		} else if said != Silent {
			r.firm[said]++
			r.isMade = r.isMade || value == "201"
		}
	case of&exitOf != 0 && kind == '0' && in.isMain && len(value) < 3:
		if value == "0" {
			r.weak[Succeeded]++
		} else {
			r.firm[Failed]++
		}
	case of&reasonOf != 0:
		r.isUnset = r.isUnset || in.isMain && !isEmpty && !r.isGiven(value)
	case of&saysOn != 0 && in.isMain && (isTrue || kind == 'f'),
		kind == 'f' && r.does(endsIt) && in.isMain && !isDone && r.isObject(key), // "roaming"
		isTrue && r.does(startsIt) && in.isMain && of == 0 && !isDone,            // "two_factor"
		of&statusOf != 0 && in.isMain && all[word]&saysOn != 0:
		switch {
		case given == value, given == "" && r.does(endsIt) == (kind == 'f'):
			r.firm[Succeeded]++
		case given != "" || kind != 'f' || slices.ContainsFunc(r.named, makes):
			r.firm[Failed]++
		}
	case of&ableOf != 0 && (isTrue || kind == 'f'):
		r.isOff = r.isOff || in.isMain && kind == 'f' && !r.does(endsIt)
	case of&okOf != 0 && in.isMain && (kind == 'f' || kind == '"' && said == Failed):
		r.fail("")
	case of&okOf != 0 && in.isMain && isTrue:
		r.firm[Succeeded]++
	case of&partOf != 0 && !isClear:
		r.firm[Partial]++
	case of&statusOf != 0 && kind == '"' && in.isMain && said != Silent:
		if r.firm[said]++; said == Partial {
			r.weak[Succeeded]++
		}
	case kind == '"' && in.isMain && isWord && said == Silent && isCode(name) && !isCode(value) &&
		r.isGiven(`"`+name+`"`) && !r.isGiven(value) && value != strings.ToLower(value):
		// "PX-2": "IN_TRANSIT"
		r.firm[Partial]++
	case said == Silent && of&statusOf != 0 && in.isMain && slices.Contains(r.named, word):
		r.weak[Succeeded]++ // "status": "void"
	case kind == '"' && of&(messageOf|wraps) != 0 && in.isMain:
		r.text(value, &r.weak)
	case kind == '"' && said != Silent && (of == 0 && strings.HasSuffix(key, "status") ||
		in.isMain && isWord && (r.isKin(key) || r.isGiven(`"`+name+`"`) && !r.isGiven(value))):
		r.weak[said]++
	case in.isMain && isTrue && (of|all[firstWord(name)])&saysWait != 0: // requires_confirmation
		r.weak[Pending]++
		r.isOpen = true
	case !isDone, kind == 'f' && given == value: // "subscribed": false, as it was to be
	case isTrue || kind == '"' && said != Failed || kind == '0' && value != "0":
		r.weak[Succeeded]++
	case kind == 'n':
		r.isUnset = true
	case kind == 'f' && len(wordsOf(name)) == 1 && len(r.named[0]) >= 4 &&
		strings.HasPrefix(key, strings.TrimSuffix(r.named[0], "e")): // cancel: "cancelled"
		r.fail("")
	default:
		r.weak[Failed]++
	}
}

// talliedBy returns the kinds of what the name of a number counts, if it is something that failed:
// "error" of errorCount, "failed" of failed_items.
func (r *resultReader) talliedBy(name string) wordKinds {
	words, all := wordsOf(name), resultWords()
	if len(words) != 2 || all[words[1]]&(tallyOf|rowsOf) == 0 {
		return 0
	}
	return r.kindsOf(words[0]) & (partOf | fatalOf)
}

// isReference reports whether a member is named as a reference and has a value.
func (r *resultReader) isReference(name, value string) bool {
	words := wordsOf(name)
	return len(words) > 0 && value != "0" && resultWords()[words[len(words)-1]]&refOf != 0
}

// firstWord returns the first word of a name, or "" for a name of marks such as "_".
func firstWord(name string) string { return append(wordsOf(name), "")[0] }

// wordsOf returns the words of a name in any style, in lower case.
func wordsOf(name string) []string {
	if keyOf(name) == name && !strings.ContainsAny(name, "/.:") {
		return []string{name} // most names are one word
	}
	var spaced strings.Builder
	for i, c := range name[:min(len(name), maxSaid)] {
		if unicode.IsUpper(c) && i > 0 && !unicode.IsUpper(rune(name[i-1])) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(c))
	}
	return strings.FieldsFunc(spaced.String(), func(c rune) bool {
		return strings.ContainsRune("_- /.:", c)
	})
}

// isParticiple reports whether a name says that something is done, with its last word or as in
// "cancelled_at".
func isParticiple(name string) bool {
	words := wordsOf(name)
	n := len(words) - 1
	return n >= 0 && (saysDone(strings.Join(words, "")) || words[n] != "count" &&
		saysDone(words[n])) ||
		n == 1 && resultWords()[words[n]]&sinceOf != 0 && saysDone(words[0])
}

// saysDone reports whether a word, or the last part of one, says that something is done.
func saysDone(word string) bool {
	of := resultWords()[word]
	return of&(saysFail|saysWait) == 0 && (of&saysGood != 0 || strings.HasSuffix(word, "ed") ||
		strings.HasSuffix(word, "count") && !strings.HasSuffix(word, "discount") &&
			!strings.HasSuffix(word, "account") &&
			resultWords()[strings.TrimSuffix(word, "count")]&(partOf|fatalOf) == 0)
}

// text reads a text, which may be JSON, as the results of some protocols are.
func (r *resultReader) text(text string, into *tally) (isText bool) {
	if text != "" && (text[0] == '{' || text[0] == '[') && r.nested < maxNested {
		r.nested++
		r.json(text)
		r.nested--
		return r.isNew
	}
	return r.sentences(text, into)
}

// sentences reads the sentences of a text: some may report a success, others a failure. It reports
// whether there is a word.
func (r *resultReader) sentences(text string, into *tally) (isText bool) {
	for one := range strings.FieldsFuncSeq(strings.ReplaceAll(text, ". ", "\n"),
		func(c rune) bool { return strings.ContainsRune(";\n!", c) }) {
		if one = strings.TrimSpace(strings.TrimSuffix(one, ".")); one == "" {
			continue
		}
		isFirst := !isText
		isText = true
		said := outcomeOf(one)
		first, _, _ := strings.Cut(strings.ToLower(one), " ")
		switch {
		case resultWords()[first]&supposes != 0, strings.Contains(one, " may "):
		case said == Failed || said == Pending:
			r.denies.WriteString(one + "\n")
			if said == Failed && isFirst && into == &r.firm {
				r.fail(one)
				return true
			}
			into[said]++
		default:
			r.holds.WriteString(one + "\n")
			into[said]++
		}
	}
	into[Silent] = 0
	return isText
}

// outcomeOf returns what a value says by its words. One that is like the name of the call or an
// argument is no failure: what was rejected as it was asked for.
func (r *resultReader) outcomeOf(value string) Outcome {
	said, word := outcomeOf(value), strings.ToLower(value)
	if len(value) > maxSaid || said != Failed && said != Pending {
		return said
	}
	given := strings.ToLower(r.call.Arguments[:min(len(r.call.Arguments), maxCompared)])
	isOwn := func(word string) bool {
		return resultWords()[word]&saysOwn != 0 &&
			(r.isKin(word) || r.does(endsIt) && word == "hold" || strings.Contains(given, `"`+word[:len(word)-2]))
	}
	if words := wordsOf(word); slices.ContainsFunc(words, isOwn) {
		said = outcomeOf(strings.Join(slices.DeleteFunc(words, isOwn), " "))
		return max(Succeeded, said)
	}
	return said
}

// outcomeOfHTTP returns what a status of HTTP says: 202 is accepted, and not yet done.
func outcomeOfHTTP(code string) Outcome {
	switch {
	case code[0] >= '4':
		return Failed
	case code == "202":
		return Pending
	case code[0] == '2':
		return Succeeded
	}
	return Silent
}

// outcomeOf returns what a status or a sentence says by its words: a failure or a part before
// anything else, then something to wait for, then a success.
func outcomeOf(text string) Outcome {
	said, all := Silent, resultWords()
	isLine := form("status-line").MatchString(text)
	text = strings.ToLower(text[:min(len(text), maxSaid)])
	noWord := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' && c != '’'
	}
	words, before, isZero, isNo := 0, "", false, false
	for word := range strings.FieldsFuncSeq(text, noWord) {
		word = strings.ReplaceAll(word, "’", "'")
		of := all[word]
		if isZero && of&rowsOf != 0 {
			return Failed // "0 rows affected"
		}
		wasZero := isZero
		if isZero = word == "0"; word[0] <= '9' && word[0] >= '0' {
			if len(word) == 3 && (all[before]&statusOf != 0 || isLine) { // "status 409"
				if code := outcomeOfHTTP(word); code != Silent {
					return code
				}
			}
			continue
		}
		isError := strings.HasSuffix(word, "error") || strings.HasSuffix(word, "exception") ||
			of&saysFail != 0
		isAbsent := isError && (before == "no" || before == "without" || wasZero)
		wasNo := isNo && said == Silent && !isAbsent
		before, isNo = word, of&saysNo != 0
		switch {
		case wasNo, words == 0 && of&opensFailure != 0 && !isNo, isError && !isAbsent,
			strings.HasSuffix(word, "n't"):
			return Failed
		case isAbsent || isNo: // "completed without errors"
		case of&saysPart != 0:
			return Partial
		case of&saysWait != 0:
			said = Pending
		case said == Silent && (of&saysGood != 0 || len(word) > 4 && strings.HasSuffix(word, "ed")):
			said = Succeeded
		}
		words++
	}
	if isNo && said == Silent {
		return Failed
	}
	return said
}
