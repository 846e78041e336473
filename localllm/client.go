package localllm

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// client talks to one server. The client of Ollama's API would take any web page for an error message, use proxies, and
// wait without limit.
type client struct {
	http *http.Client
	base *url.URL
}

var (
	errRemote   = errors.New("the address leads to another machine")
	errRedirect = errors.New("the server sends the request elsewhere")
	errDeadline = errors.New("no whole answer came in time")
)

func newClient(o Options) (*client, *Failure) {
	base, f := parseAddress(o.Address)
	if f == nil && !o.AllowRemote && !isLocal(base.Hostname()) {
		f = remoteAddress(base.Redacted())
	}
	if f != nil {
		return nil, f
	}
	return &client{newHTTP(o.AllowRemote), base}, nil
}

// newHTTP gives a client that uses no proxy, follows no redirection and, unless it is allowed, connects to nothing but
// this machine, whatever a name resolves to.
func newHTTP(allowRemote bool) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	if !allowRemote {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			if to, err := netip.ParseAddrPort(address); err != nil || !to.Addr().IsLoopback() {
				return fmt.Errorf("%w: %s", errRemote, address)
			}
			return nil
		}
	}
	return &http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, DisableCompression: true, TLSHandshakeTimeout: 10 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}

// reply is what the model answered to one request.
type reply struct {
	Text      string
	Reason    string // "stop", or "length" where it was cut
	Prompt    int    // tokens of the whole prompt, cached or not, as the server counts them
	Generated int    // tokens
	times     CallTime

	Candidates []candidate `json:",omitempty"` // the first tokens that were likely; none where they were not asked for
}

// chat makes one request of the model, within the deadline. An answer of many times the tokens that it may have is
// taken for an endless one. It is asked for in one piece, since a part of an answer is of no use.
func (c *client) chat(ctx context.Context, req *api.ChatRequest, deadline time.Duration, predict int) (r reply, f *Failure) {
	most := 64<<10 + predict<<10 // a token takes some 150 bytes
	if req.Logprobs {
		most += 1 << 20 // a server may send its whole vocabulary, or a part of it
	}
	whole, no := *req, false
	whole.Stream = &no
	var in api.ChatResponse
	if f = c.ask(ctx, deadline, most, "/api/chat", whole, &in); f != nil {
		if f.Kind == NotOllama && req.Logprobs && strings.HasPrefix(f.Raw, "{") {
			f.Kind, f.Msg, f.Hint = BadProbabilities, "the answer with probabilities is no JSON", ""
		}
		return r, f
	}
	r = reply{Text: in.Message.Content, Reason: in.DoneReason, Prompt: in.PromptEvalCount, Generated: in.EvalCount}
	r.Candidates = candidates(in.Logprobs)
	r.times = CallTime{Prompt: in.PromptEvalDuration, Total: in.TotalDuration}
	if !in.Done {
		f = failure(NoDone, "the answer ended without saying that it was whole").raw(r.Text)
	}
	return r, f
}

// get makes one of the short requests, within half a minute.
func get[T any](ctx context.Context, c *client, path string, in any) (out T, f *Failure) {
	const most = 8 << 20 // a list of hundreds of models has 1 MB
	f = c.ask(ctx, 30*time.Second, most, path, in, &out)
	return out, f
}

// version asks for the server's version.
func (c *client) version(ctx context.Context) (string, *Failure) {
	v, f := get[struct{ Version string }](ctx, c, "/api/version", nil)
	return plain(v.Version), f
}

// list asks for the models that the server has.
func (c *client) list(ctx context.Context) ([]api.ListModelResponse, *Failure) {
	list, f := get[api.ListResponse](ctx, c, "/api/tags", nil)
	return list.Models, f
}

// show asks for the description of a model.
func (c *client) show(ctx context.Context, name string) (api.ShowResponse, *Failure) {
	return get[api.ShowResponse](ctx, c, "/api/show", api.ShowRequest{Model: name})
}

