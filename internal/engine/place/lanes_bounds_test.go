package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// after returns the link that a body of an element's chain is, after the first joints.
func (tr *laneTrial) after(element, from int) int {
	if from == 0 {
		return tr.Robot.Root
	}
	frame := int(tr.model.Tree.Chain(tr.model.Elements[element].Frame)[from-1])
	for link, f := range tr.model.Tree.LinkFrame {
		if f == frame {
			return link
		}
	}
	panic("no link has the frame")
}

// reach is how far an element reaches from each joint's axis, 1 for one that slides.
func (tr *laneTrial) reach(element int) []float64 {
	e, tree := &tr.model.Elements[element], tr.model.Tree
	chain := tree.Chain(e.Frame)
	r := make([]float64, len(chain))
	tree.Reach(e.Frame, e.PoseFE.Apply(e.Center), e.Radius*(1+1e-9), tr.course.JointMaxAbs, r)
	for i, k := range chain {
		if tree.Frames[k].Prismatic {
			r[i] = 1
		}
	}
	return r
}

// No point departs from its chord by more than the bend, seen from any body of its chain; and the
// bend is no larger than the bound of the acceleration there makes it.
func TestBendsBoundWhatDeparts(t *testing.T) {
	used := map[bool]float64{}
	laneTrials(t, 71, 480, func(tr *laneTrial) {
		for range 2 {
			tr.any()
			if tr.hi-tr.lo < 1e-3 {
				tr.hi = tr.lo + 1e-3
			}
			most := tr.lanes.Bend(tr.lo, tr.hi)
			tr.at.Place((tr.lo+tr.hi)/2, tr.lo, tr.hi)
			width := (tr.hi - tr.lo) / lanes.Steps
			for i := range tr.model.Elements {
				if _, ok := tr.lanes.Row(i); !ok {
					continue
				}
				e := &tr.model.Elements[i]
				chain := tr.model.Tree.Chain(e.Frame)
				if whole := tr.lanes.BendFrom(i, 0); whole > most {
					t.Errorf("element %d: bend %g, the most is %g", i, whole, most)
				}
				if rest := tr.lanes.BendFrom(i, len(chain)); rest != 0 {
					t.Errorf("element %d bends by %g seen from itself", i, rest)
				}
				if len(chain) == 0 {
					continue
				}
				from, base := tr.d.IntN(len(chain)), 0
				if tr.d.IntN(2) == 0 {
					from = tr.d.IntN(min(2, len(chain)))
				}
				base = tr.after(i, from)
				bend := tr.lanes.BendFrom(i, from)
				tr.at.State.Ensure(e.Frame)
				reach := tr.reach(i)
				accel, _ := tr.at.State.Acceleration(e.Frame, from, reach)
				all, _ := tr.at.State.Acceleration(e.Frame, 0, reach)
				if all == 0 && bend == 0 {
					continue
				}
				if want := accel * width * width / 8; bend < want*(1-1e-8) || bend > (want+2e-9*all*width*width/8)*(1+1e-6) {
					t.Errorf("element %d from joint %d: bend %g, the acceleration %g makes %g", i, from, bend, accel, want)
				}
				k := tr.d.IntN(len(tr.solids[i]))
				solid := &tr.solids[i][k]
				x := r3.Add(solid.Points[tr.d.IntN(len(solid.Points))], r3.Scale(solid.Radius, tr.d.Unit()))
				seen := func(s float64) geom.Vec {
					at := tr.when(s)
					return tr.pose(base, at).Inv().Apply(tr.pose(solid.Link, at).Apply(x))
				}
				a := tr.lo + (tr.hi-tr.lo-width)*tr.d.Float64()
				for _, part := range []float64{0.5, tr.d.Float64()} {
					want := r3.Add(r3.Scale(1-part, seen(a)), r3.Scale(part, seen(a+width)))
					off := geom.Norm(r3.Sub(seen(a+part*width), want))
					if !(off <= bend+2*tr.rounded*(1+geom.Norm(want)+tr.at.State.Far[e.Frame])) {
						t.Errorf("element %d from joint %d: departs by %g in a step of [%g, %g], bend %g", i, from, off, tr.lo, tr.hi, bend)
					}
					if bend > 1e-6 {
						used[from > 0] = math.Max(used[from > 0], off/bend)
					}
				}
			}
		}
	})
	t.Logf("used up at most: %v", used)
	if used[false] < 0.95 || used[true] < 0.95 {
		t.Error("a poor test")
	}
}

