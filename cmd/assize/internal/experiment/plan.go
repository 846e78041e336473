// Package experiment compares models, panels and prompts on the same dialogues.
//
// An experiment is a YAML file, which `assize experiment --help` shows. Each run is of a model, with a panel, asked by
// some prompts, for one of the repeats. The rules are one run whatever the panels, the prompts and the repeats: they
// always say the same. A row of the table is what the repeats of the same config have in common.
package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/settings"
)

// Plan is what an experiment file asks for.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns, as in the file
	Limit     int      // dialogues of each file; 0 for all
	Models    []string
	Panels    []Panel
	Prompts   []string // folders of templates, or [Default]
	Repeats   int
	Options   []settings.Pair // flags of score for every config
	Output    string          // the folder of the runs; empty where the file names none
	Ratings   string          // a file of people's ratings; empty for those in the transcripts
	Scale     settings.Value  // of people's ratings; the zero Value where the file has none
}

const (
	Rules   = "rules"   // among the models: the rules, without a model
	Default = "default" // the prompts that come with the program
)

// Panel is who judges, and how.
type Panel struct {
	Name  string
	Flags []settings.Pair // of score
}

// The most that a plan may ask for: more is a typing error.
const (
	maxRepeats = 100
	maxConfigs = 1000
	maxLimit   = 1_000_000
)

const (
	wantKeys   = "dialogues, limit, models, panels, prompts, repeats, options, output, ratings or scale"
	wantPanels = "a list such as [{name: full}, {name: one-call, critic: rules}]"
)

// Parse reads an experiment file. Whether its settings are flags, and their values valid, is for the caller to check.
// The error is a [*settings.Error].
func Parse(name string, data []byte) (*Plan, error) {
	file, err := settings.Parse(name, data)
	if err != nil {
		return nil, err
	}
	pairs, err := file.Mapping(wantKeys)
	if err != nil {
		return nil, err
	}
	p := &Plan{File: name, Repeats: 1}
	for _, pair := range pairs {
		if err := p.set(pair); err != nil {
			return nil, err
		}
	}
	if p.Models == nil {
		p.Models = []string{Rules}
	}
	onlyRules := slices.Equal(p.Models, []string{Rules})
	wrong := settings.Error{Place: file.Place}
	switch forModels := p.Panels != nil || p.Prompts != nil || p.Repeats > 1; {
	case len(p.Dialogues) == 0:
		wrong.Msg, wrong.Want = "no dialogues", "dialogues: with one path or more"
	case onlyRules && forModels:
		wrong.Msg, wrong.Want = "panels, prompts and repeats are for models, and there are only the rules", "a model in models"
	}
	if p.Panels == nil {
		p.Panels = []Panel{{Name: "full"}}
	}
	if p.Prompts == nil {
		p.Prompts = []string{Default}
	}
	if n := len(p.Models) * len(p.Panels) * len(p.Prompts) * p.Repeats; n > maxConfigs {
		wrong.Msg = fmt.Sprintf("%d models, %d panels, %d prompts and %d repeats make %d runs",
			len(p.Models), len(p.Panels), len(p.Prompts), p.Repeats, n)
		wrong.Want = fmt.Sprintf("at most %d", maxConfigs)
	}
	if wrong.Msg != "" {
		return nil, &wrong
	}
	return p, nil
}

// set takes one entry of the file.
func (p *Plan) set(pair settings.Pair) (err error) {
	switch v := pair.Value; pair.Key {
	case "dialogues":
		p.Dialogues, err = v.Words("one path or more")
	case "models":
		p.Models, err = v.Words("one model or more")
	case "prompts":
		p.Prompts, err = v.Words("one folder of prompts or more")
	case "limit":
		p.Limit, err = v.Number(maxLimit)
	case "repeats":
		p.Repeats, err = v.Number(maxRepeats)
	case "panels":
		err = p.setPanels(v)
	case "options":
		p.Options, err = v.Mapping("flags of assize score, such as num-thread: 2")
	case "output":
		p.Output, err = v.Word("a folder")
	case "ratings":
		p.Ratings, err = v.Word("a file")
	case "scale":
		p.Scale = v
		_, err = v.Word("two ends, such as 1-5")
	default:
		err = &settings.Error{Place: pair.Place, Msg: fmt.Sprintf("unknown key %q", pair.Key), Want: wantKeys}
	}
	return err
}

