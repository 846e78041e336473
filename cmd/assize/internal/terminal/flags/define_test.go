package flags

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// program has two commands, cook and eat, which do nothing, and the values of the flags of cook.
type program struct {
	Commands
	root             *cobra.Command
	meal, out, in    string
	minutes          int
	with             []string
	salt             bool
	form             Choice
	secret           string
	given            map[string]bool
	args             []string
	worked, validate bool
}

func newProgram() *program {
	p := &program{Commands: Commands{}, form: Choice{Words: []string{"hot", "cold"}}}
	work := func(_ context.Context, args []string) error {
		p.worked, p.args = true, args
		return nil
	}
	cook := &cobra.Command{Use: "cook [FILE...]", Short: "Prepare a meal.",
		Example: "  assize cook"}
	set := NewSet(cook.Flags())
	set.StringVar(&p.meal, "meal", "soup", "the `NAME` of the meal")
	set.IntVar(&p.minutes, "minutes", 5, "the time")
	set.StringArrayVar(&p.with, "with", nil, "what to add")
	set.BoolVar(&p.salt, "salt", false, "add salt")
	set.Var(&p.form, "form", "how to serve it")
	set.StringVar(&p.out, "output", "", "write to `FILE`")
	set.StringVar(&p.in, "recipe", "", "read `FILE`")
	set.Settings.StringVar(&p.secret, "secret", "", "what nobody sees")
	set.Add("config", new(string))
	validate := func(given map[string]bool, _ []string) error {
		p.validate, p.given = true, given
		return nil
	}
	p.root = &cobra.Command{Use: "assize", SilenceErrors: true, SilenceUsage: true}
	p.root.SetFlagErrorFunc(p.Error)
	p.root.AddCommand(p.Define(cook, set, validate, work))
	eat := &cobra.Command{Use: "eat", Short: "Eat it."}
	set = NewSet(eat.Flags())
	set.Bool("loud", false, "make a noise")
	set.Var(&Choice{Words: []string{"raw"}}, "form", "how it is")
	anything := func(map[string]bool, []string) error { return nil }
	p.root.AddCommand(p.Define(eat, set, anything, work))
	return p
}

func (p *program) run(args ...string) error {
	p.root.SetArgs(args)
	return p.root.ExecuteContext(context.Background())
}

// printed returns an error with its hints, as the user sees it.
func printed(err error) string {
	var w bytes.Buffer
	(&console.Console{Err: &w}).Complain(err)
	return w.String()
}

// config writes a config file, which is used unless a test names another.
func config(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	t.Setenv("ASSIZE_CONFIG", path)
	return path
}

// The command line outweighs ASSIZE_… variables, and these the config file.
func TestFill(t *testing.T) {
	path := config(t, "meal: stew\nminutes: 7\nwith: [leek, rice]\nsalt: true\nform: raw\n"+
		"secret: s1\n")
	p := newProgram()
	require.NoError(t, p.run("cook", "a.txt"))
	assert.True(t, p.worked)
	assert.True(t, p.validate)
	assert.Equal(t, []string{"a.txt"}, p.args)
	assert.Empty(t, p.given, "nothing is on the command line")
	assert.Equal(t, "stew", p.meal)
	assert.Equal(t, 7, p.minutes)
	assert.Equal(t, []string{"leek", "rice"}, p.with)
	assert.True(t, p.salt)
	assert.Equal(t, "s1", p.secret)
	assert.Empty(t, p.form.Value, "raw is a form of eat only")

	t.Setenv("ASSIZE_MEAL", "pie")
	t.Setenv("ASSIZE_MINUTES", "8")
	p = newProgram()
	require.NoError(t, p.run("cook", "--minutes", "9"))
	assert.Equal(t, "pie", p.meal)
	assert.Equal(t, 9, p.minutes)
	assert.Equal(t, map[string]bool{"minutes": true}, p.given)
	require.NoError(t, newProgram().run("eat"), "a command without validation")

	t.Setenv("ASSIZE_CONFIG", "")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("ASSIZE_MEAL", "")
	p = newProgram()
	require.NoError(t, p.run("cook"), "the usual file need not exist")
	assert.Equal(t, "soup", p.meal)
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "assize")
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, os.Rename(path, filepath.Join(dir, "config.yaml")))
	p = newProgram()
	require.NoError(t, p.run("cook"))
	assert.Equal(t, "stew", p.meal, "the usual file")
}

func TestConfigErrors(t *testing.T) {
	for text, want := range map[string]string{
		"minuets: 7\n": "PATH:1:10: unknown setting \"minuets\"; want a setting, or a flag without " +
			"its dashes\nhint: did you mean minutes?\n",
		"config: x\n":       "unknown setting \"config\"",
		"minutes: x\n":      "PATH:1:10: --minutes \"x\": want a whole number\n",
		"salt: perhaps\n":   "PATH:1:7: --salt \"perhaps\": want true or false\n",
		"form: warm\n":      "PATH:1:7: --form \"warm\": want hot or cold\n",
		"meal: [a, b]\n":    "meal has several values; want one\n",
		"meal:\nminutes:\n": "no value",
	} {
		path := config(t, text)
		p := newProgram()
		err := p.run("cook")
		require.Error(t, err, text)
		assert.Contains(t, printed(err), string(bytes.ReplaceAll([]byte(want), []byte("PATH"),
			[]byte(path))), text)
		assert.False(t, p.worked, text)
	}
	config(t, "minuets: 7\n")
	assert.NoError(t, newProgram().run("eat"), "a command without --config works all the same")
	none := filepath.Join(t.TempDir(), "none.yaml")
	assert.EqualError(t, newProgram().run("cook", "--config", none),
		"config file: "+none+": no such file or directory")
	config(t, "")
	t.Setenv("ASSIZE_MINUTES", "x")
	assert.EqualError(t, newProgram().run("cook"),
		`ASSIZE_MINUTES: --minutes "x": want a whole number`)
}

