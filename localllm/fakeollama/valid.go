package fakeollama

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strings"
)

// Valid gives an answer that holds to a request's schema: the properties in their order, of every enumeration a value
// that the transcript decides, of every string "because". A request without a schema gets a word.
func Valid(req Request) string {
	if len(req.Format) == 0 {
		return "Certainly"
	}
	var root schema
	if json.Unmarshal(req.Format, &root) != nil {
		return "?"
	}
	var b strings.Builder
	root.write(&b, &root, req.User)
	return b.String()
}

// schema is what of JSON Schema is understood.
type schema struct {
	Ref        string            `json:"$ref"`
	Defs       map[string]schema `json:"$defs"`
	Enum       []json.RawMessage
	Properties properties
}

// write writes a value; the seed decides which.
func (s *schema) write(b *strings.Builder, root *schema, seed string) {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		def := root.Defs[name]
		s = &def
	}
	switch {
	case len(s.Enum) > 0:
		h := fnv.New32a()
		h.Write([]byte(seed))
		b.Write(s.Enum[h.Sum32()%uint32(len(s.Enum))])
	case len(s.Properties.names) > 0:
		b.WriteByte('{')
		for i, name := range s.Properties.names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + name + `":`)
			s.Properties.of[name].write(b, root, seed+name)
		}
		b.WriteByte('}')
	default:
		b.WriteString(`"because"`)
	}
}

// properties are an object's members in the order in which they were sent.
type properties struct {
	names []string
	of    map[string]*schema
}

func (p *properties) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return err
	}
	p.of = map[string]*schema{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var s schema
		if err := dec.Decode(&s); err != nil {
			return err
		}
		p.names = append(p.names, name.(string))
		p.of[name.(string)] = &s
	}
	return nil
}
