package workload

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// poses are those of all links in the root link at q. Parents stand before their
// children in the list of joints, as cells are built.
func (w *Workload) poses(q []float64) []geom.Pose {
	out := make([]geom.Pose, len(w.Robot.Links))
	out[w.Robot.Root] = geom.IdentityPose()
	next := 0
	for i := range w.Robot.Joints {
		j := &w.Robot.Joints[i]
		moved := geom.IdentityPose()
		switch j.Type {
		case urdf.Revolute, urdf.Continuous:
			moved.R = geom.AxisAngle(j.Axis, q[next])
			next++
		case urdf.Prismatic:
			moved.P = r3.Scale(q[next], j.Axis)
			next++
		}
		out[j.Child] = out[j.Parent].Mul(j.PosePC).Mul(moved)
	}
	return out
}
