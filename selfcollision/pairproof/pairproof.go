package pairproof

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Meeting says whether two links can meet: share a point, solids included, or come
// as close as the clearance that was asked for.
type Meeting uint8

// The answers. Never and Always are proved for every configuration in the joint
// box; Sometimes has a witness and no proof that they always touch.
const (
	Undecided Meeting = iota
	Never
	Always
	Sometimes
)

var meetingNames = [...]string{"undecided", "never", "always", "sometimes"}

// String returns the answer in a word.
func (m Meeting) String() string {
	if int(m) < len(meetingNames) {
		return meetingNames[m]
	}
	return fmt.Sprintf("meeting(%d)", m)
}

// MarshalText is String; an answer that there is none of is an error.
func (m Meeting) MarshalText() ([]byte, error) {
	if int(m) >= len(meetingNames) {
		return nil, fmt.Errorf("there is no answer number %d", m)
	}
	return []byte(meetingNames[m]), nil
}

// UnmarshalText reads what MarshalText writes, and nothing else.
func (m *Meeting) UnmarshalText(text []byte) error {
	for i, name := range meetingNames {
		if name == string(text) {
			*m = Meeting(i)
			return nil
		}
	}
	return fmt.Errorf("whether two links meet is %q: want never, always, sometimes or undecided", text)
}

// Pair is what was found out about two links.
type Pair struct {
	A, B         int // links of the robot, A < B
	LinkA, LinkB string

	Meets Meeting
	Why   string // what decided it, or why nothing did, for people

	// Joints are the variables of the tree that move one link relative to the
	// other, ascending; nothing else bears on the pair.
	Joints []int

	// Witness is a configuration (rad, m; one position per variable of the tree)
	// at which the links touch, for Sometimes and Always; Apart one at which they
	// are apart, for Sometimes where one was found.
	Witness, Apart []float64
	// Depth tells how far the links overlap at the witness (m): how far one of them
	// has to be moved, in the best direction that was found, until their convex
	// pieces are apart; of a mesh that is not convex that piece is its hull, and
	// Hulls says so. It is measured, not proved. 0 where they only touch.
	Depth float64
	Hulls bool `json:",omitempty"`

	// VolumeLeft is the share of the pair's joint box that was neither proved apart
	// nor refuted: 0 where the pair is decided.
	VolumeLeft float64
	Boxes      int // looked at
	Took       time.Duration
}

// Options of All; the zero value is the documented default.
type Options struct {
	// Boxes is how many boxes of joint positions are looked at per pair, and Deadline
	// how long, before the pair is left Undecided; 0 means 200,000 and no deadline.
	Boxes    int
	Deadline time.Duration
	// Padding (m) is added all around every link, LinkPadding instead around those it
	// names.
	Padding     float64
	LinkPadding map[string]float64
	// Clearance (m): links meet where they are no farther apart than this.
	Clearance float64
	// Seed of the random configurations at which a witness is looked for.
	Seed uint64
	// Workers is how many goroutines share the pairs; 0 means 1.
	Workers int
	// Only, if not nil, lists the pairs of links (the smaller index first) that are looked
	// at; false counts as not listed.
	Only map[[2]int]bool
	// Known is the report of an earlier run about the same model: what it decided
	// is taken from there. One about another model is an error of All.
	Known *Report
	// Library, if not nil, keeps the compiled shapes from one run to the next.
	Library *model.Library
	// Progress, if not nil, is told of every pair that is done, one after the other.
	Progress func(done, total int, p Pair)
}
