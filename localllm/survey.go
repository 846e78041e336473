package localllm

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Inventory is what a server has.
type Inventory struct {
	Address string // as it may be printed
	Server  string // version; servers that were built from source say 0.0.0
	Models  []Installed
}

// Installed is a model that a server has.
type Installed struct {
	Name          string   `json:"name"`
	Digest        string   `json:"digest"` // SHA-256 in hexadecimal
	Size          int64    `json:"bytes"`
	Family        string   `json:"family"`
	Parameters    string   `json:"parameters"` // such as 1.5B
	Quantization  string   `json:"quantization"`
	ContextLength int      `json:"context_length"` // tokens; 0 if it does not say
	Template      bool     `json:"template"`       // it has a chat template, without which it cannot be used
	Remote        bool     `json:"remote"`         // it runs on another machine
	Failure       *Failure `json:"failure"`        // why the server does not describe it; nil if it does
}

// Survey lists what a server has, by name. It loads nothing. The error is a *Failure.
func Survey(ctx context.Context, o Options) (inv Inventory, err error) {
	c, f := newClient(o)
	if f != nil {
		return inv, f
	}
	inv.Address = c.address()
	if inv.Server, f = c.version(ctx); f != nil {
		return inv, f
	}
	listed, f := c.list(ctx)
	if f != nil {
		return inv, f
	}
	for _, l := range listed {
		in := Installed{
			Name: plain(l.Name), Digest: strings.TrimPrefix(plain(l.Digest), "sha256:"), Size: max(l.Size, 0),
			Family: plain(l.Details.Family), Parameters: plain(l.Details.ParameterSize), Quantization: plain(l.Details.QuantizationLevel),
			Remote: l.RemoteHost != "",
		}
		if s, f := c.show(ctx, l.Name); f != nil {
			in.Failure = f // and the other models are listed all the same
		} else {
			in.ContextLength, in.Template, in.Remote = contextLength(s.ModelInfo), hasTemplate(s), in.Remote || s.RemoteHost != ""
		}
		inv.Models = append(inv.Models, in)
	}
	if ctx.Err() != nil {
		return inv, cancelled(ctx)
	}
	slices.SortFunc(inv.Models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	return inv, nil
}
