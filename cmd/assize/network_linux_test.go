package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
)

// TestWithoutNetwork runs every command in a network namespace that has no interface but loopback,
// which is down at first. The kernel counts there every attempt to reach another address: there is
// none, not even with a model and a NATS server, which run inside as well.
func TestWithoutNetwork(t *testing.T) {
	const inside = "ASSIZE_TEST_WITHOUT_NETWORK"
	if os.Getenv(inside) != "" {
		withoutNetwork(t)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWithoutNetwork$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1", "XDG_CONFIG_HOME="+t.TempDir(), "OLLAMA_HOST=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Getuid() != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Skipf("NOT TESTED without a network: this machine allows no namespace: %v", err)
	}
	require.NoError(t, cmd.Wait(), &out)
}

// withoutNetwork is the test inside the namespace.
func withoutNetwork(t *testing.T) {
	up, err := net.Interfaces()
	require.NoError(t, err)
	for _, i := range up {
		require.True(t, i.Flags&net.FlagLoopback != 0 || i.Flags&net.FlagUp == 0, i.Name)
	}
	ran := map[string]bool{}
	run := func(want int, args ...string) string {
		t.Helper()
		ran[args[0]] = true
		stdout, stderr, code := call(t, nil, args...)
		assert.Equal(t, want, code, "%s\n%s%s", args, stdout, stderr)
		return stdout + stderr
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	experiment := func(name, runs string) string {
		text := fmt.Sprintf("dialogues: [%q]\nruns: [%s]\n", absolute(t, parcel), runs)
		require.NoError(t, os.WriteFile(file(name), []byte(text), 0o600))
		return file(name)
	}

	before := counted(t)
	run(console.Fine, "help", "network")
	run(console.Fine, "version")
	run(console.Fine, "explain", "R3")
	run(console.Fine, "completion", "bash")
	run(console.Fine, "score", rated, "-o", file("run.jsonl"))
	run(console.Fine, "score", rated, "--redact", "-o", file("redacted.jsonl"))
	run(console.Fine, "triage", rated)
	run(console.Fine, "report", rated, "-o", file("report.html"))
	run(console.Fine, "replay", file("run.jsonl"))
	run(console.Fine, "agree", file("run.jsonl"))
	run(console.Fine, "fit", file("run.jsonl"), "-o", file("profile.json"))
	run(console.Fine, "compare", file("run.jsonl"), file("redacted.jsonl"))
	run(console.No, "check", filepath.Join(evaluations, "complaint.md"))
	run(console.Fine, "experiment", experiment("rules.yaml", "{name: rules}"), "-o", file("rules"))
	assert.Equal(t, before, counted(t), "without a model and a fleet, nothing is dialled")

	// What needs a server says which one is missing.
	assert.Contains(t, run(console.No, "doctor"), "no server answers at http://127.0.0.1:11434")
	for _, name := range []string{"worker", "fleet"} {
		assert.Contains(t, run(console.Bad, name, "--nats", "nats://127.0.0.1:4222"),
			"no server answers")
	}

	loopback(t)
	model := serve(t)
	_, nats := natsServer(t, nil)
	before = counted(t)
	for _, name := range []string{"review", "serve"} {
		ran[name] = true
		out, stop := begin(t, name, file("run.jsonl"), "--listen", "127.0.0.1:0")
		out.until(t, "http://")
		_, rest, _ := strings.Cut(out.String(), "http://")
		page, err := http.Get("http://" + strings.Fields(rest)[0])
		require.NoError(t, err)
		page.Body.Close()
		assert.Equal(t, http.StatusOK, page.StatusCode)
		assert.Equal(t, console.Fine, stop())
	}
	t.Setenv("OLLAMA_HOST", model.URL)
	run(console.Fine, "doctor")
	run(console.Fine, "score", parcel, "--model", "tiny", "-o", file("judged.jsonl"))
	run(console.Fine, "triage", rated, "--model", "tiny", "--budget", "5%")
	run(console.Fine, "experiment", experiment("model.yaml", "{name: model, model: tiny}"), "-o",
		file("model"))
	worker, stop := begin(t, "worker", "--nats", nats, "metrics: 127.0.0.1:0")
	run(console.Fine, "score", rated, "--nats", nats, "nats-storage: 16", "-o", file("fleet.jsonl"))
	assert.Contains(t, run(console.Fine, "fleet", "--nats", nats), "No run is on the server.")
	assert.Equal(t, console.Fine, stop(), worker)
	assert.Equal(t, before, counted(t), "only the servers named are dialled")

	p := &program{Console: &console.Console{}, commands: flags.Commands{}}
	for _, cmd := range p.command().Commands() {
		if cmd.Runnable() || cmd.HasSubCommands() {
			assert.True(t, ran[cmd.Name()], "%s was not run", cmd.Name())
		}
	}
	_, err = net.DialTimeout("tcp", "192.0.2.1:9", time.Second) // TEST-NET-1, RFC 5737
	require.Error(t, err)
	assert.NotEqual(t, before, counted(t), "this kernel counts what is dialled")
}

// absolute returns the absolute path of a file.
func absolute(t *testing.T, path string) string {
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	return path
}

// loopback makes 127.0.0.1 reachable.
func loopback(t *testing.T) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	require.NoError(t, err)
	lo.SetUint16(unix.IFF_UP)
	require.NoError(t, unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo))
}

// counted returns how often somebody in this namespace tried to reach an address without a route, a
// port where nobody listens, or anybody by UDP, such as a name server.
func counted(t *testing.T) map[string]string {
	data, err := os.ReadFile("/proc/self/net/snmp")
	require.NoError(t, err)
	all, names := map[string]string{}, []string(nil)
	for line := range strings.Lines(string(data)) { // a line of names, then one of numbers
		fields := strings.Fields(line)
		if len(names) > 0 && names[0] == fields[0] {
			for i, name := range names {
				all[names[0]+name] = fields[i]
			}
		}
		names = fields
	}
	six, _ := os.ReadFile("/proc/self/net/snmp6") // missing without IPv6
	for line := range strings.Lines(string(six)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			all[fields[0]] = fields[1]
		}
	}
	out := map[string]string{}
	for _, name := range []string{"Ip:OutNoRoutes", "Tcp:AttemptFails", "Udp:OutDatagrams",
		"Ip6OutNoRoutes", "Udp6OutDatagrams"} {
		out[name] = all[name]
	}
	return out
}
