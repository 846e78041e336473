package localllm_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// talk returns a dialogue of lines such as "USER: Hello.".
func talk(lines ...string) dialogue.Dialogue {
	d := dialogue.Dialogue{ID: 1}
	for _, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		d.Turns = append(d.Turns,
			dialogue.Turn{Role: map[string]dialogue.Role{"USER": dialogue.User,
				"SYSTEM": dialogue.System}[role], Text: text})
	}
	return d
}

// booking returns a case in which the SYSTEM misreads a number and the USER says so.
func booking() rubric.Case {
	return rubric.Case{
		Dialogue: talk(
			"USER: A table for four at the Golden Lantern, please.",
			"SYSTEM: Certainly! I have booked a table for five.",
			"USER: No, I said four.",
			"SYSTEM: My apologies, it is four now. Is there anything else?",
			"TOOL: lookup ok",
			"USER: That's all, thank you.",
			"SYSTEM: Good bye!",
		),
		Signals: []rubric.Signal{
			{ID: "reaction-rejects", Criteria: rubric.SetOf(rubric.TaskSuccess,
				rubric.Understanding, rubric.Accuracy), Turn: 3, About: 2, Points: -200, Start: 0,
				End: 15},
			{ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.Empathy), Turn: 4, Points: 80,
				Start: 0, End: 12},
			{ID: "reaction-thanks", Criteria: rubric.SetOf(rubric.TaskSuccess), Turn: 6, Points: 50,
				Start: 12, End: 21},
		},
	}
}

// serve starts a fake server that closes with the test.
func serve(t testing.TB, models ...fakeollama.Model) *fakeollama.Server {
	t.Helper()
	s := fakeollama.Start(models...)
	t.Cleanup(s.Close)
	return s
}

// options returns options for a model of the server, without patience.
func options(s *fakeollama.Server) localllm.Options {
	return localllm.Options{Address: s.URL, Model: "tiny", Patience: 20 * time.Millisecond,
		Deadline: 10 * time.Second}
}

// open opens a model and fails the test if it cannot.
func open(t testing.TB, o localllm.Options) *localllm.Model {
	t.Helper()
	m, err := localllm.Open(context.Background(), o)
	require.NoError(t, err)
	return m
}
