package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// many writes a file with n different dialogues: those of a rated file repeatedly, each time with
// another number in the first utterance.
func many(t testing.TB, n int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(rated, "rooms.txt"))
	require.NoError(t, err)
	dialogues := strings.Split(strings.TrimSpace(string(data)), "\n\n")
	var b strings.Builder
	for i := range n {
		fields := strings.SplitN(dialogues[i%len(dialogues)], "\t", 3)
		fmt.Fprintf(&b, "%s\t%s %d\t%s\n\n", fields[0], fields[1], i, fields[2])
	}
	path := filepath.Join(t.TempDir(), "many.txt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
	return path
}

// killing runs a command that writes a run again and again, and kills it at random moments until it
// completes. It checks that each time the run resumes after the existing records, and returns the
// number of kills.
//
// The moments are chosen by how many bytes of the total are written, because on a busy machine a
// command may make no progress in any given time.
func killing(t testing.TB, random *rand.Rand, bytes int, run string, args ...string) (kills int) {
	t.Helper()
	args = configured(t, args)
	for {
		stands, size := wholeRecords(t, run), sizeOf(run)
		moment := size + random.IntN(max(bytes*11/10-size, 1))
		var told strings.Builder
		cmd := exec.Command("assize", args...)
		cmd.Stderr = &told
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		killed, err := killedAt(cmd, run, moment, ended)
		if went := regexp.MustCompile(`resuming after ([0-9]+) record|already complete with ([0-9]+) record`).FindStringSubmatch(told.String()); went != nil {
			assert.Equal(t,
				strconv.Itoa(stands), went[1]+went[2], "what stands there is not judged again")
		} else if !killed {
			assert.Zero(t, stands, told.String())
		}
		if !killed {
			require.NoError(t, err, told.String())
			return kills
		}
		require.GreaterOrEqual(t, wholeRecords(t, run), stands, "nothing is lost")
		kills++
	}
}

// killedAt kills a command when a file has reached a size in bytes, unless the command ends before
// that.
func killedAt(cmd *exec.Cmd, file string, bytes int, ended <-chan error) (killed bool, err error) {
	for sizeOf(file) < bytes {
		select {
		case err := <-ended:
			return false, err
		case <-time.After(200 * time.Microsecond):
		}
	}
	cmd.Process.Kill()
	err = <-ended
	return cmd.ProcessState.ExitCode() == -1, err
}

func sizeOf(file string) int {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// wholeRecords returns the number of completely written records of a run.
func wholeRecords(t testing.TB, run string) int {
	data, err := os.ReadFile(run)
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	n := 0
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte(`{"dialogue_id"`)) && bytes.HasSuffix(line, []byte("\n")) {
			n++
		}
	}
	return n
}

func TestAKilledRunGoesOn(t *testing.T) {
	const dialogues, wanted = 400, 20
	input, folder := many(t, dialogues), t.TempDir()
	whole := filepath.Join(folder, "whole.jsonl")
	_, stderr, code := call(t, nil, "score", input, "-o", whole)
	require.Equal(t, console.Fine, code, stderr)
	want, err := os.ReadFile(whole)
	require.NoError(t, err)

	random := rand.New(rand.NewPCG(6, 1))
	kills := 0
	for i := 0; kills < wanted; i++ {
		run := filepath.Join(folder, fmt.Sprintf("run%d.jsonl", i))
		n := killing(t, random, len(want), run, "score", input, "-o", run)
		kills += n
		got, err := os.ReadFile(run)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "the bytes of run %d, after %d kills", i, n)
		require.NoError(t, os.Remove(run))
	}
}

func TestAKilledRunWithAModelGoesOn(t *testing.T) {
	s := serve(t)
	input, folder := many(t, 40), t.TempDir()
	whole, run := filepath.Join(folder, "whole.jsonl"), filepath.Join(folder, "run.jsonl")
	_, stderr, code := call(t, nil, append(bySide(s, input), "-o", whole)...)
	require.Equal(t, console.Fine, code, stderr)
	once := len(s.Requests())
	want, err := os.ReadFile(whole)
	require.NoError(t, err)

	kills := 0
	for seed := uint64(0); kills < 5; seed++ {
		require.NoError(t, os.RemoveAll(run))
		before := len(s.Requests())
		n := killing(t, rand.New(rand.NewPCG(6, seed)), len(want), run,
			append(bySide(s, input), "-o", run)...)
		kills += n
		got, err := os.ReadFile(run)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "the bytes after %d kills", n)
		// One dialogue is in progress at a time, with about ten requests; starting takes a few
		// more.
		assert.LessOrEqual(t, len(s.Requests())-before, once+20*n)
	}
}

