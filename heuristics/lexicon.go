package heuristics

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

//go:embed lexicon
var lexiconFiles embed.FS

// lexicon is the data of the rule agents: one file a class, with the points that a detector gives beside the
// phrases that it looks for.
//
// A file holds one phrase a line. "(a|b|) c" stands for "a c", "b c" and "c"; ^ pins a phrase to the start of
// a turn, after fillers such as "well", and $ to its end; a number behind a tab gives a phrase of a
// @summed class points of its own; # begins a comment. Lines with @ say what the class is: @role user, system or either, @points with
// two decimals, @negatable where a negator shortly before voids a hit, @summed where all hits in a turn
// add up.
type lexicon struct {
	vocabulary vocabulary
	classes    []class
	byName     map[string]int16
	patterns   [3]*patterns // by dialogue.Role, until they are compiled
	automata   [3]*phrases  // by dialogue.Role
	values     []valueWord  // by word number
	languages  languages
	digest     string
}

// class is one lexicon file.
type class struct {
	name      string
	roles     []dialogue.Role // whose turns the phrases are looked for in
	points    rubric.Hundredths
	negatable bool
	summed    bool // the points of all its phrases in a turn add up
	lines     int  // of phrases, for tests that want none empty
}

// vocabulary numbers the words that lexicons know.
type vocabulary struct {
	words map[string]known
}

type known struct {
	number uint32
	stem   uint32 // as stemHash gives it
	flags  flags
}

func (v *vocabulary) token(word []byte) token {
	k, ok := v.words[string(word)]
	if !ok {
		k.stem = stemHash(word)
	}
	return token{word: k.number, flags: k.flags, stem: k.stem}
}

func (v *vocabulary) enter(word string, f flags) uint32 {
	k := v.words[word]
	if k.number == 0 {
		k.number, k.stem = uint32(len(v.words)+1), stemHash([]byte(word))
	}
	k.flags |= f
	v.words[word] = k
	return k.number
}

// wordLists are the files that mark words instead of naming a class.
var wordLists = map[string]flags{
	"words-fillers": filler, "words-negators": negator, "words-stop": stopword,
	"words-articles": article, "words-auxiliaries": auxiliary, "words-modals": modal, "words-subjects": subject,
	"words-prepositions": preposition, "words-joiners": joiner, "words-twice": twice,
}

// valueWords is the file of the words that values are made of; see values.go.
const valueWords = "words-values"

// loadLexicon reads the embedded files. An error is a mistake in one of them, and says where.
func loadLexicon(files fs.FS) (*lexicon, error) {
	l := &lexicon{vocabulary: vocabulary{words: map[string]known{}}, byName: map[string]int16{}}
	for r := range l.patterns {
		l.patterns[r] = newPatterns()
	}
	names, err := fs.Glob(files, "lexicon/*.txt")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	hash := sha256.New()
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
		if err := l.file(name, string(data)); err != nil {
			return nil, err
		}
	}
	for r, g := range l.patterns {
		l.automata[r] = g.compile()
	}
	l.patterns = [3]*patterns{}
	l.digest = hex.EncodeToString(hash.Sum(nil))
	return l, nil
}

func (l *lexicon) file(file, data string) error {
	name := strings.TrimSuffix(path.Base(file), ".txt")
	mark, isList := wordLists[name]
	c := class{name: name}
	number := int16(len(l.classes))
	line := 0
	for text := range strings.Lines(data) {
		line++
		text, _, _ = strings.Cut(text, "#")
		text = strings.TrimRight(text, " \r\n")
		var err error
		switch {
		case strings.TrimSpace(text) == "":
		case isList:
			for _, w := range strings.Fields(text) {
				l.vocabulary.enter(w, mark)
			}
		case name == foreignWords:
			err = l.languages.line(text, &l.vocabulary)
		case name == valueWords:
			err = l.valueLine(text)
		case text[0] == '@':
			err = c.directive(text[1:])
		case c.roles == nil:
			err = fmt.Errorf("a phrase before @role; want @role user, @role system or @role either first")
		default:
			err = l.phrase(number, &c, text)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
	if !isList && name != valueWords && name != foreignWords {
		l.classes = append(l.classes, c)
		l.byName[name] = number
	}
	return nil
}

func (c *class) directive(text string) (err error) {
	key, value, _ := strings.Cut(text, " ")
	switch key {
	case "role":
		switch value {
		case "user":
			c.roles = []dialogue.Role{dialogue.User}
		case "system":
			c.roles = []dialogue.Role{dialogue.System}
		case "either":
			c.roles = []dialogue.Role{dialogue.User, dialogue.System}
		default:
			return fmt.Errorf("unknown role %q; want user, system or either", value)
		}
	case "points":
		c.points, err = rubric.ParseHundredths(value)
	case "negatable":
		c.negatable = true
	case "summed":
		c.summed = true
	default:
		return fmt.Errorf("unknown directive @%s; want @role, @points, @negatable or @summed", key)
	}
	return err
}

func (l *lexicon) phrase(number int16, c *class, text string) error {
	text, own, _ := strings.Cut(text, "\t")
	end := phraseEnd{class: number}
	if own != "" {
		p, err := rubric.ParseHundredths(strings.TrimSpace(own))
		switch {
		case err != nil:
			return err
		case !c.summed:
			return fmt.Errorf("points of its own for %q; want @summed for the class, which adds them up", text)
		case p < -mostReaction || p > mostReaction:
			return fmt.Errorf("%s points; want -4.00 to 4.00", p)
		}
		end.points = int16(p)
	}
	text = strings.TrimSpace(text)
	text, end.anchored = strings.CutPrefix(text, "^")
	text, end.final = strings.CutSuffix(text, "$")
	for _, role := range c.roles {
		if err := l.patterns[role].add(text, end, func(word string) uint32 { return l.vocabulary.enter(word, 0) }); err != nil {
			return err
		}
	}
	c.lines++
	return nil
}

// class gives the number of the class that file name holds, or -1, which no hit has.
func (l *lexicon) class(name string) int16 {
	if n, ok := l.byName[name]; ok {
		return n
	}
	return -1
}