// lever is a chain of joints with the numbers of its file, and where in its piece it is looked at.
type lever struct {
	joints exact.Chain
	lo, hi float64
}

func randomLever(d chance.Dice, i int) lever {
	l := lever{lo: d.In(0, 0.9)}
	l.hi = math.Min(1, l.lo+d.Spread(1e-6, 1))
	length := d.Spread(1e-4, 100)
	straight, alike := d.IntN(3) == 0, d.IntN(3) == 0
	for k := range 1 + i%60 {
		kinds := [...]urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Revolute, urdf.Prismatic, urdf.Fixed}
		j := exact.Joint{Parent: k, Kind: kinds[d.IntN(len(kinds))], Axis: d.Axis(), RPY: d.Vec(3), XYZ: d.Vec(d.Spread(0.1, 1) * length)}
		if straight {
			j.Axis, j.RPY, j.XYZ = d.Unit(), d.Vec(0.01), geom.Vec{X: length}
		}
		if k == 0 {
			j.Kind = urdf.Revolute
		}
		size := d.Spread(1e-2, 3)
		if j.Kind == urdf.Continuous && d.IntN(4) == 0 {
			size = d.Spread(1, 1e5)
		}
		for range 1 + d.IntN(6) {
			j.Ctrl = append(j.Ctrl, d.In(-size, size))
		}
		if alike && k > 0 { // errors add up
			j = l.joints[0]
			j.Parent = k
		}
		if first := &l.joints; !alike && k > 0 && j.Kind != urdf.Fixed && d.IntN(5) == 0 {
			j.Mimics, j.Mult, j.Offset, j.Ctrl = true, d.In(-1, 1)*d.Spread(0.1, 3), d.In(-1, 1), (*first)[0].Ctrl
		}
		l.joints = append(l.joints, j)
	}
	return l
}

func (l *lever) stage(t *testing.T) *stage {
	t.Helper()
	hs := make([]robots.Hinge, len(l.joints))
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}, KeepTurns: true}
	for i, j := range l.joints {
		hs[i] = robots.Hinge{Parent: j.Parent, Kind: j.Kind, Axis: j.Axis, Origin: geom.Pose{R: geom.RPY(j.RPY.X, j.RPY.Y, j.RPY.Z), P: j.XYZ}}
		switch {
		case j.Kind == urdf.Fixed:
			hs[i].Axis = ex
		case j.Mimics:
			hs[i].Mimics, hs[i].Mult, hs[i].Offset = 1, j.Mult, j.Offset
		default:
			m.Joints, m.Pieces[0].Ctrl = append(m.Joints, robots.JointName(i)), append(m.Pieces[0].Ctrl, j.Ctrl)
		}
	}
	hs[len(hs)-1].Parts = robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))
	return newStage(t, robots.Of(nil, hs...), nil, m)
}

