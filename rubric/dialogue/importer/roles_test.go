package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// TestRoleColumns checks the columns with which exports identify the speaker. Every table has the
// conversations of shop.
func TestRoleColumns(t *testing.T) {
	agents := map[int]string{4101: "Ravi", 4102: "Mona", 4107: "Ravi", 4110: "Mona"}
	customers := map[int]string{4101: "Lena Ott", 4102: "Sam Hill", 4107: "Ida Berg",
		4110: "Tom Lang"}
	either := func(customer, agent string) func(s turnOf) []string {
		return func(s turnOf) []string {
			return []string{map[string]string{"customer": customer, "agent": agent}[s.role]}
		}
	}
	for _, c := range []struct {
		reason, columns string
		cells           func(s turnOf) []string
		opt             importer.Options
	}{
		{"requester and assignee", "Author type", either("Requester", "Assignee"),
			importer.Options{}},
		{"end-user and agent", "Author role", either("end-user", "agent"), importer.Options{}},
		{"consumer and brand", "Sender type", either("Consumer", "Brand"), importer.Options{}},
		{"contact and teammate", "Author", either("Contact", "Teammate"), importer.Options{}},
		{"inbound and outbound", "Direction", either("inbound", "outbound"), importer.Options{}},
		{"incoming and outgoing", "Message type", either("INCOMING", "OUTGOING"),
			importer.Options{}},
		{"is it an agent", "Is agent", either("false", "true"), importer.Options{}},
		{"is it an agent, beside the name", "Author|Is Agent", func(s turnOf) []string {
			return []string{s.name, map[string]string{"customer": "0", "agent": "1"}[s.role]}
		}, importer.Options{}},
		{"is it from the customer", "from_customer", either("Yes", "No"), importer.Options{}},
		{"a column that the user names", "X1", either("no", "yes"),
			importer.Options{Roles: map[string]dialogue.Role{"no": dialogue.User,
				"yes": dialogue.System}, Columns: map[string]string{"speaker": "X1"}}},
		{"me", "From", func(s turnOf) []string {
			return either(s.name, "Me")(s)
		}, importer.Options{SystemNames: []string{"Me"}}},
		{"me and the customer", "From", either("Customer", "Me"), importer.Options{}},
		{"the name in the agent's column", "Author|Agent", func(s turnOf) []string {
			return []string{s.name, agents[s.ticket]}
		}, importer.Options{}},
		{"the name in the assignee's column, in another case", "Author|Assigned to",
			func(s turnOf) []string {
				return []string{s.name, strings.ToUpper(agents[s.ticket])}
			}, importer.Options{}},
		{"one of the names in the owner's column", "Author|Owners|Owner", func(s turnOf) []string {
			return []string{s.name, "x", "Bea; " + agents[s.ticket]}
		}, importer.Options{}},
		{"the address in the agent's column", "From|Agent name|Agent e-mail",
			func(s turnOf) []string {
				return []string{s.mail, agents[s.ticket], "shop@shop.example"}
			}, importer.Options{}},
		{"the name in the requester's column", "Author|Requester", func(s turnOf) []string {
			return []string{s.name, customers[s.ticket]}
		}, importer.Options{}},
		{"both columns, and a colleague who takes over", "Author|Requester name|Assignee",
			func(s turnOf) []string {
				name := s.name
				if s.ticket == 4101 && s.minute == 9 {
					name = "Mona"
				}
				return []string{name, customers[s.ticket], agents[s.ticket]}
			}, importer.Options{}},
		{"names that the user knows win", "Author|Agent", func(s turnOf) []string {
			return []string{s.name, "Lena Ott"}
		},
			importer.Options{SystemNames: []string{"Ravi", "Mona"},
				Roles: map[string]dialogue.Role{"Lena Ott": dialogue.User}}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			for _, text := range []string{"Comment", "Reply", "Body"} {
				in := table(',', "Ticket ID|"+c.columns+"|"+text, shop, func(s turnOf) []string {
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

// TestUnnamed checks that nobody becomes a customer just because the speaker is unnamed.
func TestUnnamed(t *testing.T) {
	const head = "id,author,text,assignee\n1,Ravi,Hello,Ravi\n1,Lena,Hi,Ravi\n"
	for _, c := range []struct{ reason, in, want string }{
		{"one is the other side", head, ""},
		{"two may be anybody", head + "1,Vera,Please hold,Ravi\n",
			`! f:3: dialogue 1: unknown speaker "Lena"; say who is who with --role-map NAME=system,` +
				`NAME=user,NAME=other, or, if all others are customers, who is judged with ` +
				`--system-name NAME, where NAME is one of "Lena", "Vera", "Ravi"`},
	} {
		_, notes := readAll(c.in, importer.Options{})
		assert.Equal(t, c.want, strings.Join(notes, "\n"), c.reason)
	}
}

// TestKindsNextToNames checks that a column with the kinds of messages is the speaker's, even if
// some kinds are unknown, and that the names next to it remain those of the speakers.
func TestKindsNextToNames(t *testing.T) {
	const in = "id,Entry Kind,Entered By,text\n1,incoming,Ola,a\n1,auto,Fern,b\n2,incoming,Tom,c\n" +
		"2,outgoing,Ann,d\n2,outgoing,Zed,e\n2,outgoing,Ann,f\n3,incoming,Tom,g\n3,outgoing,Zed,h\n"
	const kinds, names = "speaker = Entry Kind + Entered By", "speaker = Entered By"
	const read = "[USER Ola OTHER Fern] [USER Tom SYSTEM Ann SYSTEM Zed SYSTEM Ann] " +
		"[USER Tom SYSTEM Zed] "
	auto := map[string]dialogue.Role{"auto": dialogue.Other}
	for _, c := range []struct {
		reason     string
		opt        importer.Options
		note, want string
	}{
		{"an unknown kind is never the missing side", importer.Options{}, kinds,
			`unknown speaker "auto" [USER Tom SYSTEM Ann SYSTEM Zed SYSTEM Ann] [USER Tom SYSTEM Zed] `},
		{"the user maps it", importer.Options{Roles: auto}, kinds, read},
		{"the user names the speakers", importer.Options{SystemNames: []string{"Ann", "Zed"}}, names,
			"[USER Ola USER Fern] [USER Tom SYSTEM Ann SYSTEM Zed SYSTEM Ann] [USER Tom SYSTEM Zed] "},
		{"the user maps names", importer.Options{Roles: map[string]dialogue.Role{
			"Ann": dialogue.System, "Zed": dialogue.System, "Fern": dialogue.Other}}, names,
			`unknown speaker "Ola" [USER Tom SYSTEM Ann SYSTEM Zed SYSTEM Ann] [USER Tom SYSTEM Zed] `},
		{"the agents' column has the names of all", importer.Options{Roles: auto,
			Columns: map[string]string{"speaker": "Entry Kind", "agent": "Entered By"}}, "", read},
	} {
		var notes, got strings.Builder
		c.opt.Note = func(s string) { notes.WriteString(s) }
		for s, err := range importer.Read(strings.NewReader(in), "f", c.opt) {
			if err != nil {
				_, err, _ := strings.Cut(err.Error(), "dialogue 1: ")
				got.WriteString(strings.Split(err, ";")[0] + " ")
				continue
			}
			assert.NotContains(t, fmt.Sprint(s.Source.Meta), "agent", c.reason)
			var turns []string
			for i, turn := range s.Dialogue.Turns {
				turns = append(turns, turn.Role.String(), s.Source.Voices[i].Speaker)
			}
			fmt.Fprint(&got, turns, " ")
		}
		assert.Equal(t, c.want, got.String(), c.reason)
		assert.Contains(t, notes.String(), c.note, c.reason)
	}
	apart := strings.NewReplacer("id,", "", "\n1,", "\n", "\n2,", "\n", "\n3,", "\n").Replace(in)
	for _, err := range importer.Read(strings.NewReader(apart), "f", importer.Options{}) {
		assert.ErrorContains(t, err, `"Entered By" ("Ann", "Tom") differ within the file`)
	}
}
