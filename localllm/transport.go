package localllm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

var (
	errRemote   = errors.New("the address leads to another machine")
	errRedirect = errors.New("the server sends the request elsewhere")
	errEndless  = errors.New("the answer is too long")
)

// newHTTP gives a client that asks no proxy, follows no redirection and, unless it is allowed, dials nothing but
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
		Transport: &metered{&http.Transport{
			Proxy:               nil,
			DialContext:         dialer.DialContext,
			DisableCompression:  true,
			TLSHandshakeTimeout: 10 * time.Second,
			IdleConnTimeout:     time.Minute,
		}},
		CheckRedirect: func(req *http.Request, _ []*http.Request) error {
			return fmt.Errorf("%w: %s", errRedirect, req.URL.Redacted())
		},
	}
}

// meter is what a response was like on the wire. The API's client reads a stream without telling whether it broke
// off, so this is where that is seen.
type meter struct {
	contentType string
	read        int
	ended       bool  // the body was read to its end
	err         error // what broke it off
	tail        []byte
}

const (
	mostBody = 8 << 20 // bytes of a response; a list of hundreds of models has 1 MB
	tailKept = 1024
)

type meterKey struct{}

// withMeter gives a context whose request is metered.
func withMeter(ctx context.Context) (context.Context, *meter) {
	m := &meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

// metered keeps account of responses in the meter of their request.
type metered struct{ next http.RoundTripper }

func (t *metered) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if m, ok := req.Context().Value(meterKey{}).(*meter); ok && err == nil {
		m.contentType = resp.Header.Get("Content-Type")
		resp.Body = &meteredBody{resp.Body, m}
	}
	return resp, err
}

type meteredBody struct {
	io.ReadCloser
	m *meter
}

func (b *meteredBody) Read(p []byte) (int, error) {
	if b.m.read >= mostBody {
		b.m.err = errEndless
		return 0, errEndless
	}
	n, err := b.ReadCloser.Read(p)
	b.m.read += n
	b.m.keep(p[:n])
	switch {
	case err == io.EOF:
		b.m.ended = true
	case err != nil:
		b.m.err = err
	}
	return n, err
}

// keep remembers the last bytes.
func (m *meter) keep(p []byte) {
	if len(p) > tailKept {
		p = p[len(p)-tailKept:]
	}
	if over := len(m.tail) + len(p) - tailKept; over > 0 {
		m.tail = append(m.tail[:0], m.tail[over:]...)
	}
	m.tail = append(m.tail, p...)
}