func (p *Plan) setPanels(v settings.Value) error {
	if len(v.List) == 0 {
		return &settings.Error{Place: v.Place, Msg: "no list of panels", Want: wantPanels}
	}
	for _, one := range v.List {
		pairs, err := one.Mapping(wantPanels)
		if err != nil {
			return err
		}
		var panel Panel
		for _, pair := range pairs {
			if pair.Key != "name" {
				panel.Flags = append(panel.Flags, pair)
			} else if panel.Name, err = pair.Value.Word("a name"); err != nil {
				return err
			}
		}
		switch {
		case panel.Name == "":
			return &settings.Error{Place: one.Place, Msg: "a panel without a name", Want: wantPanels}
		case slices.ContainsFunc(p.Panels, func(other Panel) bool { return other.Name == panel.Name }):
			return &settings.Error{Place: one.Place, Msg: fmt.Sprintf("two panels have the name %q", panel.Name), Want: "different names"}
		}
		p.Panels = append(p.Panels, panel)
	}
	return nil
}

// Path makes a path of the file, which is relative to the file's folder, one of the working folder.
func (p *Plan) Path(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(p.File), path)
}

// Config is what one run of an experiment is judged by.
type Config struct {
	Model   string
	Panel   Panel  // the zero Panel where the rules judge alone
	Prompts string // empty where the rules judge alone
	Repeat  int    // from 1
	File    string // the name of the run, without its folder
}

// ByRules reports whether the rules judge alone.
func (c *Config) ByRules() bool { return c.Model == Rules }

// Row names what the repeats of a config have in common: "smollm2 full default", or "rules".
func (c *Config) Row() string {
	if c.ByRules() {
		return Rules
	}
	return short(c.Model) + " " + c.Panel.Name + " " + c.Prompts
}

// String names the config: "smollm2 full default 1".
func (c *Config) String() string { return fmt.Sprintf("%s %d", c.Row(), c.Repeat) }

// short gives a model's name with at most twelve digits of its digest.
func short(model string) string {
	name, digest, pinned := strings.Cut(model, "@")
	if !pinned {
		return model
	}
	digest = strings.TrimPrefix(digest, "sha256:")
	return name + "@" + digest[:min(len(digest), 12)]
}

// Configs lists the configs: the rules first, and the repeats of each next to each other. Names of files are different
// even on systems where letters do not differ by case.
func (p *Plan) Configs() []Config {
	var list []Config
	for _, model := range p.Models {
		if model == Rules {
			list = slices.Insert(list, 0, Config{Model: Rules, Repeat: 1, File: Rules})
			continue
		}
		for _, panel := range p.Panels {
			for _, prompts := range p.Prompts {
				for repeat := range p.Repeats {
					file := fmt.Sprintf("%s.%s.%s.%d", safe(short(model)), safe(panel.Name), safe(prompts), repeat+1)
					list = append(list, Config{model, panel, prompts, repeat + 1, file})
				}
			}
		}
	}
	named := map[string]int{}
	for _, c := range list {
		named[strings.ToLower(c.File)]++
	}
	for i := range list {
		c := &list[i]
		if named[strings.ToLower(c.File)] > 1 {
			sum := sha256.Sum256([]byte(c.Model + "\x00" + c.Panel.Name + "\x00" + c.Prompts))
			c.File += "." + hex.EncodeToString(sum[:4])
		}
		c.File += ".jsonl"
	}
	return list
}

// safe makes a part of a file's name from a word. What not every system allows in names becomes a dash.
func safe(word string) string {
	const most = 50 // four parts of a name fit into the 255 bytes that systems allow
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, word)
	name = strings.Trim(name, "-.")
	if name = strings.Trim(name[:min(len(name), most)], "-."); name == "" {
		return "x-"
	}
	return name
}
