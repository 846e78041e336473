package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Cell is one run of an experiment.
type Cell struct {
	Model   string
	Panel   Panel  // the zero Panel where the rules judge alone
	Prompts string // "" where the rules judge alone
	Repeat  int    // from 1
	File    string // the name of the run, without its folder
}

// ByRules reports whether the rules judge alone.
func (c *Cell) ByRules() bool { return c.Model == Rules }

// Row names what the repeats of a cell have in common: "smollm2 full default", or "rules".
func (c *Cell) Row() string {
	if c.ByRules() {
		return Rules
	}
	return Short(c.Model) + " " + c.Panel.Name + " " + c.Prompts
}

// Repeats reports whether two cells differ by no more than their repeat.
func (c *Cell) Repeats(other *Cell) bool {
	return c.Model == other.Model && c.Panel.Name == other.Panel.Name && c.Prompts == other.Prompts
}

// Short gives a model's name with no more than twelve digits of its digest.
func Short(model string) string {
	name, digest, pinned := strings.Cut(model, "@")
	if !pinned {
		return model
	}
	digest = strings.TrimPrefix(digest, "sha256:")
	return name + "@" + digest[:min(len(digest), 12)]
}

// String names the cell: "smollm2 full default 1".
func (c *Cell) String() string { return fmt.Sprintf("%s %d", c.Row(), c.Repeat) }

// Cells lists the cells: the rules first, and the repeats of a cell one after the other. Names of files are safe on
// every system, and different even where letters do not differ by case.
func (p *Plan) Cells() []Cell {
	var list []Cell
	for _, model := range p.Models {
		if model == Rules {
			list = append([]Cell{{Model: Rules, Repeat: 1}}, list...)
			continue
		}
		for _, panel := range p.Panels {
			for _, prompts := range p.Prompts {
				for repeat := range p.Repeats {
					list = append(list, Cell{Model: model, Panel: panel, Prompts: prompts, Repeat: repeat + 1})
				}
			}
		}
	}
	called := map[string]int{}
	for i := range list {
		list[i].File = list[i].stem()
		called[strings.ToLower(list[i].File)]++
	}
	for i := range list {
		c := &list[i]
		if called[strings.ToLower(c.File)] > 1 {
			sum := sha256.Sum256([]byte(c.Model + "\x00" + c.Panel.Name + "\x00" + c.Prompts))
			c.File += "." + hex.EncodeToString(sum[:4])
		}
		c.File += ".jsonl"
	}
	return list
}

// stem is the name of a cell's file without its ending.
func (c *Cell) stem() string {
	if c.ByRules() {
		return Rules
	}
	return fmt.Sprintf("%s.%s.%s.%d", safe(Short(c.Model)), safe(c.Panel.Name), safe(c.Prompts), c.Repeat)
}

// longest is how long a part of a name may be: four of them fit into the 255 bytes that systems allow.
const longest = 50

// safe makes a part of a file's name out of a word. What not every system allows in names becomes a dash.
func safe(word string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, word)
	name = strings.Trim(name, "-.")
	if len(name) > longest {
		name = strings.Trim(name[:longest], "-.")
	}
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	if name == "" || reserved[base] {
		return "x-" + name
	}
	return name
}

// reserved are the names that stand for devices on Windows, whatever follows behind a dot.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}
