package rubric

import _ "embed"

//go:embed debate.schema.json
var debateSchema string

//go:embed single.schema.json
var singleSchema string

// DebateSchema is the JSON Schema (draft 2020-12) of the document of the three-agent protocol (003): its keys, types
// and scale. It is the structure that anyone's document has; what [Evaluation.AppendDebate] writes keeps to more.
func DebateSchema() []byte { return []byte(debateSchema) }

// SingleSchema is the JSON Schema (draft 2020-12) of the flat document of the single-pass evaluator (004), such as
// [Evaluation.AppendSingle] writes.
func SingleSchema() []byte { return []byte(singleSchema) }
