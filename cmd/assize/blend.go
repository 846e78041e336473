package main

import (
	"fmt"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
	"assize/heuristics"
)

// blend makes the model's judgement half of satisfaction, if doctor has found it good enough for triage. It is for
// profiles that no ratings were learnt from: these would tell better what the model is worth.
func blend(j *judge.Judge) error {
	path := flags.UsualPlace(flags.FindingsFile)
	f, err := doctor.Find(path, j.Model.Identity())
	if err != nil || f == nil || !f.Counts() {
		return err
	}
	p := j.Profile
	p.Model = &f.Model
	j.Profile, err = heuristics.ParseProfile(path, p.AppendJSON(nil)) // somebody may have edited the file
	return err
}

// noteBlend tells whether the model's judgement counts in satisfaction, where no ratings tell what it is worth.
func noteBlend(c *console.Console, j *judge.Judge) {
	if j.Evaluator != judge.ByModel || j.Profile.Learned != nil {
		return
	}
	name := j.Model.Identity().Name
	switch m := j.Profile.Model; {
	case m == nil:
		c.Note(fmt.Sprintf("satisfaction is the rules' alone: assize doctor --model %s has not found the model good "+
			"enough for triage", name))
	case m.Rating > 0:
		c.Note(fmt.Sprintf("satisfaction is the mean of the rules' estimate and that of %s, which doctor found good "+
			"enough for triage", name))
	}
}
