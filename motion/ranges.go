package motion

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// DistanceRange is a distance range interval (m) of SPHERE, section II: distances below
// Min and above Max need not be computed. Max 0 means no limit.
type DistanceRange struct{ Min, Max float64 }

// PairRange is the distance range interval of one pair of bodies.
type PairRange struct {
	A, B string // names of links or objects
	DistanceRange
}

// DistanceRanges give every pair of bodies its distance range interval (SPHERE, section
// II). The zero value is a Min of 0 and no Max for all pairs, as if none were given.
type DistanceRanges struct {
	// Min and Max (m) are those of all pairs; Max 0 means no limit.
	Min, Max float64
	// SelfRange, WorldRange and AttachedRange, where not nil, replace Min and Max for
	// the robot's own pairs, for pairs with the world, and for pairs with an attached
	// object; AttachedRange goes before the other two.
	SelfRange, WorldRange, AttachedRange *DistanceRange
	// Ranges replace all of these for single pairs.
	Ranges []PairRange
}

// IsZero reports whether no range is given: every pair has a Min of 0 and no Max.
func (r *DistanceRanges) IsZero() bool {
	return r.Min == 0 && r.Max == 0 && r.SelfRange == nil && r.WorldRange == nil && r.AttachedRange == nil && len(r.Ranges) == 0
}

// OfClass returns the range of a class of pairs: those with the world or the robot's own,
// with an attached object or without.
func (r *DistanceRanges) OfClass(world, attached bool) DistanceRange {
	switch {
	case attached && r.AttachedRange != nil:
		return *r.AttachedRange
	case world && r.WorldRange != nil:
		return *r.WorldRange
	case !world && r.SelfRange != nil:
		return *r.SelfRange
	}
	return DistanceRange{Min: r.Min, Max: r.Max}
}

// Clone returns a copy that shares nothing with r.
func (r DistanceRanges) Clone() DistanceRanges {
	for _, c := range []**DistanceRange{&r.SelfRange, &r.WorldRange, &r.AttachedRange} {
		if *c != nil {
			own := **c
			*c = &own
		}
	}
	r.Ranges = slices.Clone(r.Ranges)
	return r
}

// Validate returns an error if a range makes no sense.
func (r *DistanceRanges) Validate() error {
	all := DistanceRange{r.Min, r.Max}
	for _, c := range []*DistanceRange{&all, r.SelfRange, r.WorldRange, r.AttachedRange} {
		if c != nil && !c.valid() {
			return fmt.Errorf("a distance query with range %g m to %g m: give zero to %g m, and no less at the end (0 there: no limit)", c.Min, c.Max, float64(geom.MaxLength))
		}
	}
	for i := range r.Ranges {
		if p := &r.Ranges[i]; !p.valid() {
			return fmt.Errorf("the pair %s and %s has range %g m to %g m: give zero to %g m, and no less at the end (0 there: no limit)", p.A, p.B, p.Min, p.Max, float64(geom.MaxLength))
		}
	}
	return nil
}

func (r DistanceRange) valid() bool {
	return r.Min >= 0 && r.Min <= geom.MaxLength && r.Max >= 0 && (r.Max == 0 || r.Min <= r.Max)
}
