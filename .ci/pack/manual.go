package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// addManual adds completions for shells and a man page for each help text, which native prints.
// Windows gets the completion of its own shell.
func (f files) addManual(native, version, goos string) error {
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command(native, args...)
		cmd.Env = []string{"HOME=~"} // so that no page contains a folder of this machine
		cmd.Stderr = os.Stderr
		return cmd.Output()
	}
	shells := map[string]string{"bash": "assize.bash", "zsh": "_assize", "fish": "assize.fish"}
	if goos == "windows" {
		shells = map[string]string{"powershell": "assize.ps1"}
	}
	for shell, file := range shells {
		text, err := run("completion", shell)
		if err != nil {
			return err
		}
		f["completions/"+file] = text
	}
	if goos == "windows" {
		return nil
	}
	for pattern, section := range map[string]string{"commands/*.txt": "1", "topics/*.md": "7"} {
		list, err := filepath.Glob("cmd/assize/help/" + pattern)
		if err != nil || len(list) == 0 {
			return fmt.Errorf("no help in %s: %w", pattern, err)
		}
		for _, path := range list {
			topic := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
			args := []string{"help", topic}
			if topic == "assize" {
				args = args[:1]
			}
			text, err := run(args...)
			if err != nil {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name := strings.TrimSuffix("assize-"+topic, "-assize")
			f["man/man"+section+"/"+name+"."+section] =
				manPage(name, section, version, title(string(source)), string(text))
		}
	}
	return nil
}

// title returns the title of a help text: its heading, or the line after the usage of a command.
func title(text string) string {
	lines := strings.SplitN(text, "\n", 3)
	if heading, ok := strings.CutPrefix(lines[0], "# "); ok {
		return heading
	}
	return lines[1]
}

// section matches the headings of a help text.
var section = regexp.MustCompile(`^(?:#+ (.*)|([A-Z].*):)$`)

// manPage returns a help text as a man page. Only its headings are formatted; the rest begins at the
// margin, because it may have 80 columns.
func manPage(name, number, version, title, text string) []byte {
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s %s \"\" \"assize %s\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n.in 0\n",
		strings.ToUpper(name), number, version, escape(name), escape(title))
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := section.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(&b, ".fi\n.SH %s\n.nf\n.in 0\n", escape(m[1]+m[2]))
			continue
		}
		line = escape(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line // it is no request
		}
		b.WriteString(line + "\n")
	}
	return []byte(b.String())
}
