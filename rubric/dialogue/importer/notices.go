package importer

import "strings"

// generated is the invisible mark with which WhatsApp begins text that it writes itself under
// somebody's name, such as "image omitted". Such text is nobody's turn.
const generated = "\u200e"

// maxNotice is the maximum length in bytes of a line that may be a notice.
const maxNotice = 400

// withoutNotices returns the text of a message without notices of the messenger.
func withoutNotices(text string) string {
	if strings.TrimSpace(text) == "null" {
		return ""
	}
	var said strings.Builder
	isFirst := true
	for line := range strings.Lines(text) {
		words := strings.TrimRight(line, "\r\n")
		end := line[len(words):]
		if len(words) <= maxNotice && isNotice(words, isFirst) {
			words = ""
		}
		isFirst = isFirst && strings.TrimSpace(words) == ""
		if strings.HasSuffix(words, ">") {
			words = withoutEdited(words)
		}
		said.WriteString(words + end)
	}
	return said.String()
}

// isNotice reports whether a line is a notice. The beginning of a message may also be a phrase in
// angle brackets, which stands for an attachment in any language.
func isNotice(line string, isFirst bool) bool {
	const marks = " \t\u200e\u200f\u202a\u202c.。"
	whole := strings.Trim(line, marks)
	if whole == "" {
		return false
	}
	parts := strings.Split(line, generated) // the last part may describe what was omitted
	if isListed(whole, "line") || isListed(strings.Trim(parts[len(parts)-1], marks), "line") {
		return true
	}
	if i := strings.LastIndex(whole, " ("); i >= 0 && strings.HasSuffix(whole, ")") {
		name, what := whole[:i], whole[i+2:len(whole)-1]
		dot := strings.LastIndexByte(name, '.')
		isFile := dot > 0 && !strings.Contains(name[dot:], " ")
		if isFile && (isListed(what, "file") || ownFile().MatchString(name)) {
			return true
		}
	}
	if callNotice().MatchString(whole) {
		return true
	}
	if !isFirst {
		return false
	}
	if whole[0] == '<' && whole[len(whole)-1] == '>' {
		return strings.ContainsAny(whole, " :\u00a0") && strings.Count(whole, "<") == 1
	}
	return startNotice().MatchString(whole)
}

// isListed reports whether a text is of that kind in notices.txt.
func isListed(text, kind string) bool { return kinds()["notices"][text] == kind }

var (
	callNotice  = form("call-notice")
	startNotice = form("start-notice")
)

// ownFile matches the name that WhatsApp assigns to a photo, a video or a recording.
var ownFile = form("own-file")

// withoutEdited returns a line without the note at its end that the message was edited.
func withoutEdited(line string) string {
	begin := strings.LastIndexByte(line, '<')
	if begin >= 0 && isListed(strings.Trim(line[begin+1:len(line)-1], ". "), "edited") {
		return strings.TrimRight(line[:begin], " \t\u200e")
	}
	return line
}
