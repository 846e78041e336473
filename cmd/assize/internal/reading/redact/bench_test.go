package redact

import (
	"strconv"
	"strings"
	"testing"

	"assize/rubric/dialogue"
)

// hostile are texts that are slow to mask if the surroundings of a position are read again for
// every position.
var hostile = []string{
	"account 12345678 ", "12345678 ", "1 2 3 4 5 6 7 8 9 ", "5-", "(0", "+1 ", "@1.1.",
	"ann@example.org ", "a dot b at ", "4111 1111 1111 1112 ", "GB82 WEST 1234 5698 7654 33 ",
	"order 12345678 account ", "£         1234567",
	"account 12, phone 07700 900123, order $ 1234567890 of x@y.example ",
	"password ", "password-", "password is ", "password: ", "is my password ", "1", "a", "a@", "@",
	"%40", "?token=", "&token=a=", "://", "://@", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----",
	"eyJ", "eyJ.", "sk-", "one ", "double ", "one 1 ", "415 555 0123 ", "6 612 345 678 ",
	"00:", "::", "a:b:", "1.2.3.4", "1.2.3.4.", "born 4 May ", "4 May ", "passport A1 ", "QQ 12 ",
	"_at_", "at ", " (at) a ", "x at y dot ", "dot ", "[dot]", "电话", "\u200b", "e\u0301", "\n",
	"card ending ", "exp 1/", "pin ", "\"@", "@\"", "a.", "ext ", "1 ext ", "=", "(((1",
	"oh 1 2 3 4 ", "et un ", "0\n12\n", "-u a:b ", "1 dot 2 dot 3 dot ", "March third ",
}

// BenchmarkMaskHostileTurn masks a turn of 256 KB or 1 MB per operation. The time must be linear in
// the length: compare the two rates of a text.
func BenchmarkMaskHostileTurn(b *testing.B) {
	for _, part := range hostile {
		for _, kilobytes := range []int{256, 1024} {
			b.Run(strconv.Quote(part)+"/"+strconv.Itoa(kilobytes)+"KB", func(b *testing.B) {
				text := strings.Repeat(part, kilobytes<<10/len(part))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					dialogueTurns([]dialogue.Turn{{Text: text}})
				}
			})
		}
	}
}

// BenchmarkMaskDialogue masks a short dialogue of ordinary turns per operation.
func BenchmarkMaskDialogue(b *testing.B) {
	var turns []dialogue.Turn
	n := 0
	for i, text := range []string{
		"Hello, I ordered a lamp last week and it has not arrived yet.",
		"I am sorry to hear that. Could you give me your order number, please?",
		"Sure, it is 482913. I paid 42.50 with my card on 12/03/2024.",
		"Thank you. It left our warehouse on Monday and should arrive by 10:30 tomorrow.",
		"Can you call me when it is here? My number is 415-555-0123.",
		"Of course. Is there anything else that I can do for you today?",
		"No, that was all. You can also write to ann.lee@example.com if nobody answers.",
		"Very well, I have noted both. Have a nice day!",
	} {
		turns = append(turns, dialogue.Turn{Role: dialogue.Role(i % 2), Text: text})
		n += len(text)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		dialogueTurns(turns)
	}
}
