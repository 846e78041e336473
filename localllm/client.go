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

// client talks to one server. The client of Ollama's own API would accept any web page as an error
// message, use proxies, and wait without limit.
type client struct {
	http  *http.Client
	base  *url.URL
	short time.Duration // how long a short request may take
}

var (
	errRemote   = errors.New("the address leads to another machine")
	errRedirect = errors.New("the server redirects the request")
	errDeadline = errors.New("no complete answer arrived in time")
)

func newClient(o Options) (*client, *Failure) {
	base, f := parseAddress(o.Address)
	if f == nil && !o.AllowRemote && !isLocal(base.Hostname()) {
		f = failure("remote-address", base.Redacted())
	}
	if f != nil {
		return nil, f
	}
	short := max(time.Second, min(30*time.Second, o.Patience))
	return &client{newHTTP(o.AllowRemote), base, short}, nil
}

// newHTTP returns a client that uses no proxy, follows no redirect and, unless allowRemote is set,
// connects only to this machine, whatever a name resolves to.
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
		Transport: &http.Transport{DialContext: dialer.DialContext, DisableCompression: true,
			TLSHandshakeTimeout: 10 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}

// reply is the model's answer to one request.
type reply struct {
	Text      string
	Prompt    int // tokens of the whole prompt, cached or not, as counted by the server
	Generated int // tokens
	times     CallTime

	Candidates []candidate `json:",omitempty"` // the likely first tokens; nil unless requested
}

// chat sends one request to the model, with a deadline. An answer with many times the allowed
// tokens is treated as endless. The answer is not streamed, since part of an answer is useless.
func (c *client) chat(ctx context.Context, req *api.ChatRequest, deadline time.Duration,
) (r reply, f *Failure) {
	const limit = 1 << 20 // a server may send all or part of its vocabulary
	whole, no := *req, false
	whole.Stream = &no
	var in api.ChatResponse
	if f = c.do(ctx, deadline, limit, "/api/chat", whole, &in); f != nil {
		if f.Kind == NotOllama && req.Logprobs && strings.HasPrefix(f.Raw, "{") {
			f.Kind, f.Msg, f.Hint = BadProbabilities,
				"the answer with probabilities is not JSON", ""
		}
		return r, f
	}
	r = reply{Text: in.Message.Content, Prompt: in.PromptEvalCount, Generated: in.EvalCount,
		Candidates: candidates(in.Logprobs),
		times:      CallTime{Prompt: in.PromptEvalDuration, Total: in.TotalDuration}}
	switch {
	case in.Model != "" && !sameModel(in.Model, req.Model):
		return r, failure("digest-differs/answer", printable(in.Model), req.Model)
	case in.PromptEvalCount < 0 || in.EvalCount < 0:
		return r, failure("not-ollama/counts", in.PromptEvalCount, in.EvalCount)
	case !in.Done:
		f = failure("no-done").withRaw(r.Text)
	}
	return r, f
}

// get sends one of the short requests, with a deadline of the patience, at most half a minute.
func get[T any](ctx context.Context, c *client, path string, in any) (out T, f *Failure) {
	const limit = 8 << 20 // a list of hundreds of models takes 1 MB
	if f = c.do(ctx, c.short, limit, path, in, &out); f != nil && f.Kind == TimedOut {
		f.Hint = "raise model-patience, up to 30s for such a request, or restart the server"
	}
	return out, f
}

// version returns the server's version.
func (c *client) version(ctx context.Context) (string, *Failure) {
	v, f := get[struct{ Version string }](ctx, c, "/api/version", nil)
	return printable(v.Version), f
}

// list returns the models that the server has.
func (c *client) list(ctx context.Context) ([]api.ListModelResponse, *Failure) {
	list, f := get[api.ListResponse](ctx, c, "/api/tags", nil)
	return list.Models, f
}

// show returns the description of a model.
func (c *client) show(ctx context.Context, name string) (api.ShowResponse, *Failure) {
	return get[api.ShowResponse](ctx, c, "/api/show", api.ShowRequest{Model: name})
}

