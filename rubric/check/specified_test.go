package check

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// specified lists the example evaluations of the two specification documents, in order, with all
// their errors. Those that require a transcript are in held.
var specified = []struct {
	file, protocol, reason string
	dialogue               int // index in the rated set from which the examples are taken
	alone, held            []string
}{
	{
		file: "003", protocol: "debate", dialogue: 335,
		reason: "five of six justifications of the evaluator quote nothing, and none that is final; " +
			"the critic speaks of one criterion, " +
			"and disagrees without changing anything; its figures are right. The critic quotes what " +
			"should have been said",
		alone: []string{
			"error unquoted /evaluator/Helpfulness/justification",
			"error unquoted /evaluator/Accuracy/justification",
			"error unquoted /evaluator/Understanding/justification",
			"error unquoted /evaluator/Empathy/justification",
			"error unquoted /evaluator/Fluency/justification",
			"warning critic-silent /critic",
			"error disagreement-unchanged /critic/0/agree false→true",
			"warning unquoted /referee_final/TaskSuccess/justification",
			"warning unquoted /referee_final/Helpfulness/justification",
			"warning unquoted /referee_final/Accuracy/justification",
			"warning unquoted /referee_final/Understanding/justification",
			"warning unquoted /referee_final/Empathy/justification",
			"warning unquoted /referee_final/Fluency/justification",
		},
		held: []string{"note quote-unsaid /critic/0/comment"},
	}, {
		file: "003", protocol: "debate", dialogue: 25,
		reason: "its scores give 88.00 and not 86.00, which it prints at three places; the mapping of " +
			"86 is no further mistake. Two disagreements " +
			"change nothing, four criteria have no opinion, nothing is quoted but by the critic",
		alone: []string{
			"error unquoted /evaluator/TaskSuccess/justification",
			"error unquoted /evaluator/Helpfulness/justification",
			"error unquoted /evaluator/Accuracy/justification",
			"error unquoted /evaluator/Understanding/justification",
			"error unquoted /evaluator/Empathy/justification",
			"error unquoted /evaluator/Fluency/justification",
			"error average-wrong /evaluator/numeric_weighted_average 86.00→88.00",
			"warning critic-silent /critic",
			"error disagreement-unchanged /critic/0/agree false→true",
			"error disagreement-unchanged /critic/1/agree false→true",
			"warning unquoted /referee_final/TaskSuccess/justification",
			"warning unquoted /referee_final/Helpfulness/justification",
			"warning unquoted /referee_final/Accuracy/justification",
			"warning unquoted /referee_final/Understanding/justification",
			"warning unquoted /referee_final/Empathy/justification",
			"warning unquoted /referee_final/Fluency/justification",
			"error average-wrong /referee_final/numeric_weighted_average 86.00→88.00",
			"error calc-wrong /audit/weighted_calc 86.00→88.00",
		},
		held: []string{"note quote-unsaid /critic/0/comment"},
	}, {
		file: "003", protocol: "debate", dialogue: 26,
		reason: "the first opinion of the critic lacks a key, the two others disagree without changing " +
			"anything, and three criteria have none; nothing is quoted; its figures are right",
		alone: []string{
			"error unquoted /evaluator/TaskSuccess/justification",
			"error unquoted /evaluator/Helpfulness/justification",
			"error unquoted /evaluator/Accuracy/justification",
			"error unquoted /evaluator/Understanding/justification",
			"error unquoted /evaluator/Empathy/justification",
			"error unquoted /evaluator/Fluency/justification",
			"warning critic-silent /critic",
			"error structure /critic/0/suggested_score →null",
			"error disagreement-unchanged /critic/1/agree false→true",
			"error disagreement-unchanged /critic/2/agree false→true",
			"warning unquoted /referee_final/TaskSuccess/justification",
			"warning unquoted /referee_final/Helpfulness/justification",
			"warning unquoted /referee_final/Accuracy/justification",
			"warning unquoted /referee_final/Understanding/justification",
			"warning unquoted /referee_final/Empathy/justification",
			"warning unquoted /referee_final/Fluency/justification",
		},
	}, {
		file: "004", protocol: "single", dialogue: 335,
		reason: "98 is mapped to the nearest level and not down; one of six justifications quotes " +
			"something",
		alone: []string{
			"warning unquoted /Helpfulness/justification",
			"warning unquoted /Accuracy/justification",
			"warning unquoted /Understanding/justification",
			"warning unquoted /Empathy/justification",
			"warning unquoted /Fluency/justification",
			"error overall-wrong /OverallExperience/score 100→80",
		},
	}, {
		file: "004", protocol: "single", dialogue: 25,
		reason: "93 is 80; one of six justifications quotes something, be it a single word: it was said",
		alone: []string{
			"warning unquoted /Helpfulness/justification",
			"warning unquoted /Accuracy/justification",
			"warning unquoted /Understanding/justification",
			"warning unquoted /Empathy/justification",
			"warning unquoted /Fluency/justification",
		},
	}, {
		file: "004", protocol: "single", dialogue: 26,
		reason: "49 is 40; nothing is quoted",
		alone: []string{
			"warning unquoted /TaskSuccess/justification",
			"warning unquoted /Helpfulness/justification",
			"warning unquoted /Accuracy/justification",
			"warning unquoted /Understanding/justification",
			"warning unquoted /Empathy/justification",
			"warning unquoted /Fluency/justification",
		},
	},
}

