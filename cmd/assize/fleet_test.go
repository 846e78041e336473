package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
	"assize/localllm/fakeollama"
)

// natsServer starts a NATS server with JetStream that stops with the test, and returns its URL.
func natsServer(t testing.TB, change func(*server.Options)) (*server.Server, string) {
	t.Helper()
	opt := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
		StoreDir: t.TempDir(), NoLog: true, NoSigs: true}
	if change != nil {
		change(opt)
	}
	s, err := server.NewServer(opt)
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(t, s.ReadyForConnections(time.Minute))
	return s, s.ClientURL()
}

// tied runs a program that ends when its standard input is closed, so that it cannot outlive the
// test that started it.
func tied(program func()) func() {
	return func() {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(3)
		}()
		program()
	}
}

// natsMain runs a NATS server as a process: nats-tied PORT FOLDER [NAME ROUTE-PORT ROUTES].
func natsMain() {
	opt := &server.Options{Host: "127.0.0.1", JetStream: true, StoreDir: os.Args[2], NoLog: true,
		NoSigs: true}
	fmt.Sscan(os.Args[1], &opt.Port)
	if len(os.Args) > 3 {
		opt.ServerName, opt.Cluster.Name, opt.Cluster.Host = os.Args[3], "soak", "127.0.0.1"
		fmt.Sscan(os.Args[4], &opt.Cluster.Port)
		opt.Routes = server.RoutesFromStr(os.Args[5])
	}
	s, err := server.NewServer(opt)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s.Start()
	s.WaitForShutdown()
}

// told collects the output of a command. It can be read while the command runs.
type told struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (s *told) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(p)
}

func (s *told) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// until waits until the command prints a text.
func (s *told) until(t testing.TB, what string) {
	t.Helper()
	require.Eventually(t,
		func() bool { return strings.Contains(s.String(), what) }, time.Minute, 10*time.Millisecond,
		"%s", s)
}

// begin runs a command in the background. The function that it returns stops the command and
// returns its exit code.
func begin(t testing.TB, args ...string) (*told, func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, done := &told{}, make(chan int, 1)
	args = configured(t, args)
	go func() { done <- execute(ctx, args, nil, out, out) }()
	stop := sync.OnceValue(func() int {
		cancel()
		return <-done
	})
	t.Cleanup(func() { stop() })
	return out, stop
}

// scoreAway scores with a fleet into a run and returns the run.
func scoreAway(t testing.TB, url string, args ...string) (made, stderr string, code int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code = call(t, nil, append([]string{"score", "--nats", url, "nats-storage: 16",
		"-o", path}, args...)...)
	return read(t, path), stderr, code
}

// scoreHere scores into a run without a fleet and returns the run.
func scoreHere(t testing.TB, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code := call(t, nil, append([]string{"score", "-o", path}, args...)...)
	require.Equal(t, console.Fine, code, stderr)
	return read(t, path)
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// streams returns the number of streams on a server.
func streams(t testing.TB, url string) int {
	t.Helper()
	nc, err := nats.Connect(url)
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	n := 0
	for range js.StreamNames(t.Context()).Name() {
		n++
	}
	return n
}

func TestAFleetWritesTheSameBytes(t *testing.T) {
	_, url := natsServer(t, nil)
	input := many(t, 400)
	want := scoreHere(t, input)
	for _, n := range []int{1, 2, 8} {
		var stops []func() int
		for range n {
			_, stop := begin(t, "worker", "--nats", url)
			stops = append(stops, stop)
		}
		made, stderr, code := scoreAway(t, url, input)
		require.Equal(t, console.Fine, code, stderr)
		assert.True(t, want == made, "%d workers", n)
		assert.Zero(t, streams(t, url), "they are removed")
		for _, stop := range stops {
			assert.Equal(t, console.Fine, stop())
		}
	}
}

func TestWorkersComeAndGo(t *testing.T) {
	_, url := natsServer(t, nil)
	input := many(t, 800)
	want := scoreHere(t, input)
	ctx, cancel := context.WithCancel(t.Context())
	var churn sync.WaitGroup
	churn.Go(func() {
		for ctx.Err() == nil {
			_, stop := begin(t, "worker", "--nats", url)
			time.Sleep(150 * time.Millisecond)
			assert.Equal(t, console.Fine, stop())
		}
	})
	made, stderr, code := scoreAway(t, url, input, "nats-ack-wait: 1s")
	cancel()
	churn.Wait()
	require.Equal(t, console.Fine, code, stderr)
	assert.True(t, want == made)
}

func TestAFleetGoesOnAfterAStop(t *testing.T) {
	_, url := natsServer(t, nil)
	input := many(t, 600)
	want := scoreHere(t, input)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	args := []string{"score", input, "--nats", url, "nats-storage: 16", "-o", path}
	first, stop := begin(t, args...)
	_, stopWorker := begin(t, "worker", "--nats", url)
	require.Eventually(t,
		func() bool { return sizeOf(path) > len(want)/20 }, time.Minute, time.Millisecond)
	require.Equal(t, console.Bad, stop())
	assert.Contains(t, first.String(), "run the same command again to resume")
	assert.Equal(t, 2, streams(t, url), "they keep what is judged")
	survey, _, code := call(t, nil, "fleet", "--nats", url)
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, survey, "stopped: the same command resumes it")
	stopWorker()
	_, _ = begin(t, "worker", "--nats", url)
	_, stderr, code := call(t, nil, args...)
	require.Equal(t, console.Fine, code, stderr)
	assert.Contains(t, stderr, "resuming after")
	assert.True(t, want == read(t, path))
	assert.Zero(t, streams(t, url))
}

