package record

import (
	"encoding/json"

	"assize/rubric"
)

// wire is a line as encoding/json reads it. What follows from the rest is compared, not used: see Decode.
type wire struct {
	DialogueID int `json:"dialogue_id"`
	Evaluator  map[string]json.RawMessage
	Critic     []wireOpinion
	Final      map[string]json.RawMessage `json:"referee_final"`
	Audit      json.RawMessage
	Source     struct {
		File, Format, ID string
		Turns            int
		Digest           string
	}
	Status, Reason string
	Satisfaction   rubric.Hundredths
	Level          int
	Flagged        bool
	Signals        []wireSignal
	Panel          struct {
		Evaluator []wireEvidence
		Critic    []wireObjection
		Rulings   []json.RawMessage
	}
	Turns []struct {
		Turn       int
		Role, Text string
	}
	Truth struct {
		Overall []float64
		Turns   [][]float64
		Labels  []string
	}
}

type wireRating struct {
	Score         rubric.Score
	Justification string
}

type wireOpinion struct {
	Criterion, Comment string
	Agree              bool
	Suggested          *rubric.Score `json:"suggested_score"`
}

type wireSignal struct {
	ID          string
	Criteria    []string
	Turn, About int
	Points      rubric.Hundredths
}

type wireEvidence struct {
	Criterion string
	Turns     []int
	Quotes    []string
}

type wireObjection struct {
	wireEvidence
	By, Kind  string
	Suggested rubric.Score
}
