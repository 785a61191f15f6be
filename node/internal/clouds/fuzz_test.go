package clouds

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// FuzzScan: whatever bytes come as a message, each of its points is in a box, or counted.
func FuzzScan(f *testing.F) {
	for _, m := range []*Message{{*message()}, {*message(geom.Vec{X: 1}, geom.Vec{Y: 2})}} {
		f.Add(cdr.Marshal(m), 0.1)
		m.IsBigendian = true
		f.Add(cdr.Marshal(m), 1.0)
		m.Height, m.Width = m.Width, m.Height
		f.Add(cdr.Marshal(m), 1e-3)
	}
	f.Fuzz(func(t *testing.T, data []byte, side float64) {
		var m Message
		bounds := cdr.Bounds{String: limit.NameBytes, Elements: limit.CloudBytes}
		if bounds.Unmarshal(data, &m) != nil || len(m.Fields) > limit.CloudFields {
			return
		}
		if !(side >= 1e-3 && side <= 1) {
			side = 0.1
		}
		s, err := NewScan(t.Context(), &m.PointCloud2, nobody(), Options{Voxel: side, Range: 100})
		if err != nil {
			if s != nil {
				t.Fatal("a scan and an error")
			}
			return
		}
		l, _ := layoutOf(&m.PointCloud2)
		n, seen := 0, newSet(0)
		for _, v := range s.voxels {
			seen.add(v)
		}
		l.each(m.Data, func(p geom.Vec) bool {
			if v, ok := (grid{side}).of(p); geom.Finite(p) && geom.Norm(p) <= 100 && ok && seen.has(v) {
				n++
			}
			return true
		})
		if n+s.Missing+s.Beyond != s.Points || s.Points > limit.CloudPoints {
			t.Fatalf("%d of %d points are in boxes; %+v", n, s.Points, s)
		}
		if _, _, _, err := objectOf("points", s, s.voxels); err != nil {
			t.Fatal(err)
		}
	})
}
