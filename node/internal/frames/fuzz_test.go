package frames

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// FuzzBuffer: whatever publishers say in whatever order, an answer is a rigid pose, both ways
// round the same, and no count of samples is wrong.
func FuzzBuffer(f *testing.F) {
	f.Add([]byte{0, 1, 0, 10, 0, 0, 1, 0, 20, 3, 1, 2, 0, 12, 4})
	f.Add([]byte{0x40, 1, 0, 10, 0, 0x41, 2, 1, 20, 3, 0x81, 2, 1, 12, 4, 0xc0, 0, 0, 0, 0})
	f.Add([]byte{0, 1, 2, 10, 1, 0, 2, 3, 10, 1, 0, 3, 1, 10, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		b := New(Options{})
		for ; len(script) >= 5; script = script[5:] {
			say, child, parent, ms, value := script[0], script[1]%5, script[2]%5, int(script[3])*10, float64(int8(script[4]))
			if say == 0xc0 {
				b.Clear()
				continue
			}
			from := ros.GUID{say & 3}
			if say&0x80 != 0 {
				b.Lost(from)
			}
			m := tf(fmt.Sprint("f", parent), fmt.Sprint("f", child), after(ms), value, value/2, -value, value/30)
			if value == -128 {
				m.Transform.Rotation.X = math.NaN()
			}
			b.Add(Message{Transforms: []geometrymsgs.TransformStamped{m}, Static: say&0x40 != 0, From: from, Now: begin})
		}
		n := 0
		for _, fr := range b.frames {
			for _, tr := range fr.tracks {
				n += len(tr.samples)
			}
		}
		if n != b.samples {
			t.Fatalf("%d samples are kept, %d counted", n, b.samples)
		}
		for i := range 25 {
			a, c := fmt.Sprint("f", i/5), fmt.Sprint("f", i%5)
			for _, at := range []time.Time{after(100), after(1275)} {
				one, err := b.Lookup(a, c, at)
				back, err2 := b.Lookup(c, a, at)
				if (err == nil) != (err2 == nil) {
					t.Fatalf("%s in %s: %v, and back %v", c, a, err, err2)
				}
				if err != nil {
					continue
				}
				p := geom.Vec{X: 1, Y: 2, Z: 3}
				if q := back.Pose.Apply(one.Pose.Apply(p)); math.Abs(q.X-1)+math.Abs(q.Y-2)+math.Abs(q.Z-3) > 1e-9 || one.Static != back.Static {
					t.Fatalf("%s in %s and back: %v", c, a, q)
				}
			}
			if _, err := b.Latest(a, c); err == nil && len(b.frames) == 0 && a != c {
				t.Fatal("a pose of nothing")
			}
		}
	})
}
