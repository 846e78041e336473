package record

import (
	"assize/localllm"
	"assize/rubric"
)

// appendModel appends what there is because a model was on the bench.
func (r *Record) appendModel(b []byte) []byte {
	if r.CrossCheck != nil {
		b = r.CrossCheck.Disagreement.Append(append(b, `,"cross_check":{"disagreement":`...))
		b = append(b, `,"criteria":[`...)
		for i, c := range r.CrossCheck.Criteria {
			b = appendInt(append(openCriterion(b, i), `,"model":`...), int(c.Model))
			b = appendInt(append(b, `,"rules":`...), int(c.Rules))
			b = appendInt(append(b, `,"levels":`...), c.Levels())
			b = appendString(append(b, `,"verdict":`...), c.Verdict().String())
			b = append(b, '}')
		}
		b = append(b, `]}`...)
	}
	if r.Model != nil {
		b = r.appendAccount(append(b, `,"model":`...), r.Model)
	}
	if len(r.Fallback) > 0 {
		b = appendArray(append(b, `,"fallback":`...), r.Fallback, func(b []byte, a Agent) []byte { return appendString(b, string(a)) })
	}
	return b
}

// appendAccount appends an account without its timings, which differ from run to run.
func (r *Record) appendAccount(b []byte, a *localllm.Account) []byte {
	b = appendArray(append(b, `{"calls":`...), a.Calls, r.appendCall)
	if len(a.Windows) > 0 {
		b = appendArray(append(b, `,"windows":`...), a.Windows, func(b []byte, w localllm.Window) []byte {
			b = appendInt(append(b, `{"from":`...), w.From)
			return append(appendInt(append(b, `,"to":`...), w.To), '}')
		})
	}
	for _, list := range []struct {
		name    string
		numbers []int
	}{{"suspicious", a.Suspicious}, {"shortened", a.Shortened}, {"spread", a.Spread}} {
		if len(list.numbers) > 0 {
			b = append(append(append(b, `,"`...), list.name...), `":`...)
			b = appendArray(b, list.numbers, appendInt)
		}
	}
	if len(a.Unstable) > 0 {
		b = appendArray(append(b, `,"unstable":`...), a.Unstable, func(b []byte, k rubric.Criterion) []byte { return appendString(b, k.String()) })
	}
	if flags := Flags(a); len(flags) > 0 {
		b = appendArray(append(b, `,"flags":`...), flags, appendString)
	}
	return append(b, '}')
}

// appendCall appends a call. An answer that failed is kept, unless only cited turns are: it may repeat others.
func (r *Record) appendCall(b []byte, c localllm.Call) []byte {
	b = appendString(append(b, `{"purpose":`...), string(c.Purpose))
	if c.Purpose != localllm.ForCard {
		b = appendString(append(b, `,"criterion":`...), c.Criterion.String())
	}
	for _, count := range []struct {
		name      string
		n, unsaid int
	}{{"presentation", c.Presentation, 1}, {"window", c.Window, 0}, {"attempt", c.Attempt, 1}, {"prompt_tokens", c.PromptTokens, -1}, {"generated", c.Generated, -1}} {
		if count.n > count.unsaid {
			b = append(append(append(b, `,"`...), count.name...), `":`...)
			b = appendInt(b, count.n)
		}
	}
	if c.Failure != "" {
		b = appendString(append(b, `,"failure":`...), string(c.Failure))
	}
	if c.Raw != "" && !r.CitedOnly {
		b = appendString(append(b, `,"raw":`...), c.Raw)
	}
	return append(b, '}')
}
