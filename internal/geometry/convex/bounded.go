package convex

import "github.com/firstcontact-ros/firstcontact/geom"

// Bounded is like Distance for callers that only need to know whether two pieces are closer
// than enough: the search ends as soon as Lower, which is proved, exceeds it. Distance and the
// points then belong to the best points found so far.
func Bounded(a *Core, poseWA *geom.Pose, b *Core, poseWB *geom.Pose, enough float64, ws *Workspace) Result {
	return Roughly(a, poseWA, b, poseWB, enough, 0, ws)
}

// Roughly is like Bounded, and ends as well when Lower and Distance differ by the part slop of
// Distance.
func Roughly(a *Core, poseWA *geom.Pose, b *Core, poseWB *geom.Pose, enough, slop float64, ws *Workspace) Result {
	var g search
	g.init(a, b, poseWA, poseWB)
	g.slop, g.radii = slop, a.Radius+b.Radius
	g.enough = enough + a.Radius + b.Radius + 4*g.touch // leaves Gap its rounding
	overlap, ok := g.direct()
	if !ok {
		overlap = g.run(g.start(poseWA.R.TurnBack(ws.Dir)))
	}
	if !overlap && g.lower <= g.enough && !g.closed() {
		g.tryNormals()
	}
	r := g.result(poseWA, overlap)
	if gap := Gap(a, poseWA, b, poseWB, r.Normal); gap > 0 {
		r.Lower = gap * (1 - 0x1p-50) // |Normal| is 1 to within 4u
	}
	ws.Dir, ws.Iterations = r.Normal, g.steps
	return r
}
