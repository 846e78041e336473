package record

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Version is the version of the format of runs. It grows when a reader must know of a change.
const Version = 1

// Header is the first line of a run: what all its records share. It holds no time and no path, so the same
// work gives the same bytes on any day and any machine.
type Header struct {
	Version       int           `json:"assize_run"`
	Program       string        `json:"program"` // the module's version
	Configuration Configuration `json:"configuration"`
	Provenance    Provenance    `json:"provenance"`
}

// Configuration is what the user chose, as far as a record depends on it.
type Configuration struct {
	Evaluator   string            `json:"evaluator"` // who played the agent: "rules"
	Critic      string            `json:"critic"`
	Mapping     string            `json:"mapping"`
	InputFormat string            `json:"input_format,omitempty"`
	SystemNames []string          `json:"system_names,omitempty"`
	Roles       map[string]string `json:"roles,omitempty"` // speaker to role; encoding/json sorts the keys
	Transcript  string            `json:"transcript"`      // "full", or "cited" where only cited turns are kept
	Redacted    bool              `json:"redacted"`
}

// Provenance identifies what scores depend on besides the transcript, by SHA-256.
type Provenance struct {
	Rubric  string `json:"rubric"`
	Lexicon string `json:"lexicon"`
}

// Append appends the header to b as one line of JSON, without the newline.
func (h Header) Append(b []byte) []byte {
	h.Version = Version
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	if err := enc.Encode(h); err != nil {
		panic(err) // strings and booleans always encode
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// ParseHeader reads the first line of a run. ok is false where the line is a record already: a run may lack
// its header. The error tells of a header that this program cannot read.
func ParseHeader(line []byte) (h Header, ok bool, err error) {
	var probe struct {
		Version *int `json:"assize_run"`
	}
	if err := json.Unmarshal(line, &probe); err != nil {
		return h, false, fmt.Errorf("not a run: %w; want JSON lines as `assize score --format jsonl` writes", err)
	}
	if probe.Version == nil {
		return h, false, nil
	}
	if *probe.Version != Version {
		return h, false, fmt.Errorf("the run has version %d; want %d, or the program that wrote it", *probe.Version, Version)
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&h); err != nil {
		return h, false, fmt.Errorf("the run's header: %w", err)
	}
	return h, true, nil
}
