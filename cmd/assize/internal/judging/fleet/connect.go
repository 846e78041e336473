// Package fleet distributes the dialogues of a run to many machines through NATS JetStream.
//
// A [Collector] publishes dialogues to the stream of its run and reads their records from a second
// one; a [Worker] pulls dialogues, judges them, publishes the records, and only then acknowledges.
// Both streams are work queues: the server removes acknowledged messages. Work is identified by the
// fingerprint of the judge, the run and the position of the dialogues, and the server refuses to
// queue the same work twice. Everything else may arrive twice: the first record of a position
// counts.
package fleet

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assize/cmd/assize/internal/terminal/console"
)

// Server describes how to connect to a NATS server.
type Server struct {
	URL   string `flag:"nats"`       // one URL, or several separated by commas
	Creds string `flag:"nats-creds"` // file names
	NKey  string `flag:"nats-nkey"`
	CA    string `flag:"nats-tls-ca"`
	Cert  string `flag:"nats-tls-cert"`
	Key   string `flag:"nats-tls-key"`
	// allow a server on another machine without TLS or credentials
	Insecure bool `flag:"insecure-nats"`
}

// remote returns the first address on another machine; empty if there is none.
func (s *Server) remote() string {
	for address := range strings.SplitSeq(s.URL, ",") {
		address = strings.TrimSpace(address)
		if !strings.Contains(address, "://") {
			address = "nats://" + address
		}
		u, err := url.Parse(address)
		if err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
			return redacted(address)
		}
	}
	return ""
}

// options returns the options of a connection. Another machine requires TLS and credentials.
func (s *Server) options() ([]nats.Option, error) {
	var list []nats.Option
	if s.Creds != "" {
		list = append(list, nats.UserCredentials(s.Creds))
	}
	if s.Cert != "" {
		list = append(list, nats.ClientCert(s.Cert, s.Key))
	}
	if s.NKey != "" {
		key, err := nats.NkeyOptionFromSeed(s.NKey)
		if err != nil {
			return nil, fmt.Errorf("nats-nkey %s: %w", s.NKey, err)
		}
		list = append(list, key)
	}
	known := list != nil || strings.Contains(s.URL, "@")
	if s.CA != "" {
		list = append(list, nats.RootCAs(s.CA))
	}
	switch away := s.remote(); {
	case away == "":
		list = append(list, nats.IgnoreDiscoveredServers()) // these may be on other machines
	case s.Insecure:
	case !known:
		return nil, texts.Error("no credentials", away)
	default:
		// this keeps the CA and the certificate
		list = append(list, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	return list, nil
}

// Conn is a connection to a server with JetStream. It waits for a server that is unreachable.
type Conn struct {
	jetstream.JetStream
	nc    *nats.Conn
	label string
	note  func(string)

	denied atomic.Pointer[error] // the server's permission error, if any
	// the user was told that the server is full, and nothing was published since
	full atomic.Bool
}

// Connect connects to a server. The server shows label to people; note is called about events of
// the connection, on any goroutine.
func Connect(s Server, label string, note func(string)) (*Conn, error) {
	list, err := s.options()
	if err != nil {
		return nil, err
	}
	c := &Conn{label: label, note: note}
	list = append(list, nats.Name(label), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.Timeout(5*time.Second), nats.PingInterval(20*time.Second),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if !nc.IsClosed() {
				note(texts.Text("lost"))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { note(texts.Text("restored")) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				c.denied.Store(&err)
			}
		}))
	c.nc, err = nats.Connect(s.URL, list...)
	switch {
	case errors.Is(err, nats.ErrSecureConnWanted) && s.remote() == "":
		return nil, texts.Error("no TLS", redacted(s.URL))
	case errors.Is(err, nats.ErrSecureConnWanted):
		return nil, texts.Error("no TLS far away", s.remote())
	case errors.Is(err, nats.ErrNoServers), errors.As(err, new(*net.OpError)):
		return nil, console.Hint(texts.Error("no server", redacted(s.URL), err),
			texts.Text("server hint"))
	case err != nil:
		if wrong := (*url.Error)(nil); errors.As(err, &wrong) { // its text contains the address
			err = wrong.Err
		}
		return nil, fmt.Errorf("--nats %s: %w", redacted(s.URL), err)
	}
	c.JetStream, err = jetstream.New(c.nc)
	return c, err
}

// scheme matches the allowed URL schemes.
var scheme = regexp.MustCompile(`^(nats|tls|wss?)://`)

// redacted removes user names, passwords and tokens from addresses.
func redacted(addresses string) string {
	list := strings.Split(addresses, ",")
	for i, a := range list {
		if at := strings.LastIndex(a, "@"); at >= 0 {
			list[i] = scheme.FindString(a) + "…" + a[at:]
		}
	}
	return strings.Join(list, ",")
}

// Close closes the connection after everything is sent.
func (c *Conn) Close() {
	_ = c.nc.FlushTimeout(2 * time.Second)
	c.nc.Close()
}

// permissionError returns the server's permission error; nil if there was none.
func (c *Conn) permissionError() error {
	denied := c.denied.Load()
	if denied == nil {
		return nil
	}
	return texts.Error("denied", *denied)
}

// explain rewords an error of JetStream.
func (c *Conn) explain(err error) error {
	api := (*jetstream.APIError)(nil)
	switch {
	case err == nil:
		return nil
	case c.permissionError() != nil:
		return c.permissionError()
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled),
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders):
		return console.Hint(texts.Error("no JetStream"), texts.Text("JetStream hint"))
	case errors.As(err, &api) && full.MatchString(api.Description):
		return console.Hint(texts.Error("full", api.Description), texts.Text("full hint"))
	case errors.Is(err, context.DeadlineExceeded):
		return texts.Error("silent", err)
	}
	return fmt.Errorf("NATS: %w", err)
}

// full matches the errors of a server or a stream that is full.
var full = regexp.MustCompile(
	`(?i)insufficient|resource|maximum bytes|maximum messages exceeded|limit`)

// publish retries until the server has stored the message, and reports once what prevents that. It
// returns false if the stream already has the message or no longer exists.
func (c *Conn) publish(ctx context.Context, m *nats.Msg, what string) (bool, error) {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		_, err := c.PublishMsg(once, m, jetstream.WithRetryAttempts(0))
		cancel()
		api := (*jetstream.APIError)(nil)
		switch {
		case err == nil:
			c.full.Store(false)
			return true, nil
		case ctx.Err() != nil:
			return false, ctx.Err()
		case c.permissionError() != nil:
			return false, c.permissionError()
		case errors.Is(err, nats.ErrMaxPayload):
			return false, texts.Error("too long", len(m.Data), err)
		case errors.As(err, &api) && strings.Contains(api.Description, "per subject"):
			return false, nil
		case errors.Is(err, jetstream.ErrNoStreamResponse) && c.nc.IsConnected():
			once, cancel := context.WithTimeout(ctx, 5*time.Second)
			// the leader of the cluster answers this
			_, err := c.StreamNameBySubject(once, m.Subject)
			if cancel(); errors.Is(err, jetstream.ErrStreamNotFound) {
				return false, nil
			}
		case api != nil && full.MatchString(api.Description) && !c.full.Swap(true):
			c.note(texts.Text("waiting for room", api.Description, what))
		}
		sleep(ctx, wait)
	}
}

// sleep waits for the given time or until ctx ends.
func sleep(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

func host() string {
	name, _ := os.Hostname() // "" on an error
	return cmp.Or(name, "unknown")
}
