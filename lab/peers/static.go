package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Yes or no at one configuration: ours is the method static, at the start of each
// segment. The harness has no such method, but its discrete ones look at the points
// k/n of a segment, 0 < k < n, with n the largest step of a joint by the resolution,
// rounded up. Where n is 2 that is the middle alone, so that a short segment about a
// start makes them static checks of it. All its pairs are looked at, however short
// the segment is and whichever joints it moves.
const (
	fclStatic = "static:fcl"
	obbStatic = "static:fcl-obb"
)

var staticMethods = []string{fclStatic, obbStatic}

const (
	// startReach is how far all joints of a short segment lie from the start to both
	// sides. As a power of two it leaves the middle, for all but a few starts, as it
	// was to the last bit, and those off by a unit in the last place.
	startReach = 0x1p-10
	// startResolution makes two steps of the 2·startReach between the ends: it is far
	// from both, so that no rounding makes three or one.
	startResolution = 0.0015
)

// inHarness is a static method in the harness's words.
func inHarness(method string) string {
	return "discrete:" + strings.TrimPrefix(method, "static:") + ":" + strconv.FormatFloat(startResolution, 'g', -1, 64)
}

// runStatic has the harness judge the middles of the short segments about a set's starts.
func (o *options) runStatic(ctx context.Context, starts set, into columns) error {
	var asked []string
	for _, m := range staticMethods {
		asked = append(asked, inHarness(m))
	}
	told := columns{}
	if err := o.runHarness(ctx, starts, asked, o.reps, told); err != nil {
		return err
	}
	for _, m := range staticMethods {
		into[m] = told[inHarness(m)]
	}
	return nil
}

// aboutStarts returns the set with short segments about its starts, in a file that
// done removes.
func aboutStarts(s set) (starts set, done func(), err error) {
	data, err := os.ReadFile(s.segments)
	if err != nil {
		return s, nil, err
	}
	f, err := os.CreateTemp("", "starts*.segs")
	if err != nil {
		return s, nil, err
	}
	defer f.Close()
	done = func() { os.Remove(f.Name()) }
	if err := writeStarts(f, string(data)); err != nil {
		done()
		return s, nil, fmt.Errorf("%s: %w", s.segments, err)
	}
	s.segments = f.Name()
	return s, done, nil
}

func writeStarts(f *os.File, segments string) error {
	w := bufio.NewWriter(f)
	for line := range strings.Lines(segments) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "seg" {
			continue
		}
		short, err := aboutStart(words[1:])
		if err != nil {
			return fmt.Errorf("%q: %w", strings.TrimSpace(line), err)
		}
		fmt.Fprintln(w, short)
	}
	return w.Flush()
}

// aboutStart makes the short segment of a segment's numbers.
func aboutStart(words []string) (string, error) {
	if len(words)%2 != 0 {
		return "", fmt.Errorf("%d numbers are not two configurations", len(words))
	}
	var from, to strings.Builder
	for _, word := range words[:len(words)/2] {
		q, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&from, " %.17g", q-startReach)
		fmt.Fprintf(&to, " %.17g", q+startReach)
	}
	return "seg" + from.String() + to.String(), nil
}

// isStatic says whether a method is asked about the start alone, so that a contact on
// the way is none that it misses.
func isStatic(method string) bool {
	return method == ourStatic || method == ourStaticAll || method == fclStatic || method == obbStatic
}

// disputed lists the starts that FCL calls free and we do not. We may call a contact
// what is as far apart as the tolerance, and FCL sees no body inside another, but the
// comparison has no such start.
func (r *outcome) disputed() []string {
	var found []string
	for _, m := range staticMethods {
		for k, a := range r.rounds[0][m] {
			if ours := r.rounds[0][ourStatic][k].status; ours != free && a.status == free {
				found = append(found, fmt.Sprintf("%s: the start of segment %d (from 0) is %s for %s, and free for %s", r.set, k, ours, ourStatic, m))
			}
		}
	}
	return found
}
