package bisect

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
)

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

// declare makes the options settings by name. Sections are those of SSL04.
func (o *Options) declare(flags *flag.FlagSet) {
	flags.BoolVar(&o.Refined, "refined", false, "take the checker of section VI, whose queue holds pairs of volumes")
	flags.Func("order", "order of the queue for yes or no: likely, longest or earliest (section II-C); likely by default", func(s string) error {
		return choose(s, map[string]Order{"likely": LikelyFirst, "longest": LongestFirst, "earliest": EarliestFirst}, &o.Order)
	})
	flags.Func("cover", "where an interval that is not covered is cut: middle, ends or midst (section II-E, figure 3); middle by default", func(s string) error {
		return choose(s, map[string]Cover{"middle": Middle, "ends": Ends, "midst": UncoveredMidst}, &o.Cover)
	})
	flags.BoolVar(&o.NoNever, "no-never", false, "keep the pairs that swept spheres prove never to meet (section V-A left out)")
}

// choose sets what a word stands for.
func choose[T any](word string, of map[string]T, what *T) error {
	chosen, ok := of[word]
	if !ok {
		return fmt.Errorf("give one of %s", strings.Join(slices.Sorted(maps.Keys(of)), ", "))
	}
	*what = chosen
	return nil
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
