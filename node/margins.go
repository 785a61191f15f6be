package node

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// margin is the distance below which a pair's level is STOP or WARN (m).
type margin struct{ stop, warn float64 }

// names is an unordered pair of bodies.
type names [2]string

func namesOf(a, b string) names { return names{min(a, b), max(a, b)} }

// overrides reads margin_overrides: A:B:METRES. Margins can only be reduced, because only the
// closest pairs are examined: a larger margin would concern pairs farther away.
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
		case x > l.stop:
			return nil, fmt.Errorf("parameter margin_overrides: %q: the margin exceeds distance_range.min, %g m: give a smaller one", text, l.stop)
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
			out[namesOf(p.Pair.A.Name, p.Pair.B.Name)] = margin{stop: math.Min(l.stop, lo/2), warn: math.Min(l.warn, 0.75*lo)}
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
