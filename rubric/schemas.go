package rubric

import _ "embed"

//go:embed debate.schema.json
var debateSchema string

//go:embed single.schema.json
var singleSchema string

// DebateSchema is the JSON Schema (draft 2020-12) of the documents that [Evaluation.AppendDebate] writes.
func DebateSchema() []byte { return []byte(debateSchema) }

// SingleSchema is the JSON Schema (draft 2020-12) of the documents that [Evaluation.AppendSingle] writes.
func SingleSchema() []byte { return []byte(singleSchema) }
