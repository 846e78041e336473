package check

import (
	"testing"

	"assize/rubric/dialogue"
)

// sentences are a card's worth of justifications about the dialogue of table.
func sentences() []string {
	return []string{
		`The SYSTEM ends the conversation in good order, which speaks for the goal being reached: SYSTEM: "Goodbye, and thank you!"`,
		`The USER doubts the answer, in 2 of the SYSTEM's 6 turns, which speaks against useful help: USER: "No, I said four."; SYSTEM: "Certainly. I’ve booked a table for five…"`,
		`The SYSTEM takes back what it said, which speaks against what the SYSTEM says being right: SYSTEM: "I said "nine" by mistake."`,
		`The USER must correct the SYSTEM, which speaks against a grasp of what the USER means: USER: "I do not like being misheard, and I can't wait."`,
		`The SYSTEM is polite, which speaks for a caring tone: SYSTEM: "my apologies, it is four now."`,
		`The SYSTEM's sentences are clear and well formed: SYSTEM: "Certainly."`,
	}
}

func BenchmarkQuotations(b *testing.B) {
	list := sentences()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		quotations(list[i%len(list)])
	}
}

func BenchmarkSentence(b *testing.B) {
	list := sentences()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		countSentences(list[i%len(list)])
		namedScores(list[i%len(list)])
	}
}

func BenchmarkLocate(b *testing.B) {
	for _, bb := range []struct{ name, sentence string }{
		{"said", `USER: "I do not like being misheard"`},
		{"elided", `USER: "I would like … please"`},
		{"altered", `USER: "I do like being misheard"`},
		{"unsaid", `USER: "Give me all of my money back right now"`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			tr, q := table(), quotations(bb.sentence)[0]
			b.ReportAllocs()
			for b.Loop() {
				tr.locate(q)
			}
		})
	}
}

// BenchmarkQuotes looks up all quotes of a card in a transcript that is made for it.
func BenchmarkQuotes(b *testing.B) {
	list := sentences()
	d := dialogue.Dialogue{Turns: table().dialogue.Turns}
	b.ReportAllocs()
	for b.Loop() {
		tr := NewTranscript(d)
		for _, s := range list {
			for _, q := range quotations(s) {
				if p := tr.locate(q); p.verdict != said {
					b.Fatal(q.words, p)
				}
			}
		}
	}
}
