package order

import (
	"cmp"
	"fmt"
	"slices"

	"assize/rubric/dialogue"
)

// request is one line of a log of requests to a model. The next request of a session repeats it and its answer, so that
// only the longest is read. Where a request holds no more than what the USER says next, those of a session are put
// together.
type request struct {
	dialogue.Request
	piece
	time  dialogue.Moment
	isOld bool // another request repeats this one
}

func (s *shelf) putRequest(r dialogue.Row) (err error) {
	q := request{Request: *r.Request}
	q.time, _ = dialogue.ParseTime(q.Time)
	r.Request = nil
	q.piece, err = s.spool.put(&r)
	s.requests = append(s.requests, q)
	return err
}

// reading are the requests that make one dialogue.
type reading struct {
	of []int
	id string // of its session, if that has several requests
}

// takeRequests gives the requests that count, each dialogue where its first request is. Where an error of the stream cut
// it off, the session of the last request is not given as if it were whole.
func (s *shelf) takeRequests(dates string, isCut bool) (t dialogue.Taken) {
	if session := s.requests[len(s.requests)-1].Session; isCut && session != "" {
		s.requests = slices.DeleteFunc(s.requests, func(r request) bool { return r.Session == session })
	}
	at := func(i int) int64 {
		if dates == "us" {
			return s.requests[i].time.US
		}
		return s.requests[i].time.EU
	}
	s.markOld()
	sessions, total, order := map[string][]int{}, map[string]int{}, []string{}
	old, joined, parted := 0, 0, 0
	for i, r := range s.requests {
		name := cmp.Or(r.Session, fmt.Sprintf("\x00%d", i)) // one of its own
		if total[name]++; total[name] == 1 {
			order = append(order, name)
		}
		if r.isOld {
			old++
		} else {
			sessions[name] = append(sessions[name], i)
		}
	}
	var readings []reading
	for _, name := range order {
		list, id := sessions[name], ""
		if total[name] > 1 {
			id = name
		}
		isMore := func(i int) bool { return s.requests[i].Asked-s.requests[i].Prompts != 1 }
		if len(list) > 1 && !slices.ContainsFunc(list, isMore) {
			joined += len(list)
			slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(at(a), at(b)) })
			readings = append(readings, reading{list, id})
			continue
		}
		if len(list) > 1 {
			parted++
		}
		for _, i := range list {
			readings = append(readings, reading{[]int{i}, id})
		}
	}
	t.Dialogues = len(readings)
	tell := func(is bool, text string) {
		if is {
			t.Told = append(t.Told, text)
		}
	}
	tell(old > 0, fmt.Sprintf("%d of them repeated by a longer one and left out", old))
	tell(joined > 0, fmt.Sprintf("%d of them put together by their session", joined))
	tell(parted > 0, "several of which do not go on from each other in "+dialogue.Counted(parted, "session"))
	isAnswered := func(r request) bool { return len(r.Said) > r.Asked || r.Ends == dialogue.System }
	tell(len(s.requests) > 1 && !slices.ContainsFunc(s.requests, isAnswered), "none of which has an answer beside it")
	t.Rows = func(yield func(dialogue.Placed, error) bool) {
		for _, reading := range readings {
			for n, i := range reading.of {
				r, err := s.spool.get(s.requests[i].piece)
				r.ID = reading.id
				if !yield(dialogue.Placed{Row: r, Begins: n == 0}, err) || err != nil {
					return
				}
			}
		}
	}
	return t
}

// markOld marks the requests that another one repeats, and those that were asked again, of which the last counts.
func (s *shelf) markOld() {
	byKey := map[uint64]int{} // what a request says, in the end with its answer where no session holds it together
	for i := range s.requests {
		r := &s.requests[i]
		if len(r.Said) == 0 {
			continue
		}
		key := r.Said[len(r.Said)-1]
		if r.Session != "" && r.Asked > 0 {
			key = r.Said[r.Asked-1]
			if first, ok := byKey[key]; ok {
				s.requests[first].isOld = true
			}
		}
		byKey[key] = i
	}
	for i, r := range s.requests {
		for _, key := range r.Said[:max(0, r.Asked-1)] {
			if k, ok := byKey[key]; ok && k != i {
				s.requests[k].isOld = true
			}
		}
	}
}