// ask makes a request, of in unless that is nil, and reads the answer into out. It must come within the deadline and
// have so many bytes at most. An empty answer leaves out as it is.
func (c *client) ask(ctx context.Context, deadline time.Duration, most int, path string, in, out any) *Failure {
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errDeadline)
	defer cancel()
	method, body := http.MethodGet, []byte(nil)
	if in != nil {
		method = http.MethodPost
		body, _ = json.Marshal(in) // of numbers and texts
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return failure(BadOptions, "%v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return c.fault(ctx, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(http.MaxBytesReader(nil, resp.Body, int64(most)))
	text := bytes.TrimSpace(answer)
	isForeign := len(text) > 0 && (text[0] != '{' || err == nil && json.Unmarshal(text, out) != nil)
	var f *Failure
	switch {
	case resp.StatusCode >= 400 && (!isForeign || resp.StatusCode >= 500):
		f = c.refused(resp.StatusCode, text)
	case isForeign:
		f = failure(NotOllama, "what answers at %s is no Ollama server: it does not send JSON as Ollama does", c.base.Redacted())
		f.hint("check the address")
	case err != nil:
		f = c.fault(ctx, err)
	default:
		return nil
	}
	f.Err = cmp.Or(f.Err, err)
	return f.raw(string(answer))
}

// fault names what kept an answer from coming, or from coming whole.
func (c *client) fault(ctx context.Context, err error) *Failure {
	at := c.base.Redacted()
	var network *net.OpError
	f := failure(ConnectionCut, "the connection broke before the answer was whole")
	switch {
	case errors.Is(err, errRedirect):
		f = failure(Redirected, "%s sends the request elsewhere", at).hint("give the address that it leads to, if that is yours")
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), errDeadline):
		f = failure(TimedOut, "%v", errDeadline).hint("give it a longer --model-timeout, or fewer threads where the machine is busy")
	case ctx.Err() != nil:
		return cancelled(ctx)
	case errors.Is(err, errRemote):
		f = remoteAddress(at)
	case errors.As(err, &network) && network.Op == "dial":
		f = failure(ServerDown, "no server answers at %s", at).hint("start it with: ollama serve")
	case errors.As(err, new(*http.MaxBytesError)):
		f = failure(EndlessAnswer, "the answer goes on far beyond what it may have")
	}
	f.Err = err
	return f
}

// refused names an answer with an HTTP status of 400 or more. What it says is shown where it is a message of Ollama.
func (c *client) refused(status int, answer []byte) *Failure {
	var said struct{ Error string }
	_ = json.Unmarshal(answer, &said) // of anything else nothing is said
	message := cmp.Or(said.Error, http.StatusText(status))
	f := failure(Refused, "%s answers %d: %s", c.base.Redacted(), status, plain(message))
	has := func(word string) bool { return strings.Contains(strings.ToLower(message), word) }
	switch {
	case has("model") && has("not found"):
		f.Kind, f.Hint = ModelAbsent, "get it with: ollama pull NAME"
	case has("context") && (has("exceed") || has("length")) || has("too long"):
		f.Kind = PromptTruncated
	case status >= 500 && !has("format"): // a schema that the server cannot use stays so
		f.Kind = ServerError
	}
	return f
}

func remoteAddress(at string) *Failure {
	return failure(RemoteAddress, "%s is not on this machine, and transcripts would be sent there", at).hint("--allow-remote allows it")
}

