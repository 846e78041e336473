//go:build !windows

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm/fakeollama"
)

// process is a program that runs during the test.
type process struct {
	t    testing.TB
	args []string
	told *told
	cmd  *exec.Cmd
	done chan error
}

func start(t testing.TB, args ...string) *process {
	t.Helper()
	p := &process{t: t, args: configured(t, args), told: &told{}}
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *process) start() {
	p.cmd, p.done = exec.Command(p.args[0], p.args[1:]...), make(chan error, 1)
	p.cmd.Stderr, p.cmd.Stdout = p.told, io.Discard
	_, err := p.cmd.StdinPipe() // which is closed with the test
	require.NoError(p.t, err)
	require.NoError(p.t, p.cmd.Start())
	go func() { p.done <- p.cmd.Wait() }()
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
	p.done <- nil
}

// restart kills the process and starts it again.
func (p *process) restart() {
	p.kill()
	p.start()
}

// freePort returns an unused port.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// soaking skips tests that take minutes, unless they are requested.
func soaking(t *testing.T) {
	t.Helper()
	if os.Getenv("ASSIZE_SOAK") == "" {
		t.Skip("takes minutes; ASSIZE_SOAK=1 runs it")
	}
}

// finish restarts a collector that was killed or found no server, until the run is complete.
func finish(t testing.TB, collector *process, path string, size int) {
	t.Helper()
	until := time.Now().Add(20 * time.Minute)
	for time.Now().Before(until) {
		select {
		case err := <-collector.done:
			collector.done <- err
			if err == nil {
				return
			}
			collector.restart()
			time.Sleep(time.Second)
		case <-time.After(time.Second):
		}
	}
	t.Fatalf("the run has %d of %d bytes:\n%s", sizeOf(path), size, collector.told)
}

// grow waits until a run grows by some records, and restarts the collector if it has ended.
func grow(t testing.TB, collector *process, path string, by int) {
	t.Helper()
	from, until := sizeOf(path), time.Now().Add(5*time.Minute)
	for sizeOf(path) < from+by {
		select {
		case err := <-collector.done:
			collector.done <- err
			if err == nil {
				return
			}
			collector.restart()
			time.Sleep(time.Second)
		case <-time.After(5 * time.Millisecond):
		}
		require.True(t, time.Now().Before(until), "the run does not grow:\n%s", collector.told)
	}
}

// TestFleetIsKilled kills workers, collector and server in one run.
func TestFleetIsKilled(t *testing.T) {
	soaking(t)
	input := many(t, 20_000)
	want := scoreHere(t, input)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	port, folder := freePort(t), t.TempDir()
	nats := start(t, "nats-tied", fmt.Sprint(port), folder)
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)
	collector := start(t, "assize-tied", "score", input, "--nats", url, "nats-ack-wait: 2s",
		"-o", path)
	var workers []*process
	for range 2 {
		workers = append(workers, start(t, "assize-tied", "worker", "--nats", url, "--jobs", "1"))
	}
	var events []int
	for i, n := range []int{20, 5, 5} {
		for range n {
			events = append(events, i)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	begun := time.Now()
	for _, e := range events {
		grow(t, collector, path, len(want)/(len(events)+8))
		switch e {
		case 0:
			workers[random.IntN(len(workers))].restart()
		case 1:
			collector.restart()
		case 2:
			nats.restart()
		}
		for _, w := range workers {
			select {
			case <-w.done: // it found no server
				w.done <- nil
				w.restart()
			default:
			}
		}
	}
	finish(t, collector, path, len(want))
	t.Logf("20 × worker, 5 × collector, 5 × server killed in %.0f s", time.Since(begun).Seconds())
	assert.True(t, want == read(t, path), "the same bytes")
	assert.Zero(t, streams(t, url))
}

// TestFleetOnACluster kills the leader of a stream three times.
func TestFleetOnACluster(t *testing.T) {
	soaking(t)
	input := many(t, 10_000)
	want := scoreHere(t, input)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	var urls, routes []string
	var ports, clusterPorts []int
	for range 3 {
		ports, clusterPorts = append(ports, freePort(t)), append(clusterPorts, freePort(t))
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[len(ports)-1]))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", clusterPorts[len(ports)-1]))
	}
	servers := map[string]*process{}
	for i := range 3 {
		name := fmt.Sprintf("n%d", i)
		servers[name] = start(t, "nats-tied", fmt.Sprint(ports[i]), t.TempDir(), name,
			fmt.Sprint(clusterPorts[i]), strings.Join(routes, ","))
	}
	all := strings.Join(urls, ",")
	nc, err := nats.Connect(all, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(200*time.Millisecond))
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	require.Eventually(t,
		func() bool { _, err := js.AccountInfo(t.Context()); return err == nil }, time.Minute,
		time.Second)
	collector := start(t, "assize-tied", "score", input, "--nats", all, "nats-replicas: 3",
		"nats-ack-wait: 3s", "-o", path)
	for range 2 {
		start(t, "assize-tied", "worker", "--nats", all, "--jobs", "1")
	}
	for range 3 {
		grow(t, collector, path, len(want)/6)
		leader := ""
		require.Eventually(t, func() bool {
			for info := range js.ListStreams(t.Context()).Info() {
				if info.Cluster != nil && strings.HasPrefix(info.Config.Name, "ASSIZE_WORK_") {
					leader = info.Cluster.Leader
				}
			}
			return leader != ""
		}, time.Minute, time.Second)
		t.Logf("the leader %s is killed at %d %%", leader, 100*sizeOf(path)/len(want))
		servers[leader].kill()
		grow(t, collector, path, len(want)/20) // without the killed one
		servers[leader].start()
	}
	finish(t, collector, path, len(want))
	assert.True(t, want == read(t, path), "the same bytes")
}

