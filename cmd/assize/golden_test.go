package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/rubric"
)

// TestGoldenEvaluations compares the debate document of each of our transcripts with the file in
// testdata/golden, and validates both protocols' documents against their schemas.
func TestGoldenEvaluations(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "transcripts", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	debate, single := schemasOf(t, "debate"), schemasOf(t, "single")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got := evaluate(t, file, "debate", debate)
			evaluate(t, file, "single", single)
			golden := filepath.Join("..", "..", "testdata", "golden", filepath.Base(file)+".json")
			if *update {
				require.NoError(t, os.WriteFile(golden, got, 0o666))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got))
		})
	}
}

// recordSchema returns the schema of a record that assize help runs prints.
func recordSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	stdout, stderr, code := call(t, nil, "help", "runs")
	require.Equal(t, console.Fine, code, stderr)
	_, text, ok := strings.Cut(stdout, "\n{\n")
	require.True(t, ok, "help runs has a schema")
	text, _, _ = strings.Cut(text, "\n}\n")
	text = "{" + text + "}"
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("record.json", doc))
	schema, err := compiler.Compile("record.json")
	require.NoError(t, err)
	return schema
}

// valid asserts that a line of a run is valid by a schema.
func valid(t testing.TB, schema *jsonschema.Schema, line []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	require.NoError(t, err)
	assert.NoError(t, schema.Validate(v), "%.200s", line)
}

// The records of runs by rules are valid by the schema that help runs prints; those by a model are
// where they are made, see recorded.
func TestRunsAreValidBySchema(t *testing.T) {
	schema := recordSchema(t)
	folder := filepath.Join("..", "..", "testdata")
	scorecard := filepath.Join(folder, "scorecard", "parcel.yaml")
	for _, args := range [][]string{
		{transcripts, "--system-name", "Brightline Mobile"},
		{filepath.Join(folder, "rated")},
		{filepath.Join(folder, "desk", "dialogues.jsonl")},
		{filepath.Join(folder, "rated"), "--rubric", scorecard},
		{filepath.Join(folder, "rated"), "--redact"},
	} {
		text, err := os.ReadFile(runFile(t, "run.jsonl", args...))
		require.NoError(t, err)
		for line, err := range run.Read(bytes.NewReader(text), "run.jsonl") {
			require.NoError(t, err)
			valid(t, schema, line.Text)
		}
	}
	line := []byte(`{"dialogue_id":1,"source":{},"status":"scored","turns":[]}`)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	require.NoError(t, err)
	assert.Error(t, schema.Validate(v))
}

// TestDocumentsOfRatedDialogues validates documents of the rated dialogues against the schemas, two
// sets for each protocol.
func TestDocumentsOfRatedDialogues(t *testing.T) {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the rated dialogues there is nothing to hold against the schemas")
	}
	for i, set := range ratedSets {
		protocol := []string{"debate", "single"}[i%2]
		evaluate(t, filepath.Join(shared, "data", "uss", set+".txt"),
			protocol, schemasOf(t, protocol))
	}
}

// evaluate scores a file as a user would and validates each document that it prints.
func evaluate(t *testing.T, file, protocol string, schemas []*jsonschema.Schema) []byte {
	var stdout, stderr bytes.Buffer
	args := configured(t, []string{"score", file, "--format", "json", "--protocol", protocol,
		"--system-name", "Brightline Mobile"})
	code := execute(context.Background(), args, nil, &stdout, &stderr)
	require.Equal(t, console.Fine, code, stderr.String())
	var documents []json.RawMessage
	if bytes.HasPrefix(stdout.Bytes(), []byte("[")) {
		require.NoError(t, json.Unmarshal(stdout.Bytes(), &documents))
	} else {
		documents = append(documents, stdout.Bytes())
	}
	for _, document := range documents {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
		require.NoError(t, err)
		for _, schema := range schemas {
			require.NoError(t, schema.Validate(value), "%s", document)
		}
	}
	return stdout.Bytes()
}

// schemasOf returns the embedded schema of a protocol, and the stricter one that our documents
// satisfy.
func schemasOf(t *testing.T, protocol string) []*jsonschema.Schema {
	embedded := rubric.DebateSchema()
	if protocol == "single" {
		embedded = rubric.SingleSchema()
	}
	ours, err := os.ReadFile(filepath.Join("..", "..", "rubric", "testdata",
		"ours."+protocol+".schema.json"))
	require.NoError(t, err)
	return []*jsonschema.Schema{compileSchema(t, embedded), compileSchema(t, ours)}
}

func compileSchema(t *testing.T, text []byte) *jsonschema.Schema {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("schema.json", document))
	schema, err := compiler.Compile("schema.json")
	require.NoError(t, err)
	return schema
}
