package dialogue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRoleColumns holds the columns by which exports tell who speaks. Every table has the conversations of desk.
func TestRoleColumns(t *testing.T) {
	agents := map[int]string{4101: "Ravi", 4102: "Mona", 4107: "Ravi", 4110: "Mona"}
	customers := map[int]string{4101: "Lena Ott", 4102: "Sam Hill", 4107: "Ida Berg", 4110: "Tom Lang"}
	either := func(customer, agent string) func(s said) []string {
		return func(s said) []string {
			return []string{map[string]string{"customer": customer, "agent": agent}[s.role]}
		}
	}
	for _, c := range []struct {
		reason, columns string
		cells           func(s said) []string
		opt             Options
	}{
		{"requester and assignee", "Author type", either("Requester", "Assignee"), Options{}},
		{"end-user and agent", "Author role", either("end-user", "agent"), Options{}},
		{"consumer and brand", "Sender type", either("Consumer", "Brand"), Options{}},
		{"contact and teammate", "Author", either("Contact", "Teammate"), Options{}},
		{"inbound and outbound", "Direction", either("inbound", "outbound"), Options{}},
		{"incoming and outgoing", "Message type", either("INCOMING", "OUTGOING"), Options{}},
		{"is it an agent", "Is agent", either("false", "true"), Options{}},
		{"is it an agent, beside the name", "Author|Is Agent", func(s said) []string {
			return []string{s.name, map[string]string{"customer": "0", "agent": "1"}[s.role]}
		}, Options{}},
		{"is it from the customer", "from_customer", either("Yes", "No"), Options{}},
		{"a column that the user names", "X1", either("no", "yes"), Options{Roles: map[string]Role{"no": User, "yes": System}, Columns: map[string]string{"speaker": "X1"}}},
		{"me", "From", func(s said) []string { return either(s.name, "Me")(s) }, Options{SystemNames: []string{"Me"}}},
		{"me and the customer", "From", either("Customer", "Me"), Options{}},
		{"the name in the agent's column", "Author|Agent", func(s said) []string { return []string{s.name, agents[s.ticket]} }, Options{}},
		{"the name in the assignee's column, in another case", "Author|Assigned to", func(s said) []string {
			return []string{s.name, strings.ToUpper(agents[s.ticket])}
		}, Options{}},
		{"one of the names in the owner's column", "Author|Owners|Owner", func(s said) []string {
			return []string{s.name, "x", "Bea; " + agents[s.ticket]}
		}, Options{}},
		{"the address in the agent's column", "From|Agent name|Agent e-mail", func(s said) []string {
			return []string{s.mail, agents[s.ticket], "desk@shop.example"}
		}, Options{}},
		{"the name in the requester's column", "Author|Requester", func(s said) []string { return []string{s.name, customers[s.ticket]} }, Options{}},
		{"both columns, and a colleague who takes over", "Author|Requester name|Assignee", func(s said) []string {
			name := s.name
			if s.ticket == 4101 && s.minute == 9 {
				name = "Mona"
			}
			return []string{name, customers[s.ticket], agents[s.ticket]}
		}, Options{}},
		{"names that the user knows win", "Author|Agent", func(s said) []string { return []string{s.name, "Lena Ott"} },
			Options{SystemNames: []string{"Ravi", "Mona"}, Roles: map[string]Role{"Lena Ott": User}}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			for _, text := range []string{"Comment", "Reply", "Body"} {
				in := table(',', "Ticket ID|"+c.columns+"|"+text, desk, func(s said) []string {
					return append(append([]string{fmt.Sprint(s.ticket)}, c.cells(s)...), s.text)
				})
				talks, notes := readAll(in, c.opt)
				assert.Equal(t, wanted(), talks, text)
				for _, note := range notes {
					assert.NotContains(t, note, "! ", text)
				}
			}
		})
	}
}

// TestUnnamed holds that nobody becomes a customer just because nothing names them.
func TestUnnamed(t *testing.T) {
	const head = "id,author,text,assignee\n1,Ravi,Hello,Ravi\n1,Lena,Hi,Ravi\n"
	for _, c := range []struct{ reason, in, want string }{
		{"one is the other side", head, ""},
		{"two may be anybody", head + "1,Vera,Please hold,Ravi\n",
			`! f:3: dialogue 1: unknown speaker "Lena"; say who is judged with --system-name NAME, where NAME is one of "Lena", "Vera", "Ravi"`},
	} {
		_, notes := readAll(c.in, Options{})
		assert.Equal(t, c.want, strings.Join(notes, "\n"), c.reason)
	}
}
