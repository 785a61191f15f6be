package clouds

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var stamp = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func field(name string, offset uint32, datatype uint8) sensormsgs.PointField {
	return sensormsgs.PointField{Name: name, Offset: offset, Datatype: datatype, Count: 1}
}

// message returns points as x y z of float32, little endian, in one row.
func message(points ...geom.Vec) *sensormsgs.PointCloud2 {
	m := &sensormsgs.PointCloud2{
		Height: 1, Width: uint32(len(points)), PointStep: 16, RowStep: uint32(16 * len(points)),
		Fields: []sensormsgs.PointField{field("x", 0, 7), field("y", 4, 7), field("z", 8, 7), field("rgb", 12, 7)},
	}
	for _, p := range points {
		for _, v := range []float64{p.X, p.Y, p.Z, 0} {
			m.Data = binary.LittleEndian.AppendUint32(m.Data, math.Float32bits(float32(v)))
		}
	}
	return m
}

func read(t *testing.T, m *sensormsgs.PointCloud2) (points []geom.Vec) {
	t.Helper()
	l, err := layoutOf(m)
	if err != nil {
		t.Fatal(err)
	}
	l.each(m.Data, func(p geom.Vec) bool {
		points = append(points, p)
		return true
	})
	return points
}

// Two rows of two points: in any order of bytes and fields, with padding between points and
// rows, the same four points are read.
func TestLayouts(t *testing.T) {
	want := []geom.Vec{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}, {X: -1, Y: 0.5, Z: 7}, {X: 8, Y: 9, Z: 10}}
	for _, tt := range []struct {
		name    string
		big     bool
		at      [3]uint32
		types   [3]uint8
		step    uint32
		padding uint32 // after a row
	}{
		{"tight", false, [3]uint32{0, 4, 8}, [3]uint8{7, 7, 7}, 12, 0},
		{"with colours", false, [3]uint32{0, 4, 8}, [3]uint8{7, 7, 7}, 32, 0},
		{"padded rows", false, [3]uint32{0, 4, 8}, [3]uint8{7, 7, 7}, 16, 5},
		{"other order, not aligned", false, [3]uint32{9, 5, 1}, [3]uint8{7, 7, 7}, 13, 3},
		{"double", false, [3]uint32{0, 8, 16}, [3]uint8{8, 8, 8}, 24, 0},
		{"mixed", false, [3]uint32{8, 16, 0}, [3]uint8{8, 7, 8}, 20, 1},
		{"big endian", true, [3]uint32{0, 4, 8}, [3]uint8{7, 7, 7}, 12, 0},
		{"big endian, mixed", true, [3]uint32{8, 16, 0}, [3]uint8{8, 7, 8}, 20, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &sensormsgs.PointCloud2{Width: 2, Height: 2, PointStep: tt.step, RowStep: 2*tt.step + tt.padding, IsBigendian: tt.big}
			m.Data = make([]byte, 2*m.RowStep)
			var order binary.ByteOrder = binary.LittleEndian
			if tt.big {
				order = binary.BigEndian
			}
			for i, name := range []string{"x", "y", "z"} {
				m.Fields = append(m.Fields, field(name, tt.at[i], tt.types[i]))
			}
			for k, p := range want {
				at := uint32(k/2)*m.RowStep + uint32(k%2)*tt.step
				for i, v := range []float64{p.X, p.Y, p.Z} {
					if tt.types[i] == 8 {
						order.PutUint64(m.Data[at+tt.at[i]:], math.Float64bits(v))
					} else {
						order.PutUint32(m.Data[at+tt.at[i]:], math.Float32bits(float32(v)))
					}
				}
			}
			if got := read(t, m); !slices.Equal(got, want) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestMessagesThatAreNoClouds(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*sensormsgs.PointCloud2)
		want string
	}{
		{"no z", func(m *sensormsgs.PointCloud2) { m.Fields[2].Name = "w" }, "no field z"},
		{"two x", func(m *sensormsgs.PointCloud2) { m.Fields[3].Name = "x" }, "x twice"},
		{"whole numbers", func(m *sensormsgs.PointCloud2) { m.Fields[1].Datatype = 3 }, "datatype 3"},
		{"no datatype", func(m *sensormsgs.PointCloud2) { m.Fields[1].Datatype = 0 }, "datatype 0"},
		{"vectors", func(m *sensormsgs.PointCloud2) { m.Fields[1].Count = 3 }, "3 elements"},
		{"beyond the point", func(m *sensormsgs.PointCloud2) { m.Fields[2].Offset = 13 }, "byte 17 of a point of 16"},
		{"far beyond the point", func(m *sensormsgs.PointCloud2) { m.Fields[2].Offset = math.MaxUint32 }, "of a point of 16"},
		{"double beyond the point", func(m *sensormsgs.PointCloud2) { m.Fields[2].Datatype, m.Fields[2].Offset = 8, 12 }, "byte 20"},
		{"a byte is missing", func(m *sensormsgs.PointCloud2) { m.Data = m.Data[1:] }, "31 bytes of data"},
		{"a byte too many", func(m *sensormsgs.PointCloud2) { m.Data = append(m.Data, 0) }, "33 bytes of data"},
		{"more points than bytes", func(m *sensormsgs.PointCloud2) { m.Width = 3 }, "32 bytes of data"},
		{"short rows", func(m *sensormsgs.PointCloud2) { m.Width, m.Height, m.RowStep = 1, 2, 15 }, "row_step is 15"},
		{"no rows, and bytes", func(m *sensormsgs.PointCloud2) { m.Height = 0 }, "32 bytes of data, and 0 rows"},
		{"no points, and bytes", func(m *sensormsgs.PointCloud2) { m.Width = 0 }, "32 bytes of data, and 1 rows of 0 points"},
		{"no step", func(m *sensormsgs.PointCloud2) { m.PointStep = 0 }, "a point of 0"},
		{"too many", func(m *sensormsgs.PointCloud2) { m.Width, m.Height = math.MaxUint32, math.MaxUint32 }, "maximum is 4000000"},
	} {
		m := message(geom.Vec{X: 1}, geom.Vec{Y: 1})
		tt.edit(m)
		if _, err := layoutOf(m); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	m := message(geom.Vec{X: 1})
	m.Fields[0].Count, m.RowStep = 0, 0 // as some drivers write one row
	if got := read(t, m); len(got) != 1 {
		t.Errorf("%v", got)
	}
	for _, m := range []*sensormsgs.PointCloud2{{}, {Height: math.MaxUint32}, {Width: math.MaxUint32}} { // at once
		if l, err := layoutOf(m); err != nil || l.width != 0 || l.height != 0 || len(read(t, m)) != 0 {
			t.Errorf("%+v, %v", l, err)
		}
	}
}

// nobody is a view without a robot.
func nobody() View { return View{Sensor: geom.IdentityPose(), Body: &Body{}, Stamp: stamp} }

// boxesOf returns the boxes of what is seen.
func boxesOf(t *testing.T, scans ...*Scan) []geom.Box {
	t.Helper()
	o, any, _, err := objectOf("points", scans[len(scans)-1], union(scans))
	if err != nil {
		t.Fatal(err)
	}
	if !any {
		return nil
	}
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	return o.Shape.Cells
}

func holds(boxes []geom.Box, p geom.Vec) bool {
	return slices.ContainsFunc(boxes, func(b geom.Box) bool {
		return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y && b.Min.Z <= p.Z && p.Z <= b.Max.Z
	})
}

// Points in three boxes of 0.1 m in a row become one box, another box stands alone.
func TestBoxes(t *testing.T) {
	m := message(geom.Vec{X: 0.05, Y: 0.05, Z: 0.05}, geom.Vec{X: 0.06, Y: 0.01, Z: 0.09}, geom.Vec{X: 0.15, Y: 0.05, Z: 0.05}, geom.Vec{X: -0.05, Y: 0.05, Z: 0.05}, geom.Vec{X: 0.05, Y: -0.35, Z: 0.05})
	s, err := NewScan(t.Context(), m, nobody(), Options{Voxel: 0.125, Range: 5})
	if err != nil {
		t.Fatal(err)
	}
	want := []geom.Box{
		{Min: geom.Vec{X: 0, Y: -0.375, Z: 0}, Max: geom.Vec{X: 0.125, Y: -0.25, Z: 0.125}},
		{Min: geom.Vec{X: -0.125, Y: 0, Z: 0}, Max: geom.Vec{X: 0.25, Y: 0.125, Z: 0.125}},
	}
	if got := boxesOf(t, s); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// The boxes hold every point, in any pose of the sensor, and nothing that is farther from all
// points than the boxes are large.
func TestThinningAddsSpaceAndTakesNoneAway(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 50 {
		side := math.Exp(r.Float64()*5 - 5)
		pose := geom.Pose{R: geom.RPY(r.Float64()*6, r.Float64()*6, r.Float64()*6), P: geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}}
		var points []geom.Vec
		for range 200 {
			p := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			if i%2 == 0 { // on borders of the grid
				pose = geom.IdentityPose()
				p = geom.Vec{X: math.Round(p.X/side) * side, Y: math.Round(p.Y/side) * side, Z: p.Z}
			}
			points = append(points, p)
		}
		m := message(points...)
		v := nobody()
		v.Sensor = pose
		s, err := NewScan(t.Context(), m, v, Options{Voxel: side, Range: 100})
		if err != nil {
			t.Fatal(err)
		}
		boxes := boxesOf(t, s)
		var moved []geom.Vec
		for _, p := range read(t, m) {
			p = pose.Apply(p)
			moved = append(moved, p)
			if !holds(boxes, p) {
				t.Fatalf("side %g: no box holds %v", side, p)
			}
		}
		volume := 0.0
		for _, b := range boxes {
			n := math.Round((b.Max.X - b.Min.X) / side)
			volume += n
			for k := range int(n) { // each voxel of the box holds a point
				voxel := b
				voxel.Min.X += (float64(k) - 1e-6) * side
				voxel.Max.X = voxel.Min.X + (1+2e-6)*side
				if !slices.ContainsFunc(moved, func(p geom.Vec) bool { return holds([]geom.Box{voxel}, p) }) {
					t.Fatalf("side %g: %v holds no point", side, voxel)
				}
			}
		}
		if int(volume) != len(s.voxels) {
			t.Fatalf("%g voxels in the boxes, %d in the scan", volume, len(s.voxels))
		}
	}
}

// Points without a return, beyond the range and beyond the grid are no obstacles, and are
// counted; one at the range is.
func TestPointsThatShowNothing(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	m := message(geom.Vec{X: nan}, geom.Vec{X: 1, Y: inf}, geom.Vec{Z: -inf}, geom.Vec{X: 3, Y: 4, Z: 0.5}, geom.Vec{X: 3, Y: 4})
	v := nobody()
	v.Sensor = geom.Translation(geom.Vec{X: -3, Y: -4}) // the range is from the sensor
	s, err := NewScan(t.Context(), m, v, Options{Voxel: 0.1, Range: 5})
	if err != nil {
		t.Fatal(err)
	}
	if s.Missing != 3 || s.Beyond != 1 || s.Points != 5 || len(s.voxels) != 1 {
		t.Errorf("%+v", s)
	}
	_, any, seen, err := objectOf("points", s, union([]*Scan{s}))
	if err != nil || !any || seen.Kind != premise.PointCloud || seen.IsGap() {
		t.Errorf("%v, %v", seen, err)
	}
	for _, w := range []string{"12:00:00.000", "1 boxes of 0.1 m", "5 points", "3 had no return", "1 were beyond 5 m"} {
		if !strings.Contains(seen.Detail, w) {
			t.Errorf("%q lacks %q", seen.Detail, w)
		}
	}
	far := nobody()
	far.Sensor = geom.Translation(geom.Vec{X: 2e5})
	if _, err := NewScan(t.Context(), message(geom.Vec{}), far, Options{Voxel: 0.1, Range: 5}); err == nil || !strings.Contains(err.Error(), "too far out") {
		t.Error(err)
	}
	empty, err := NewScan(t.Context(), message(), nobody(), Options{Voxel: 0.1, Range: 5})
	if err != nil {
		t.Fatal(err)
	}
	if _, any, _, err := objectOf("points", empty, nil); any || err != nil {
		t.Error("nothing is something")
	}
}

// Older scans keep their boxes as long as they are given.
func TestSeveralScans(t *testing.T) {
	scan := func(points ...geom.Vec) *Scan {
		s, err := NewScan(t.Context(), message(points...), nobody(), Options{Voxel: 0.25, Range: 5})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := scan(geom.Vec{X: 1}, geom.Vec{X: 2}), scan(geom.Vec{X: 2}, geom.Vec{X: 3})
	boxes := boxesOf(t, a, b)
	if len(boxes) != 3 || !holds(boxes, geom.Vec{X: 1}) || !holds(boxes, geom.Vec{X: 3}) {
		t.Errorf("%v", boxes)
	}
	if boxes := boxesOf(t, b); len(boxes) != 2 {
		t.Errorf("%v", boxes)
	}
}

// arm is a box of 0.2 m at the root and a ball of radius 0.1 m on a link.
func arm() *urdf.Robot {
	return robots.Of(robots.Part(geom.IdentityPose(), robots.Box(0.2, 0.2, 0.2)), robots.Hinge{Axis: geom.Vec{Z: 1}, Parts: robots.Part(geom.IdentityPose(), robots.Ball(0.1))})
}

// A point belongs to the robot within the margin of its body where that was at the stamp, and
// nowhere else: hand-derived distances from a box and from a ball.
func TestTheRobotsOwnPoints(t *testing.T) {
	robot := arm()
	held := scene.NewBox("tool", geom.Translation(geom.Vec{X: 0.5}), geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}).Attach(robot.Links[1].Name, geom.Translation(geom.Vec{X: 0.5}))
	body, err := NewBody(robot, []scene.Object{held, scene.NewSphere("ball", geom.IdentityPose(), 5)})
	if err != nil {
		t.Fatal(err)
	}
	if body, err = body.Carrying(nil); err != nil || len(body.parts) != 2 {
		t.Fatalf("%d parts without the tool, %v", len(body.parts), err)
	}
	if body, err = body.Carrying([]scene.Object{held}); err != nil {
		t.Fatal(err)
	}
	// The link is at (1, 0, 0) and turned left by 90 degrees: the tool is at (1, 0.5, 0).
	links := map[string]geom.Pose{
		robot.Links[0].Name: geom.IdentityPose(),
		robot.Links[1].Name: {R: geom.AxisAngle(geom.Vec{Z: 1}, math.Pi/2), P: geom.Vec{X: 1}},
	}
	for _, tt := range []struct {
		p   geom.Vec
		own bool
	}{
		{geom.Vec{}, true},                              // inside of the box
		{geom.Vec{X: 0.1}, true},                        // on it
		{geom.Vec{X: 0.129}, true},                      // 29 mm from it
		{geom.Vec{X: 0.131}, false},                     // 31 mm
		{geom.Vec{X: 0.117, Y: 0.117, Z: 0.117}, true},  // 29.4 mm from a corner
		{geom.Vec{X: 0.118, Y: 0.118, Z: 0.118}, false}, // 31.2 mm
		{geom.Vec{X: 1, Z: 0.1299}, true},               // 29.9 mm from the ball
		{geom.Vec{X: 1, Z: 0.1301}, false},
		{geom.Vec{X: 1, Y: 0.579}, true},  // 29 mm from the tool
		{geom.Vec{X: 1, Y: 0.581}, false}, // 31 mm
		{geom.Vec{X: 1.5}, false},         // where the tool would be if the link were not turned
		{geom.Vec{X: 3}, false},           // in the ball that is not attached
	} {
		s, err := NewScan(t.Context(), message(tt.p), View{Sensor: geom.IdentityPose(), Body: body, Links: links, Stamp: stamp}, Options{Voxel: 0.02, Range: 5, Margin: 0.03})
		if err != nil {
			t.Fatal(err)
		}
		if own := s.Own == 1; own != tt.own || len(s.voxels) == s.Own {
			t.Errorf("%v: %+v", tt.p, s)
		}
	}
	delete(links, robot.Links[1].Name)
	if _, err := NewScan(t.Context(), message(), View{Sensor: geom.IdentityPose(), Body: body, Links: links}, Options{Voxel: 0.02, Range: 5}); err == nil {
		t.Error("a link is nowhere, and nothing is said")
	}
}

// Margin 0 is the body itself; whatever the margin, no point is taken that is farther from the
// body than it. The judge is the closed form of a capsule.
func TestNoMoreThanTheBodyIsTaken(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	robot := robots.Of(robots.Part(geom.IdentityPose(), &shape.Shape{Kind: shape.Capsule, Radius: 0.05, Length: 0.6}))
	body, err := NewBody(robot, nil)
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for range 300 {
		pose := geom.Pose{R: geom.RPY(r.Float64()*6, r.Float64()*6, r.Float64()*6), P: geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}}
		margin := r.Float64() * 0.05
		placed, err := body.at(map[string]geom.Pose{robot.Links[0].Name: pose}, margin)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			q := geom.Vec{X: r.NormFloat64() * 0.07, Y: r.NormFloat64() * 0.07, Z: r.NormFloat64() * 0.2}
			d := math.Hypot(math.Hypot(q.X, q.Y), math.Max(math.Abs(q.Z)-0.3, 0)) - 0.05
			if is := placed.owns(pose.Apply(q)); math.Abs(d-margin) > 1e-9 && is != (d <= margin) {
				t.Fatalf("%g m from the body, margin %g: %v", d, margin, is)
			} else if is {
				own++
			}
		}
	}
	if own < 1000 {
		t.Errorf("only %d points were the robot's", own)
	}
}

