package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// component is a module, the Go library or an npm package that is part of the program. The JSON
// names are those of CycloneDX.
type component struct {
	Type     string    `json:"type"`
	PURL     string    `json:"purl"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Licences []licence `json:"licenses,omitempty"`

	texts map[string]string // licences and notices, by the names of their files
}

type licence struct {
	Expression string `json:"expression"` // SPDX
}

// bill is a CycloneDX document. It has no serial number and no time, which would differ each time.
type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component  component  `json:"component"`
		Properties []property `json:"properties"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// addComponents adds components.cdx.json, the list of what is linked, and NOTICES, the licences.
// The modules are those of the packages that the sources import. They must be the modules that the
// program says it was built from, and each must have a known licence.
func (f files) addComponents(info *buildinfo.BuildInfo, settings map[string]string) error {
	all, err := linked(settings)
	if err != nil {
		return err
	}
	inSources, inProgram := map[string]bool{}, map[string]bool{}
	for ref := range all {
		inSources[ref] = true
	}
	for _, m := range info.Deps {
		inProgram[newComponent("golang", m.Path, m.Version).PURL] = true
	}
	if !maps.Equal(inSources, inProgram) {
		return fmt.Errorf("the sources import %v; the program contains %v", inSources, inProgram)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	library := newComponent("golang", "std", strings.TrimPrefix(info.GoVersion, "go"))
	if err := library.read(strings.TrimSpace(string(root))); err != nil {
		return err
	}
	all[library.PURL] = library
	if err := addBundle(all); err != nil {
		return err
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Component = *newComponent("golang", info.Main.Path, info.Main.Version)
	b.Metadata.Component.Type = "application"
	for _, key := range []string{"GOOS", "GOARCH", "vcs.revision", "vcs.time"} {
		b.Metadata.Properties = append(b.Metadata.Properties, property{key, settings[key]})
	}
	notices := "What " + info.Main.Path + " contains of others, and under which terms.\n"
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		c := all[ref]
		id, err := c.licence()
		if err != nil {
			return err
		}
		c.Licences = []licence{{id}}
		b.Components = append(b.Components, *c)
		notices += fmt.Sprintf("\n%s\n%s %s (%s)\n", strings.Repeat("=", 80), c.Name, c.Version, id)
		for _, name := range slices.Sorted(maps.Keys(c.texts)) {
			notices += fmt.Sprintf("\n--- %s\n\n%s\n", name, strings.TrimSpace(c.texts[name]))
		}
	}
	f["NOTICES"] = []byte(notices)
	data, err := json.MarshalIndent(b, "", "  ")
	f["components.cdx.json"] = append(data, '\n')
	return err
}

// linked returns the modules whose packages are linked, by their package URL.
func linked(settings map[string]string) (map[string]*component, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module", "./cmd/assize")
	cmd.Env = append(os.Environ(), "GOOS="+settings["GOOS"], "GOARCH="+settings["GOARCH"],
		"CGO_ENABLED="+settings["CGO_ENABLED"])
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	all := map[string]*component{}
	for d := json.NewDecoder(bytes.NewReader(out)); err == nil; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		err = d.Decode(&p)
		if err != nil || p.Module == nil || p.Module.Main {
			continue
		}
		c := newComponent("golang", p.Module.Path, p.Module.Version)
		if all[c.PURL] == nil {
			all[c.PURL] = c
		}
		// a package may have other terms than its module
		for dir := p.Dir; err == nil && strings.HasPrefix(dir, p.Module.Dir); {
			err = all[c.PURL].read(dir)
			dir = filepath.Dir(dir)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return all, err
}

func newComponent(kind, name, version string) *component {
	purl := "pkg:" + kind + "/" + strings.ReplaceAll(name, "@", "%40") + "@" + version
	return &component{"library", purl, name, version, nil, map[string]string{}}
}

// licenceFile matches the names of files with terms.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

// read reads the files with terms in a folder.
func (c *component) read(dir string) error {
	list, err := os.ReadDir(dir)
	for _, entry := range list {
		name := filepath.Join(dir, entry.Name())
		if entry.Type().IsRegular() && licenceFile.MatchString(entry.Name()) &&
			filepath.Ext(name) != ".go" {
			data, e := os.ReadFile(name)
			_, after, _ := strings.Cut(name, "@") // without this machine's cache of modules
			_, inside, _ := strings.Cut(filepath.ToSlash(after), "/")
			if inside == "" {
				inside = entry.Name()
			}
			c.texts[inside], err = string(data), e
		}
	}
	return err
}

// terms are phrases that only one licence has, in lower case and with single spaces.
var terms = []struct{ phrase, id string }{
	{"apache license, version 2.0", "Apache-2.0"},
	{"apache license version 2.0", "Apache-2.0"},
	{"redistributions of source code must retain", "BSD"},
	{"permission is hereby granted, free of charge", "MIT"},
	{"with or without fee is hereby granted", "ISC"},
	{"mozilla public license", "MPL-2.0"},
	{"into the public domain", "blessing"},
	{"gnu general public license", "GPL"},
}

// byReading holds the licences of modules whose files also name software that only their tests use.
var byReading = map[string]string{"modernc.org/sqlite": "BSD-3-Clause AND MIT AND blessing"}

// licence returns the licences of a component as an SPDX expression.
func (c *component) licence() (string, error) {
	if id, ok := byReading[c.Name]; ok {
		return id, nil
	}
	var ids []string
	for _, text := range c.texts {
		text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
		for _, t := range terms {
			if strings.Contains(text, t.phrase) && !slices.Contains(ids, t.id) {
				ids = append(ids, t.id)
			}
		}
		if bsd := slices.Index(ids, "BSD"); bsd >= 0 {
			ids[bsd] = "BSD-2-Clause"
			if strings.Contains(text, "endorse or promote") {
				ids[bsd] = "BSD-3-Clause"
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return "", fmt.Errorf("the licence of %s %s is unknown", c.Name, c.Version)
	}
	return strings.Join(ids, " AND "), nil
}

// bundled matches an npm package in the comment at the beginning of a bundle.
var bundled = regexp.MustCompile(`(@?[a-z0-9/-]+) ([0-9.]+) \(([A-Za-z0-9.-]+)\)`)

// addBundle adds the npm packages that the library of the charts is bundled from, with their terms.
func addBundle(all map[string]*component) error {
	const path = "cmd/assize/internal/showing/report/assets/plot.min.js"
	data, err := os.ReadFile(path)
	head, _, ok := strings.Cut(string(data), "*/")
	if err != nil || !ok {
		return fmt.Errorf("%s: want a comment with licences: %w", path, err)
	}
	for section := range strings.SplitSeq(head, "\n---\n") {
		for _, m := range bundled.FindAllStringSubmatch(section, -1) {
			c := newComponent("npm", m[1], m[2])
			c.texts["comment of "+filepath.Base(path)] = section
			all[c.PURL] = c
		}
	}
	return nil
}
