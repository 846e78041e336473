package localllm

import (
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
)

const defaultPort = "11434"

// parseAddress reads where the server is: a URL, host:port, a host or a port. An empty address is what OLLAMA_HOST
// says, and else this machine. An address to listen on, such as 0.0.0.0, means this machine too.
func parseAddress(s string) (*url.URL, *Failure) {
	from := "address"
	if s = strings.TrimSpace(s); s == "" {
		s = strings.Trim(strings.TrimSpace(os.Getenv("OLLAMA_HOST")), `"'`)
		from = "OLLAMA_HOST"
	}
	scheme, rest, written := strings.Cut(s, "://")
	if !written {
		scheme, rest = "http", s
	}
	if ip, err := netip.ParseAddr(rest); err == nil && ip.Is6() {
		rest = "[" + rest + "]"
	}
	u, err := url.Parse(scheme + "://" + rest)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "" {
		return nil, failure(BadOptions, "%s: not the address of a server; want one such as http://127.0.0.1:11434", from)
	}
	port := u.Port()
	switch {
	case port != "":
	case !written:
		port = defaultPort
	case scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, failure(BadOptions, "%s: %q is no port; want a number from 1 to 65535", from, port)
	}
	u.Host = net.JoinHostPort(reachable(u.Hostname()), port)
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// reachable gives the host to dial for one that a server listens on.
func reachable(host string) string {
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && ip.Is4() && ip.IsUnspecified():
		return "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		return "::1"
	}
	return host
}

// isLocal reports whether a host names this machine without asking anyone.
func isLocal(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