// Errors of the command line say what to do.
func TestError(t *testing.T) {
	config(t, "")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"cook", "--minuets", "3"},
			"hint: did you mean --minutes?\nhint: see assize cook --help\n"},
		{[]string{"cook", "--loud"}, "hint: --loud belongs to assize eat\n"},
		{[]string{"eat", "--meal", "x"}, "hint: --meal belongs to assize cook\n"},
		{[]string{"eat", "--secret", "x"}, "hint: secret is a setting of assize cook\n"},
		{[]string{"cook", "--secret", "x"}, "hint: secret is a setting: write secret: string in " +
			"the config file, or set ASSIZE_SECRET; see assize help settings\n"},
		{[]string{"cook", "--minutes", "x"},
			"assize: --minutes \"x\": want a whole number\nhint: see assize cook --help\n"},
		{[]string{"cook", "--form", "raw"}, "assize: --form \"raw\": want hot or cold\n"},
		{[]string{"cook", "--output", ""}, "assize: --output is empty; want the name of a file\n"},
	} {
		p := newProgram()
		err := p.run(tt.args...)
		require.Error(t, err, tt.args)
		assert.Contains(t, printed(err), tt.want, tt.args)
		assert.False(t, p.worked, tt.args)
	}
}

// A command never writes to a file that it reads.
func TestSeparate(t *testing.T) {
	path := config(t, "")
	dir := t.TempDir()
	in, link := filepath.Join(dir, "in.txt"), filepath.Join(dir, "link.txt")
	require.NoError(t, os.WriteFile(in, nil, 0o666))
	require.NoError(t, os.Symlink(in, link))
	for _, tt := range []struct{ out, recipe, want string }{
		{filepath.Join(dir, "out.txt"), in, ""},
		{in, "", ""},
		{in, in, "-o " + in + ": is also an input, recipe; want another name"},
		{link, in, "-o " + link + ": is also an input, recipe; want another name"},
		{in, dir, "-o " + in + ": is also an input, recipe; want another name"},
		{path, in, "-o " + path + ": is also an input, config; want another name"},
	} {
		p := newProgram()
		args := []string{"cook", "--output", tt.out}
		if tt.recipe != "" {
			args = append(args, "--recipe", tt.recipe)
		}
		err := p.run(args...)
		if tt.want == "" {
			assert.NoError(t, err, args)
		} else {
			assert.EqualError(t, err, tt.want)
		}
		assert.Equal(t, tt.want == "", p.worked, args)
	}
}

func TestUsage(t *testing.T) {
	p := newProgram()
	var w bytes.Buffer
	usage := func(name ...string) string {
		cmd, _, err := p.root.Find(name)
		require.NoError(t, err)
		w.Reset()
		cmd.SetOut(&w)
		cmd.SetErr(&w)
		require.NoError(t, p.Usage(cmd))
		return w.String()
	}
	got := usage("cook")
	assert.Contains(t, got, "Usage:\n  assize cook [FILE...]\n\nExamples:\n  assize cook\n\nFlags:\n")
	assert.Contains(t, got, "--meal NAME ")
	assert.Contains(t, got, "\nSettings of the config file (assize help settings):\n  secret\n")
	got = usage("eat")
	assert.NotContains(t, got, "Settings of the config file")
	assert.NotContains(t, got, "Examples")
	got = usage()
	assert.Contains(t, got, "Usage:\n  assize COMMAND\n")
	assert.Contains(t, got, "\nCommands (assize COMMAND --help):\n"+
		"  cook         Prepare a meal.\n  eat          Eat it.\n")
	assert.Equal(t, "  secret string          cook: what nobody sees\n", p.ListSettings())
}

func TestChoice(t *testing.T) {
	c := Choice{"text", []string{"text", "json", "csv"}}
	assert.Equal(t, "text", c.String())
	assert.Equal(t, "text, json or csv", c.Any())
	assert.EqualError(t, c.Set("xml"), "want text, json or csv")
	assert.Equal(t, "text", c.Value)
	assert.NoError(t, c.Set("csv"))
	assert.Equal(t, "csv", c.Value)
	c = Choice{Words: []string{"one"}}
	assert.Equal(t, "one", c.Any())
	assert.Error(t, c.Set(""), "the default may be no word")
}

// The tables name only flags that exist in some form, and groups of commands.
func TestGroups(t *testing.T) {
	assert.Empty(t, Heading("score", "no-such-flag"))
	for _, g := range groups() {
		for _, name := range Group("score", g.head) {
			assert.NotEmpty(t, Heading("score", name), name)
		}
	}
	f := pflag.NewFlagSet("score", pflag.ContinueOnError)
	NewSet(f).Add("output", new(string))
	assert.Equal(t, "o", f.Lookup("output").Shorthand)
}
