package localllm

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"assize/rubric"
)

// Failure is a named way in which a model, or the connection to it, fails.
type Failure struct {
	Kind FailureKind `json:"kind"`
	Msg  string      `json:"message"` // what happened, in one line, without characters that a terminal would act on
	Hint string      `json:"hint"`    // what to do about it; may be empty
	Raw  string      `json:"-"`       // what the model or the server sent, 4 KB at most, unescaped
	Err  error       `json:"-"`       // the cause; may be nil
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Msg }

// Unwrap gives the cause, such as [context.Canceled].
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

// repairable reports whether asking for each criterion by itself can repair an answer.
func (k FailureKind) repairable() bool {
	list := []FailureKind{EmptyAnswer, CutAnswer, EndlessAnswer, NotJSON, MissingCriterion, OffScale, NoSuchTurn}
	return slices.Contains(list, k)
}

// transient reports whether the same request may soon succeed when it is made again.
func (k FailureKind) transient() bool {
	return k == ServerError || k == ConnectionCut || k == NoDone
}

// KindDoc explains a failure or a flag.
type KindDoc struct {
	ID    string `json:"id"`
	Title string `json:"title"` // a clause
	Why   string `json:"why"`   // sentences: how it comes about
	Then  string `json:"then"`  // sentences: what is done about it, and what the user can do
}

//go:embed kinds.json
var kindsJSON []byte

// kinds documents every failure and every flag.
var kinds = sync.OnceValue(func() (lists struct{ Failures, Flags []KindDoc }) {
	if err := json.Unmarshal(kindsJSON, &lists); err != nil {
		panic(err) // the file is part of the program
	}
	return lists
})

// FailureKinds documents every failure.
func FailureKinds() []KindDoc { return kinds().Failures }

// Flags documents the flags of an [Account] and of a run.
func Flags() []KindDoc { return kinds().Flags }

func failure(kind FailureKind, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

func (f *Failure) hint(s string) *Failure {
	f.Hint = s
	return f
}

func (f *Failure) raw(s string) *Failure {
	const most = 4096 // bytes
	f.Raw = strings.ToValidUTF8(s[:min(len(s), most)], "\uFFFD")
	return f
}

// cancelled is the failure of a run that was stopped.
func cancelled(ctx context.Context) *Failure {
	return &Failure{Kind: Cancelled, Msg: "the run was stopped", Err: ctx.Err()}
}

// unscored is the error of a dialogue that the model did not judge: a [*rubric.Unscored], so that the dialogue is
// recorded with the reason, and also the [*Failure] that is the cause.
type unscored struct {
	error // the *rubric.Unscored
	cause *Failure
}

func (u *unscored) Unwrap() []error { return []error{u.error, u.cause} }

// agentError turns a failure into the error of an agent. That of a run that was stopped leaves nothing unscored.
func agentError(f *Failure) error {
	if f.Kind == Cancelled || errors.Is(f, context.Canceled) {
		return f
	}
	return &unscored{&rubric.Unscored{Reason: "the model did not judge it: " + f.Error()}, f}
}

// plain makes one printable line of what a server says, 200 runes at most.
func plain(s string) string {
	const most = 200
	hidden := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), hidden), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return s
}
