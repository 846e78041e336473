package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// readTranscripts reads a stream whose format is one of those of this package.
func readTranscripts(f *file, head []byte) {
	switch f.format {
	case USS:
		f.nameRoles()
		readText(f, ussBreak, nil, func(p *part, text string) { parseUSS(f, p, text) })
	case Plain:
		look := styleOf(f.who, string(head))
		readText(f, textBreak, opens(f.who, look), func(p *part, text string) {
			parseTurns(f, p, plain(f.who, text, look), text)
			doubt(f, p)
		})
	case Chat:
		begins := chatLines(string(head))
		areHeads := hasHeads(f.who, string(head))
		if areHeads {
			begins = headLine
		}
		areAbove := hasDatesAbove(string(head))
		readText(f, textBreak, begins, func(p *part, text string) {
			if areAbove {
				text = datesBeside(text)
			}
			if areHeads {
				parseTurns(f, p, headsIn(text), text)
				doubt(f, p)
				return
			}
			parseTurns(f, p, begins, text)
		})
	case subtitles:
		readSubtitles(f)
	case email:
		readMail(f)
	}
}

// formatOfHead returns the format of subtitles or mail, which their first lines show, or auto.
func formatOfHead(text string) dialogue.Format {
	const most = 20 // lines of a heading, a style or a note above the first cue
	if lines := strings.SplitN(text, "\n", most+1); strings.HasPrefix(text, "WEBVTT") ||
		slices.ContainsFunc(lines[:min(len(lines), most)], expr("cue-times").MatchString) {
		return subtitles
	}
	if isMail(text) {
		return email
	}
	return auto
}

