package transcript

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSaid checks what the sender of a message wrote: "one" and everything after it is theirs,
// "two" is quoted.
func TestSaid(t *testing.T) {
	const head = "On 04/02/2012 10:00 AM, Mia wrote:\n"
	for _, c := range []struct{ reason, in, want string }{
		{"nothing else", "one\n\nmore\n", "one\n\nmore"},
		{"above the quote", "one\n\n" + head + "> two\n> two\n", "one"},
		{"below the quote", head + "> two\n\none\n", "one"},
		{"on both sides of it", "Hi,\n\n" + head + "\n> two\n>\n> two\n\none\n", "Hi,\n\none"},
		{"between its lines", "Hi,\n\n" + head + "> two\none\n> two?\nmore\n\n> two\n",
			"Hi,\n\none\n\nmore"},
		{"without a line above the quote", "> two\n\none\n", "one"},
		{"an older quote inside the quote", head + "> one?\n> " + head + ">> two\n\none\n", "one"},
		{"a quote that nothing marks", "one\n\n" + head + "two\n\ntwo\n", "one"},
		{"one that nothing marks, with another inside",
			"one\n\n-----Original Message-----\nFrom: x\n\ntwo\n> two\n\ntwo\n", "one"},
		{"the head of a message without marks", "one\n\nFrom: Mia\nSent: Monday\nTo: Tom\n\ntwo\n",
			"one"},
		{"a line that a program broke in two", head + "> two two two two two two two two two " +
			"two two two two two two two\ntwo\n> two.\n\none\n", "one"},
		{"an answer below a long question", head + "> two two two two two two two two two two " +
			"two two two two two two?\none\n> two.\n", "one"},
		{"a signature above the quote and one below", "Hi\n-- \nMia\n\n" + head +
			"> two\n\none\n-- \nMia\nKite Ltd\n", "Hi\n\none"},
		{"a phone's line above the quote", "Sent from my phone\n\n" + head + "> two\n\none\n",
			"one"},
		{"in German", "eins\n\nAm 2. April 2012 um 10:00 schrieb Mia <m@a.example>:\n> zwei\n\n" +
			"drei\n", "eins\n\ndrei"},
		{"in French", "un\n\nLe 2 avril 2012 à 10:00, Mia a écrit :\n> deux\n\ntrois\n",
			"un\n\ntrois"},
		{"in Spanish", "El lun, 2 abr 2012 a las 10:00, Mia (<m@a.example>) escribió:\n> dos\n\n" +
			"uno\n", "uno"},
		{"in Dutch", "Op ma 2 apr. 2012 om 10:00 schreef Mia <m@a.example>:\n> twee\n\neen\n",
			"een"},
		{"in Portuguese", "Em seg., 2 de abr. de 2012 às 10:00, Mia escreveu:\n> dois\n\num\n",
			"um"},
		{"in Italian", "Il giorno lun 2 apr 2012 alle ore 10:00 Mia ha scritto:\n> due\n\nuno\n",
			"uno"},
		{"in Swedish", "Den mån 2 apr. 2012 kl 10:00 skrev Mia:\n> två\n\nett\n", "ett"},
		{"a head that begins with the name", "Hi,\n\nMia wrote on 2 April:\n> two\none\n",
			"Hi,\n\none"},
		{"one in German", "Mia <m@a.example> schrieb:\n\n> zwei\n\neins\n", "eins"},
		{"no such head where nothing is marked", "As I wrote on Monday:\none\n",
			"As I wrote on Monday:\none"},
		{"nor further above", "As I wrote:\none\n\n> two\n", "As I wrote:\none"},
		{"nothing but a quote", head + "> two\n", ""},
	} {
		assert.Equal(t, c.want, said(c.in), c.reason)
	}
}
