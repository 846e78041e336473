package localllm

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseAddress(t *testing.T) {
	for _, tt := range []struct {
		address, env, want string
		local              bool
		reason             string
	}{
		{"", "", "http://127.0.0.1:11434", true, "nothing said"},
		{"", "0.0.0.0", "http://127.0.0.1:11434", true,
			"what a server listens on is no address to dial"},
		{"", "[::]:8080", "http://[::1]:8080", true, "the same for version 6"},
		{"", ` "http://localhost:1234/" `, "http://localhost:1234", true,
			"quotes and spaces, as in an env file"},
		{"", ":4711", "http://127.0.0.1:4711", true, "a port alone"},
		{"http://[::1]", "ignored", "http://[::1]:80", true,
			"the address comes before the variable; a scheme has its own port"},
		{"::1", "", "http://[::1]:11434", true, "version 6 without brackets"},
		{"https://models.example.org/ollama/?x=1#y", "", "https://models.example.org:443/ollama",
			false, "a path stays"},
		{"127.0.0.1.example.org", "", "http://127.0.0.1.example.org:11434", false,
			"a name that only looks local"},
		{"localhost.example.org", "", "http://localhost.example.org:11434", false, "the same"},
		{"127.8.9.10", "", "http://127.8.9.10:11434", true, "all of 127/8 is this machine"},
		{"192.168.1.5:11434", "", "http://192.168.1.5:11434", false,
			"next door is not this machine"},
		{"http://user:secret@127.0.0.1", "", "http://127.0.0.1:80", true,
			"a password is not printed"},
	} {
		t.Setenv("OLLAMA_HOST", tt.env)
		u, f := parseAddress(tt.address)
		require.Nil(t, f, "%q %q", tt.address, tt.env)
		assert.Equal(t, tt.local, isLocal(u.Hostname()), tt.reason)
		u.User = nil
		assert.Equal(t, tt.want, u.String(), tt.reason)
	}
	for _, bad := range []string{"ftp://127.0.0.1", "http://127.0.0.1:http", "127.0.0.1:0",
		"http://a b", "file:///etc/passwd", "http://%zz"} {
		_, f := parseAddress(bad)
		require.NotNil(t, f, bad)
		assert.Equal(t, BadOptions, f.Kind)
	}
}

// A name is local only if it resolves to this machine.
func TestDialsOnlyThisMachine(t *testing.T) {
	c := newHTTP(false)
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet,
		"http://192.0.2.1:11434/", nil)
	require.NoError(t, err)
	_, err = c.Do(req)
	require.ErrorIs(t, err, errRemote)
	t.Setenv("HTTP_PROXY", "http://192.0.2.1:3128")
	t.Setenv("http_proxy", "http://192.0.2.1:3128")
	assert.Nil(t, c.Transport.(*http.Transport).Proxy)
}

func TestParseModel(t *testing.T) {
	for _, tt := range []struct {
		given, listed string
		digest        string
		is            bool
	}{
		{"qwen2.5", "qwen2.5:latest", "", true},
		{"Qwen2.5:1.5B", "qwen2.5:1.5b", "", true},
		{"qwen2.5:1.5b", "qwen2.5:latest", "", false},
		{"localhost:5000/me/tiny", "localhost:5000/me/tiny:latest", "", true},
		{" tiny@sha256:0123456789AB ", "tiny:latest", "0123456789ab", true},
	} {
		name, digest, f := parseModel(tt.given)
		require.Nil(t, f, tt.given)
		assert.Equal(t, tt.digest, digest)
		assert.Equal(t, tt.is, sameModel(name, tt.listed), "%s and %s", tt.given, tt.listed)
	}
	for _, bad := range []string{"", "@sha256:0123456789ab", "a b", "tiny@md5:0123456789ab",
		"tiny@sha256:xyz456789abcd", "tiny\x1b"} {
		_, _, f := parseModel(bad)
		require.NotNil(t, f, bad)
	}
}
