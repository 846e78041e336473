package check

// Severity says how much a finding weighs.
type Severity uint8

// The severities. Only an error makes an evaluation unsound.
const (
	Note    Severity = iota + 1 // worth knowing
	Warning                     // against the specification, but no figure and no quote is wrong for it
	Error                       // a figure, a quote or the structure is wrong
)

// String gives the name that reports print: note, warning or error.
func (s Severity) String() string {
	return [...]string{"", "note", "warning", "error"}[s]
}

// Finding is one thing that is wrong with an evaluation.
type Finding struct {
	ID           string // of its Kind, such as "average-wrong"
	Severity     Severity
	Path         string // where in the document: a JSON pointer (RFC 6901); "" is the document as a whole
	Line, Column int    // where in the file, from 1; the column counts bytes
	Message      string // what is wrong, one clause without a full stop: "the average is not that of the scores"
	Got, Want    string // as they stand, or would stand, in the document; "" where there is no such thing
	Nearest      string // for a quote: the utterance that comes closest, with its speaker; "" for none
	Difference   string // how the quote differs from it, word by word: "I [-do not-] like {+the+} rain"
	Fixable      bool   // whether Report.Fix puts it right
}

// Kind documents the findings of one id.
type Kind struct {
	ID       string
	Severity Severity // the usual one; a finding says its own
	Title    string   // one line: what is wrong
	Why      string   // which sentence of the specification it breaks, why that matters, and when it may be wrong
	Bad      string   // an excerpt of a document that has it
	Good     string   // the same, put right
}

// Edit replaces the bytes from Start to End of a document's text.
type Edit struct {
	Start, End int
	Text       string
	Path       string // what is replaced
	Was        string
}

// Report is what is to be said of one document.
type Report struct {
	Document   Document
	Protocol   string // "debate" (003) or "single" (004); "" where the document is neither
	DialogueID string // as the document gives it; "" where it gives none
	Verified   bool   // whether its quotes were held against a transcript
	Findings   []Finding
	Edits      []Edit // what can be computed and is wrong, in order of Start, without overlap
}

// Worst gives the highest severity among the findings; 0 where there are none.
func (r *Report) Worst() Severity {
	var worst Severity
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// Fix gives the document's text with the edits made and all else as it was, byte for byte.
func (r *Report) Fix() []byte {
	var out []byte
	at := 0
	for _, e := range r.Edits {
		out = append(append(out, r.Document.Text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, r.Document.Text[at:]...)
}
