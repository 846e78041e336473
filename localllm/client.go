package localllm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
)

// client talks to one server. The traps of the API's own client are dealt with here: it reads a broken stream as a
// finished one, takes any web page for an error message, and would use proxies and wait for ever.
type client struct {
	api     *api.Client
	address string // as it may be printed
}

func newClient(o Options) (*client, *Failure) {
	u, f := parseAddress(o.Address)
	if f != nil {
		return nil, f
	}
	if !o.AllowRemote && !isLocal(u.Hostname()) {
		return nil, remoteAddress(u)
	}
	return &client{api: api.NewClient(u, newHTTP(o.AllowRemote)), address: u.Redacted()}, nil
}

func remoteAddress(u *url.URL) *Failure {
	f := failure(RemoteAddress, "%s is not on this machine, and transcripts would be sent there", u.Redacted())
	f.Hint = "--allow-remote allows it"
	return f
}

// reply is what the model answered to one request.
type reply struct {
	Text      string
	Reason    string // "stop", or "length" where it was cut
	Thought   bool   // it also thought aloud
	Prompt    int    // tokens, as the server counts them; the whole prompt, cached or not
	Generated int    // tokens
	times     CallTime
}

// chat sends one request, within the deadline, and takes an answer of many times the tokens that it may have for
// an endless one.
func (c *client) chat(ctx context.Context, req *api.ChatRequest, deadline time.Duration, predict int) (reply, *Failure) {
	limited, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	limited, m := withMeter(limited)
	var r reply
	var text strings.Builder
	done, thought := false, 0
	most := 4096 + 32*predict // bytes; a token has 4 on average, and some 20 at most
	err := c.api.Chat(limited, req, func(part api.ChatResponse) error {
		text.WriteString(part.Message.Content)
		thought += len(part.Message.Thinking)
		if text.Len()+thought > most {
			return errEndless
		}
		if part.Done {
			done = true
			r.Reason, r.Prompt, r.Generated = part.DoneReason, part.PromptEvalCount, part.EvalCount
			r.times = CallTime{Load: part.LoadDuration, Prompt: part.PromptEvalDuration, Generate: part.EvalDuration, Total: part.TotalDuration}
		}
		return nil
	})
	r.Text, r.Thought = text.String(), thought > 0
	if err == nil && done {
		return r, nil
	}
	f := c.fault(ctx, limited, err, m)
	if f == nil {
		f = unfinished(m)
	}
	f.Raw = raw(cmp.Or(r.Text, string(m.tail)))
	return r, f
}

// unfinished names what happened to an answer that came without an error and yet is not whole.
func unfinished(m *meter) *Failure {
	f := failure(NoDone, "the answer ended without saying that it was whole")
	switch {
	case errors.Is(m.err, errEndless):
		f = failure(EndlessAnswer, "the server sent more than %d MB", mostBody>>20)
	case m.err != nil:
		f = failure(ConnectionCut, "the connection broke before the answer was whole")
		f.Err = m.err
	case !m.ended:
		f = failure(EndlessAnswer, "the server sent a line of over 512,000 bytes")
	}
	return f
}

// fault names an error of the API's client; nil for none. The client knows no error for a request that was given up
// while the answer came, so the contexts are asked first.
func (c *client) fault(ctx, limited context.Context, err error, m *meter) *Failure {
	var status api.StatusError
	var denied api.AuthorizationError
	var network *net.OpError
	f := &Failure{Err: err}
	switch {
	case ctx.Err() != nil:
		f.Kind, f.Msg, f.Err = Cancelled, "the run was stopped", ctx.Err()
	case limited.Err() != nil:
		f.Kind, f.Msg = TimedOut, "no whole answer came in time"
		f.Hint = "give it a longer --model-timeout, or fewer threads where the machine is busy"
	case err == nil:
		return nil
	case errors.Is(err, errRemote):
		f.Kind, f.Msg, f.Hint = RemoteAddress, c.address+" leads to another machine, and transcripts would be sent there", "--allow-remote allows it"
	case errors.Is(err, errRedirect):
		f.Kind, f.Msg, f.Hint = Redirected, c.address+" sends the request elsewhere", "give the address that it leads to, if that is yours"
	case errors.Is(err, errEndless):
		f.Kind, f.Msg = EndlessAnswer, "the answer goes on far beyond what it may have"
	case errors.As(err, &status):
		c.refused(f, status.StatusCode, status.ErrorMessage, m)
	case errors.As(err, &denied):
		c.refused(f, denied.StatusCode, "not authorised", m)
	case errors.As(err, &network) && network.Op == "dial":
		f.Kind, f.Msg, f.Hint = ServerDown, "no server answers at "+c.address, "start it with: ollama serve"
	case m.contentType == "":
		f.Kind, f.Msg = ConnectionCut, "the connection broke before an answer came"
	case m.err != nil:
		f.Kind, f.Msg = ConnectionCut, "the connection broke before the answer was whole"
	default:
		c.said(f, m)
	}
	return f
}

// refused names an answer with an HTTP status of 400 or more.
func (c *client) refused(f *Failure, status int, message string, m *meter) {
	f.Kind = Refused
	if status >= 500 {
		f.Kind = ServerError
	}
	if !strings.Contains(m.contentType, "json") && strings.Contains(m.contentType, "html") {
		message = "a web page"
		if status < 500 {
			f.Kind, f.Hint = NotOllama, "check the address"
		}
	}
	f.Msg = fmt.Sprintf("%s answers %d: %s", c.address, status, plain(message))
}

// said names a 200 whose body is no answer: an error inside of the stream, or what no Ollama server sends.
func (c *client) said(f *Failure, m *meter) {
	tail := bytes.TrimSpace(m.tail)
	var in struct{ Error string }
	if err := json.Unmarshal(tail[bytes.LastIndexByte(tail, '\n')+1:], &in); err == nil && in.Error != "" {
		f.Kind, f.Msg = ServerError, c.address+" stopped answering: "+plain(in.Error)
		return
	}
	kind := m.contentType
	if kind == "" || strings.Contains(kind, "json") {
		kind = "what is not JSON"
	}
	f.Kind, f.Msg, f.Hint = NotOllama, "what answers at "+c.address+" is no Ollama server: it sends "+plain(kind), "check the address"
}

// brief sends one of the short requests, within half a minute.
func (c *client) brief(ctx context.Context, send func(context.Context) error) *Failure {
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	limited, m := withMeter(limited)
	err := send(limited)
	if err == nil {
		return nil
	}
	f := c.fault(ctx, limited, err, m)
	f.Raw = raw(string(m.tail))
	return f
}

func (c *client) version(ctx context.Context) (v string, f *Failure) {
	f = c.brief(ctx, func(ctx context.Context) (err error) {
		v, err = c.api.Version(ctx)
		return err
	})
	return plain(v), f
}

func (c *client) list(ctx context.Context) (models []api.ListModelResponse, f *Failure) {
	f = c.brief(ctx, func(ctx context.Context) error {
		l, err := c.api.List(ctx)
		if err == nil {
			models = l.Models
		}
		return err
	})
	return models, f
}

func (c *client) show(ctx context.Context, name string) (s *api.ShowResponse, f *Failure) {
	f = c.brief(ctx, func(ctx context.Context) (err error) {
		s, err = c.api.Show(ctx, &api.ShowRequest{Model: name})
		return err
	})
	return s, f
}
