package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
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
	Type     string              `json:"type"`
	PURL     string              `json:"purl"`
	Name     string              `json:"name"`
	Version  string              `json:"version"`
	Licences []map[string]string `json:"licenses,omitempty"` // an "expression" of SPDX

	terms map[string]string // the texts of licences and notices, by the names of their files
}

// components are listed by their package URL.
type components map[string]*component

// add adds a component, unless it is there, and returns it.
func (all components) add(kind, name, version string) *component {
	purl := "pkg:" + kind + "/" + strings.ReplaceAll(name, "@", "%40") + "@" + version
	if all[purl] == nil {
		all[purl] = &component{"library", purl, name, version, nil, map[string]string{}}
	}
	return all[purl]
}

// writeComponents writes components.cdx.json, the list of what is linked, and NOTICES, the terms.
// The modules are those of the packages that the sources import. They must be the modules that the
// program says it was built from, and the licence of each must be known.
func writeComponents(program, folder string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	all, built := components{}, components{}
	for _, m := range info.Deps {
		built.add("golang", m.Path, m.Version)
	}
	if err := all.addModules(info); err != nil {
		return err
	}
	if got, want := slices.Sorted(maps.Keys(built)), slices.Sorted(maps.Keys(all)); !slices.Equal(
		got, want) {
		return fmt.Errorf("%s contains %v; the sources import %v", program, got, want)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	library := all.add("golang", "std", strings.TrimPrefix(info.GoVersion, "go"))
	err = cmp.Or(library.read(strings.TrimSpace(string(root))), all.addBundle())
	if err != nil {
		return err
	}
	self := components{}.add("golang", info.Main.Path, info.Main.Version)
	self.Type = "application"
	// no serial number and no time, which would differ each time
	bill := map[string]any{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"component": self}}
	var list []*component
	notices := "What assize contains of others, and under which terms.\n"
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		c := all[ref]
		id, err := c.licence()
		if err != nil {
			return err
		}
		c.Licences = []map[string]string{{"expression": id}}
		list = append(list, c)
		notices += fmt.Sprintf("\n%s\n%s %s (%s)\n", strings.Repeat("=", 80), c.Name, c.Version, id)
		for _, name := range slices.Sorted(maps.Keys(c.terms)) {
			notices += fmt.Sprintf("\n--- %s\n\n%s\n", name, strings.TrimSpace(c.terms[name]))
		}
	}
	bill["components"] = list
	data, err := json.MarshalIndent(bill, "", "  ")
	return cmp.Or(err,
		os.WriteFile(filepath.Join(folder, "components.cdx.json"), append(data, '\n'), 0o644),
		os.WriteFile(filepath.Join(folder, "NOTICES"), []byte(notices), 0o644))
}

// addModules adds the modules of the packages that the sources import for the system and the
// architecture of a program, with their terms.
func (all components) addModules(info *buildinfo.BuildInfo) error {
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module", "./cmd/assize")
	cmd.Env, cmd.Stderr = os.Environ(), os.Stderr
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" {
			cmd.Env = append(cmd.Env, s.Key+"="+s.Value)
		}
	}
	out, err := cmd.Output()
	for d := json.NewDecoder(bytes.NewReader(out)); err == nil && d.More(); {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err = d.Decode(&p); err != nil || p.Module == nil || p.Module.Main {
			continue
		}
		c := all.add("golang", p.Module.Path, p.Module.Version)
		// a package may have other terms than its module
		for dir := p.Dir; err == nil && strings.HasPrefix(dir, p.Module.Dir); {
			err = c.read(dir)
			dir = filepath.Dir(dir)
		}
	}
	return err
}

// named matches the names of files with terms.
var named = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)[^/]*$`)

// read reads the files with terms in a folder.
func (c *component) read(dir string) error {
	list, err := os.ReadDir(dir)
	for _, entry := range list {
		if !entry.Type().IsRegular() || !named.MatchString(entry.Name()) ||
			filepath.Ext(entry.Name()) == ".go" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		data, failed := os.ReadFile(path)
		// the name without the folder of the module
		_, name, _ := strings.Cut(path, "@"+c.Version+string(filepath.Separator))
		c.terms[cmp.Or(filepath.ToSlash(name), entry.Name())] = string(data)
		err = cmp.Or(err, failed)
	}
	return err
}

// bundled matches an npm package in the comment at the beginning of a bundle.
var bundled = regexp.MustCompile(`(@?[a-z0-9/-]+) ([0-9.]+) \([A-Za-z0-9.-]+\)`)

// addBundle adds the npm packages that the library of the charts consists of, with their terms.
func (all components) addBundle() error {
	const path = "cmd/assize/internal/showing/report/assets/plot.min.js"
	data, err := os.ReadFile(path)
	head, _, ok := strings.Cut(string(data), "*/")
	for section := range strings.SplitSeq(head, "\n---\n") {
		for _, m := range bundled.FindAllStringSubmatch(section, -1) {
			all.add("npm", m[1], m[2]).terms[filepath.Base(path)] = section
		}
	}
	if err == nil && !ok {
		err = fmt.Errorf("%s: want a comment with the licences at its beginning", path)
	}
	return err
}

// known are phrases that only one licence has, in lower case and with single spaces.
var known = []struct{ phrase, id string }{
	{"apache license, version 2.0", "Apache-2.0"},
	{"apache license version 2.0", "Apache-2.0"},
	{"permission is hereby granted, free of charge", "MIT"},
	{"with or without fee is hereby granted", "ISC"},
	{"mozilla public license", "MPL-2.0"},
	{"into the public domain", "blessing"},
	{"gnu general public license", "GPL"},
	{"redistributions of source code must retain", "BSD-2-Clause"},
}

// byReading holds the licences of modules whose files also name software that only their tests use.
var byReading = map[string]string{"modernc.org/sqlite": "BSD-3-Clause AND MIT AND blessing"}

// licence returns the licences of a component as an SPDX expression.
func (c *component) licence() (string, error) {
	var ids []string
	for _, text := range c.terms {
		text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
		for _, l := range known {
			if !strings.Contains(text, l.phrase) {
				continue
			}
			if l.id == "BSD-2-Clause" && strings.Contains(text, "endorse or promote") {
				l.id = "BSD-3-Clause"
			}
			ids = append(ids, l.id)
		}
	}
	if len(ids) == 0 {
		return "", fmt.Errorf("the licence of %s %s is unknown", c.Name, c.Version)
	}
	slices.Sort(ids)
	return cmp.Or(byReading[c.Name], strings.Join(slices.Compact(ids), " AND ")), nil
}
