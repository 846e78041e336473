package check

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"
)

// prose reads to the end of the stream and looks for evaluations in it, as when a model explains its answer. The
// text begins at a place; what it starts with has been read already.
func (s *splitter) prose(start []byte, at position) error {
	all, err := io.ReadAll(io.LimitReader(s.in, int64(max(s.most-len(start), 0))+1))
	if err != nil {
		return err
	}
	if all = append(start, all...); len(all) > s.most {
		s.emitCut(at)
		_, err := io.Copy(io.Discard, s.in)
		s.flush()
		return err
	}
	done, found := 0, s.last != nil
	for c := range candidates(all) {
		at = at.over(all[done:c.start])
		s.before = append(s.before, all[done:c.start]...)
		s.emit(all[c.start:c.end:c.end], at)
		at, done, found = at.over(all[c.start:c.end]), c.end, true
	}
	if !found {
		s.emit(all, at).broken = noEvaluation
		done = len(all)
	}
	s.before = append(s.before, all[done:]...)
	s.end()
	return nil
}

const noEvaluation = "the text holds no evaluation: no JSON object with evaluator, critic, referee_final and audit, or with the six criteria and OverallExperience"

// candidate is a piece of a text that is meant to be an evaluation.
type candidate struct{ start, end int }

// endOfThought ends what a model thought before it answered, <think> … </think>.
const endOfThought = "</think>"

// candidates yields the objects of a text that look like an evaluation, whether or not they are valid. A draft in what a
// model thought is none.
func candidates(text []byte) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		src := string(text)
		thoughts := strings.LastIndex(src, endOfThought)
		budget := 4*len(src) + 1<<20 // hostile text could be read from each of its brackets to its end
		for at := 0; budget > 0; {
			next := strings.IndexByte(src[at:], '{')
			if next < 0 {
				return
			}
			if think := strings.Index(src[at:at+next], "<think>"); think >= 0 && at+think < thoughts {
				at += think + strings.Index(src[at+think:], endOfThought) + len(endOfThought)
				continue
			}
			at += next
			root, size, err := parseFirst(src[at:])
			budget -= size + 1
			if err == nil && !isEvaluation(root) {
				at += size
				continue
			}
			if err != nil {
				meant, looked := meantAsEvaluation(root, text[at:])
				if budget -= looked; !meant {
					at++
					continue
				}
				size, _ = extent(text[at:])
			}
			if !yield(candidate{at, at + size}) {
				return
			}
			at += size
		}
	}
}

// meantAsEvaluation reports whether a broken object, which a text begins with, was to be an evaluation: by the
// keys that could be read, or else by what stands between its brackets. It tells how far it looked.
func meantAsEvaluation(root *node, text []byte) (meant bool, looked int) {
	isKey := func(key string) bool { return slices.Contains(allKeys, key) }
	if root != nil && slices.ContainsFunc(root.members, func(m member) bool { return isKey(m.key) }) {
		return true, 0
	}
	const far = 1 << 20
	text = text[:min(len(text), far)]
	first := bytes.TrimLeft(text[1:min(len(text), 200)], " \t\r\n\"'`‘’“”")
	if isKey(string(first[:len(first)-len(bytes.TrimLeft(first, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))])) {
		return true, 0
	}
	size, whole := extent(text)
	return whole && (bytes.Contains(text[:size], []byte("referee_final")) || bytes.Contains(text[:size], []byte("OverallExperience"))), size
}

// extent gives where an object that is no JSON ends: at its last bracket, or at the end of the code fence.
func extent(text []byte) (size int, whole bool) {
	var s scanner
	size = s.scan(text)
	if fence := bytes.Index(text[:size], []byte("\n```")); fence >= 0 {
		size, s.over = fence, false
	}
	return len(bytes.TrimRight(text[:size], " \t\r\n")), s.over
}

// mayBeSkipped reports whether it is worth while to parse a text to see whether it is an evaluation. A record of
// an evaluation has its evaluator next to its id.
func mayBeSkipped(text []byte) bool {
	if bytes.Contains(text[:min(len(text), 64)], []byte(`"evaluator":{`)) {
		return false
	}
	return bytes.Contains(text, []byte(`"assize_run"`)) || bytes.Contains(text, []byte(`"assize_run_end"`)) || bytes.Contains(text, []byte(`"unscored"`))
}
