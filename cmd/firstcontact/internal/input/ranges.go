package input

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// RangeFlags are the distance ranges of pairs, as check and distance take them.
type RangeFlags struct {
	Given  []string              // as they are written
	All    bool                  // a range of all pairs is given
	Ranges motion.DistanceRanges // by Parse
}

// Add defines the flag. effect says what it does.
func (f *RangeFlags) Add(fs *pflag.FlagSet, effect string) {
	fs.StringArrayVar(&f.Given, "distance-range", nil, "distances in m that matter: `[OF:]MIN:MAX` (repeat); "+effect+
		".\nOF is self, scene or attached, or a pair A:B; a class goes before all pairs, a pair\nbefore its class. Without MIN nothing is too close, without MAX nothing is too far")
}

// Parse reads the ranges.
func (f *RangeFlags) Parse() error {
	f.Ranges, f.All = motion.DistanceRanges{}, false
	for _, text := range f.Given {
		if err := f.take(text); err != nil {
			return fmt.Errorf("--distance-range %s: %w", text, err)
		}
	}
	return nil
}

// take reads one range.
func (f *RangeFlags) take(text string) error {
	parts := strings.Split(text, ":")
	n := len(parts)
	if n < 2 {
		return fmt.Errorf("give MIN:MAX, such as 0.02:0.5, 0.02: or :0.5, after self:, scene:, attached: or A:B: where it is not for all pairs")
	}
	one, err := rangeFrom(parts[n-2], parts[n-1])
	if err != nil {
		return err
	}
	of := strings.Join(parts[:n-2], ":")
	class := map[string]**motion.DistanceRange{
		"self": &f.Ranges.SelfRange, "scene": &f.Ranges.WorldRange, "world": &f.Ranges.WorldRange, "attached": &f.Ranges.AttachedRange,
	}[of]
	a, b, pair := strings.Cut(of, ":")
	switch {
	case n == 2 && f.All, class != nil && *class != nil:
		return fmt.Errorf("a range for the same pairs is given before: give one")
	case n == 2:
		f.Ranges.Min, f.Ranges.Max, f.All = one.Min, one.Max, true
	case class != nil:
		*class = &one
	case !pair || a == "" || b == "":
		return fmt.Errorf("%q is no class of pairs (self, scene, attached) and no pair A:B", of)
	default:
		f.Ranges.Ranges = append(f.Ranges.Ranges, motion.PairRange{A: a, B: b, DistanceRange: one})
	}
	return nil
}

// rangeFrom reads both ends of a range.
func rangeFrom(low, high string) (r motion.DistanceRange, err error) {
	for _, x := range []struct {
		text string
		to   *float64
	}{{low, &r.Min}, {high, &r.Max}} {
		if x.text == "" {
			continue
		}
		if *x.to, err = strconv.ParseFloat(x.text, 64); err != nil || !(*x.to >= 0) || math.IsInf(*x.to, 0) {
			return r, fmt.Errorf("%q is no distance: give metres, zero or more, or leave it empty", x.text)
		}
	}
	switch {
	case high != "" && r.Max == 0:
		return r, fmt.Errorf("MAX is 0: give more, or leave it empty for no limit")
	case r.Max > 0 && r.Min > r.Max:
		return r, fmt.Errorf("MIN %g is more than MAX %g", r.Min, r.Max)
	}
	return r, nil
}
