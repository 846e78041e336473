package record

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Append appends the record to b as one line of JSON, without the newline. The keys of the three-agent
// protocol (003) come first, so a record is also that protocol's document.
func (r *Record) Append(b []byte) []byte {
	if r.Scored() {
		b = r.Evaluation.AppendDebate(b)
		b = b[:len(b)-1] // the record goes on where the document's brace closes
	} else {
		b = appendInt(append(b, `{"dialogue_id":`...), r.Dialogue.ID)
	}
	b = r.Source.append(append(b, `,"source":`...))
	if r.Scored() {
		b = r.appendScored(b)
	} else {
		b = append(b, `,"status":"unscored","reason":`...)
		b = appendString(b, r.Reason)
	}
	b = r.appendModel(b)
	b = r.appendTurns(append(b, `,"turns":`...))
	if !r.Truth.Empty() {
		b = appendTruth(append(b, `,"truth":`...), r.Truth)
	}
	return append(b, '}')
}

func (s *Source) append(b []byte) []byte {
	b = appendString(append(b, `{"file":`...), s.File)
	b = appendString(append(b, `,"format":`...), string(s.Format))
	if s.ID != "" {
		b = appendString(append(b, `,"id":`...), s.ID)
	}
	b = appendInt(append(b, `,"turns":`...), s.Turns)
	b = appendString(append(b, `,"digest":`...), s.Digest)
	b = appendMeta(b, s.Meta)
	if o := s.DuplicateOf; o != nil {
		b = appendString(append(b, `,"duplicate_of":{"file":`...), o.File)
		b = appendInt(append(b, `,"dialogue_id":`...), o.ID)
		b = append(b, '}')
	}
	return append(b, '}')
}

func appendMeta(b []byte, m dialogue.Meta) []byte {
	if len(m) == 0 {
		return b
	}
	b = append(b, `,"meta":{`...)
	for _, f := range m {
		b = append(appendString(appendComma(b), f.Name), ':')
		b = appendString(b, f.Value)
	}
	return append(b, '}')
}

func (r *Record) appendScored(b []byte) []byte {
	e := r.Evaluation
	b = append(b, `,"status":"scored","satisfaction":`...)
	b = r.Satisfaction.Append(b)
	if r.Level != 0 {
		b = appendInt(append(b, `,"level":`...), r.Level)
	}
	if r.Flagged {
		b = append(b, `,"flagged":true`...)
	}
	b = appendArray(append(b, `,"signals":`...), e.Signals, appendSignal)
	b = append(b, `,"panel":{"evaluator":[`...)
	for i := range e.Evaluator {
		b = appendQuotes(openCriterion(b, i), e.Evaluator[i].Quotes)
		b = append(b, '}')
	}
	b = append(b, `],"critic":[`...)
	for i := range e.Critique {
		if o := &e.Critique[i]; o.Suggested != 0 {
			b = appendObjection(openCriterion(b, i), o)
		}
	}
	b = append(b, `],"rulings":[`...)
	for i := range e.Rulings {
		b = appendRuling(openCriterion(b, i), &e.Rulings[i])
	}
	return append(b, `]}`...)
}

// openCriterion opens the entry of criterion i in a list.
func openCriterion(b []byte, i int) []byte {
	b = append(appendComma(b), `{"criterion":"`...)
	return append(append(b, rubric.Criterion(i).String()...), '"')
}

func appendQuotes(b []byte, quotes []rubric.Quote) []byte {
	b = appendTurnNumbers(b, quotes)
	return appendArray(append(b, `,"quotes":`...), quotes, func(b []byte, q rubric.Quote) []byte {
		return appendString(b, q.Text)
	})
}

func appendTurnNumbers(b []byte, quotes []rubric.Quote) []byte {
	return appendArray(append(b, `,"turns":`...), quotes, func(b []byte, q rubric.Quote) []byte {
		return appendInt(b, q.Turn)
	})
}

func appendObjection(b []byte, o *rubric.Objection) []byte {
	b = appendString(append(b, `,"by":`...), o.By)
	b = appendString(append(b, `,"kind":`...), o.Kind.String())
	b = appendQuotes(b, o.Quotes)
	b = appendInt(append(b, `,"suggested":`...), int(o.Suggested))
	return append(b, '}')
}

func appendRuling(b []byte, g *rubric.Ruling) []byte {
	b = appendString(append(b, `,"ruling":`...), g.ID.String())
	b = appendString(append(b, `,"ground":`...), g.Ground.String())
	b = appendTurnNumbers(b, g.Quotes)
	b = appendInt(append(b, `,"before":`...), int(g.Before))
	b = appendInt(append(b, `,"after":`...), int(g.After))
	return append(b, '}')
}

func appendSignal(b []byte, s rubric.Signal) []byte {
	b = appendString(append(b, `{"id":`...), s.ID)
	b = append(b, `,"criteria":[`...)
	for c := range rubric.Criterion(rubric.NumCriteria) {
		if s.Criteria.Has(c) {
			b = appendString(appendComma(b), c.String())
		}
	}
	b = appendInt(append(b, `],"turn":`...), s.Turn)
	if s.About != 0 {
		b = appendInt(append(b, `,"about":`...), s.About)
	}
	b = s.Points.Append(append(b, `,"points":`...))
	return append(b, '}')
}

// appendTurns appends every turn, or those that are cited, each then with its number.
func (r *Record) appendTurns(b []byte) []byte {
	if !r.CitedOnly {
		return appendArray(b, r.Dialogue.Turns, func(b []byte, t dialogue.Turn) []byte {
			return appendTurn(append(b, '{'), t)
		})
	}
	b = append(b, '[')
	for i, cited := range r.cited() {
		if cited {
			b = appendInt(append(appendComma(b), `{"turn":`...), i+1)
			b = appendTurn(b, r.Dialogue.Turns[i])
		}
	}
	return append(b, ']')
}

// appendTurn closes the object that it is given, which may hold the turn's number.
func appendTurn(b []byte, t dialogue.Turn) []byte {
	b = appendString(append(appendComma(b), `"role":`...), t.Role.String())
	b = appendString(append(b, `,"text":`...), t.Text)
	return append(b, '}')
}

func appendTruth(b []byte, t dialogue.Truth) []byte {
	b = append(b, '{')
	if len(t.Overall) > 0 {
		b = appendFloats(append(b, `"overall":`...), t.Overall)
	}
	if t.Turns != nil {
		b = appendArray(append(appendComma(b), `"turns":`...), t.Turns, appendFloats)
	}
	if t.Labels != nil {
		b = appendArray(append(appendComma(b), `"labels":`...), t.Labels, appendString)
	}
	return append(b, '}')
}