// parseAddress reads the server's address: a URL, host:port, a host or a port. An empty address is that of
// OLLAMA_HOST, or else this machine. An address to listen on, such as 0.0.0.0, means this machine too.
func parseAddress(s string) (*url.URL, *Failure) {
	s = cmp.Or(strings.TrimSpace(s), strings.Trim(os.Getenv("OLLAMA_HOST"), ` "'`))
	port := map[bool]string{true: "443", false: "80"}[strings.HasPrefix(s, "https:")]
	if !strings.Contains(s, "://") {
		if ip, err := netip.ParseAddr(s); err == nil && ip.Is6() {
			s = "[" + s + "]"
		}
		s, port = "http://"+s, "11434"
	}
	u, err := url.Parse(s)
	if err == nil {
		port = cmp.Or(u.Port(), port)
		_, err = netip.ParseAddrPort("127.0.0.1:" + port)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || port == "0" {
		return nil, failure(BadOptions, "--ollama or OLLAMA_HOST: not the address of a server; want one such as http://127.0.0.1:11434")
	}
	host := cmp.Or(u.Hostname(), "127.0.0.1")
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = map[bool]string{true: "127.0.0.1", false: "::1"}[ip.Is4()]
	}
	u.Host, u.Path = net.JoinHostPort(host, port), strings.TrimRight(u.Path, "/")
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// isLocal reports whether a host is this machine, as far as its name alone tells.
func isLocal(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Inventory is what a server has.
type Inventory struct {
	Address string // as it may be printed
	Server  string // version; servers that were built from source say 0.0.0
	Models  []Installed
}

// Installed is a model that a server has.
type Installed struct {
	Name          string   `json:"name"`
	Digest        string   `json:"digest"` // SHA-256 in hexadecimal
	Size          int64    `json:"bytes"`
	Family        string   `json:"family"`
	Parameters    string   `json:"parameters"` // such as 1.5B
	Quantization  string   `json:"quantization"`
	ContextLength int      `json:"context_length"` // tokens; 0 if it does not say
	Template      bool     `json:"template"`       // it has a chat template, without which it cannot be used
	Remote        bool     `json:"remote"`         // it runs on another machine
	Failure       *Failure `json:"failure"`        // why the server does not describe it; nil if it does
}

// Survey lists what a server has, by name. It loads nothing. The error is a *Failure.
func Survey(ctx context.Context, o Options) (inv Inventory, err error) {
	c, f := newClient(o)
	if f != nil {
		return inv, f
	}
	inv.Address = c.base.Redacted()
	if inv.Server, f = c.version(ctx); f != nil {
		return inv, f
	}
	listed, f := c.list(ctx)
	if f != nil {
		return inv, f
	}
	for _, l := range listed {
		in := Installed{
			Name: plain(l.Name), Digest: strings.TrimPrefix(plain(l.Digest), "sha256:"), Size: max(l.Size, 0),
			Family: plain(l.Details.Family), Parameters: plain(l.Details.ParameterSize), Quantization: plain(l.Details.QuantizationLevel),
			Remote: l.RemoteHost != "",
		}
		if s, f := c.show(ctx, l.Name); f != nil {
			in.Failure = f // and the other models are listed all the same
		} else {
			in.ContextLength, in.Template, in.Remote = contextLength(s.ModelInfo), hasTemplate(&s), in.Remote || s.RemoteHost != ""
		}
		inv.Models = append(inv.Models, in)
	}
	if ctx.Err() != nil {
		return inv, cancelled(ctx)
	}
	slices.SortFunc(inv.Models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	return inv, nil
}

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
	BadProbabilities FailureKind = "bad-probabilities"
	NoAnswer         FailureKind = "no-answer"
	PromptTruncated  FailureKind = "prompt-truncated"
	TooLong          FailureKind = "too-long"
	Cancelled        FailureKind = "cancelled"
)

// ofAnswer reports whether the model answered what cannot be used.
func (k FailureKind) ofAnswer() bool {
	list := []FailureKind{
		EmptyAnswer, CutAnswer, EndlessAnswer, NotJSON, MissingCriterion, OffScale, NoSuchTurn,
		BadProbabilities, NoAnswer,
	}
	return slices.Contains(list, k)
}

// transient reports whether the same request may soon succeed when it is made again.
func (k FailureKind) transient() bool {
	return k == ServerError || k == ConnectionCut || k == NoDone
}

// OfServer reports whether the server is to blame, and not the dialogue: another server may answer.
func (k FailureKind) OfServer() bool {
	list := []FailureKind{ServerDown, NotOllama, Redirected, ModelAbsent, DigestDiffers, SlowLoad, TimedOut, Refused}
	return slices.Contains(list, k) || k.transient()
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