// A worker answers the questions of a scorecard, and knows the day and the queue of a dialogue.
func TestAFleetAnswersAScorecard(t *testing.T) {
	_, url := natsServer(t, nil)
	card := filepath.Join("..", "..", "testdata", "scorecard", "parcel.yaml")
	text := strings.Replace(read(t, card), "value: within 14 days",
		"when: {from: 2026-02-01, queues: [Parcels]}\n    value: within 14 days", 1)
	file, input := filepath.Join(t.TempDir(), "card.yaml"), filepath.Join(t.TempDir(), "chats.csv")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	table := "id,date,queue,role,text\n"
	for id, is := range []string{"2026-02-01,Parcels", "2026-01-31,Parcels", "2026-02-01,Mail", ","} {
		table += fmt.Sprintf("%d,%s,user,When is my refund?\n%[1]d,%[2]s,agent,It takes 30 days.\n",
			id+1, is)
	}
	require.NoError(t, os.WriteFile(input, []byte(table), 0o600))
	want := scoreHere(t, input, "--rubric", file)
	assert.Equal(t, 1, strings.Count(want, `"fact":"refund-days"`))
	moved := filepath.Join(t.TempDir(), "moved.yaml") // the worker's records name our lines
	require.NoError(t, os.WriteFile(moved, []byte("# Facts\n\n"+text), 0o600))
	_, stop := begin(t, "worker", "--nats", url, "--rubric", moved)
	made, stderr, code := scoreAway(t, url, input, "--rubric", file)
	require.Equal(t, console.Fine, code, stderr)
	assert.True(t, want == made)
	assert.Equal(t, console.Fine, stop())
}

func TestWorkersTakeOnlyTheirOwn(t *testing.T) {
	_, url := natsServer(t, nil)
	input := many(t, 20)
	other, _ := begin(t, "worker", "--nats", url, "--rubric", toNearest)
	other.until(t, "no run has work for this worker")
	path := filepath.Join(t.TempDir(), "run.jsonl")
	run, _ := begin(t, "score", input, "--nats", url, "nats-storage: 16", "-o", path)
	other.until(t, "waits for another worker: ")
	assert.Contains(t, other.String(), "mapping: down in the run, nearest here")
	_, _ = begin(t, "worker", "--nats", url)
	run.until(t, "20 records")
	assert.True(t, scoreHere(t, input) == read(t, path))
}

func TestAFleetOfModels(t *testing.T) {
	_, url := natsServer(t, nil)
	here, there := serve(t), serve(t)
	newer := fakeollama.Tiny()
	newer.Digest = strings.Repeat("ab", 32)
	strange := serve(t, newer)
	input := many(t, 12)
	want := scoreHere(t, bySide(here, input)[1:]...)
	asked := len(here.Questions())
	model := func(s *fakeollama.Server) []string { return []string{"--model", "tiny", "--ollama", s.URL} }
	other, _ := begin(t, append([]string{"worker", "--nats", url}, model(strange)...)...)
	other.until(t, "no run has work for this worker")
	path := filepath.Join(t.TempDir(), "run.jsonl")
	run, _ := begin(t, append([]string{"score", "--nats", url, "nats-storage: 16", "-o", path},
		bySide(here, input)[1:]...)...)
	other.until(t, "model.digest")
	_, _ = begin(t, append([]string{"worker", "--nats", url}, model(there)...)...)
	run.until(t, "tiny:latest: 12 dialogues")
	assert.True(t, want == read(t, path))
	assert.Len(t, here.Questions(), asked, "the collector asks nothing")
	assert.Len(t, there.Questions(), asked)
	assert.Empty(t, strange.Questions())
	assert.Zero(t, streams(t, url))
}

func TestAModelThatFailsAWorker(t *testing.T) {
	_, url := natsServer(t, nil)
	here, there := serve(t), serve(t)
	worker, _ := begin(t, "worker", "--nats", url, "--model", "tiny", "--ollama", there.URL,
		"model-patience: 1ms")
	worker.until(t, "no run has work for this worker")
	there.Fail("unavailable", -1)
	made, stderr, code := scoreAway(t, url, bySide(here, parcel, "nats-ack-wait: 1s")[1:]...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "the model judged none of the 1 dialogue")
	assert.Contains(t, made, `"reason":"the model did not judge it: http-5xx`)
	assert.Equal(t, 5*3, len(there.Questions()), "each try asks three times")
	assert.Equal(t, 1, strings.Count(worker.String(), "the model's server: http-5xx"),
		"the worker reports it once")
}

