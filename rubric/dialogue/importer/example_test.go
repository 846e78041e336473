package importer_test

import (
	"fmt"
	"strings"

	"assize/rubric/dialogue/importer"
)

// The second of two dialogues in a file has an unknown speaker, which does not affect the other.
func ExampleRead() {
	const calls = `Agent: Good morning, how can I help?
Caller: My parcel is late.
=====
Nora: Good morning, how can I help?
Caller: My parcel is late, too.
Nora: I am sorry to hear that.
`
	for s, err := range importer.Read(strings.NewReader(calls), "calls.txt", importer.Options{}) {
		if err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n"))
			continue
		}
		for i, turn := range s.Dialogue.Turns {
			fmt.Printf("%d.%d %s: %s\n", s.Dialogue.ID, i+1, turn.Role, turn.Text)
		}
	}
	// Output:
	// 1.1 SYSTEM: Good morning, how can I help?
	// 1.2 USER: My parcel is late.
	// calls.txt:4: dialogue 2: unknown speaker "Nora";
	// say who it is with --role-map "Nora=system" (or =user, =other)
}

// Options supply what the file does not contain.
func ExampleRead_systemNames() {
	const chat = "[10:15] Nora: Good morning!\n[10:16] Tom: Hello, my parcel is late.\n"
	opt := importer.Options{SystemNames: []string{"nora"}}
	for s, err := range importer.Read(strings.NewReader(chat), "chat.txt", opt) {
		fmt.Println(s.Source.Format, s.Source.Speakers, err)
	}
	// Output: chat [{Nora SYSTEM 1 false} {Tom USER 1 true}] <nil>
}
