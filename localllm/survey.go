package localllm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
)

// Inventory is what a server has.
type Inventory struct {
	Address string // as it may be printed
	Server  string // version; servers that were built from source say 0.0.0
	Models  []Installed
}

// Installed is a model that a server has.
type Installed struct {
	Name          string
	Digest        string
	Size          int64 // bytes
	Family        string
	Parameters    string // such as 1.5B
	Quantization  string
	ContextLength int      // tokens; 0 if it does not say
	Template      bool     // it has a chat template, without which it cannot be used
	Remote        bool     // it runs on another machine
	Failure       *Failure // why the server does not describe it; nil if it does
}

// Survey asks a server what it has, by name. It loads nothing. The error is a *Failure.
func Survey(ctx context.Context, o Options) (Inventory, error) {
	inv, f := survey(ctx, o)
	if f != nil {
		return inv, f
	}
	return inv, nil
}

func survey(ctx context.Context, o Options) (inv Inventory, f *Failure) {
	c, f := newClient(o)
	if f != nil {
		return inv, f
	}
	inv.Address = c.address
	if inv.Server, f = c.version(ctx); f != nil {
		return inv, f
	}
	listed, f := c.list(ctx)
	if f != nil {
		return inv, f
	}
	for _, l := range listed {
		inv.Models = append(inv.Models, c.inspect(ctx, l))
	}
	if ctx.Err() != nil {
		return inv, stopped(ctx, nil)
	}
	slices.SortFunc(inv.Models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	return inv, nil
}

// inspect joins what a server's list says of a model and what it says when asked about that one. A model that it cannot
// describe does not hide the others.
func (c *client) inspect(ctx context.Context, l api.ListModelResponse) Installed {
	in := Installed{
		Name: plain(l.Name), Digest: strings.TrimPrefix(plain(l.Digest), "sha256:"), Size: max(l.Size, 0),
		Family: plain(l.Details.Family), Parameters: plain(l.Details.ParameterSize), Quantization: plain(l.Details.QuantizationLevel),
		Remote: l.RemoteHost != "",
	}
	s, f := c.show(ctx, l.Name)
	if f != nil {
		in.Failure = f
		return in
	}
	in.ContextLength, in.Template, in.Remote = contextLength(s.ModelInfo), hasTemplate(s), in.Remote || s.RemoteHost != ""
	return in
}
