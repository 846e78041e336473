// Package experiment holds models, panels and prompts against each other on the same dialogues.
//
// # The file
//
// An experiment is a YAML file. Only dialogues must be there; what is unknown, doubled or out of range is an error with
// its line and column. Paths are relative to the folder of the file.
//
//	dialogues: [../data/*.txt]       # files, folders and patterns
//	limit: 15                        # dialogues of each file, evenly spread over it; all where there is no limit
//	models: [rules, "qwen2.5:1.5b"]  # rules: the rules alone, without a model, and the default
//	panels:                          # who judges, and any other flag of assize score that concerns a model
//	  - {name: full}
//	  - {name: one-call, critic: rules, num-ctx: 4096}
//	prompts: [default, prompts/short] # default: those that come with the program
//	repeats: 2                       # runs of the same cell, each asked anew
//	options: {num-thread: 2}         # flags of assize score for every cell
//	output: runs                     # the folder of the run files
//	ratings: survey.csv              # of people; those in the transcripts where there is no file
//	scale: 1-5                       # of people, the worst first
//
// # Cells
//
// A cell is one run: of a model, with a panel, asked by some prompts, for one of the repeats. The rules are one cell
// whatever the panels, the prompts and the repeats: they always say the same. A row of the table is what the repeats of
// the same cell have in common.
//
// # How each figure is taken
//
// Agreement with people is that of package accord, of the first repeat. Evidence is measured by package evidence. A flip
// is a criterion that has another final score in another repeat; its share is over all pairs of repeats. Disagreement is
// the mean of the cross-check's figure. Tokens are means over the dialogues that a model was asked about, in all
// repeats, and so are seconds, which are the server's, over those that were timed: an answer from a cache is not.
package experiment
