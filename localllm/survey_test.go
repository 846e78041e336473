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
	bare, cloud := fakeollama.Tiny(), fakeollama.Tiny()
	bare.Name, bare.Template, bare.ContextLength = "bare:\x1b[2J1", "{{ .Prompt }}", 0
	cloud.Name, cloud.RemoteHost = "big:cloud", "https://ollama.com:443"
	broken := fakeollama.Tiny()
	broken.Name, broken.Broken = "lost:latest", true
	s := serve(t, fakeollama.Tiny(), broken, cloud, bare)
	inv, err := localllm.Survey(context.Background(), localllm.Options{Address: s.URL})
	require.NoError(t, err)
	require.Len(t, inv.Models, 4, "one that the server cannot describe hides no other")
	lost := inv.Models[2].Failure
	inv.Models[2].Failure = nil
	digest := strings.Repeat("0123456789abcdef", 4)
	assert.Equal(t, localllm.Inventory{Address: s.URL, Server: "0.0.0",
		Models: []localllm.Installed{
			{Name: "bare: [2J1", Digest: digest, Size: 1 << 20, Family: "fake", Parameters: "1K",
				Quantization: "F16"},
			{Name: "big:cloud", Digest: digest, Size: 1 << 20, Family: "fake", Parameters: "1K",
				Quantization: "F16", ContextLength: 8192, Template: true, Remote: true},
			{Name: "lost:latest", Digest: digest, Size: 1 << 20, Family: "fake", Parameters: "1K",
				Quantization: "F16"},
			{Name: "tiny:latest", Digest: digest, Size: 1 << 20, Family: "fake", Parameters: "1K",
				Quantization: "F16", ContextLength: 8192, Template: true},
		}}, inv)
	require.NotNil(t, lost)
	assert.Equal(t, localllm.ServerError, lost.Kind)
	assert.Equal(t, "http-5xx: "+s.URL+" answers 500: open /blobs/sha256-e3b0c4: [2Jno such file",
		lost.Error())
	assert.Empty(t, s.Requests(), "nothing is loaded")
	_, err = localllm.Survey(context.Background(), localllm.Options{Address: "http://192.0.2.1"})
	var f *localllm.Failure
	require.ErrorAs(t, err, &f)
	assert.Equal(t, localllm.RemoteAddress, f.Kind)
	s.Close()
	_, err = localllm.Survey(context.Background(), localllm.Options{Address: s.URL})
	require.ErrorAs(t, err, &f)
	assert.Equal(t, localllm.ServerDown, f.Kind)
}
