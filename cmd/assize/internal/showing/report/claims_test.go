package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/rubric"
)

// Claims are counted by tool and by agent, and one without a call for the tool that fits it.
func TestClaims(t *testing.T) {
	of := func(state rubric.DeedState, tool, text string) rubric.Deed {
		d := rubric.Deed{Turn: 2, Text: text, State: state, Tool: tool}
		if tool != "" {
			d.Proof = 1
		}
		return d
	}
	first, second, none := judged(t, 1, found), judged(t, 2, lost), judged(t, 3, found+"USER: Bye\n")
	second.Source.Meta = nil
	page := pageOf(none)
	assert.NotContains(t, written(t, page), "Was it really done?", "no dialogue has calls")
	first.Deeds = []rubric.Deed{
		of(rubric.DeedProven, "refund_order", "I have refunded it"),
		of(rubric.DeedUnproven, "", "the 20 pounds were refunded"),
		of(rubric.DeedUnproven, "", "I have sent you a letter"),
		of(rubric.DeedPromised, "", "I will refund it")}
	first.Dialogue.Listed = []string{"call_taxi", "never_used", "refund_order"}
	second.Deeds = []rubric.Deed{
		of(rubric.DeedContradicted, "modifyBooking<b>", "I modified it"),
		of(rubric.DeedUnproven, "modifyBooking<b>", "Your booking is modified"),
		of(rubric.DeedUnproven, "", "REFUNDED!"),
		of(rubric.DeedUnproven, "", "I called the reordering desk")}
	page = pageOf(first, second, none)
	assert.Equal(t, "The worst is refund_order: 2 of 3 claims without a call.",
		page.Claims.Worst())
	var b strings.Builder
	assert.NoError(t, page.Markdown(&b))
	for _, row := range []string{"| refund\\_order | 3 | 1 | 0 | 2 | 0 |",
		"| modifyBooking&lt;b&gt; | 2 | 0 | 1 | 0 | 1 |", "| (no tool fits) | 1 | 0 | 0 | 1 | 0 |",
		"| call\\_taxi | 1 | 0 | 0 | 1 | 0 |",
		"| (none) | 4 | 0 | 1 | 2 | 1 |", "| Ines | 3 | 1 | 0 | 2 | 0 |"} {
		assert.Contains(t, b.String(), row)
	}
	assert.NotContains(t, b.String(), "never")
	assert.Len(t, NewTranscript(first, "").Deeds, 4)
	html := written(t, page)
	assert.Contains(t, html, `"claims_by_agent":[{"name":"(none)","claims":4,"proven":0,`)
	assert.Contains(t, html, `<a class="cite" href="#d0t2"`, "a claim leads to its turn")
	assert.NotContains(t, html, `class="cite" href="#"`)
	assert.Contains(t, html, `<option value="claim_contradicted">with a claim that is contradicted`)
	assert.Equal(t, "The worst is (no tool fits): 1 of 1 claim without a call.",
		worstOf(of(rubric.DeedUnproven, "", "I have sent it")))
	assert.Equal(t, "Every claim is proven by the result of a call.",
		worstOf(of(rubric.DeedProven, "send", "I have sent it")))
}

// worstOf returns the sentence about a single claim.
func worstOf(d rubric.Deed) string {
	c := &New(0, 0).Claims
	c.add(&run.Row{}, &run.Record{Deeds: []rubric.Deed{d}})
	return c.Worst()
}