func TestBounds(t *testing.T) {
	n := limit.CloudVoxels + 1
	points := make([]geom.Vec, n)
	for i := range points {
		points[i] = geom.Vec{X: float64(i % 500), Y: float64(i / 500)}
	}
	if _, err := NewScan(t.Context(), message(points...), nobody(), Options{Voxel: 0.5, Range: 1e4}); err == nil || !strings.Contains(err.Error(), "more than 200000 boxes") {
		t.Error(err)
	}
	s, err := NewScan(t.Context(), message(points[:n-1]...), nobody(), Options{Voxel: 0.5, Range: 1e4})
	if err != nil || len(s.voxels) != limit.CloudVoxels {
		t.Fatal(err)
	}
	more, err := NewScan(t.Context(), message(geom.Vec{Z: 9}), nobody(), Options{Voxel: 0.5, Range: 1e4})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := objectOf("points", more, union([]*Scan{s, more})); err == nil || !strings.Contains(err.Error(), "shorter decay") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := NewScan(ctx, message(points...), nobody(), Options{Voxel: 0.5, Range: 1e4}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A cloud counts until it is stale; what it showed stays, and so does what older ones showed
// until it has decayed.
func TestFeed(t *testing.T) {
	f := &Feed{ID: "/camera/points", Decay: 300 * time.Millisecond, Timeout: time.Second}
	at := func(ms int) time.Time { return stamp.Add(time.Duration(ms) * time.Millisecond) }
	scan := func(ms int, points ...geom.Vec) *Scan {
		v := nobody()
		v.Stamp = at(ms)
		s, err := NewScan(t.Context(), message(points...), v, Options{Voxel: 0.25, Range: 5})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := func(ms int, fresh bool, cells int, words ...string) Shown {
		t.Helper()
		s := f.At(at(ms))
		n := 0
		for _, o := range s.Objects {
			n += len(o.Shape.Cells)
		}
		gaps := ""
		for i := range s.Premises {
			if p := &s.Premises[i]; p.Open() {
				gaps += p.Detail
			}
		}
		if s.Fresh != fresh || n != cells || (gaps == "") != fresh {
			t.Errorf("%d ms: fresh %v, %d cells, gaps %q", ms, s.Fresh, n, gaps)
		}
		for _, w := range words {
			if !strings.Contains(gaps, w) {
				t.Errorf("%d ms: %q lacks %q", ms, gaps, w)
			}
		}
		return s
	}
	want(0, false, 0, "no point cloud has come on /camera/points")
	f.Fail(errors.New("frame camera is not known"))
	want(0, false, 0, "frame camera is not known")
	if err := f.Take(scan(0, geom.Vec{X: 1})); err != nil {
		t.Fatal(err)
	}
	want(0, true, 1)
	want(1000, true, 1)
	want(1001, false, 1, "younger than 1s")
	want(-1001, false, 1) // the clock was set
	f.Fail(errors.New("its bytes are too few"))
	want(500, true, 1)
	want(1500, false, 1, "its bytes are too few")
	for ms, cells := range []int{1: 2, 2: 2, 3: 2, 4: 1} { // at 100 ms a second place, which stays
		if ms == 0 {
			continue
		}
		if err := f.Take(scan(100*ms, geom.Vec{X: 2})); err != nil {
			t.Fatal(err)
		}
		want(100*ms, true, cells)
	}
	before := want(400, true, 1).Objects[0].Shape
	if err := f.Take(scan(500, geom.Vec{X: 2})); err != nil || f.At(at(500)).Objects[0].Shape != before {
		t.Errorf("the same boxes have another shape (%v)", err)
	}
	if err := f.Take(scan(900)); err != nil {
		t.Fatal(err)
	}
	want(900, true, 0)
	f.Forget()
	want(900, false, 0, "no point cloud has come")
}

// A cloud that comes after a newer one hides nothing of what that shows. What it shows itself counts
// until it has decayed.
func TestLateClouds(t *testing.T) {
	const decay = 300 * time.Millisecond
	at := func(ms int) time.Time { return stamp.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name   string
		decay  time.Duration
		late   int // ms; the newest is of 2500
		fails  bool
		newest int
		x      []float64 // where something is, of 1 by the newest and 2 by the late one
	}{
		{"a little", 0, 2400, true, 2500, []float64{1}},
		{"of the same moment", 0, 2500, true, 2500, []float64{1}},
		{"not decayed", decay, 2400, false, 2500, []float64{1, 2}},
		{"of the same moment, not decayed", decay, 2500, false, 2500, []float64{1, 2}},
		{"decayed", decay, 2199, true, 2500, []float64{1}},
		{"after the clock was set back", 0, 499, false, 499, []float64{2}},
		{"after the clock was set back, with decay", decay, 499, false, 499, []float64{2}},
	} {
		f := &Feed{ID: "/points", Decay: c.decay, Timeout: time.Second}
		take := func(ms int, x float64) error {
			v := nobody()
			v.Stamp = at(ms)
			s, err := NewScan(t.Context(), message(geom.Vec{X: x}), v, Options{Voxel: 0.25, Range: 5})
			if err != nil {
				t.Fatal(err)
			}
			return f.Take(s)
		}
		if err := take(2500, 1); err != nil {
			t.Fatal(err)
		}
		if err := take(c.late, 2); (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
		s := f.At(at(c.newest + 1000))
		for _, x := range []float64{1, 2} {
			is := len(s.Objects) > 0 && holds(s.Objects[0].Shape.Cells, geom.Vec{X: x})
			if is != slices.Contains(c.x, x) {
				t.Errorf("%s: something at %g: %v", c.name, x, is)
			}
		}
		if !s.Fresh || f.At(at(c.newest+1001)).Fresh {
			t.Errorf("%s: the newest is not that of %d ms", c.name, c.newest)
		}
		if err := take(c.newest+301, 3); err != nil {
			t.Fatal(err)
		}
		if s := f.At(at(c.newest + 301)); len(s.Objects[0].Shape.Cells) != 1 {
			t.Errorf("%s: %v is left", c.name, s.Objects[0].Shape.Cells)
		}
	}
}

// Many fields are an error before there is memory for them; many bytes of points are none.
func TestMessagesAreBounded(t *testing.T) {
	m := Message{*message(make([]geom.Vec, 100_000)...)}
	bounds := cdr.Bounds{String: limit.NameBytes, Elements: limit.CloudBytes}
	var got Message
	if err := bounds.Unmarshal(cdr.Marshal(&m), &got); err != nil || len(got.Data) != len(m.Data) || got.PointStep != 16 {
		t.Error(err)
	}
	m.Fields = make([]sensormsgs.PointField, limit.CloudFields+1)
	if err := bounds.Unmarshal(cdr.Marshal(&m), new(Message)); err == nil || !strings.Contains(err.Error(), "1001 elements") {
		t.Error(err)
	}
}
