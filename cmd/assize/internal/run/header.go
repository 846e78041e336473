package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"assize/cmd/assize/internal/calibration"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// Version is the version of the format of runs. It grows when a reader must know of a change: 2 carries the
// rubric and the profile themselves, and not only their digests; 3 ends in a closing line.
const Version = 3

// Header is the first line of a run: what all its records have in common. It holds no time and no path, so the same
// work gives the same bytes on any day and any machine.
type Header struct {
	Program       string // the module's version
	Configuration Configuration
	Lexicon       string             // the digest of the rule agents' data
	Model         *localllm.Identity // nil where none was asked
	Basis         Basis
}

// Configuration is what the user chose, as far as a record depends on it.
type Configuration struct {
	Evaluator   string            `json:"evaluator"`          // who played the agent: "rules", "model" or, by criterion, "skill"
	Critic      string            `json:"critic"`             // "rules", "model" or "both"
	Fallback    string            `json:"fallback,omitempty"` // who takes a role that the model fails in: "rules"; empty for nobody
	Mapping     string            `json:"mapping"`
	Kind        string            `json:"kind,omitempty"` // of all dialogues, where it was set: "request" or "service"
	InputFormat string            `json:"input_format,omitempty"`
	Columns     map[string]string `json:"columns,omitempty"` // of a table, by their use, as --columns named them
	Dates       string            `json:"dates,omitempty"`   // "us" or "eu", where it was set
	Sheet       string            `json:"sheet,omitempty"`   // of a workbook, where it was set
	MaxDialogue int               `json:"max_dialogue,omitempty"`
	SystemNames []string          `json:"system_names,omitempty"`
	Roles       map[string]string `json:"roles,omitempty"` // speaker to role; encoding/json sorts the keys
	Transcript  string            `json:"transcript"`      // "full": every turn is kept
	Redacted    bool              `json:"redacted"`
}

// Basis is what a record follows from besides its own evidence: the rubric by which the Referee settles, and the
// profile that estimates satisfaction, and the calibration of the model.
type Basis struct {
	Rubric      rubric.Rubric
	Profile     heuristics.Profile
	Calibration *calibration.Calibration // nil where there is no model, or none of it
}

// DefaultBasis is the embedded rubric and profile.
func DefaultBasis() Basis {
	return Basis{Rubric: rubric.Default(), Profile: heuristics.DefaultProfile()}
}

// Provenance identifies what scores and satisfaction depend on besides the transcript, by SHA-256.
type Provenance struct {
	Rubric  string             `json:"rubric"`
	Lexicon string             `json:"lexicon"`
	Profile string             `json:"profile"`
	Model   *localllm.Identity `json:"model,omitempty"`
}

// Provenance gives the digests.
func (h *Header) Provenance() Provenance {
	return Provenance{Rubric: h.Basis.Rubric.Digest(), Lexicon: h.Lexicon, Profile: h.Basis.Profile.Digest(), Model: h.Model}
}

// Scale returns the scale by which the model's answers about a criterion become its score.
func (h *Header) Scale(k rubric.Criterion) localllm.Scale {
	if c := h.Basis.Calibration; c != nil {
		return c.Criteria[k].Scale
	}
	return localllm.PlainScale
}

// ModelEvaluates reports whether the model is the Evaluator of a criterion.
func (h *Header) ModelEvaluates(k rubric.Criterion) bool {
	switch h.Configuration.Evaluator {
	case "model":
		return true
	case "skill":
		return h.Basis.Calibration != nil && h.Basis.Calibration.Seats().Has(k)
	}
	return false
}

// headerWire is a header as JSON. The fingerprint is the SHA-256 of the line with an empty fingerprint.
type headerWire struct {
	Version       int             `json:"assize_run"`
	Program       string          `json:"program"`
	Configuration Configuration   `json:"configuration"`
	Provenance    Provenance      `json:"provenance"`
	Rubric        json.RawMessage `json:"rubric"`
	Profile       json.RawMessage `json:"profile"`
	Calibration   json.RawMessage `json:"calibration,omitempty"`
	Fingerprint   string          `json:"fingerprint"`
}

func (h *Header) encode() (line []byte, fingerprint string) {
	w := headerWire{
		Version: Version, Program: h.Program, Configuration: h.Configuration, Provenance: h.Provenance(),
		Rubric: h.Basis.Rubric.AppendJSON(nil), Profile: h.Basis.Profile.AppendJSON(nil),
	}
	if h.Basis.Calibration != nil {
		w.Calibration = h.Basis.Calibration.AppendJSON(nil)
	}
	line, _ = json.Marshal(w) // its parts are strings, booleans and JSON
	sum := sha256.Sum256(line)
	w.Fingerprint = hex.EncodeToString(sum[:])
	line, _ = json.Marshal(w)
	return line, w.Fingerprint
}

// Append appends the header to b as one line of JSON, without the line break.
func (h *Header) Append(b []byte) []byte {
	line, _ := h.encode()
	return append(b, line...)
}

// Fingerprint identifies the configuration with all that it rests on: the SHA-256 of the header. Two runs with the
// same fingerprint say the same of the same transcript.
func (h *Header) Fingerprint() string {
	_, fingerprint := h.encode()
	return fingerprint
}

// ParseHeader reads the first line of a run. The error tells of a line that is no header, or of one that this program
// cannot read. That nobody has changed it is proved by the closing line, or by appending h again, as replay does.
func ParseHeader(line []byte) (h Header, err error) {
	var probe struct {
		Version *int `json:"assize_run"`
	}
	if bytes.HasPrefix(line, []byte("\x1f\x8b")) {
		return h, errors.New("is compressed; want the run unpacked, as gunzip leaves it")
	}
	if err := json.Unmarshal(line, &probe); err != nil {
		return h, fmt.Errorf("not a run: %w; want what assize score -o run.jsonl writes", err)
	}
	if probe.Version == nil {
		return h, errors.New("not a run: it has no header; want what assize score -o run.jsonl writes, with its first line")
	}
	if *probe.Version != Version {
		return h, fmt.Errorf("the run has version %d; want %d, or the program that wrote it", *probe.Version, Version)
	}
	var w headerWire
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return h, fmt.Errorf("the run's header: %w", err)
	}
	h = Header{Program: w.Program, Configuration: w.Configuration, Lexicon: w.Provenance.Lexicon, Model: w.Provenance.Model}
	if h.Configuration.Transcript == "cited" {
		return h, errors.New("the run's header: the run keeps only cited turns; want one of whole dialogues: score the transcripts again")
	}
	if h.Basis.Rubric, err = rubric.Parse("rubric", w.Rubric); err != nil {
		return h, fmt.Errorf("the run's header: /rubric cannot be read: %w", err)
	}
	if !bytes.Contains(w.Rubric, []byte(`"caps":`)) { // before caps were part of the rubric, detectors held them
		h.Basis.Rubric.Caps = [rubric.NumCriteria]map[string]rubric.Score{}
	}
	if h.Basis.Profile, err = heuristics.ParseProfile("profile", w.Profile); err != nil {
		return h, fmt.Errorf("the run's header: /profile cannot be read: %w; where another version of assize made the run, "+
			"score the transcripts again", err)
	}
	if w.Calibration != nil {
		if h.Basis.Calibration, err = calibration.Parse("calibration", w.Calibration); err != nil {
			return h, fmt.Errorf("the run's header: /calibration cannot be read: %w", err)
		}
	}
	h.Configuration.Mapping = h.Basis.Rubric.Mapping.String()
	return h, nil
}
