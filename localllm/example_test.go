package localllm_test

import (
	"context"
	"errors"
	"fmt"
	"testing/fstest"

	"assize/heuristics"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// A model is the Evaluator, the rules are the Critic, and the Referee settles.
func ExampleOpen() {
	server := fakeollama.Start() // in place of one that `ollama serve` starts
	defer server.Close()
	server.Answer(rate(80))

	ctx := context.Background()
	model, err := localllm.Open(ctx, localllm.Options{Address: server.URL, Model: "tiny"})
	if err != nil {
		fmt.Println(err)
		return
	}
	agents := heuristics.New()
	session := model.Session(rubric.AllCriteria, 0)
	critic := agents.Critic(rubric.Default())
	panel := rubric.Panel{Rubric: rubric.Default(), Observe: agents.Observe, Evaluator: session,
		Critic: critic}
	e, err := panel.Judge(ctx, booking().Dialogue)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Average, e.Final[rubric.Fluency].Sentence(e.Dialogue))
	fmt.Println("flags:", session.Account().Flags)
	// Output:
	// 72.00 The model finds it likely (70 %) that every sentence of the SYSTEM is correct, natural English, but no words of the transcript were quoted for it.
	// flags: [flat]
}

// What cannot be used is refused by name, with what to do about it.
func ExampleFailure() {
	server := fakeollama.Start()
	defer server.Close()
	_, err := localllm.Open(context.Background(), localllm.Options{Address: server.URL,
		Model: "qwen2.5:1.5b"})
	var f *localllm.Failure
	if errors.As(err, &f) {
		fmt.Println(f.Kind)
		fmt.Println(f.Msg)
		fmt.Println(f.Hint)
	}
	// Output:
	// model-absent
	// the server has no model qwen2.5:1.5b; it has tiny:latest
	// get it with: ollama pull qwen2.5:1.5b
}

// The words of the answer go through the same checks, whoever wrote the question.
func ExampleReadPrompts() {
	_, err := localllm.ReadPrompts(fstest.MapFS{
		"question.tmpl": {Data: []byte("Be {{.Strictness}}!")}})
	fmt.Println(err)
	// Output:
	// prompts: template: question.tmpl:1:5: executing "question.tmpl" at <.Strictness>: can't evaluate field Strictness in type localllm.questionData
}

func ExampleSurvey() {
	server := fakeollama.Start()
	defer server.Close()
	inventory, err := localllm.Survey(context.Background(), localllm.Options{Address: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range inventory.Models {
		fmt.Println(m.Name, m.Parameters, m.Quantization, m.ContextLength, m.Template)
	}
	// Output:
	// tiny:latest 1K F16 8192 true
}
