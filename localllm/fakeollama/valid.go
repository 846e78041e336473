package fakeollama

import (
	"encoding/json"
	"hash/fnv"
	"strings"
)

// Valid gives an answer that conforms to a request's schema: of every enumeration a value that the transcript decides,
// for every string "because". A request without a schema gets a word.
func Valid(req Request) string {
	if len(req.Format) == 0 {
		return "Certainly"
	}
	var root schema
	if json.Unmarshal(req.Format, &root) != nil {
		return "?"
	}
	return root.value(&root, req.User)
}

// schema is the part of JSON Schema that is understood. All properties are required, in their order.
type schema struct {
	Ref        string            `json:"$ref"`
	Defs       map[string]schema `json:"$defs"`
	Enum       []json.RawMessage
	Properties map[string]schema
	Required   []string
}

// value gives a value, which the seed decides.
func (s schema) value(root *schema, seed string) string {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		s = root.Defs[name]
	}
	switch {
	case len(s.Enum) > 0:
		h := fnv.New32a()
		h.Write([]byte(seed))
		return string(s.Enum[h.Sum32()%uint32(len(s.Enum))])
	case len(s.Required) > 0:
		var members []string
		for _, name := range s.Required {
			members = append(members, `"`+name+`":`+s.Properties[name].value(root, seed+name))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return `"because"`
}
