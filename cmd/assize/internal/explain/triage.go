package explain

// triage are the words of a ranking.
var triage = []Entry{
	{ID: "friction", Group: "triage", Title: "Where in a dialogue it went well and where it went wrong, turn by turn of the SYSTEM.", Parts: []Part{
		{"How", "The points of the signals that speak to TaskSuccess: those at the turn itself, and those at the turns of the USER that come next, since what the USER shows is about the turn before. At most four up or down."},
		{"In text", "▁  \t3.00 points down or more, what people call a bad turn about as often as not\n▂ ▃\t1.50 and 0.50 down or more\n▄  \tin between, where nothing can be told\n▅ ▆\t0.50 and 1.50 up or more\n▇  \t3.00 up or more"},
	}},
	{ID: "failed-most", Group: "triage", Title: "The criterion that cost the weighted average most points.", Parts: []Part{
		{"How", "Its weight times what its final score lacks to 100; of equals, the one with the lower score."},
	}},
	{ID: "duplicates", Group: "triage", Title: "How many more dialogues have the same turns, for which this one is ranked.", Parts: []Part{
		{"How", "The first of them that was read stands for all, whatever their ids, files and ratings are. --duplicates ranks each by itself."},
	}},
	{ID: "worst", Group: "triage", Title: "The model was asked because the rules rank the dialogue among the worst.", Parts: []Part{
		{"How", "Half of --budget goes to these, by satisfaction."},
	}},
	{ID: "unsure", Group: "triage", Title: "The model was asked because the satisfaction is near the cut, where the rules are often wrong about who belongs above it.", Parts: []Part{
		{"How", "The other half of --budget goes to those nearest to the cut, on either side. The cut is that of the profile or, where it has none, the satisfaction of the last dialogue that --top shows."},
		{"Why it matters", "On dialogues that people have rated, the chance that a dialogue is among their worst fifth changes fastest here. Nothing else that the rules see tells where they are wrong."},
	}},
}
