package localllm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"assize/rubric"
)

// Identify contacts the server: is it there, is the model there, is it the one that was asked for, has it a chat
// template? It tells who would judge, and by which prompts and options, and loads nothing. An error is a *Failure.
func Identify(ctx context.Context, o Options) (Identity, error) {
	m, f := meet(ctx, o)
	if f != nil {
		return Identity{}, f
	}
	return m.id, nil
}

// Open does what [Identify] does, and has the model loaded. An error is a *Failure.
func Open(ctx context.Context, o Options, r rubric.Rubric) (*Model, error) {
	m, f := open(ctx, o, r)
	if f != nil {
		return nil, f
	}
	return m, nil
}

func open(ctx context.Context, o Options, r rubric.Rubric) (*Model, *Failure) {
	m, f := meet(ctx, o)
	if f != nil {
		return nil, f
	}
	m.rubric = r
	if has := m.id.ContextLength; has > 0 && m.o.NumCtx > has {
		return nil, failure(BadOptions, "the context (num_ctx): %d; %s has %d at most", m.o.NumCtx, plain(m.id.Name), has)
	}
	if f = m.present(); f != nil {
		return nil, f
	}
	if f = m.load(ctx); f != nil {
		return nil, f
	}
	return m, m.measure()
}

// meet makes a model of what the server says of it.
func meet(ctx context.Context, o Options) (*Model, *Failure) {
	o, f := o.settled()
	if f != nil {
		return nil, f
	}
	w, f := parseModel(o.Model)
	if f != nil {
		return nil, f
	}
	m := &Model{o: o, wanted: w, seat: make(chan struct{}, 1)}
	if m.client, f = newClient(o); f != nil {
		return nil, f
	}
	if m.id.Server, f = m.client.version(ctx); f != nil {
		return nil, f
	}
	if m.id.Name, f = m.find(ctx); f != nil {
		return nil, f
	}
	return m, m.examine(ctx)
}

// find looks the model up among those that the server has, and gives its name there. From then on no other digest will
// do: a model must not change while it is on the bench.
func (m *Model) find(ctx context.Context) (string, *Failure) {
	models, f := m.client.list(ctx)
	if f != nil {
		return "", f
	}
	i := slices.IndexFunc(models, func(l api.ListModelResponse) bool { return m.wanted.is(l.Name) })
	if i < 0 {
		return "", absent(m.wanted.name, models)
	}
	found := models[i]
	if found.RemoteHost != "" && !m.o.AllowRemote {
		return "", remoteModel(found.Name, found.RemoteHost)
	}
	digest := strings.TrimPrefix(strings.ToLower(plain(found.Digest)), "sha256:")
	if !strings.HasPrefix(digest, m.wanted.digest) {
		f := failure(DigestDiffers, "%s is sha256:%s; want sha256:%s", plain(found.Name), digest, m.wanted.digest)
		f.Hint = "the model was pulled or made again; results of the two do not compare"
		return "", f
	}
	if m.id.Digest == "" {
		m.id.Digest, m.wanted.digest = digest, digest
	}
	return found.Name, nil
}

func remoteModel(name, host string) *Failure {
	f := failure(RemoteModel, "%s runs on %s, and transcripts would be sent there", plain(name), plain(host))
	f.Hint = "choose a model that is installed here; --allow-remote allows it"
	return f
}

// mostNamed is how many models a message names.
const mostNamed = 20

// absent says what is there instead of a model.
func absent(name string, models []api.ListModelResponse) *Failure {
	var names []string
	for _, l := range models {
		names = append(names, plain(l.Name))
	}
	slices.Sort(names)
	there := "it has none"
	if more := len(names) - mostNamed; more > 0 {
		there = fmt.Sprintf("it has %s and %d more", strings.Join(names[:mostNamed], ", "), more)
	} else if len(names) > 0 {
		there = "it has " + strings.Join(names, ", ")
	}
	f := failure(ModelAbsent, "the server has no model %s; %s", name, there)
	f.Hint = "get it with: ollama pull " + name
	return f
}

// examine asks what the model is, and settles how much context it gets where the user did not.
func (m *Model) examine(ctx context.Context) *Failure {
	s, f := m.client.show(ctx, m.id.Name)
	if f != nil {
		return f
	}
	if s.RemoteHost != "" && !m.o.AllowRemote {
		return remoteModel(m.id.Name, s.RemoteHost)
	}
	if !hasTemplate(s) {
		f := failure(NoTemplate, "%s has no chat template, so it would continue the transcript instead of judging it", plain(m.id.Name))
		f.Hint = "take an instruct or chat model"
		return f
	}
	m.id.describe(s)
	if m.o.NumCtx == 0 {
		m.o.NumCtx = defaultNumCtx
		if has := m.id.ContextLength; has > 0 {
			m.o.NumCtx = min(defaultNumCtx, has)
		}
	}
	m.id.Prompts, m.id.Options = m.o.Prompts.digests, m.o.settings()
	return nil
}

// load has the server load the model by a first priming call, which also tells how many tokens the constant part of
// the prompt has.
func (m *Model) load(ctx context.Context) *Failure {
	deadline := max(m.o.Deadline, 0)
	if deadline == 0 {
		deadline = 5 * time.Minute
	}
	r, f := m.client.chat(ctx, m.request(m.primer(0)), deadline, 1)
	if f != nil {
		if f.Kind == TimedOut {
			f.Kind, f.Msg = SlowLoad, fmt.Sprintf("%s did not load within %s", plain(m.id.Name), deadline)
			f.Hint = "load it beforehand with: ollama run " + m.id.Name + "; or give a longer --model-timeout"
		}
		return f
	}
	if r.Prompt >= m.o.NumCtx {
		return failure(BadOptions, "the context (num_ctx): the rubric alone has %d tokens or more; want more than %d", r.Prompt, m.o.NumCtx)
	}
	m.prefix = r.Prompt
	return nil
}
