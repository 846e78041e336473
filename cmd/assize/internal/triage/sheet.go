package triage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/report"
)

// Sheet is what came of a triage, to be written in one form or another.
type Sheet struct {
	Order      Order
	Rows       []Row // worst first
	Beside     []Row // of the others that a model was asked about, those where it contradicts the rules most
	Scored     int   // dialogues that could be ranked
	Unscored   int   // and those that no agent could judge, which are never ranked
	Unchecked  int   // scored dialogues without what the order wants: a cross-check
	Duplicates int   // scored dialogues for which another with the same turns is ranked
	Cascade    *Cascade
	Remarks    []string // on the runs that were read, a sentence each; text and Markdown have them
	Color      bool
}

// Cascade is what a model was asked about, and what that saved.
type Cascade struct {
	Model    string // its name
	Asked    int    // dialogues
	Unjudged int    // those of them that it left unscored
	Calls    int    // made
}

// Formats lists the names of the forms, as --format takes them.
func Formats() []string { return []string{"text", "csv", "jsonl", "markdown"} }

// Write writes the sheet as a format says.
func (s *Sheet) Write(w io.Writer, format string) error {
	switch format {
	case "csv":
		return s.csv(w)
	case "jsonl":
		return s.jsonl(w)
	case "markdown":
		return s.markdown(w)
	}
	return s.text(w)
}

// Sentences tell what is ranked and what is not, and what a cascade saved. Text and Markdown end with them; the other
// forms have no place for them.
func (s *Sheet) Sentences() []string {
	first := fmt.Sprintf("%d of %s, worst first by %s.", len(s.Rows), report.Counted(s.Scored, "scored dialogue"), s.Order)
	if len(s.Rows) == s.Scored {
		first = fmt.Sprintf("%s, worst first by %s.", report.Counted(s.Scored, "scored dialogue"), s.Order)
	}
	list := []string{first}
	if s.Unscored > 0 {
		list = append(list, report.Counted(s.Unscored, "dialogue")+" unscored, and so not ranked.")
	}
	if s.Unchecked > 0 {
		list = append(list, report.Counted(s.Unchecked, "dialogue")+" without a cross-check, and so not ranked.")
	}
	if s.Duplicates > 0 {
		list = append(list, report.Counted(s.Duplicates, "dialogue")+" with the same turns as one before, and so ranked with it; --duplicates ranks each.")
	}
	if s.Cascade != nil {
		list = append(list, s.Cascade.sentence(s.Scored-s.Duplicates))
	}
	return list
}

// sentence says what the cascade saved: the calls made against those for all, which are reckoned from these.
func (c *Cascade) sentence(all int) string {
	says := fmt.Sprintf("%s was asked about %d of %s", c.Model, c.Asked, report.Counted(all, "dialogue"))
	if c.Calls > 0 && c.Asked < all {
		says += fmt.Sprintf(": %s in place of about %d for all", report.Counted(c.Calls, "call"), (c.Calls*all+c.Asked/2)/c.Asked)
	}
	if c.Unjudged > 0 {
		says += fmt.Sprintf("; it left %d unscored", c.Unjudged)
	}
	return says + "."
}

// folder is what the names of all files begin with, up to a slash; empty where that is nothing.
func (s *Sheet) folder() string {
	all := slices.Concat(s.Rows, s.Beside)
	common := all[0].Record.Source.File
	for i := range all {
		for !strings.HasPrefix(all[i].Record.Source.File, common) {
			common = common[:strings.LastIndexByte(common[:len(common)-1], '/')+1]
		}
	}
	return common[:strings.LastIndexByte(common, '/')+1]
}

// files reports whether the rows come from several files, so that each must name its own.
func (s *Sheet) files() bool {
	all := slices.Concat(s.Rows, s.Beside)
	return slices.ContainsFunc(all, func(r Row) bool { return r.Record.Source.File != all[0].Record.Source.File })
}
