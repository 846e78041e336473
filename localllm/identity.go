package localllm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/ollama/ollama/api"
)

// Identity is what makes a model's judgement reproducible, as provenance keeps it. Marshalled to JSON, the same
// identity always has the same bytes. The server's address is no part of it.
type Identity struct {
	Name          string        `json:"name"`
	Digest        string        `json:"digest"` // SHA-256 in hexadecimal, as the server lists it
	Family        string        `json:"family"`
	Parameters    string        `json:"parameters"` // such as 1.5B
	Quantization  string        `json:"quantization"`
	ContextLength int           `json:"context_length"` // tokens that the model was made for; 0 if it does not say
	Template      string        `json:"template"`       // SHA-256 of the chat template, or the name of the server's own renderer
	Server        string        `json:"server"`         // version; servers that were built from source say 0.0.0
	Prompts       PromptDigests `json:"prompts"`
	Options       Settings      `json:"options"`
}

// describe takes from a model's description what identifies it.
func (id *Identity) describe(s *api.ShowResponse) {
	id.Family = plain(s.Details.Family)
	id.Parameters = plain(s.Details.ParameterSize)
	id.Quantization = plain(s.Details.QuantizationLevel)
	id.ContextLength = contextLength(s.ModelInfo)
	id.Template = plain(s.Renderer)
	if s.Renderer == "" {
		sum := sha256.Sum256([]byte(s.Template))
		id.Template = hex.EncodeToString(sum[:])
	}
}

// contextLength finds the entry of the model's own architecture, such as "qwen2.context_length".
func contextLength(info map[string]any) int {
	architecture, _ := info["general.architecture"].(string)
	n, _ := info[architecture+".context_length"].(float64)
	if n < 0 || n > 1<<30 {
		return 0
	}
	return int(n)
}

// hasTemplate reports whether a model has a chat template that passes on both what it is told and what it is asked.
// Newer servers render some families by code of their own.
func hasTemplate(s *api.ShowResponse) bool {
	if s.Renderer != "" || strings.Contains(s.Template, ".Messages") {
		return true
	}
	return strings.Contains(s.Template, ".System") && strings.Contains(s.Template, ".Prompt")
}
