package dialogue

// ConvoKit writes one utterance a line: {"id","conversation_id","speaker","text",…}. Older corpora call the
// conversation root and the speaker user. Its speakers are people or roles; where a name is not a usual one,
// --system-name or --role-map tells who is judged. What an utterance has besides, and in its meta, is metadata.

// utterance reads one utterance.
func utterance(v value) row {
	o := parseObject(v.raw)
	r := row{line: v.line, id: o.text("conversation_id", "root"), name: o.text("speaker", "user", "role")}
	if r.name == "" {
		r.name = parseObject(o.first("speaker", "user")).text("id", "name")
	}
	text := o.first("text", "content")
	r.text = jsonText(text)
	switch {
	case r.name == "":
		r.err = &SyntaxError{Line: v.line, Msg: "an utterance without a speaker", Hint: `want "speaker":"agent"`}
	case text != nil && text[0] != '"':
		r.err = &SyntaxError{Line: v.line, Msg: "the text is " + kind(text), Hint: "want a string"}
	}
	r.meta = appendFields(nil, v.raw, "id", "conversation_id", "root", "speaker", "user", "role", "reply-to", "reply_to")
	r.meta = appendFields(r.meta, o["meta"])
	return r
}
