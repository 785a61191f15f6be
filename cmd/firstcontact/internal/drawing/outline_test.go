package drawing

import (
	"strings"
	"testing"
)

// A line that leaves the page is cut there, so that a wall of a kilometre costs no more
// than what shows of it.
func TestLinesAreClipped(t *testing.T) {
	m := newMask()
	m.line(-1e9, 3, 1e9, 3)
	for i := range maskSide {
		if !m.at(i, 3) || m.at(i, 2) || m.at(i, 4) {
			t.Fatalf("cell %d: %v %v %v", i, m.at(i, 2), m.at(i, 3), m.at(i, 4))
		}
	}
	empty := newMask()
	empty.line(-5, -5, 1e9, -5)
	empty.line(-3, 10, -3, 20)
	empty.line(-100, 50, 50, -110)
	if path := empty.outline(); path != "" {
		t.Errorf("lines beside the page draw %s", path)
	}
}

// An outline's area is that of what was filled.
func TestOutline(t *testing.T) {
	m := newMask()
	for j := 20; j < 60; j++ {
		for i := 30; i < 90; i++ {
			if i < 50 || i >= 60 || j < 30 || j >= 40 { // a hole
				m.set(i, j)
			}
		}
	}
	if got := m.outline(); strings.Count(got, "M") != 2 || strings.Count(got, "Z") != 2 || strings.Count(got, "L") > 9 {
		t.Errorf("a square with a square hole is %s", got)
	}
}
