package motion

import (
	"fmt"
	"slices"
	"strings"
)

// Method is the algorithm that answers a query. All of them prove Free verdicts; they differ
// in cost, and in the queries that they support.
type Method uint8

// The methods.
const (
	Auto       Method = iota // the default engine: Spacetime
	Spacetime                // bounds of third order, one traversal of time and pairs
	Articulate               // RKLM04: dynamic and swept bounding volumes, then equations of contact
	Catch                    // ZRLK07: Taylor models, conservative advancement
	Bisect                   // SSL04: adaptive bisection by path lengths
)

var methodNames = [...]string{"auto", "spacetime", "articulate", "catch", "bisect"}

// String returns the method's name in lower case.
func (m Method) String() string {
	if int(m) < len(methodNames) {
		return methodNames[m]
	}
	return fmt.Sprintf("method(%d)", uint8(m))
}

// Resolve returns the method that runs: the default engine for Auto.
func (m Method) Resolve() Method {
	if m == Auto {
		return Spacetime
	}
	return m
}

// MethodNames lists the names that ParseMethod takes.
func MethodNames() []string { return slices.Clone(methodNames[:]) }

// ParseMethod returns the method of a name.
func ParseMethod(name string) (Method, error) {
	if i := slices.Index(methodNames[:], name); i >= 0 {
		return Method(i), nil
	}
	return Auto, fmt.Errorf("there is no method %q: use one of %s", name, strings.Join(methodNames[:], ", "))
}
