package mesh

import "testing"

// A tally is ready for the next segment once it is reset, also of what is beyond its
// place.
func TestTallyForgets(t *testing.T) {
	m := mustParse(t, "a.stl", binarySTL("", cube(one)), one)
	s := SolidOf(m)
	var tally Tally
	for range 2 {
		for owner := range int32(200) {
			tally.Cross(owner, s, 0, 1)
			if owner%2 == 0 {
				tally.Cross(owner, s, 1, -1)
			}
		}
		if owner, inside := tally.Inside(); !inside || owner != 1 {
			t.Errorf("inside %d, %v; want 1", owner, inside)
		}
		tally.Reset()
		if owner, inside := tally.Inside(); inside {
			t.Errorf("inside %d of a segment that crosses nothing", owner)
		}
	}
}

// A segment may cross more cycles than a tally has in place: each counts by itself.
func TestTallyOfManyCycles(t *testing.T) {
	m := mustParse(t, "a.stl", binarySTL("", cube(one)), one)
	s := SolidOf(m)
	for _, at := range []int32{0, 63, 64, 199} {
		var tally Tally
		for _, side := range []int32{1, -1} { // into all, and out of all but one
			for owner := range int32(200) {
				if owner != at || side == 1 {
					tally.Cross(owner, s, 0, side)
				}
			}
		}
		if owner, inside := tally.Inside(); !inside || owner != at {
			t.Errorf("inside %d, %v; want %d", owner, inside, at)
		}
	}
}
