package check

import "strings"

// facts are what can be read from a sentence by itself and from the transcript. A final justification is mostly the
// evaluator's, so they are found out once for each text.
type facts struct {
	quotes    []quotation
	places    []place // of the quotes; nil without a transcript
	counted   bool    // whether what follows is known
	sentences int
	scores    []int // that the sentence names
}

// mostSentence is how many bytes of a sentence are read. Nobody's is longer.
const mostSentence = 64 << 10

// factsOf reads a sentence.
func (x *exam) factsOf(text string) *facts {
	f, ok := x.known[text]
	if ok {
		return f
	}
	read := strings.ToValidUTF8(text[:min(len(text), mostSentence)], "")
	f = &facts{quotes: quotations(read)}
	if n := len(f.quotes); n > 0 && len(read) < len(text) && f.quotes[n-1].end == len(read) {
		f.quotes = f.quotes[:n-1] // it goes on where nobody reads
	}
	f.quotes = f.quotes[:min(len(f.quotes), mostItems)]
	if x.transcript != nil {
		f.places = make([]place, len(f.quotes))
		for i, q := range f.quotes {
			f.places[i] = x.transcript.locate(q)
		}
	}
	if x.known == nil {
		x.known = make(map[string]*facts, 16)
	}
	x.known[text] = f
	return f
}

// count finds what only a justification is looked at for.
func (f *facts) count(text string) *facts {
	if !f.counted {
		text = text[:min(len(text), mostSentence)]
		f.counted, f.sentences, f.scores = true, countSentences(text), namedScores(text)
	}
	return f
}