// The float32 poses of frames are where the file's numbers put them, but for the errors that
// are said of them. The twin computes in numbers of 300 bits.
func TestLanesErrAsTheySay(t *testing.T) {
	n := switches.Long.Times(60, 50)
	if race.Enabled {
		n = (n + 3) / 4
	}
	var used [3]float64
	for i := range n {
		d := chance.New(72, uint64(i))
		l := randomLever(d, i)
		s := l.stage(t)
		s.place(t, 0, l.lo, l.lo, l.hi)
		at := place.NewLanes(s.at)
		if !at.Bound() {
			t.Fatal("too large for float32")
		}
		at.Bend(l.lo, l.hi)
		at.Move()
		at.Grow(0)
		for _, time := range []int{d.IntN(lanes.Times), d.IntN(lanes.Times)} {
			links := l.joints.Links(at.Times[time])
			for k := range l.joints {
				if l.joints[k].Kind == urdf.Fixed {
					continue
				}
				frame := s.model.Tree.LinkFrame[k+1]
				got := at.FrameAt(frame, time)
				rot, pos, far := at.ErrOf(frame)
				offR := frobenius(links[k+1].Pose.R, exact.RotOf(got.R))
				offP := links[k+1].Pose.P.Off(got.P).Float()
				away := links[k+1].Pose.P.Norm().Float()
				if offR > rot || offP > pos || away > far*(1+1e-9) {
					t.Errorf("chain %d, joint %d, time %d: off by %g, at most %g, and turned by %g, at most %g; %g away, at most %g",
						i, k, time, offP, pos, offR, rot, away, far)
				}
				// A turn of the parent moves all that it carries, and one more joint rounds at least
				// the product of two rotations, the fixed one, and cosine and sine.
				up := s.model.Tree.Frames[frame].Parent
				rotUp, posUp, _ := at.ErrOf(up)
				if length := geom.Norm(s.model.Tree.Frames[frame].PosePF.P); rot < rotUp+18*0x1p-24 || pos < (posUp+rotUp*length)*(1-1e-9) {
					t.Errorf("chain %d, joint %d: turned by %g and off by %g, less than the one before it makes of it: %g and %g, %g away", i, k, rot, pos, rotUp, posUp, length)
				}
				used[0], used[1], used[2] = math.Max(used[0], offR/rot), math.Max(used[1], offP/(pos+1e-30)), math.Max(used[2], away/(far+1e-30))
			}
		}
	}
	t.Logf("used up at most: %.3g of the turns, %.3g of the positions, %.3g of the distance", used[0], used[1], used[2])
	if used[0] < 0.02 || used[1] < 0.02 || used[2] < 0.9 {
		t.Error("a poor test")
	}
}

// frobenius is the norm of the difference of two matrices.
func frobenius(a, b exact.Rot) float64 {
	sum := exact.Of(0)
	for i := range a {
		off := a[i].Minus(b[i])
		sum = sum.Plus(off.Dot(off))
	}
	return sum.Sqrt().Float()
}

// Numbers that float32 cannot hold are refused.
func TestLanesRefuseWhatIsTooLarge(t *testing.T) {
	for _, far := range []float64{1, 1e8, 1e10, 1e30} {
		rail := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.1))}
		s := newStage(t, robots.Of(nil, rail), nil, robots.Move([]float64{0, far}))
		s.place(t, 0, 0.5, 0, 1)
		if got, want := place.NewLanes(s.at).Bound(), far < 1e9; got != want {
			t.Errorf("%g m from the root: %v", far, got)
		}
	}
}

// Bounds are of the piece and the interval at hand, whatever was asked before.
func TestLanesForgetPiecesAndIntervals(t *testing.T) {
	laneTrials(t, 73, 80, func(tr *laneTrial) {
		for range 4 {
			if tr.d.IntN(2) == 0 {
				tr.bind(t, tr.d.Motion(tr.Robot, robots.Travel{Sizes: []float64{tr.d.Spread(1e-2, 10)}}))
			}
			tr.load(t, tr.d.IntN(len(tr.Motion.Pieces)))
			if tr.any(); tr.d.IntN(2) == 0 {
				tr.lo, tr.hi = 0, 1
			}
			switch tr.d.IntN(4) {
			case 0:
				tr.at.Load(tr.course, tr.piece)
			case 1:
				tr.lanes.Bend(tr.lo/2, (tr.lo+tr.hi)/2)
			case 2:
				tr.at.Load(tr.course, tr.piece)
				tr.lanes.Bend(tr.lo/2, (tr.lo+tr.hi)/2)
			default:
				tr.at.Load(tr.course, tr.piece)
				tr.at.Place(tr.lo, tr.lo, (tr.lo+tr.hi)/2)
			}
			tr.lay(0.1)
			robot := place.New(tr.model)
			robot.ReachFor(tr.course)
			robot.Load(tr.course, tr.piece)
			robot.Place(tr.hi, tr.lo, tr.hi)
			fresh := place.NewLanes(robot)
			fresh.Bound()
			fresh.Bend(tr.lo, tr.hi)
			fresh.Move()
			fresh.Grow(0.1)
			for i := range tr.model.Elements {
				if _, ok := tr.lanes.Row(i); !ok {
					continue
				}
				if *tr.lanes.Sweep(i) != *fresh.Sweep(i) || tr.lanes.BendFrom(i, 0) != fresh.BendFrom(i, 0) {
					t.Errorf("element %d: lanes that were used before place it otherwise", i)
				}
			}
		}
	})
}
