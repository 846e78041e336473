package check

// Kinds documents every id that a finding can have, in a fixed order.
func Kinds() []Kind {
	return []Kind{
		{
			ID: "json-syntax", Severity: Error, Title: "The document is not valid JSON.",
			Why:  "003 demands that the output be valid JSON (\"JSON SCHEMA\"); 004 wants nothing but the JSON. Nothing else can be checked until the text can be read.",
			Bad:  `{"score": 80,}`,
			Good: `{"score": 80}`,
		},
	}
}