// do sends a request, with in as its body unless that is nil, and decodes the answer into out. The
// answer must arrive within the deadline and must not exceed limit bytes. If the answer is empty,
// out is unchanged.
func (c *client) do(ctx context.Context, deadline time.Duration, limit int, path string,
	in, out any) *Failure {
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errDeadline)
	defer cancel()
	method, body := http.MethodGet, []byte(nil)
	if in != nil {
		method = http.MethodPost
		body, _ = json.Marshal(in) // numbers and strings always encode
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.JoinPath(path).String(),
		bytes.NewReader(body))
	if err != nil {
		return failure("bad-options", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return c.transportFailure(ctx, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(http.MaxBytesReader(nil, resp.Body, int64(limit)))
	text := bytes.TrimSpace(answer)
	isForeign := len(text) > 0 && (text[0] != '{' || err == nil && json.Unmarshal(text, out) != nil)
	var f *Failure
	switch {
	case resp.StatusCode >= 400 && (!isForeign || resp.StatusCode >= 500):
		f = c.statusFailure(resp.StatusCode, text)
	case isForeign:
		f = failure("not-ollama", c.base.Redacted())
	case err != nil:
		f = c.transportFailure(ctx, err)
	default:
		return nil
	}
	f.Err = cmp.Or(f.Err, err)
	return f.withRaw(string(answer))
}

// transportFailure returns the reason why an answer was not received completely.
func (c *client) transportFailure(ctx context.Context, err error) *Failure {
	at := c.base.Redacted()
	var network *net.OpError
	f := failure("connection-cut")
	switch {
	case errors.Is(err, errRedirect):
		f = failure("redirected", at)
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), errDeadline):
		f = failure("timed-out")
	case ctx.Err() != nil:
		return cancelled(ctx)
	case errors.Is(err, errRemote):
		f = failure("remote-address", at)
	case errors.As(err, &network) && network.Op == "dial":
		f = failure("server-down", at)
	case errors.As(err, new(*http.MaxBytesError)):
		f = failure("endless-answer")
	}
	f.Err = err
	return f
}

// statusFailure classifies a response with an HTTP status of 400 or more. It includes the text only
// if it is an error message of Ollama.
func (c *client) statusFailure(status int, answer []byte) *Failure {
	var said struct{ Error string }
	_ = json.Unmarshal(answer, &said) // anything else leaves it empty
	message := cmp.Or(said.Error, http.StatusText(status))
	f := failure("http-4xx", c.base.Redacted(), status, printable(message))
	has := func(word string) bool { return strings.Contains(strings.ToLower(message), word) }
	switch {
	case has("model") && has("not found"):
		f.Kind, f.Hint = ModelAbsent, "get it with: ollama pull NAME"
	case has("context") && (has("exceed") || has("length")) || has("too long"):
		f.Kind = PromptTruncated
	case status >= 500 && !has("format"): // a schema that the server rejects will be rejected again
		f.Kind = ServerError
	}
	return f
}

// parseAddress parses the server's address: a URL, host:port, a host or a port. An empty address
// means OLLAMA_HOST or, if that is not set, this machine. A listening address such as 0.0.0.0 also
// means this machine.
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
		return nil, failure("bad-options/address")
	}
	host := cmp.Or(u.Hostname(), "127.0.0.1")
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = map[bool]string{true: "127.0.0.1", false: "::1"}[ip.Is4()]
	}
	u.Host, u.Path = net.JoinHostPort(host, port), strings.TrimRight(u.Path, "/")
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// isLocal reports whether host is this machine, judging by its name alone.
func isLocal(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Inventory describes a server and its models.
type Inventory struct {
	Address string // safe to print
	Server  string // version; servers built from source report 0.0.0
	Models  []Installed
}

// Installed is a model on a server.
type Installed struct {
	Name          string `json:"name"`
	Digest        string `json:"digest"` // SHA-256 in hexadecimal
	Size          int64  `json:"bytes"`
	Family        string `json:"family"`
	Parameters    string `json:"parameters"` // such as 1.5B
	Quantization  string `json:"quantization"`
	ContextLength int    `json:"context_length"` // tokens; 0 if unknown
	Template      bool   `json:"template"`       // it has a chat template, which is required
	Remote        bool   `json:"remote"`         // it runs on another machine
	// why the server does not describe it; nil if it does
	Failure *Failure `json:"failure"`
}

// Survey lists a server's models by name. It loads none of them. The error is a *Failure.
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
			Name: printable(l.Name), Digest: strings.TrimPrefix(printable(l.Digest), "sha256:"),
			Size:   max(l.Size, 0),
			Family: printable(l.Details.Family), Parameters: printable(l.Details.ParameterSize),
			Quantization: printable(l.Details.QuantizationLevel),
			Remote:       l.RemoteHost != "",
		}
		if s, f := c.show(ctx, l.Name); f != nil {
			in.Failure = f // the other models are still listed
		} else {
			in.ContextLength, in.Template, in.Remote = contextLength(s.ModelInfo), hasTemplate(&s),
				in.Remote || s.RemoteHost != ""
		}
		inv.Models = append(inv.Models, in)
	}
	if ctx.Err() != nil {
		return inv, cancelled(ctx)
	}
	slices.SortFunc(inv.Models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	return inv, nil
}

