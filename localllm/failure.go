package localllm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Failure is a named way in which a model, or the way to it, fails.
type Failure struct {
	Kind FailureKind
	Msg  string // what happened, in one line, free of characters that a terminal would act on
	Hint string // what to do about it; may be empty
	Raw  string // what the model or server said, as it came, 4 KB at most; show it through an escape
	Err  error  // what it rests on; may be nil
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Msg }

// Unwrap gives what the failure rests on, such as [context.Canceled].
func (f *Failure) Unwrap() error { return f.Err }

// FailureKind is the name of a failure, as records hold it.
type FailureKind string

// The kinds of failures. [FailureKinds] says what each means.
const (
	BadOptions       FailureKind = "bad-options"
	RemoteAddress    FailureKind = "remote-address"
	RemoteModel      FailureKind = "remote-model"
	ServerDown       FailureKind = "server-down"
	NotOllama        FailureKind = "not-ollama"
	Redirected       FailureKind = "redirected"
	ModelAbsent      FailureKind = "model-absent"
	DigestDiffers    FailureKind = "digest-differs"
	NoTemplate       FailureKind = "no-template"
	SlowLoad         FailureKind = "slow-load"
	TimedOut         FailureKind = "timed-out"
	Refused          FailureKind = "http-4xx"
	ServerError      FailureKind = "http-5xx"
	ConnectionCut    FailureKind = "connection-cut"
	NoDone           FailureKind = "no-done"
	EmptyAnswer      FailureKind = "empty-answer"
	CutAnswer        FailureKind = "cut-answer"
	EndlessAnswer    FailureKind = "endless-answer"
	NotJSON          FailureKind = "not-json"
	MissingCriterion FailureKind = "missing-criterion"
	OffScale         FailureKind = "off-scale"
	NoSuchTurn       FailureKind = "no-such-turn"
	PromptTruncated  FailureKind = "prompt-truncated"
	TooLong          FailureKind = "too-long"
	Cancelled        FailureKind = "cancelled"
)

// Answered reports whether the model was heard, and the failure lies in what it answered or had to read. The others
// lie in the way to it.
func (k FailureKind) Answered() bool { return mendable(k) || k == PromptTruncated || k == TooLong }

// Unscored is the error of a dialogue that the model did not judge. It is both a [*rubric.Unscored], so that the
// dialogue is recorded with the reason, and the [*Failure] that tells why.
type unscored struct {
	error // the *rubric.Unscored
	cause *Failure
}

func (u *unscored) Unwrap() []error { return []error{u.error, u.cause} }

const mostRaw = 4096 // bytes of a raw answer that are kept

// raw bounds what is kept of an answer.
func raw(s string) string {
	if len(s) > mostRaw {
		s = s[:mostRaw]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// plain makes one harmless line of what a server says, 200 runes at most.
func plain(s string) string {
	const most = 200
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), unseen), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return s
}

// unseen reports whether r is white space or a character that is not printed.
func unseen(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
