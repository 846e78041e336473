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
	Name          string
	Digest        string
	Size          int64 // bytes
	Family        string
	Parameters    string // such as 1.5B
	Quantization  string
	ContextLength int  // tokens; 0 if it does not say
	Template      bool // it has a chat template, without which it cannot be used
	Remote        bool // it runs on another machine
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
		s, f := c.show(ctx, l.Name)
		if f != nil {
			return inv, f
		}
		var id Identity
		id.describe(s)
		inv.Models = append(inv.Models, Installed{
			Name: plain(l.Name), Digest: strings.TrimPrefix(plain(l.Digest), "sha256:"), Size: l.Size,
			Family: id.Family, Parameters: id.Parameters, Quantization: id.Quantization, ContextLength: id.ContextLength,
			Template: hasTemplate(s), Remote: l.RemoteHost != "" || s.RemoteHost != "",
		})
	}
	slices.SortFunc(inv.Models, func(a, b Installed) int { return cmp.Compare(a.Name, b.Name) })
	return inv, nil
}
