package stream

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
)

func TestNames(t *testing.T) {
	who := NewNames(Options{})
	for _, c := range []struct {
		role  dialogue.Role
		names []string
	}{
		{dialogue.System,
			[]string{"Agent", "AGENT 2", "agent_1", "Agent #3", "Customer Service",
				"customer-service", "Support agent", "Chatbot", "Agent (Priya)", "Priya (agent)",
				"**Bot**"}},
		{dialogue.User,
			[]string{"customer", "Caller", "HUMAN", "end_user", "Guest 12", "Patient",
				"Tom (customer)"}},
		{dialogue.Other, []string{"tool", "function"}},
	} {
		for _, name := range c.names {
			got, ok := who.Role(name)
			assert.True(t, ok, name)
			assert.Equal(t, c.role, got, name)
		}
	}
	for _, name := range []string{"Priya", "Note", "", "12", "agents of chaos"} {
		_, ok := who.Role(name)
		assert.False(t, ok, name)
	}
	mapped := NewNames(
		Options{Roles: map[string]dialogue.Role{"Shop  BOT": dialogue.System,
			"agent": dialogue.Other},
			SystemNames: []string{"Priya"}})
	for name, want := range map[string]dialogue.Role{"shop bot": dialogue.System,
		"SHOP_BOT": dialogue.System, "Agent": dialogue.Other,
		"PRIYA": dialogue.System, "Tom": dialogue.User, "Assistant": dialogue.System,
		"client": dialogue.User} {
		got, ok := mapped.Role(name)
		assert.True(t, ok, name)
		assert.Equal(t, want, got, name)
	}
}