// formatOfTurns returns the format of a text by the lines that look like turns, or auto.
func formatOfTurns(f *file, text string) dialogue.Format {
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
		case isLabel && expr("name-like").MatchString(name):
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

// A separator classifies a line that may separate two dialogues: a bar or a title always does; a
// rule does if the next line is a title or begins a turn.
type separator func(line string) (isBar, isRule bool, title string)

// readText splits a file into the texts of its dialogues, each with the id from the title above it,
// and calls parse for each. begins finds the lines that begin a turn.
func readText(f *file, kind separator, begins parser, parse func(p *part, text string)) {
	var text []byte
	isLong, isReported := false, false
	isFenced := false  // by a line such as "~~~yaml", which a rule of tildes closes
	id, first := "", 0 // the line on which the first words are; 0 if none so far
	end := func() {
		if first == 0 {
			return
		}
		p := part{Line: first, ID: id}
		if isLong {
			p.wrong(f.most.String(), longHint)
		} else {
			parse(&p, string(text))
		}
		isTitle := f.format == Chat && !isLong && len(p.Messages) == 0 &&
			bytes.Count(text, []byte("\n")) <= maxHeading
		isFenced = false
		if text, isLong, id, first = text[:0], false, "", 0; isTitle {
			f.note("a title or a last line without a turn is passed over")
		} else {
			assemble(f, []part{p}, false)
		}
	}
	head, _ := f.in.Peek(headSize)
	if begins != nil && blankParts(string(head), begins) {
		f.note("blank lines do not part dialogues, so that this is one; a line of ==== or a " +
			"title parts them")
	}
	isPlainRule := begins != nil && rulesBetweenTurns(string(head), kind, begins)
	if isPlainRule {
		f.note("lines such as --- are between the turns of a dialogue and do not part dialogues; " +
			"a line of ==== or a title parts them")
	}
	l := newLines(f)
	rule := -1 // offset in the text of a rule whose next line is not yet known, or -1
	for f.err == nil && l.next() {
		// This much is enough to classify the line.
		line := strings.TrimSpace(string(l.text[:min(len(l.text), 2*maxName)]))
		isBar, isRule, title := kind(line)
		if strings.HasPrefix(line, "~~~") && first > 0 {
			isFenced, isRule = !isRule, isRule && !isFenced
		}
		isTicket := title != "" &&
			(expr("ticket-line").MatchString(line) || expr("with-line").MatchString(line))
		if n, kind := markIn(line); isTicket && first > 0 && n > 0 && kind[0] != '#' &&
			(n == len(kind) || kind == "1") && strings.HasPrefix(line[n:], " ") {
			title, isTicket = "", false // an entry of a list, and no rule
		}
		if rule >= 0 && line != "" && !isRule {
			if _, _, ok := begins(line); ok || title != "" {
				if text = text[:rule]; !isPlainRule || title != "" {
					end()
				}
			}
			rule = -1
		}
		switch {
		case title != "" || isBar && first > 0:
			end()
			if id = title; isTicket && !isReported {
				isReported = true
				f.note("lines such as " + quote(line) + " begin a dialogue")
			}
			continue
		case first == 0 && (line == "" || isBar || isRule):
			continue
		case isRule && rule < 0:
			rule = len(text)
		}
		first = cmp.Or(first, l.number)
		if text = append(append(text, l.text...), '\n'); len(text) > f.most.text || l.long != nil {
			text, isLong, rule = text[:0], true, min(rule, 0) // the rest is skipped
		}
	}
	if f.fail(l.err); f.err == nil {
		end()
	}
}

// blankParts reports whether blank lines separate groups of several turns, as some people write.
func blankParts(head string, begins parser) bool {
	groups := expr("blank-lines").Split(strings.TrimSpace(head), -1)
	for _, group := range groups {
		turns := 0
		for line := range strings.Lines(group) {
			if _, _, ok := begins(line); ok {
				turns++
			} else if turns == 0 {
				return false
			}
		}
		if turns < 2 {
			return false
		}
	}
	return len(groups) > 1
}

// rulesBetweenTurns reports whether rules separate turns rather than dialogues: above and below
// most of them, one speaker says one thing, and not the same one.
func rulesBetweenTurns(head string, kind separator, begins parser) bool {
	groups, single := 0, 0 // of turns above or below a rule
	above, name, turns := "", "", 0
	isBelow := false
	end := func(isRule bool) {
		if turns > 0 && (isRule || isBelow) {
			groups++
			if turns == 1 && name != above {
				single++
			}
		}
		if above, turns, isBelow = "", 0, isRule; isRule {
			above = name
		}
	}
	for line := range strings.Lines(head) {
		isBar, isRule, title := kind(strings.TrimSpace(line))
		if who, _, ok := begins(line); ok {
			name, turns = who, turns+1
		} else if isRule && turns > 0 || isBar || title != "" {
			end(isRule)
		}
	}
	end(false)
	return groups > 2 && 2*single > groups
}

// textBreak classifies the separators of plain text and chats; title is the id in a title.
func textBreak(line string) (isBar, isRule bool, title string) {
	if line == "" || len(line) > maxName {
		return false, false, "" // the common case
	}
	for _, form := range []string{"drawn-line", "title-line", "ticket-line", "with-line"} {
		if m := expr(form).FindStringSubmatch(line); m != nil {
			title = m[1]
		}
	}
	return expr("bar-line").MatchString(line), expr("rule-line").MatchString(line), title
}

// The files of the User Satisfaction Simulation sets have one row per turn: ROLE, text, and
// possibly ACTION and ratings, between tabs, and blank lines between sessions, which are numbered.
// The row of the USER whose text is OVERALL is not a turn; it rates the whole session.

const ussHint = "want SYSTEM or USER, the text, the ACTION and the ratings, with a tab between them"

func ussBreak(line string) (isBar, isRule bool, id string) { return line == "", false, "" }

func parseUSS(f *file, p *part, text string) {
	truth := &p.truth
	isOver, isRated, line := false, false, p.Line-1
	turns := min(strings.Count(text, "\n"), usualTurns)
	p.Messages = make([]message, 0, turns)
	truth.Turns, truth.Labels = make([][]float64, 0, turns), make([]string, 0, turns)
	for row := range strings.Lines(dialogue.Clean(text)) {
		line++
		name, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		words, rest, _ := strings.Cut(rest, "\t")
		label, scores, _ := strings.Cut(rest, "\t")
		scores, _, more := strings.Cut(scores, "\t")
		if !ok || more {
			p.wrong(fmt.Sprintf("%d tabs", strings.Count(row, "\t")), ussHint, line)
		} else if isOver {
			p.wrong("a row after OVERALL", "put a blank line before the next session", line)
		}
		if p.Err != nil {
			return
		}
		ratings, ok := ParseRatings(scores)
		if !ok {
			misrated(f, line, scores)
		}
		if strings.TrimSpace(words) == "OVERALL" {
			isOver, truth.Overall = true, ratings
			continue
		}
		p.Messages = append(p.Messages, message{Name: name, Text: words, Line: line})
		isRated = isRated || ratings != nil
		truth.Turns = append(truth.Turns, ratings)
		truth.Labels = append(truth.Labels, strings.TrimSpace(label))
	}
	if !isRated {
		truth.Turns = nil
	}
	if strings.Join(truth.Labels, "") == "" {
		truth.Labels = nil
	}
}
