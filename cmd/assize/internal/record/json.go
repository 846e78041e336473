package record

import (
	"strconv"

	"assize/rubric"
)

// The functions below append JSON without reflection. Writing a record must cost little beside judging it.

func appendString(b []byte, s string) []byte { return rubric.AppendString(b, []byte(s)) }

// appendArray appends items in brackets, each by one.
func appendArray[T any](b []byte, items []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, item)
	}
	return append(b, ']')
}

// appendComma appends a comma, unless an object or array has just been opened.
func appendComma(b []byte) []byte {
	if last := b[len(b)-1]; last == '{' || last == '[' {
		return b
	}
	return append(b, ',')
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendFloat appends the shortest form that reads back as f.
func appendFloat(b []byte, f float64) []byte { return strconv.AppendFloat(b, f, 'f', -1, 64) }

func appendFloats(b []byte, fs []float64) []byte { return appendArray(b, fs, appendFloat) }
