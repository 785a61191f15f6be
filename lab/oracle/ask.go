package oracle

import (
	"slices"
	"strconv"
)

// Scope tells which pairs count.
type Scope string

// The scopes.
const (
	Self  Scope = "self"  // link with link
	World Scope = "world" // link with object
	Both  Scope = "both"
)

// Pair names two links, or a link and an object.
type Pair struct{ A, B string }

// PairDistance is how far a pair is apart, in metres; 0 or less where it touches.
type PairDistance struct {
	Pair
	Distance float64
}

// SegmentResult is what the samples of a segment met.
type SegmentResult struct {
	Hit     bool
	Time    float64 // of the first sample that touches, from 0 to 1
	Pairs   []Pair  // all that touch there
	Samples int     // of a free segment

	// MinDistance is the least distance over the samples of a free segment,
	// +Inf where there are no pairs; valid after SegmentDistance.
	MinDistance float64
}

// Segment samples n configurations, both ends included, evenly on the straight
// line from q0 to q1 and stops at the first that touches. The true time of
// contact of a hit is Time at the latest.
func (o *Oracle) Segment(n int, scope Scope, q0, q1 []float64) (SegmentResult, error) {
	return o.segment("off", n, scope, q0, q1)
}

// SegmentDistance is Segment and measures the least distance, which takes many
// times as long.
func (o *Oracle) SegmentDistance(n int, scope Scope, q0, q1 []float64) (SegmentResult, error) {
	return o.segment("on", n, scope, q0, q1)
}

// Times is Segment at the given parts of the way, each from 0 to 1, in this order.
func (o *Oracle) Times(scope Scope, q0, q1 []float64, times ...float64) (SegmentResult, error) {
	words := append([]string{string(scope), strconv.Itoa(len(times))}, numbers(times, q0, q1)...)
	answer, err := o.question("times", words...)
	if err != nil {
		return SegmentResult{}, err
	}
	return o.sampled(answer)
}

func (o *Oracle) segment(minimum string, n int, scope Scope, q0, q1 []float64) (SegmentResult, error) {
	if _, err := o.command("mindist", minimum); err != nil {
		return SegmentResult{}, err
	}
	words := append([]string{strconv.Itoa(n), string(scope)}, numbers(q0, q1)...)
	answer, err := o.question("segment", words...)
	if err != nil {
		return SegmentResult{}, err
	}
	return o.sampled(answer)
}

// sampled reads what the samples of a segment met.
func (o *Oracle) sampled(answer []string) (SegmentResult, error) {
	if len(answer) < 2 || (answer[0] != "hit" && answer[0] != "free") {
		return SegmentResult{}, o.garbled("a segment", answer)
	}
	if answer[0] == "free" {
		return o.freeSegment(answer[1:])
	}
	result := SegmentResult{Hit: true}
	var err error
	if result.Time, err = o.parse(answer[1]); err != nil {
		return SegmentResult{}, err
	}
	result.Pairs, err = o.pairs(answer[2:])
	if err == nil && len(result.Pairs) == 0 {
		err = o.garbled("a segment", answer)
	}
	return result, err
}

func (o *Oracle) freeSegment(answer []string) (result SegmentResult, err error) {
	if result.Samples, err = strconv.Atoi(answer[0]); err != nil {
		return SegmentResult{}, o.garbled("a segment", answer)
	}
	if len(answer) > 1 {
		result.MinDistance, err = o.parse(answer[1])
	}
	return result, err
}

// Pose lists the pairs that touch at a configuration: none means free.
func (o *Oracle) Pose(scope Scope, q []float64) ([]Pair, error) {
	answer, err := o.question("pose", append([]string{string(scope)}, numbers(q)...)...)
	if err != nil {
		return nil, err
	}
	if len(answer) == 1 && answer[0] == "free" {
		return nil, nil
	}
	if len(answer) < 3 || answer[0] != "hit" {
		return nil, o.garbled("a pose", answer)
	}
	return o.pairs(answer[1:])
}

