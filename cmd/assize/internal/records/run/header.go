package run

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

// formatVersion is the version of the run format, the only one that this program reads.
const formatVersion = 4

// Header is the first line of a run: the data that all its records share. It contains no time and
// no path, so the same work yields the same bytes on any day and any machine.
type Header struct {
	Program       string // the module's version
	Configuration Configuration
	Lexicon       string             // the digest of the rule agents' data
	Model         *localllm.Identity // nil if no model was asked
	Basis         Basis
}

// Configuration holds the user's choices that affect records.
type Configuration struct {
	// who fills the role: "rules", "model" or, by criterion, "skill"
	Evaluator string `json:"evaluator"`
	Critic    string `json:"critic"` // "rules", "model" or "both"
	// who takes over a role if the model fails: "rules", or empty for nobody
	Fallback string `json:"fallback,omitempty"`
	Mapping  string `json:"mapping"`
	// of all dialogues, if set: "request" or "service"
	Kind        string `json:"kind,omitempty"`
	InputFormat string `json:"input_format,omitempty"`
	// columns of a table by their use, as set with --columns
	Columns     map[string]string `json:"columns,omitempty"`
	Dates       string            `json:"dates,omitempty"` // "us" or "eu", if set
	Sheet       string            `json:"sheet,omitempty"` // sheet of a workbook, if set
	MaxDialogue int               `json:"max_dialogue,omitzero"`
	SystemNames []string          `json:"system_names,omitempty"`
	// role by speaker; the keys are sorted
	Roles    map[string]string `json:"roles,omitempty"`
	Redacted bool              `json:"redacted"`
}

// Basis holds what a record depends on in addition to its own evidence: the rubric by which the
// Referee settles, the profile that estimates satisfaction, and the calibration of the model.
type Basis struct {
	Rubric      rubric.Rubric
	Profile     satisfaction.Profile
	Calibration *calibration.Calibration // nil if there is no model or no calibration
}

// DefaultBasis returns the embedded rubric and profile.
func DefaultBasis() Basis {
	return Basis{Rubric: rubric.Default(), Profile: satisfaction.DefaultProfile()}
}

// Provenance identifies, by SHA-256, what scores depend on in addition to the transcript.
type Provenance struct {
	Rubric  string             `json:"rubric"`
	Lexicon string             `json:"lexicon"`
	Profile string             `json:"profile"`
	Model   *localllm.Identity `json:"model,omitempty"`
}

// Provenance returns the digests.
func (h *Header) Provenance() Provenance {
	return Provenance{Rubric: h.Basis.Rubric.Digest(), Lexicon: h.Lexicon,
		Profile: h.Basis.Profile.Digest(), Model: h.Model}
}

// headerWire is the JSON form of a header. The fingerprint is the SHA-256 of the line without
// FactLines and with an empty fingerprint.
type headerWire struct {
	Version       int            `json:"assize_run"`
	Program       string         `json:"program"`
	Configuration Configuration  `json:"configuration"`
	Provenance    Provenance     `json:"provenance"`
	Rubric        jsontext.Value `json:"rubric"`
	Profile       jsontext.Value `json:"profile"`
	Calibration   jsontext.Value `json:"calibration,omitempty"`
	// the facts' lines in the rubric file, which records quote and the fingerprint ignores
	FactLines   []int  `json:"fact_lines,omitempty"`
	Fingerprint string `json:"fingerprint"`
}

func (h *Header) encode() (line []byte, fingerprint string) {
	w := headerWire{
		Version: formatVersion, Program: h.Program, Configuration: h.Configuration,
		Provenance: h.Provenance(),
		Rubric:     h.Basis.Rubric.AppendJSON(nil),
		Profile:    rubric.AppendJSON(nil, h.Basis.Profile),
	}
	if h.Basis.Calibration != nil {
		w.Calibration = rubric.AppendJSON(nil, h.Basis.Calibration)
	}
	line = rubric.AppendJSON(nil, w)
	w.Fingerprint = fmt.Sprintf("%x", sha256.Sum256(line))
	w.FactLines = ui.Each(h.Basis.Rubric.Facts, func(f rubric.Fact) int { return f.Line })
	return rubric.AppendJSON(line[:0], w), w.Fingerprint
}

// Append appends the header to b as one line of JSON, without a line break.
func (h *Header) Append(b []byte) []byte {
	line, _ := h.encode()
	return append(b, line...)
}

// Fingerprint returns the SHA-256 of the header, which identifies the configuration with everything
// that it depends on: two runs with the same one yield the same for a transcript.
func (h *Header) Fingerprint() string {
	_, fingerprint := h.encode()
	return fingerprint
}

// ParseHeader parses the first line of a run. It returns an error if the line is not a header, or
// one that this program cannot read. It does not check that the header is unmodified; the closing
// line proves that, or replay, which compares the line with the output of Append.
func ParseHeader(line []byte) (h Header, err error) {
	var probe struct {
		Version *int `json:"assize_run"`
	}
	err = rubric.ParseJSON(line, &probe, json.RejectUnknownMembers(false))
	switch {
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return h, texts.Error("zipped")
	case bytes.HasPrefix(line, []byte("\uFEFF")):
		return h, texts.Error("byte order mark")
	case bytes.HasSuffix(line, []byte("\r")):
		return h, texts.Error("line ends")
	case err != nil:
		return h, texts.Error("not a run", err)
	case probe.Version == nil:
		return h, texts.Error("no header")
	case *probe.Version != formatVersion:
		return h, texts.Error("version", *probe.Version, formatVersion)
	}
	var w headerWire
	if err := rubric.ParseJSON(line, &w); err != nil {
		return h, fmt.Errorf("the run's header: %w", err)
	}
	h = Header{Program: w.Program, Configuration: w.Configuration, Lexicon: w.Provenance.Lexicon,
		Model: w.Provenance.Model}
	if h.Basis.Rubric, err = rubric.Parse("rubric", w.Rubric); err != nil {
		return h, fmt.Errorf("the run's header: /rubric cannot be read: %w", err)
	}
	for i := range min(len(h.Basis.Rubric.Facts), len(w.FactLines)) {
		h.Basis.Rubric.Facts[i].Line = w.FactLines[i]
	}
	if h.Basis.Profile, err = satisfaction.ParseProfile("profile", w.Profile); err != nil {
		return h, fmt.Errorf("the run's header: /profile cannot be read: %w", err)
	}
	if w.Calibration != nil {
		if h.Basis.Calibration, err = calibration.Parse("calibration", w.Calibration); err != nil {
			return h, fmt.Errorf("the run's header: /calibration cannot be read: %w", err)
		}
	}
	h.Configuration.Mapping = h.Basis.Rubric.Mapping.String()
	return h, nil
}
