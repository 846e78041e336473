package summary

import (
	"errors"
	"strconv"
	"strings"

	"assize/rubric"
)

// Portion is a share of dialogues, such as 5%, or a number of them. The zero Portion is none. It is the value of a
// flag.
type Portion struct {
	Share rubric.Hundredths // in percent; 0 where a number is meant
	Count int
}

// Set reads a share from 0% to 100%, with at most two decimals, or a number. The error leaves the portion as it is.
func (p *Portion) Set(s string) error {
	var read Portion
	var err error
	if percent, ok := strings.CutSuffix(s, "%"); ok {
		read.Share, err = rubric.ParseHundredths(percent)
	} else {
		read.Count, err = strconv.Atoi(s)
	}
	if err != nil || read.Share < 0 || read.Share > 100*100 || read.Count < 0 {
		return errors.New("want a share from 0% to 100% with at most two decimals, such as 5%, or a number of dialogues")
	}
	*p = read
	return nil
}

// String gives the portion as [Portion.Set] reads it.
func (p Portion) String() string {
	if p.Share == 0 {
		return strconv.Itoa(p.Count)
	}
	return strings.TrimSuffix(strings.TrimRight(p.Share.String(), "0"), ".") + "%"
}

// Type is what help calls it.
func (p Portion) Type() string { return "how-many" }

// None reports whether no dialogue is meant, however many there are.
func (p Portion) None() bool { return p == Portion{} }

// Within is how many there may be so that they are not more than the portion of n dialogues: a share of which a part of
// a dialogue is left does not allow that one. A number may be more than n.
func (p Portion) Within(n int) int {
	if p.Share == 0 {
		return p.Count
	}
	return n * int(p.Share) / (100 * 100)
}

// Of is how many of n dialogues the portion is, as near as can be: at least one, unless it is none or there is none.
func (p Portion) Of(n int) int {
	if p.Share == 0 {
		return min(p.Count, n)
	}
	return min(max(1, (n*int(p.Share)+100*100/2)/(100*100)), n)
}