// Distance gives the closest pair at a configuration; ok is false where no pair
// is enabled.
func (o *Oracle) Distance(scope Scope, q []float64) (closest PairDistance, ok bool, err error) {
	answer, err := o.question("distance", append([]string{string(scope)}, numbers(q)...)...)
	if err != nil {
		return PairDistance{}, false, err
	}
	if slices.Equal(answer, []string{"none"}) {
		return PairDistance{}, false, nil
	}
	if len(answer) != 3 {
		return PairDistance{}, false, o.garbled("a distance", answer)
	}
	closest.A, closest.B = answer[1], answer[2]
	closest.Distance, err = o.parse(answer[0])
	return closest, err == nil, err
}

// AllPairs gives the distance of every enabled pair at a configuration.
func (o *Oracle) AllPairs(scope Scope, q []float64) ([]PairDistance, error) {
	return o.list("allpairs", scope, q)
}

// Depths gives the pairs that touch at a configuration and how deep they reach
// into each other, a positive number in metres. It is exact for boxes, good for
// other primitives, and for meshes that of single triangles only.
func (o *Oracle) Depths(scope Scope, q []float64) ([]PairDistance, error) {
	return o.list("depth", scope, q)
}

func (o *Oracle) list(command string, scope Scope, q []float64) ([]PairDistance, error) {
	answer, err := o.question(command, append([]string{string(scope)}, numbers(q)...)...)
	if err != nil {
		return nil, err
	}
	if len(answer)%3 != 1 || answer[0] != strconv.Itoa(len(answer)/3) {
		return nil, o.garbled(command, answer)
	}
	var all []PairDistance
	for w := answer[1:]; len(w) > 0; w = w[3:] {
		d, err := o.parse(w[2])
		if err != nil {
			return nil, err
		}
		all = append(all, PairDistance{Pair{w[0], w[1]}, d})
	}
	return all, nil
}

// PairNear gives the least distance of one pair, enabled or not, over n samples
// from the part t0 to the part t1 of a segment, and the part where it is
// reached; it stops at the first sample that touches. It confirms a contact:
// the distance at the reported time must be within the tolerance.
func (o *Oracle) PairNear(pair Pair, n int, t0, t1 float64, q0, q1 []float64) (distance, t float64, err error) {
	words := append([]string{pair.A, pair.B, strconv.Itoa(n)}, numbers([]float64{t0, t1}, q0, q1)...)
	answer, err := o.question("pairnear", words...)
	if err != nil {
		return 0, 0, err
	}
	if len(answer) != 2 {
		return 0, 0, o.garbled("a pair", answer)
	}
	if distance, err = o.parse(answer[0]); err != nil {
		return 0, 0, err
	}
	t, err = o.parse(answer[1])
	return distance, t, err
}

// PairDistance gives the distance of one pair, enabled or not, at a
// configuration.
func (o *Oracle) PairDistance(pair Pair, q []float64) (float64, error) {
	d, _, err := o.PairNear(pair, 1, 0, 0, q, q)
	return d, err
}

// LinkPose gives a link's pose in the root's frame: position and the quaternion
// x, y, z, w.
func (o *Oracle) LinkPose(link string, q []float64) (position [3]float64, rotation [4]float64, err error) {
	answer, err := o.ask([]string{"link", link}, append([]string{"link", link}, numbers(q)...)...)
	if err != nil {
		return position, rotation, err
	}
	if len(answer) != 7 {
		return position, rotation, o.garbled(link, answer)
	}
	for i, word := range answer {
		x, err := o.parse(word)
		if err != nil {
			return position, rotation, err
		}
		if i < 3 {
			position[i] = x
		} else {
			rotation[i-3] = x
		}
	}
	return position, rotation, nil
}

func (o *Oracle) pairs(words []string) ([]Pair, error) {
	if len(words)%2 != 0 {
		return nil, o.garbled("pairs", words)
	}
	var out []Pair
	for w := words; len(w) > 0; w = w[2:] {
		out = append(out, Pair{w[0], w[1]})
	}
	return out, nil
}