func TestAServerThatIsFull(t *testing.T) {
	_, url := natsServer(t, nil)
	input := filepath.Join(t.TempDir(), "wordy.txt")
	said := "USER: Where is my order?\nSYSTEM: " + strings.Repeat("It left today. ", 2000) +
		"\n====\n"
	require.NoError(t, os.WriteFile(input, []byte(strings.Repeat(said, 100)), 0o666))
	path := filepath.Join(t.TempDir(), "run.jsonl")
	run, _ := begin(t, "score", input, "--nats", url, "nats-storage: 1", "-o", path)
	run.until(t, "the NATS server is full")
	assert.Contains(t, run.String(), "waiting for room for dialogues")
	_, _ = begin(t, "worker", "--nats", url)
	run.until(t, "100 records")
	assert.True(t, scoreHere(t, input) == read(t, path))

	_, tiny := natsServer(t, func(o *server.Options) { o.JetStreamMaxStore = 1 << 20 })
	_, stderr, code := scoreAway(t, tiny, input)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "the NATS server is full: insufficient storage resources available")
}

func TestALongDialogueIsJudgedHere(t *testing.T) {
	_, url := natsServer(t, func(o *server.Options) { o.MaxPayload = 32 << 10 })
	_, _ = begin(t, "worker", "--nats", url)
	path := filepath.Join(t.TempDir(), "long.txt")
	said := strings.Repeat(
		"USER: I would like to know where my order is.\nSYSTEM: It left today, as I said.\n", 600)
	require.NoError(t, os.WriteFile(path, []byte(said), 0o666))
	input := many(t, 100)
	made, stderr, code := scoreAway(t, url, input, path)
	require.Equal(t, console.Fine, code, stderr)
	assert.True(t, scoreHere(t, input, path) == made)
}

func TestMaskedTextsStayHere(t *testing.T) {
	_, url := natsServer(t, nil)
	path := filepath.Join(t.TempDir(), "mail.txt")
	require.NoError(t,
		os.WriteFile(path,
			[]byte("USER: Write to ann@example.org about order 12.\nSYSTEM: I have written to ann@example.org.\nUSER: Thank you!\n"), 0o666))
	card := filepath.Join(t.TempDir(), "card.csv")
	require.NoError(t, os.WriteFile(card, []byte("id,role,text\n"+
		"4111111111111111,user,Where is it?\n4111111111111111,agent,It comes today.\n"), 0o666))
	nc, err := nats.Connect(url)
	require.NoError(t, err)
	defer nc.Close()
	var seen told
	_, err = nc.Subscribe("assize.>", func(m *nats.Msg) { _, _ = seen.Write(m.Data) })
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	_, _ = begin(t, "worker", "--nats", url, "--redact")
	made, stderr, code := scoreAway(t, url, parcel, path, card, "--redact")
	require.Equal(t, console.Fine, code, stderr)
	assert.True(t, scoreHere(t, parcel, path, card, "--redact") == made)
	assert.Contains(t, seen.String(), "parcel")
	assert.NotContains(t, seen.String(), "ann@")
	assert.NotContains(t, seen.String(), "4111111111111111")
	assert.Contains(t, made, "[email]")
}

func TestServersThatCannotBeUsed(t *testing.T) {
	_, url := natsServer(t, nil)
	_, plain := natsServer(t, func(o *server.Options) { o.JetStream = false })
	_, locked := natsServer(t, func(o *server.Options) { o.Username, o.Password = "ann", "secret" })
	few := &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{"assize.none"}}}
	_, denied := natsServer(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "ann", Password: "secret", Permissions: few}}
	})
	denied = strings.Replace(denied, "//", "//ann:secret@", 1)
	for _, tt := range []struct {
		reason, stderr string
		args           []string
	}{
		{"nobody there", "no server answers", []string{"--nats", "nats://127.0.0.1:1"}},
		{"no JetStream", "the NATS server does not run JetStream", []string{"--nats", plain}},
		{"no credentials", "uthorization", []string{"--nats", locked}},
		{"no permission", "the NATS server does not permit it", []string{"--nats", denied}},
		{"far away", "is on another machine, and no credentials are given",
			[]string{"--nats", "nats://203.0.113.1:4222"}},
		{"half a certificate", "can be set only together",
			[]string{"--nats", url, "nats-tls-cert: a.pem"}},
		{"an odd cluster", `nats-replicas "2": want 1, 3 or 5`,
			[]string{"--nats", url, "nats-replicas: 2"}},
		{"no cluster", "replicas", []string{"--nats", url, "nats-replicas: 3"}},
	} {
		_, stderr, code := call(t, nil, append([]string{"score", parcel, "--format", "csv"},
			tt.args...)...)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.Contains(t, stderr, tt.stderr, tt.reason)
	}
	_, stderr, code := call(t, nil, "worker", "--nats", denied)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "the NATS server does not permit it")

	open := strings.Replace(locked, "//", "//ann:secret@", 1)
	_, _ = begin(t, "worker", "--nats", open)
	_, stderr, code = call(t, nil, "score", parcel, "--nats", open, "nats-storage: 16", "--format",
		"csv")
	assert.Equal(t, console.Fine, code, stderr)
}