func TestASignalLeavesARunThatGoesOn(t *testing.T) {
	input, folder := many(t, 30000), t.TempDir()
	whole, run := filepath.Join(folder, "whole.jsonl"), filepath.Join(folder, "run.jsonl")
	_, stderr, code := call(t, nil, "score", input, "-o", whole)
	require.Equal(t, console.Fine, code, stderr)
	for signal, with := range map[os.Signal]struct{ flag, hint string }{
		os.Interrupt:    {"--restart=false", "run the same command again to resume"},
		syscall.SIGTERM: {"--restart", "run the same command without --restart to resume"},
	} {
		cmd := exec.Command("assize", "score", input, "-o", run, with.flag)
		var told bytes.Buffer
		cmd.Stderr = &told
		require.NoError(t, cmd.Start())
		for wholeRecords(t, run) < 10 {
			time.Sleep(time.Millisecond)
		}
		require.NoError(t, cmd.Process.Signal(signal))
		require.Error(t, cmd.Wait())
		assert.Equal(t, console.Bad, cmd.ProcessState.ExitCode(), "%s", signal)
		stands := wholeRecords(t, run)
		assert.Equal(t,
			fmt.Sprintf("assize: stopped after %d dialogues; the rest is not scored\nhint: %s\n",
				stands, with.hint), told.String())
		data, err := os.ReadFile(run)
		require.NoError(t, err)
		assert.True(t, bytes.HasSuffix(data, []byte("\n")), "no line is torn")

		_, stderr, code := call(t, nil, "score", input, "-o", run)
		assert.Equal(t, console.Fine, code, stderr)
		assert.Contains(t, stderr, fmt.Sprintf("resuming after %d records", stands))
		want, _ := os.ReadFile(whole)
		got, _ := os.ReadFile(run)
		assert.True(t, bytes.Equal(want, got))
		require.NoError(t, os.Remove(run))
	}
}

func TestAFullDiskLosesNothing(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("no shell that could limit what is written: %v", err)
	}
	input, folder := many(t, 60), t.TempDir()
	whole, run := filepath.Join(folder, "whole.jsonl"), filepath.Join(folder, "run.jsonl")
	_, stderr, code := call(t, nil, "score", input, "-o", whole)
	require.Equal(t, console.Fine, code, stderr)
	want, err := os.ReadFile(whole)
	require.NoError(t, err)
	for _, blocks := range []int{1, 100, 300} { // of 512 or 1024 bytes
		cmd := exec.Command("sh", "-c",
			fmt.Sprintf(`ulimit -f %d && exec assize score "$0" -o "$1"`, blocks), input, run)
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		assert.Equal(t, console.Bad, cmd.ProcessState.ExitCode(), "%s", out)
		assert.Regexp(t, `(^|\n)assize: (-o|write) .*run\.jsonl: file too large\n`, string(out))
		got, err := os.ReadFile(run)
		require.NoError(t, err)
		assert.True(t, bytes.HasPrefix(want, got), "what is written is right")
		assert.True(t, len(got) == 0 || got[len(got)-1] == '\n', "and whole")
	}
	stands := wholeRecords(t, run)
	require.NotZero(t, stands)
	_, stderr, code = call(t, nil, "score", input, "-o", run)
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, stderr, fmt.Sprintf("resuming after %d records", stands))
	got, err := os.ReadFile(run)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, got))
}

func TestAFullDiskLeavesWhatWasThere(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("no shell that could limit what is written: %v", err)
	}
	table := filepath.Join(t.TempDir(), "scores.csv")
	call(t, nil, "score", parcel, "-o", table)
	was, err := os.ReadFile(table)
	require.NoError(t, err)
	out, err := exec.Command("sh", "-c", `ulimit -f 1 && exec assize score "$0" -o "$1"`,
		many(t, 60), table).CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, "assize: -o "+table+": file too large\n", string(out))
	files, err := os.ReadDir(filepath.Dir(table))
	require.NoError(t, err)
	assert.Len(t, files, 1)
	is, err := os.ReadFile(table)
	require.NoError(t, err)
	assert.Equal(t, string(was), string(is))
}

func TestWhereNothingCanBeWritten(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none", "run.jsonl")
	_, stderr, code := call(t, nil, "score", parcel, "-o", none)
	assert.Equal(t, console.Bad, code)
	assert.Equal(t, "assize: -o "+none+": no such file or directory\n", stderr)
	_, stderr, code = call(t, nil, "score", parcel, "--format", "jsonl", "-o", t.TempDir())
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "is a directory")
	folder := t.TempDir()
	_, stderr, code = call(t, nil, "score", parcel, "-o", folder)
	assert.Equal(t, console.Bad, code)
	assert.Equal(t, "assize: -o "+folder+
		": is a folder; want a file\nhint: see assize score --help\n", stderr)
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("no device that is always full: %v", err)
	}
	run := filepath.Join(t.TempDir(), "run.jsonl")
	_, stderr, code = call(t, nil, "score", rated, "-o", run)
	require.Equal(t, console.Fine, code, stderr)
	_, stderr, code = call(t, nil, "report", run, "--format", "csv", "-o", "/dev/full")
	assert.Equal(t, console.Bad, code)
	assert.Equal(t, 1, strings.Count(stderr, "no space left on device"), stderr)
	_, stderr, code = call(t, nil, "score", parcel, "--format", "jsonl", "-o", "/dev/full")
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "no space left on device")
}

// Dialogues with the same turns are all judged; with a cache, the model is asked only once about
// them.
func TestACacheAnswersForTheSameTurns(t *testing.T) {
	s := serve(t)
	folder := t.TempDir()
	twin := filepath.Join(folder, "twin.txt")
	data, err := os.ReadFile(parcel)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(twin, data, 0o666))
	run := filepath.Join(folder, "run.jsonl")
	_, stderr, code := call(t, nil, append(bySide(s, parcel), "--format", "jsonl")...)
	require.Equal(t, console.Fine, code, stderr)
	before := len(s.Requests())
	_, stderr, code = call(t, nil, append(bySide(s, parcel, twin), "-o", run, "--cache",
		filepath.Join(folder, "cache"))...)
	require.Equal(t, console.Fine, code, stderr)
	assert.Equal(t, before, len(s.Requests())-before, "the twin takes no request")
	_, stderr, code = call(t, nil, "replay", run)
	assert.Equal(t, console.Fine, code, stderr)
	made, err := os.ReadFile(run)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(made), `"duplicate_of"`))
}