// TestSpecifiedDocuments checks that exactly the errors in the specification's own examples are
// found.
func TestSpecifiedDocuments(t *testing.T) {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the specification there are no examples of it")
	}
	c := &Checker{Rubric: rubric.Default(),
		Observe: func(dialogue.Dialogue) ([]rubric.Signal, error) { return nil, nil }}
	documents := append(printed(t, shared, "003"), printed(t, shared, "004")...)
	require.Len(t, documents, len(specified))
	transcripts := ratedDialogues(t, shared)
	for i, tt := range specified {
		t.Run(tt.file+" "+strconv.Itoa(tt.dialogue), func(t *testing.T) {
			doc := Document{Line: 1, Column: 1, Text: []byte(documents[i])}
			alone, held := c.Check(doc, nil), c.Check(doc, transcripts[tt.dialogue])
			assert.Equal(t, tt.protocol, alone.Protocol)
			assert.Equal(t, tt.alone, inShort(alone), tt.reason)
			assert.ElementsMatch(t, append(tt.held, tt.alone...), inShort(held), tt.reason)
			keepsLaws(t, c, alone, nil)
			keepsLaws(t, c, held, transcripts[tt.dialogue])
		})
	}
	for _, text := range documents[3:4] { // with the other mapping, 98 becomes 100
		near := c.Rubric
		near.Mapping = rubric.Nearest
		c := &Checker{Rubric: near}
		r := c.Check(Document{Text: []byte(text)}, nil)
		assert.Empty(t, r.Edits)
	}
}

// inShort returns findings without their messages.
func inShort(r Report) (list []string) {
	for _, f := range r.Findings {
		s := f.Severity.String() + " " + f.ID + " " + f.Path
		if f.Want != "" {
			s += " " + f.Got + "→" + f.Want
		}
		list = append(list, s)
	}
	return list
}

// printed extracts the evaluations printed in a specification document by their braces.
func printed(t *testing.T, shared, number string) (documents []string) {
	files, err := filepath.Glob(filepath.Join(shared, "spec", number+"_*.txt"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	for depth, begin, i := 0, 0, 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			if depth++; depth == 1 {
				begin = i
			}
		case '}':
			if depth--; depth == 0 {
				document := string(text[begin : i+1])
				// not a template
				if strings.Contains(document, "Empathy") && !strings.Contains(document, "<") {
					documents = append(documents, document)
				}
			}
		}
	}
	return documents
}

// ratedDialogues returns the dialogues of the set from which the examples are taken, by their
// index.
func ratedDialogues(t *testing.T, shared string) map[int]*Transcript {
	f, err := os.Open(filepath.Join(shared, "data", "uss", "CCPE.txt"))
	require.NoError(t, err)
	defer f.Close()
	all := map[int]*Transcript{}
	for s, err := range importer.Read(f, "CCPE.txt", importer.Options{}) {
		require.NoError(t, err)
		all[s.Source.Position] = NewTranscript(s.Dialogue)
	}
	return all
}
