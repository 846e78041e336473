// Package importer reads dialogues from files: exports of help desks and contact centers, chat
// logs, training data and rated research sets.
//
// [Read] detects the format of a stream and yields one [dialogue.Sample] after another. Only data
// that must be sorted, such as a table, is held until its end, using Options.Temp. Guesses are
// reported to Options.Note. A broken dialogue yields one [*SyntaxError] in its place, and reading
// continues.
//
// # How the dialogues of a file are separated
//
//   - [USS]: by a blank line.
//   - [Plain] and [Chat]: by a line of three or more "="; by a line of three or more "-", "*",
//     "_", "#" or "~" if the next line begins a turn, unless such lines separate single turns; by a
//     title such as "=== 25 ===" or "## Conversation 25", which provides the id. Blank lines do not
//     separate dialogues, since people put them between turns and inside them. A name after the
//     mark of a list, a heading or a quotation begins a turn only if all turns of the text have
//     that mark, and a name in a code block never does.
//   - [table] and [convoKit]: by the conversation's id. The rows of a conversation may be scattered
//     and in any order: they are sorted by their numbers or, without numbers, by their times. A
//     table may also have one row per dialogue, with the whole transcript in a cell. Without such
//     an id, messages that refer to the messages they answer form a dialogue with them. If several
//     rows have the same message id, the newest version counts.
//   - JSON: one object, or one list of messages, is one dialogue. Objects may come one per line,
//     one after another, in an array, or in the array of a wrapper such as {"tickets":[…]}.
//
// # Metadata
//
// What the source records about a dialogue in addition to its text is kept as [dialogue.Meta]: the
// agent, the queue, the channel, the version of a bot. It plays no part in judging and is used only
// to group dialogues.
//
//   - [table], [convoKit] and single messages: a column or member that the reader does not use
//     itself, if all rows of the dialogue that have a value agree.
//   - Other JSON: scalar members (a string, a number, true or false) next to the messages, and
//     those in the format's own place for metadata.
//
// Ratings, labels and other judgements are never metadata, even if the reader does not use them,
// and neither are texts; aside.txt lists the words by which their names are recognized. A dialogue
// has at most [dialogue.MaxFields] fields; longer names and values are cut.
//
// # Roles
//
// Names and roles are compared without regard to case. Agent, assistant, bot, support and many more
// are the SYSTEM; customer, user, caller and many more the USER (names.txt lists them all); a
// number ("Agent 2") or a name next to the role ("Priya (agent)") makes no difference. Options
// determine the rest: first Roles, then SystemNames. A speaker of unknown role is an error of the
// dialogue, because a guess would judge the wrong side.
package importer

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// Read yields the dialogues of r one by one, in the order of the stream; name appears in errors and
// in [dialogue.Source]. The stream may be compressed with gzip, and may be UTF-8 or UTF-16.
//
// A [*SyntaxError] takes the place of a broken dialogue and reading continues; any other error,
// such as a read error of r, is the last element. A dialogue may have only one side: the reader
// does not decide whether it can be judged. Dialogues without a turn are left out. The sequence
// reads r to its end and so can be used only once.
func Read(r io.Reader, name string, opt Options) iter.Seq2[dialogue.Sample, error] {
	return readWithin(opt.limits(), r, name, opt)
}

func readWithin(
	most limits, r io.Reader, name string, opt Options,
) iter.Seq2[dialogue.Sample, error] {
	return func(yield func(dialogue.Sample, error) bool) {
		f := &file{name: name, opt: opt, most: most, yield: yield, isSheet: isHeader}
		run(f, r, read)
	}
}

// read detects the format, if it is unknown, and reads the dialogues.
func read(f *file, head []byte) {
	if f.format = f.opt.Format; f.format == auto {
		f.format = detect(f, head)
	}
	switch f.format {
	case auto:
		_, err := f.in.Peek(headSize)
		if f.fail(err); !blank(head) { // after an error, the format may be unclear
			f.wrong("the format is not recognised",
				"name it with --input-format (assize help formats lists them)"+
					", or begin every turn with a speaker such as \"Agent:\" or \"Customer:\"")
		}
	case USS:
		f.nameRoles()
		readText(f, ussBreak, nil, func(p *part, text string) { parseUSS(f, p, text) })
	case Plain:
		look := f.who.styleOf(string(head))
		readText(f, textBreak, f.who.opens(look), func(p *part, text string) {
			parseTurns(f, p, f.who.plain(text, look), text)
			doubt(f, p)
		})
	case Chat:
		begins := chatLines(string(head))
		if hasHeads(f.who, string(head)) {
			begins = headLine
		}
		areAbove := hasDatesAbove(string(head))
		readText(f, textBreak, begins, func(p *part, text string) {
			if areAbove {
				text = datesBeside(text)
			}
			parseTurns(f, p, begins, text)
		})
	case subtitles:
		readSubtitles(f)
	case email:
		readMail(f)
	case table:
		readTable(f, head)
	case anyJSON:
		readJSON(f, nil)
	default:
		i := slices.Index(layoutNames(), f.format)
		if i < 0 {
			f.wrong(fmt.Sprintf("unknown format %q", f.format), "want one of "+formatNames())
			return
		}
		readJSON(f, layouts()[i])
	}
}

// Formats returns the values of --input-format; JSON formats defined by layouts come last.
func Formats() []dialogue.Format {
	return append([]dialogue.Format{USS, Plain, Chat, subtitles, email, table}, layoutNames()...)
}

func formatNames() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// detect returns the format of a stream according to its first lines, or Auto if none matches: JSON
// by its first bracket (the first value determines its kind later); a table by its header; text by
// the first line that looks like a turn, so that a heading above the conversation does no harm.
func detect(f *file, head []byte) dialogue.Format {
	text := strings.TrimLeft(string(head), " \t\r\n")
	if text == "" {
		return auto
	}
	if text[0] == '{' || text[0] == '[' && cutStamp(text) == 0 && isArray(text) {
		return anyJSON
	}
	if areSubtitles(text) {
		return subtitles
	}
	if isMail(text) {
		return email
	}
	if _, ok := tableIn(f, text); ok {
		return table
	}
	if hasHeads(f.who, text) || hasDatesAbove(text) {
		return Chat
	}
	seen := map[string]bool{}
	repeated, messages, labels, marked := false, 0, 0, 0
	for line := range strings.Lines(text) {
		name, _, isLabel := label(line)
		role, _, isRow := strings.Cut(line, "\t")
		sender, _, isMessage := chatLine(line)
		switch {
		case isRow && f.who.knows(role) && messages+labels == 0:
			return USS
		case isMessage && sender != "":
			messages++
		case isLabel && f.who.knows(name) && markOf(line) != "":
			marked++ // which may be items of a list in a message
		case isLabel && f.who.knows(name):
			labels++
		case isLabel && nameLike().MatchString(name):
			repeated = repeated || seen[name]
			seen[name] = true
		}
	}
	switch {
	case messages > labels: // which may be above them, such as "Agent: Ann Lee"
		return Chat
	case labels+marked > 0 || repeated:
		return Plain // with speakers that need --role-map or --system-name
	}
	return auto
}
