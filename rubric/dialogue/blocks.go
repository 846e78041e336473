package dialogue

// block is the text of one dialogue.
type block struct {
	text string
	line int    // on which it begins
	id   string // from its title
}

// blocks cuts a file of text at its separators and hands each dialogue to parse. begins reports whether a
// line begins a turn.
func (f *file) blocks(begins func(line string) bool, parse func(block) error) error {
	l := f.lines()
	c := cutter{file: f, begins: begins, parse: parse, rule: -1}
	for l.next() {
		if err := c.add(&l); err != nil {
			return err
		}
	}
	if l.err != nil {
		return l.err
	}
	return c.flush(len(c.text))
}

// cutter gathers one block after the other.
type cutter struct {
	file   *file
	begins func(string) bool
	parse  func(block) error
	text   []byte
	line   int // of the first words; 0 where there are none yet
	id     string
	rule   int // where in text a rule stands whose next line is not yet known, or -1
	full   bool
}

func (c *cutter) add(l *lines) error {
	line := string(l.text[:min(len(l.text), 2*maxName)]) // enough to tell what kind of line it is
	isBlank := !l.tooLong && blank(l.text)
	sep := parseSeparator(line)
	if c.rule >= 0 && !isBlank && sep.kind != rule {
		at := c.rule
		c.rule = -1
		if sep.kind == title || c.begins(line) {
			if err := c.flush(at); err != nil {
				return err
			}
		}
	}
	switch {
	case sep.kind == title:
		err := c.flush(len(c.text))
		c.id = sep.id
		return err
	case c.line == 0 && (isBlank || sep.kind != noSeparator):
		return nil
	case sep.kind == bar:
		return c.flush(len(c.text))
	case sep.kind == rule && c.rule < 0:
		c.rule = len(c.text)
	case c.line == 0:
		c.line = l.number
	}
	if c.full = c.full || l.tooLong || len(c.text)+len(l.text) > c.file.most.text; c.full {
		c.text, c.rule = c.text[:0], min(c.rule, 0)
		return nil
	}
	c.text = append(append(c.text, l.text...), '\n')
	return nil
}

// flush ends the block whose text is text[:end].
func (c *cutter) flush(end int) error {
	b := block{text: string(c.text[:end]), line: c.line, id: c.id}
	full := c.full
	c.text, c.line, c.id, c.full = c.text[:0], 0, "", false
	switch {
	case full:
		return c.file.fail(b.line, tooLong, "part the dialogues by lines of ---")
	case b.line == 0:
		return nil
	}
	return c.parse(b)
}