// TestFleetIsFast measures the rules with a fleet against score alone, and a slow model with one
// worker and with eight.
func TestFleetIsFast(t *testing.T) {
	soaking(t)
	port := freePort(t)
	start(t, "nats-tied", fmt.Sprint(port), t.TempDir())
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)
	time.Sleep(time.Second)
	input := many(t, 10_000)
	timed := func(args ...string) float64 {
		begun := time.Now()
		p := start(t,
			append([]string{"assize-tied", "score", "--quiet", "-o",
				filepath.Join(t.TempDir(), "run.jsonl")}, args...)...)
		err := <-p.done
		p.done <- nil
		require.NoError(t, err, p.told.String())
		return time.Since(begun).Seconds()
	}
	var workers []*process
	for range 2 {
		workers = append(workers, start(t, "assize-tied", "worker", "--nats", url, "--jobs", "1"))
	}
	time.Sleep(2 * time.Second)
	var alone, away float64
	for range 3 { // alternating, so that other load on the machine slows both
		alone += timed(input)
		away += timed(input, "--nats", url)
	}
	t.Logf("10,000 dialogues by the rules: %.1f s alone, %.1f s by two workers: %.2f as fast",
		alone/3, away/3, alone/away)
	for _, w := range workers {
		w.kill()
	}

	model := serve(t)
	model.Answer(func(r fakeollama.Request) string {
		time.Sleep(200 * time.Millisecond)
		return fakeollama.Valid(r)
	})
	const dialogues = 160 // of about 16 calls each
	input = many(t, dialogues)
	args := []string{input, "--nats", url, "--model", "tiny", "--ollama", model.URL, "--critic",
		"rules"}
	var took []float64
	for _, n := range []int{1, 7} { // one, and seven more
		for range n {
			start(t, "assize-tied", "worker", "--nats", url, "--model", "tiny", "--ollama",
				model.URL, "--critic", "rules")
		}
		time.Sleep(4 * time.Second)
		took = append(took, timed(args...))
	}
	t.Logf("%d dialogues by a model of 200 ms: %.1f s by one worker, %.1f s by eight: "+
		"%.1f times as fast", dialogues, took[0], took[1], took[0]/took[1])
}

// TestFleetInLittleMemory measures the memory of a collector of a million dialogues.
func TestFleetInLittleMemory(t *testing.T) {
	soaking(t)
	port := freePort(t)
	start(t, "nats-tied", fmt.Sprint(port), t.TempDir())
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)
	time.Sleep(time.Second)
	for range 2 {
		start(t, "assize-tied", "worker", "--nats", url, "--jobs", "1")
	}
	path := filepath.Join(t.TempDir(), "million.txt")
	f, err := os.Create(path)
	require.NoError(t, err)
	for i := range 1_000_000 {
		fmt.Fprintf(f, "USER\tWhere is order %d?\t\t\nSYSTEM\tIt left today.\t\t\n\n", i)
	}
	require.NoError(t, f.Close())
	begun := time.Now()
	p := start(t, "assize-tied", "score", path, "--input-format", "uss", "--nats", url, "--quiet",
		"-o", filepath.Join(t.TempDir(), "run.jsonl"))
	err = <-p.done
	p.done <- nil
	require.NoError(t, err, p.told.String())
	usage := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("1,000,000 dialogues in %.0f s, and the collector took %d MB at most",
		time.Since(begun).Seconds(), usage.Maxrss>>10)
	assert.Less(t, usage.Maxrss>>10, int64(200))
}

// TestALargeDialogue scores a dialogue of 10 MB, which exceeds the size of a message.
func TestALargeDialogue(t *testing.T) {
	soaking(t)
	_, url := natsServer(t, nil)
	_, _ = begin(t, "worker", "--nats", url)
	path := filepath.Join(t.TempDir(), "large.txt")
	said := strings.Repeat("USER: I would like to know where my order is. "+strings.Repeat(
		"Really. ", 100)+"\nSYSTEM: It left today, as I said.\n", 11_500)
	require.NoError(t, os.WriteFile(path, []byte(said), 0o666))
	input := many(t, 50)
	made, stderr, code := scoreAway(t, url, input, path, "max-dialogue: 16")
	require.Zero(t, code, stderr)
	assert.True(t, scoreHere(t, input, path, "max-dialogue: 16") == made)
}
