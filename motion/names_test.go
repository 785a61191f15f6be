package motion_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// However many joints there are and whatever they are called, a name given twice is an error
// that tells both, and different names are none.
func TestNamesGivenTwice(t *testing.T) {
	name := map[string]func(i int) string{
		"numbered":   func(i int) string { return fmt.Sprint("panda_joint", i) },
		"letters":    func(i int) string { return string(rune('a'+i%26)) + string(rune('a'+i/26)) },
		"lengthened": func(i int) string { return strings.Repeat("x", i+1) },
		"alike":      func(i int) string { return fmt.Sprintf("ab%03dab%03dab", i, 999-i) }, // with few marks
	}
	for kind, of := range name {
		for _, n := range []int{1, 2, 7, 29, 64, 65, 100} {
			m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}}
			for i := range n {
				m.Joints = append(m.Joints, of(i))
				m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{0})
			}
			if err := m.Validate(); err != nil {
				t.Fatalf("%d names, %s: %v", n, kind, err)
			}
			for _, i := range []int{0, n / 3, n / 2, n - 2} {
				if i < 0 || i == n-1 {
					continue
				}
				last := m.Joints[n-1]
				m.Joints[n-1] = m.Joints[i]
				want := fmt.Sprintf("joint %s is named twice in the motion, as joints %d and %d", m.Joints[i], i, n-1)
				if err := m.Validate(); err == nil || err.Error() != want {
					t.Errorf("%d names, %s: %v, want %s", n, kind, err, want)
				}
				m.Joints[n-1] = last
			}
		}
	}
}
