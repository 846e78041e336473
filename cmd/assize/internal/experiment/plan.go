package experiment

// Plan is what an experiment file asks for.
type Plan struct {
	File      string
	Dialogues []string // files, folders and patterns, as in the file
	Limit     int      // dialogues of each file; 0 for all
	Models    []string
	Panels    []Panel
	Prompts   []string // folders of templates, or [Default]
	Repeats   int
	Options   []Setting // for every cell
	Output    string    // the folder of the runs; "" where the file names none
	Ratings   string    // a file of people's ratings; "" for those in the transcripts
	Scale     Setting   // of people's ratings; without a value where the file has none
}

// Rules names the rules where they judge without a model.
const Rules = "rules"

// Default names the prompts that come with the program.
const Default = "default"

// Panel is who judges, and how.
type Panel struct {
	Name     string
	Settings []Setting
}

// Setting is the name of a flag with a value, and where the two stand in the file: "exp.yaml:7:5".
type Setting struct{ Name, Value, NameAt, ValueAt string }

// The most that a plan may ask for: more is a slip of the pen.
const (
	mostRepeats = 100
	mostCells   = 1000
	mostLimit   = 1_000_000
)

// usual is the panel of a file that names none: a model as the Evaluator, and the Critic with the rules.
var usual = Panel{Name: "full"}
