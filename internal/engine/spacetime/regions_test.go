package spacetime

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/region"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// narrow draws a robot whose links are close to each other, each with one to three shapes, and its joints within limits that tables
// are kept for.
func (d dice) narrow() *urdf.Robot {
	forms := append([]robots.Form{robots.Elbow, robots.Ring, robots.Shell, robots.Wedges}, robots.Hulls...)
	return d.Robot(robots.Plan{
		Joints: 1 + d.IntN(4),
		Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Fixed},
		Origin: func() geom.Pose { return d.Pose(0.25) },
		Limit: func(kind urdf.JointType) urdf.Limit {
			lo := d.In(-3, 1)
			if kind == urdf.Prismatic {
				return urdf.Limit{Bounded: true, Lower: lo / 6, Upper: lo/6 + d.Spread(0.01, 0.5)}
			}
			return urdf.Limit{Bounded: true, Lower: lo, Upper: lo + d.Spread(0.01, 5)}
		},
		Parts: func() []urdf.Collision { return d.Parts(1+d.IntN(2), 0.15, d.Spread(0.02, 0.2), forms...) },
	})
}

// within draws a motion through configurations within a box of a table's variables; other joints are anywhere.
func (d dice) within(m *model.Model, t *region.Table, box *region.Box) *motion.Motion {
	out := &motion.Motion{KeepTurns: true}
	const pieces = 6
	knots := make([][]float64, pieces+1)
	for k := range knots {
		for i := range m.Tree.Dofs {
			q := d.In(-2, 2)
			for v := range t.Variables() {
				if t.Variable(v) == i {
					q = box[v][d.IntN(2)] // a corner, or anywhere
					if d.IntN(2) == 0 {
						q = d.In(box[v][0], box[v][1])
					}
				}
			}
			knots[k] = append(knots[k], q)
		}
	}
	for i := range m.Tree.Dofs {
		out.Joints = append(out.Joints, m.Tree.Dofs[i].Name)
	}
	for k := range pieces {
		p := motion.Piece{Start: float64(k), End: float64(k + 1)}
		for i := range m.Tree.Dofs {
			p.Ctrl = append(p.Ctrl, []float64{knots[k][i], knots[k+1][i]})
		}
		out.Pieces = append(out.Pieces, p)
	}
	return out
}

// What a table says of a pair, or of groups, holds at all configurations of the box, in all worlds.
func TestTablesHold(t *testing.T) {
	told, nothing, close, groups, inside := 0, 0, 0, 0, 0
	for i := range rounds(220) {
		d := newDice(311, uint64(i))
		robot := d.narrow()
		m := d.motionOf(robot)
		if len(m.Joints) == 0 {
			continue
		}
		r := newRig(t, robot, robots.World(), [...]float64{0, 0.01}[d.IntN(2)], m)
		var scratch region.Scratch
		for pair := range int32(len(r.model.Pairs) + len(r.model.GroupPairs)) {
			table := r.w.table(pair)
			if table == nil || d.IntN(3) > 0 {
				continue
			}
			pairs := []int32{pair}
			if r.w.at.IsGroup(pair) {
				pairs = r.model.PairsOf[int(pair)-len(r.model.Pairs)]
			}
			for range 4 {
				var box region.Box
				for v := range table.Variables() {
					f := &r.model.Tree.Dofs[table.Variable(v)]
					lo, hi := f.Lo, f.Hi
					if f.Continuous {
						lo, hi = -math.Pi, math.Pi
					}
					from := d.In(lo, hi)
					box[v] = [2]float64{from, min(hi, from+d.Spread(1e-3, 0.5))}
				}
				if !table.Apart(&scratch, &box, 0) {
					nothing++
					continue
				}
				told++
				least, most := 0., 1.
				for range 20 {
					if x := (least + most) / 2; table.Apart(&scratch, &box, x) {
						least = x
					} else {
						most = x
					}
				}
				r.bind(t, d.within(r.model, table, &box))
				for _, k := range pairs {
					q := &r.model.Pairs[k]
					for piece := range r.Motion.Pieces {
						for _, s := range []float64{0, 0.5, d.Float64()} {
							x := r.apart(q, piece, s, 0.03)
							if x < 2*least {
								close++
							}
							if x < least*(1-1e-9)-1e-9 {
								t.Fatalf("case %d, pair %d in %v: told to be %g apart, but is %g", i, k, box, least, x)
							}
						}
						if r.within(q, piece, 0) {
							inside++
						}
					}
				}
				if len(pairs) > 1 {
					groups++
				}
			}
		}
	}
	t.Logf("%d boxes of which something is told, %d of groups, %d of which nothing is; %d distances are close to it", told, groups, nothing, close)
	if told < 500 || nothing < 150 || groups < 50 || close < 200 || inside > 0 {
		t.Errorf("a poor test; %d inside", inside)
	}
}

// Verdicts with and without tables are the same, and tables save searches for directions.
func TestTablesChangeNoVerdict(t *testing.T) {
	count, saved := map[motion.Status]int{}, 0
	for i := range rounds(250) {
		d := newDice(312, uint64(i))
		robot := d.narrow()
		m := d.pieceMotion(robot)
		if len(m.Joints) == 0 {
			continue
		}
		for p := range m.Pieces { // near the middle of the limits
			for j := range m.Pieces[p].Ctrl {
				for k := range m.Pieces[p].Ctrl[j] {
					m.Pieces[p].Ctrl[j][k] *= 0.2
				}
			}
		}
		r := newRig(t, robot, robots.World(), 0, m)
		if d.IntN(3) > 0 {
			r.dropTouching(m.Pieces[0].Start)
		}
		if len(r.model.Pairs) == 0 {
			continue
		}
		plain := NewWorker(r.model)
		plain.regions.of = make([]*region.Table, len(r.model.Pairs)+len(r.model.GroupPairs))
		plain.regions.known = make([]bool, len(plain.regions.of))
		for k := range plain.regions.known {
			plain.regions.known[k] = true
		}
		for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
			q := motion.Query{Question: asked, Clearance: d.In(0, 0.01) * float64(d.IntN(2))}
			v, want := r.check(q), plain.Check(context.Background(), r.bound, q)
			if count[v.Status]++; v.Status != want.Status {
				t.Errorf("case %d, question %d: %v (%s), without tables %v (%s)", i, asked, v.Status, v.Reason, want.Status, want.Reason)
			}
			if v.Work.Distances < want.Work.Distances {
				saved++
			}
		}
	}
	t.Logf("%v, %d of them with fewer searches", count, saved)
	if count[motion.Free] < 50 || count[motion.Contact] < 15 || saved < 15 {
		t.Error("a poor test")
	}
}
