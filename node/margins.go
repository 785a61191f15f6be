package node

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// margin is the distance below which a pair's level is STOP or WARN, and the one beyond
// which its distance is not computed (m; 0: that of its class).
type margin struct{ stop, warn, far float64 }

// names is an unordered pair of bodies.
type names [2]string

func namesOf(a, b string) names { return names{min(a, b), max(a, b)} }

// overrides reads margin_overrides: A:B:METRES. They reduce margins; distance_range.pairs can
// enlarge them, too.
func overrides(texts []string, l limits, known func(string) bool) (map[names]margin, error) {
	out := map[names]margin{}
	for _, text := range texts {
		parts := strings.Split(text, ":")
		if len(parts) < 3 {
			return nil, fmt.Errorf("parameter margin_overrides: %q: give A:B:METRES", text)
		}
		a, b := parts[0], strings.Join(parts[1:len(parts)-1], ":")
		x, err := strconv.ParseFloat(parts[len(parts)-1], 64)
		switch {
		case err != nil || !(x >= 0) || a == "" || b == "" || a == b:
			return nil, fmt.Errorf("parameter margin_overrides: %q: give A:B:METRES, two names and zero or more metres", text)
		case x > l.ranges.Min:
			return nil, fmt.Errorf("parameter margin_overrides: %q: the margin exceeds distance_range.min, %g m: give a smaller one, or use distance_range.pairs", text, l.ranges.Min)
		}
		for _, name := range []string{a, b} {
			if !known(name) {
				return nil, fmt.Errorf("parameter margin_overrides: %q: there is no link or object %s", text, name)
			}
		}
		if _, twice := out[namesOf(a, b)]; twice {
			return nil, fmt.Errorf("parameter margin_overrides: %s and %s are given twice", a, b)
		}
		out[namesOf(a, b)] = margin{stop: x, warn: math.Min(l.warn, 1.5*x)}
	}
	return out, nil
}

// pairRanges reads distance_range.pairs: A:B:MIN:MAX.
func pairRanges(texts []string, l limits, collides func(string) bool) (map[names]margin, error) {
	out := map[names]margin{}
	for _, text := range texts {
		fault := func(format string, values ...any) error {
			return fmt.Errorf("parameter distance_range.pairs: %q: "+format, append([]any{text}, values...)...)
		}
		parts := strings.Split(text, ":")
		if len(parts) < 4 {
			return nil, fault("give A:B:MIN:MAX")
		}
		n := len(parts)
		a, b := parts[0], strings.Join(parts[1:n-2], ":")
		low, err1 := strconv.ParseFloat(parts[n-2], 64)
		high, err2 := strconv.ParseFloat(parts[n-1], 64)
		own := margin{stop: low, warn: max(low, min(l.warn, 1.5*low)), far: high}
		switch _, twice := out[namesOf(a, b)]; {
		case err1 != nil || err2 != nil || !(low >= 0 && high > 0 && high <= geom.MaxLength) || a == "" || b == "" || a == b:
			return nil, fault("give A:B:MIN:MAX, two names and two numbers of metres, MAX positive")
		case !collides(a) || !collides(b):
			return nil, fault("there is no link with collision geometry and no object named %s", missing(a, b, collides))
		case high < low:
			return nil, fault("the range ends before it begins: give MIN and then MAX")
		case high < own.warn:
			return nil, fault("MAX is below %g m, where the level WARN begins: raise it", own.warn)
		case twice:
			return nil, fault("the pair is given twice: give one range")
		}
		out[namesOf(a, b)] = own
	}
	return out, nil
}

// missing is the first of two names that does not collide.
func missing(a, b string, collides func(string) bool) string {
	if collides(a) {
		return b
	}
	return a
}

// measured lists the pairs with margins of their own whose distance can be computed.
func (m *model) measured() (pairs []names) {
	for pair := range m.margins {
		if m.collides(pair[0]) && m.collides(pair[1]) {
			pairs = append(pairs, pair)
		}
	}
	slices.SortFunc(pairs, func(a, b names) int { return slices.Compare(a[:], b[:]) })
	return pairs
}

// classOf reports whether a pair is one with the world, and one with an attached object.
func (m *model) classOf(pair names) (ofWorld, attached bool) {
	if world := m.checker.World(); world != nil {
		for _, name := range pair {
			if i := world.Object(name); i >= 0 {
				held := world.Objects[i].AttachedTo != ""
				ofWorld, attached = ofWorld || !held, attached || held
			}
		}
	}
	return ofWorld, attached
}

// restMargins returns margins for robots without an SRDF, where a margin that the robot
// violates at rest carries no information. A self pair that is closer than its margin at the
// default state gets the level STOP at half of its distance there, and WARN at three quarters.
func restMargins(ctx context.Context, c *ccd.Checker, l limits) (map[names]margin, error) {
	out := map[names]margin{}
	alone, err := c.WithWorld(nil)
	if err != nil {
		return nil, err
	}
	if alone.Pairs().Self == 0 || l.warn == 0 {
		return out, nil
	}
	d, err := alone.Distance(ctx, nil, motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Max: l.warn}, Relative: tolerance, NoWorld: true})
	if err != nil {
		return nil, fmt.Errorf("the distances at the default state: %w", err)
	}
	for i := range d.Pairs {
		p := &d.Pairs[i]
		if lo := p.Bounds.Lo; lo < l.warn {
			stop := l.ranges.OfClass(false, p.Pair.A.Kind == motion.AttachedObject || p.Pair.B.Kind == motion.AttachedObject).Min
			out[namesOf(p.Pair.A.Name, p.Pair.B.Name)] = margin{stop: math.Min(stop, lo/2), warn: math.Min(l.warn, 0.75*lo)}
		}
	}
	return out, nil
}

// marginWords lists the margins that the parameters do not set, for the log.
func (m *model) marginWords() string {
	var words []string
	for pair, own := range m.margins {
		words = append(words, fmt.Sprintf("%s/%s %.4f m", pair[0], pair[1], own.stop))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}
