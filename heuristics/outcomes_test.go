package heuristics

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/talk"
	"assize/rubric"
)

// What the SYSTEM says that it did settles a request in the words of the USER, though no list of
// states has them.
func TestDeedsThatNoListNames(t *testing.T) {
	a := newAgents(t)
	for _, test := range []struct{ reason, want, dialogue string }{
		{"a deed that the USER named is done, though no list has it", "done", `
USER: Please pause my subscription.
SYSTEM: I have paused your subscription.`},
		{"another deed that no list has is no silence", "-", `
USER: Your messages wake me up at night.
SYSTEM: I have muted them.`},
		{"to pay attention to something is no answer that is still to come", "answered", `
USER: Does the package cover calls abroad?
SYSTEM: No, it covers calls at home. Please pay attention to it.
USER: Okay, thanks.`},
		{"a deed that no list names, to the thing that the USER names", "done", `
USER: Please get the walnut shelf to my sister instead of me.
SYSTEM: I have redirected the walnut shelf.
USER: Okay, thanks.`},
		{"a deed that the USER names, before the answer in the same turn", "done", `
USER: Please reserve the kiln for Sunday. And may my son come along?
SYSTEM: Your place at the kiln was secured. Children may come along from the age of six.
USER: Okay, thanks.`},
		{"a fact is no deed", "answered", `
USER: Can I pay the kiln by card?
SYSTEM: Yes, payment by card is accepted.
USER: Okay, thanks.`},
		{"nor is attention, though the USER is to pay", "answered", `
USER: Why do I have to pay twice as much as we agreed?
SYSTEM: We have paid attention to your problem. The price is 40 euros since May.
USER: Okay, thanks.`},
		{"nor is a deed that the USER no longer wants", "answered", `
USER: I would like a van from the fair to the inn.
SYSTEM: I found a van for 35 euros. Should I book that for you?
USER: Oh yes.
SYSTEM: Okay, I booked the van for you, is there anything else you need?
USER: Actually I just found a bike, I guess I will take that, cancel the van please.
SYSTEM: Okay, I will cancel the van.
USER: That's it, thanks.`},
	} {
		signals, err := a.Observe(spoken(strings.Split(strings.TrimSpace(test.dialogue), "\n")...))
		require.NoError(t, err)
		found := "-"
		for _, s := range signals {
			name, ok := strings.CutPrefix(s.ID, "request-")
			if ok && name != "partly" && name != "alone" {
				require.Equal(t, "-", found, "two states")
				found = name
			}
		}
		assert.Equal(t, test.want, found, "%s%s", test.reason, test.dialogue)
	}
}

// Whoever has got what was asked for first has not left without anything.
func TestASideQuestionLeavesTheRestDone(t *testing.T) {
	a := newAgents(t)
	ask := []string{"USER: Will somebody be there?",
		"SYSTEM: I can't see the staff plan, so please call the station to be sure."}
	first := []string{"USER: Please move my pickup to 22:30.",
		"SYSTEM: I have changed the pickup to 22:30."}
	score := func(turns ...string) rubric.Score {
		return judge(t, a, spoken(turns...)).Final[rubric.TaskSuccess].Score
	}
	assert.Equal(t, rubric.Score(20), score(ask...))
	assert.Equal(t, rubric.Score(40), score(append(first, ask...)...))
	last := []string{"USER: When do you open?", "SYSTEM: We open at 9:30 am.",
		"USER: And when do you close on Sunday?"}
	assert.Equal(t, rubric.Score(40), score(last...), "the last question is open")
	last[1] = "SYSTEM: We are sorry."
	assert.Equal(t, rubric.Score(20), score(last...), "nothing was answered")
}

// Stock courtesy to somebody in danger, or after sarcasm, is not friendly.
func TestCourtesyThatDoesNotCount(t *testing.T) {
	for _, test := range []struct {
		user string
		want bool
	}{
		{"The kettle has a crack in its lid.", true},
		{"The kettle gives off sparks, and my son is next to it.", false},
		{"Oh brilliant, another month without a kettle.", false},
		{"Brilliant, I am away for another month anyway.", true},
	} {
		signals, err := New().Observe(spoken("USER: "+test.user,
			"SYSTEM: Thank you for telling us! New kettles are in our shop."))
		require.NoError(t, err)
		assert.Equal(t, test.want, slices.ContainsFunc(signals, func(s rubric.Signal) bool {
			return s.ID == "courtesy-warmth"
		}), test.user)
	}
}

// Every state has a detector, and TaskSuccess reads it.
func TestEveryStateIsRead(t *testing.T) {
	a := New()
	for name := range talk.States {
		id := "request-" + name
		require.Contains(t, a.detectors, id)
		file, err := dataFiles.ReadFile("detectors/" + id + ".txt")
		require.NoError(t, err)
		assert.Contains(t, string(file), "@final "+name+"\n")
		assert.True(t, slices.ContainsFunc(a.ladders[0].Rungs[:], func(r rung) bool {
			return slices.ContainsFunc(r.Rules,
				func(r rule) bool { return slices.Contains(r.ids, id) })
		}), name)
	}
}
