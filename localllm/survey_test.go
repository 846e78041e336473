package localllm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
)

func TestSurvey(t *testing.T) {
	bare, hostile := fakeollama.Tiny(), fakeollama.Tiny()
	bare.Name, bare.Template, bare.ContextLength = "bare:7b", "{{ .Prompt }}", 0
	hostile.Name, hostile.Family, hostile.RemoteHost = "odd\x1b[2J:latest", "a\u202eb", "https://elsewhere.example"
	s := serve(t, fakeollama.Tiny(), hostile, bare)
	got, err := localllm.Survey(context.Background(), localllm.Options{Address: s.URL})
	require.NoError(t, err)
	assert.Equal(t, s.URL, got.Address)
	assert.Equal(t, "0.0.0", got.Version)
	require.Len(t, got.Models, 3)
	assert.Equal(t, localllm.Installed{Name: "bare:7b", Digest: strings.Repeat("0123456789abcdef", 4), Bytes: 1 << 20, Family: "fake", Parameters: "1K", Quantization: "F16"}, got.Models[0])
	assert.Equal(t, "odd [2J:latest", got.Models[1].Name, "escapes do not reach a terminal")
	assert.Equal(t, "a b", got.Models[1].Family)
	assert.Equal(t, "https://elsewhere.example", got.Models[1].Remote)
	assert.True(t, got.Models[2].Template)
	assert.Equal(t, 8192, got.Models[2].ContextLength)
	assert.True(t, got.Models[2].Is("tiny"), "a name without a tag is the latest")
	assert.True(t, got.Models[2].Is("TINY:latest@sha256:0123456789ab"))
	assert.False(t, got.Models[0].Is("bare"))
	assert.False(t, got.Models[0].Is(""))
}

func TestSurveyNamesItsFailures(t *testing.T) {
	s := serve(t)
	s.Close()
	for _, tt := range []struct {
		reason string
		o      localllm.Options
		kind   localllm.FailureKind
	}{
		{"nothing listens there any more", localllm.Options{Address: s.URL}, localllm.ServerDown},
		{"transcripts would leave the machine", localllm.Options{Address: "http://192.0.2.1"}, localllm.RemoteAddress},
		{"no address", localllm.Options{Address: "http://[::1"}, localllm.BadOptions},
	} {
		_, err := localllm.Survey(context.Background(), tt.o)
		var f *localllm.Failure
		require.ErrorAs(t, err, &f, tt.reason)
		assert.Equal(t, tt.kind, f.Kind, tt.reason)
		assert.NotEmpty(t, f.Msg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := localllm.Survey(ctx, localllm.Options{Address: s.URL})
	assert.ErrorIs(t, err, context.Canceled)
}
