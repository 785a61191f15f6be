package pairproof

import (
	"fmt"
	"time"
)

// Meeting says whether two links can meet: share a point, solids included, or come
// as close as the clearance that was asked for.
type Meeting uint8

// The answers. Never and Always are proved for every configuration in the joint box;
// Sometimes has a witness, but no proof of Always.
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

// MarshalText returns String. An unknown answer is an error.
func (m Meeting) MarshalText() ([]byte, error) {
	if int(m) >= len(meetingNames) {
		return nil, fmt.Errorf("there is no answer number %d", m)
	}
	return []byte(meetingNames[m]), nil
}

// UnmarshalText accepts only what MarshalText writes.
func (m *Meeting) UnmarshalText(text []byte) error {
	for i, name := range meetingNames {
		if name == string(text) {
			*m = Meeting(i)
			return nil
		}
	}
	return fmt.Errorf("whether two links meet is %q: want never, always, sometimes or undecided", text)
}

// Pair is the result for two links.
type Pair struct {
	A, B         int // links of the robot, A < B
	LinkA, LinkB string

	Meets Meeting
	Why   string // what decided the pair, or why it is undecided, for people

	// Joints are the variables of the tree that move one link relative to the
	// other, ascending; the pair depends on nothing else.
	Joints []int

	// Witness is a configuration (rad, m; one position per variable of the tree)
	// at which the links touch, for Sometimes and Always. Apart is one at which they
	// are apart, for Sometimes if one was found.
	Witness, Apart []float64
	// Depth is the penetration depth at the witness (m): how far one link has to move,
	// in the best direction found, until their convex pieces are apart. The piece of a
	// mesh that is not convex is its hull; Hulls is then true. Depth is measured, not
	// proved. It is 0 if the links only touch.
	Depth float64
	Hulls bool `json:",omitempty"`

	// VolumeLeft is the share of the pair's joint box that is neither proved apart nor
	// refuted; 0 for a decided pair.
	VolumeLeft float64
	Boxes      int // examined
	Took       time.Duration
}

// Options of All; the zero value is the documented default.
type Options struct {
	// Boxes limits the boxes of joint positions that are examined per pair, and Deadline
	// the time, before the pair is Undecided; 0 means 200,000 boxes and no deadline.
	Boxes    int
	Deadline time.Duration
	// Padding (m) enlarges every link; LinkPadding replaces it for the links it names.
	Padding     float64
	LinkPadding map[string]float64
	// Clearance (m): links meet if their distance is at most this.
	Clearance float64
	// Seed of the random configurations that are searched for a witness.
	Seed uint64
	// Workers is how many goroutines share the pairs; 0 means 1.
	Workers int
	// Only, if not nil, lists the pairs of links (smaller index first) to examine; false
	// counts as not listed.
	Only map[[2]int]bool
	// Known is the report of an earlier run about the same model. All takes decided pairs
	// from it, and fails if it is about another model.
	Known *Report
	// Shapes, if not nil, keeps the compiled shapes from one run to the next.
	Shapes *Shapes
	// Progress, if not nil, is called after every pair, never concurrently.
	Progress func(done, total int, p Pair)
}
