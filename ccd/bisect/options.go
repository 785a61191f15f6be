package bisect

// Options choose among what the paper describes. The zero value is ADAPTIVE-BISECTION
// as in its Fig. 2 with the order of its section II-C.
type Options struct {
	// Refined takes the checker of section VI, whose queue holds pairs of volumes. It
	// always cuts in the middle.
	Refined bool
	// Order is that of the queue where the question is yes or no.
	Order Order
	// Cover is where an interval that is not covered is cut.
	Cover Cover
	// NoNever keeps the pairs that the swept spheres of section V-A prove never to meet.
	NoNever bool
	// MaxQueue bounds how many elements a segment's queue may hold; 0 means a million.
	MaxQueue int
	// Timed counts the time spent on each stage.
	Timed bool
}

// Order is an order of the priority queue (II-C).
type Order uint8

// The orders.
const (
	LikelyFirst   Order = iota // by decreasing path lengths less distances: the paper's
	LongestFirst               // by decreasing length of the interval, as in [28]
	EarliestFirst              // by time: what a first contact asks for
)

// Cover is a covering strategy (II-E, Fig. 3).
type Cover uint8

// The strategies.
const (
	Middle         Cover = iota // at the middle, so that configurations are shared among pairs: the paper's
	Ends                        // where the covering circles of both ends meet the segment (Fig. 3c)
	UncoveredMidst              // in the middle of what both circles leave uncovered (Fig. 3d)
)

// defaultQueue is how many elements a queue may hold.
const defaultQueue = 1 << 20
