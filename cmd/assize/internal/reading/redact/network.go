package redact

import (
	"net"
	"net/netip"
	"strings"
)

// quad returns 4 if the groups from k on form an IPv4 address, else 0.
func (t *text) quad(f *figures, k int) int {
	if k+4 > f.groups() || k+4 < f.groups() && t.gap(f.first+k+4) == "." ||
		k > 0 && t.gap(f.first+k) == "." {
		return 0
	}
	for n := 1; n < 4; n++ {
		if t.gap(f.first+k+n) != "." {
			return 0
		}
	}
	start, end := t.tokens[f.first+k].start, t.tokens[f.first+k+3].end
	if _, err := netip.ParseAddr(t.s[start:end]); err != nil {
		return 0
	}
	return 4
}

// isVersion reports whether four numbers separated by dots are a version, or an address that
// belongs to no single host.
func (t *text) isVersion(f *figures, k int, h *context) bool {
	start, end := t.tokens[f.first+k].start, t.tokens[f.first+k+3].end
	switch t.s[start:end] {
	case "127.0.0.1", "0.0.0.0", "10.0.0.1", "192.168.0.1", "192.168.1.1", "8.8.8.8", "8.8.4.4",
		"1.1.1.1", "9.9.9.9":
		return true
	}
	if strings.HasPrefix(t.s[start:end], "255.255.") {
		return true
	}
	if h.near&address != 0 || h.sentence&address != 0 {
		return false
	}
	return (h.near|h.sentence)&version != 0 || end-start < len("10.0.0.12")
}

// hosts masks IPv6 and MAC addresses.
func (t *text) hosts() {
	const longest = 45 // bytes of an address
	for i := 0; i < len(t.s); {
		if !isHex(t.s[i]) && (t.s[i] != ':' || i+1 < len(t.s) && t.s[i+1] != ':') {
			i++
			continue
		}
		start, separators := i, 0
		for i < len(t.s) && (isHex(t.s[i]) || t.s[i] == ':' || t.s[i] == '-' || t.s[i] == '.') {
			if !isHex(t.s[i]) {
				separators++
			}
			i++
		}
		if separators < 2 || i-start > longest || start > 0 && t.isWordByte(start-1) ||
			i < len(t.s) && t.isWordByte(i) {
			continue
		}
		t.host(start, i)
	}
}

func (t *text) host(start, end int) {
	end = start + len(strings.TrimRight(t.s[start:end], ".-"))
	if !strings.HasSuffix(t.s[start:end], "::") {
		end = start + len(strings.TrimRight(t.s[start:end], ":"))
	}
	s := t.s[start:end]
	if _, err := net.ParseMAC(s); err == nil {
		t.add(start, end, maskMAC)
		return
	}
	if a, err := netip.ParseAddr(s); err == nil && a.Is6() && a.IsValid() && !a.IsLoopback() &&
		strings.ContainsAny(s, "0123456789") && (strings.Count(s, ":") > 2 ||
		a.IsLinkLocalUnicast()) {
		t.add(start, end, maskIP)
	}
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// isWordByte reports whether byte i is part of a word or a number.
func (t *text) isWordByte(i int) bool {
	c := t.s[i]
	return isDigit(c) || isLetter(c) || c == '_'
}
