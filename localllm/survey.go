package localllm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
)

// Server is an Ollama server as it describes itself.
type Server struct {
	Address string // as it may be printed
	Version string // servers that were built from source say 0.0.0
	Models  []Installed
}

// Installed is a model that a server has. All of it but Failure is what the server says, in harmless characters.
type Installed struct {
	Name          string // with its tag
	Digest        string // SHA-256 in hexadecimal
	Bytes         int64
	Family        string
	Parameters    string // such as 1.5B
	Quantization  string
	ContextLength int      // tokens that the model was made for; 0 if it does not say
	Template      bool     // whether it has a chat template, without which it cannot play an agent
	Remote        string   // the host on which it runs, if that is not the server's own machine
	Failure       *Failure // why the server did not describe it; nil if it did
}

// Survey asks the server that the options name what it is and what it has; no model is loaded. Models are sorted by
// name. An error is a *[Failure].
func Survey(ctx context.Context, o Options) (Server, error) {
	s := Server{}
	c, f := newClient(o)
	if f != nil {
		return s, f
	}
	s.Address = c.address
	if s.Version, f = c.version(ctx); f != nil {
		return s, f
	}
	models, f := c.list(ctx)
	if f != nil {
		return s, f
	}
	for _, l := range models {
		s.Models = append(s.Models, c.inspect(ctx, l))
	}
	slices.SortStableFunc(s.Models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	if ctx.Err() != nil {
		return s, stopped(ctx, nil)
	}
	return s, nil
}

// inspect joins what a server's list says of a model and what the server says when it is asked about that model.
func (c *client) inspect(ctx context.Context, l api.ListModelResponse) Installed {
	in := Installed{
		Name:         plain(l.Name),
		Digest:       plain(strings.TrimPrefix(strings.ToLower(l.Digest), "sha256:")),
		Bytes:        max(l.Size, 0),
		Family:       plain(l.Details.Family),
		Parameters:   plain(l.Details.ParameterSize),
		Quantization: plain(l.Details.QuantizationLevel),
		Remote:       plain(l.RemoteHost),
	}
	s, f := c.show(ctx, l.Name)
	if f != nil {
		in.Failure = f
		return in
	}
	in.ContextLength, in.Template = contextLength(s.ModelInfo), hasTemplate(s)
	if in.Remote == "" {
		in.Remote = plain(s.RemoteHost)
	}
	return in
}

// Is reports whether the model goes by a name as Options.Model has it; a digest in the name is not looked at.
func (in Installed) Is(model string) bool {
	w, f := parseModel(model)
	return f == nil && w.is(in.Name)
}
