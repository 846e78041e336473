package replay

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/run"
	"assize/heuristics"
	"assize/localllm"
	"assize/localllm/fakeollama"
)

// A model is asked again only as it was asked: what differs is listed, all of it, and nothing is loaded.
func TestTheModelOfARunOrNone(t *testing.T) {
	agents, err := heuristics.New()
	require.NoError(t, err)
	s := fakeollama.Start()
	defer s.Close()
	reach := localllm.Options{Address: s.URL}
	was, err := localllm.Identify(t.Context(), localllm.Options{Address: s.URL, Model: "tiny", Settings: localllm.Settings{NumThread: 2, KeepAlive: "90s", Overflow: localllm.Refuse, Seed: 7}})
	require.NoError(t, err)
	require.Empty(t, s.Requests())
	for _, tt := range []struct {
		reason string
		change func(id *localllm.Identity)
		server func(m *fakeollama.Model)
		want   string // "" for being judged again
		hint   string
	}{
		{"as it was", func(*localllm.Identity) {}, nil, "", ""},
		{"another version of the server", func(id *localllm.Identity) { id.Server = "0.13.5" }, nil, "", ""},
		{"another model of the name", func(*localllm.Identity) {}, func(m *fakeollama.Model) {
			m.Digest, m.Quantization, m.ContextLength = "f"+m.Digest[1:], "Q4_0", 2048
		}, "what would judge is not what judged it: /provenance/model/digest is 0123456789ab…; now it is f123456789ab…; " +
			`/provenance/model/quantization is "F16"; now it is "Q4_0"; /provenance/model/context_length is 8192; now it is 2048`, "assize compare the two runs"},
		{"other prompts and options", func(id *localllm.Identity) {
			id.Prompts.System, id.Options.Temperature, id.Options.KeepAlive, id.Options.Overflow = "", 1, "soon", "cut"
		}, nil, `/provenance/model/options/temperature is 1; now it is 0; /provenance/model/options/keep_alive is "soon"; now it is "10m0s"; ` +
			`/provenance/model/options/on_overflow is "cut"; now it is "windows"`, "assize compare the two runs"},
		{"no such model any more", func(*localllm.Identity) {}, func(m *fakeollama.Model) { m.Name = "other:latest" }, "the server has no model tiny:latest; it has other:latest", "ollama pull tiny:latest"},
		{"a context that there never was", func(id *localllm.Identity) { id.Options.NumCtx = 99999 }, nil, "tiny:latest has 8192 at most", ""},
		{"a name that is none", func(id *localllm.Identity) { id.Name = "tiny\x1b[2J" }, nil, "is no name", ""},
		{"a model that runs elsewhere", func(*localllm.Identity) {}, func(m *fakeollama.Model) { m.RemoteHost = "https://ollama.example" }, "transcripts would be sent there", "--allow-remote"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			m := fakeollama.Tiny()
			if tt.server != nil {
				tt.server(&m)
			}
			s.SetModels(m)
			before := len(s.Requests())
			id := was
			tt.change(&id)
			conf := run.Configuration{Evaluator: "model", Critic: "both", Fallback: "rules", Transcript: "full"}
			head := &Header{Line: 1, Configuration: conf, is: run.Header{Basis: run.DefaultBasis(), Model: &id, Configuration: conf, Lexicon: agents.Digest()}}
			session, err := (&Rejudge{Agents: agents, Asking: reach}).open(t.Context(), head)
			if tt.want == "" {
				require.NoError(t, err)
				b := session.judge
				assert.Equal(t, []any{"model", "both", true}, []any{b.Evaluator, b.Critic, b.Fallback})
				now := b.Model.Identity()
				now.Server = id.Server
				assert.Equal(t, id, now)
				return
			}
			require.ErrorContains(t, err, tt.want)
			assert.Equal(t, tt.hint != "", errors.Unwrap(err) != nil, "a hint where there is one")
			assert.Nil(t, session)
			assert.Len(t, s.Requests(), before, "nothing is loaded")
		})
	}
}

// The same model of another version of the server may answer otherwise, so that is said.
func TestAnotherServerIsSaid(t *testing.T) {
	of := func(now string) string {
		h := &Header{is: run.Header{Model: &localllm.Identity{Server: "0.6.5"}}, server: now}
		s := &Summary{Headers: []*Header{h}, Scored: 2, Judged: 2}
		s.Close()
		return strings.Join(s.NotVerified, "\n")
	}
	assert.Contains(t, of("0.13.5"), "whether another version of the server matters: it was 0.6.5, and is 0.13.5 now")
	assert.NotContains(t, of("0.6.5"), "version")
	assert.NotContains(t, of(""), "version", "nobody was asked")
}
