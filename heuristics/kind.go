package heuristics

import (
	"fmt"
	"slices"

	"assize/rubric"
)

// Kind is the type of conversation of a dialogue. People rate a service case by other aspects than
// a request: an apology is a stock phrase there, and what matters is whether something is done.
type Kind uint8

// The kinds. A dialogue without an errand, films or feelings is a service case; see readKind.
const (
	Request Kind = iota // the USER wants something found, booked or recommended, or just chats
	Service             // the USER has a matter with the company, such as a fault or an order
)

var namesOfKinds = [...]string{"request", "service"}

// String returns the name to show to people.
func (k Kind) String() string { return namesOfKinds[k] }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(namesOfKinds[:], name)
	if i < 0 {
		return Request, fmt.Errorf("unknown kind %q; want one of %q", name, namesOfKinds)
	}
	return Kind(i), nil
}

// ServiceID is the detector that marks a service case. Without it, a dialogue is a request.
const ServiceID = "kind-service"

// KindOf returns the kind according to the signals of a dialogue.
func KindOf(signals []rubric.Signal) Kind {
	if slices.ContainsFunc(signals, func(s rubric.Signal) bool { return s.ID == ServiceID }) {
		return Service
	}
	return Request
}