// Failure is a named failure of a model or of the connection to it.
type Failure struct {
	Kind FailureKind `json:"kind"`
	// one line, without characters that a terminal would interpret
	Msg  string `json:"message"`
	Hint string `json:"hint"` // what to do about it; may be empty
	Raw  string `json:"-"`    // what the model or the server sent, at most 4 KB, unescaped
	Err  error  `json:"-"`    // the cause; may be nil
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Msg }

// Unwrap returns the cause, such as [context.Canceled].
func (f *Failure) Unwrap() error { return f.Err }

// FailureKind is the name of a failure, as used in records.
type FailureKind string

// The kinds of failures. [FailureKinds] documents them.
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
	EndlessAnswer    FailureKind = "endless-answer"
	OldServer        FailureKind = "old-server"
	BadProbabilities FailureKind = "bad-probabilities"
	NoAnswer         FailureKind = "no-answer"
	PromptTruncated  FailureKind = "prompt-truncated"
	TooLong          FailureKind = "too-long"
	Cancelled        FailureKind = "cancelled"
)

// isTransient reports whether the same request may succeed if it is repeated soon.
func (k FailureKind) isTransient() bool {
	return k == ServerError || k == ConnectionCut || k == NoDone
}

// OfServer reports whether the failure is due to the server rather than the dialogue, so that
// another server may answer.
func (k FailureKind) OfServer() bool {
	list := []FailureKind{ServerDown, NotOllama, Redirected, ModelAbsent, DigestDiffers, SlowLoad,
		TimedOut, Refused}
	return slices.Contains(list, k) || k.isTransient()
}

// Doc documents a failure or a flag.
type Doc struct {
	ID    string `json:"id"`
	Title string `json:"title"` // a clause
	Why   string `json:"why"`   // sentences: the cause
	// sentences: what the program does about it, and what the user can do
	Then string `json:"then"`
	// the messages of a failure, and hints, by the case: formats of package fmt
	Says []struct{ Case, Text, Hint string } `json:"says"`
}

//go:embed kinds.json
var kindsJSON []byte

// docs returns the documentation of every failure and every flag.
var docs = sync.OnceValue(func() (lists struct{ Failures, Flags []Doc }) {
	if err := rubric.ParseJSON(kindsJSON, &lists); err != nil {
		panic(err) // the file is embedded
	}
	return lists
})

// FailureKinds returns the documentation of every failure.
func FailureKinds() []Doc { return docs().Failures }

// Flags returns the documentation of the flags of an [Account] and of a run.
func Flags() []Doc { return docs().Flags }

// failure returns a failure of a kind, after which a slash and a case may follow.
func failure(name string, args ...any) *Failure {
	kind, of, _ := strings.Cut(name, "/")
	is := func(d Doc) bool { return d.ID == kind }
	for _, s := range FailureKinds()[slices.IndexFunc(FailureKinds(), is)].Says {
		if s.Case == of {
			f := &Failure{Kind: FailureKind(kind), Msg: fmt.Sprintf(s.Text, args...), Hint: s.Hint}
			if strings.Contains(s.Hint, "%") {
				f.Hint = fmt.Sprintf(s.Hint, args...)
			}
			return f
		}
	}
	panic("no failure is called " + name)
}

func (f *Failure) withRaw(s string) *Failure {
	const limit = 4096 // bytes
	f.Raw = strings.ToValidUTF8(s[:min(len(s), limit)], "\uFFFD")
	return f
}

// cancelled returns the failure of a run that was stopped.
func cancelled(ctx context.Context) *Failure {
	return &Failure{Kind: Cancelled, Msg: "the run was stopped", Err: ctx.Err()}
}

// printable returns text from a server as one printable line of at most 200 runes.
func printable(s string) string {
	const limit = 200
	hidden := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), hidden), " ")
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-1]) + "…"
	}
	return s
}
