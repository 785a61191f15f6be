package bisect

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/rsstree"
)

// GREEDY-DIST (SSL04 III-B, Fig. 4): a lower bound of the distance of two bodies at
// about the cost of testing them for collision. It opens the pairs of volumes that a
// collision test would open, those closer than the threshold, and returns the least
// distance among the pairs at which it stopped.
//
// Departures. The distances of volumes and of triangles are proved: support gaps, with
// rounding and the error of the poses taken off. The threshold delta (II-F) decides
// which volumes are opened, as in the paper; but where two leaves are closer than that
// the answer is a collision only if two of their points are within the tolerance, and
// otherwise a small distance. With a clearance all distances count from it: what is
// returned is how much farther than the clearance the bodies are apart.

// greedy is GREEDY-DIST for one pair of trees at one pose.
type greedy struct {
	pair   rsstree.Pair
	beyond float64 // the clearance, and the slack of the poses
	delta  float64 // volumes closer than that beyond are opened
	within float64 // a distance that is a contact: clearance and tolerance, less the slack

	touch   rsstree.Touch
	touches bool
	bv, tri int // counters

	heap []pending // of searches that look at the nearest first
}

// set prepares the search for a pair of elements at a configuration.
func (w *Worker) greedyAt(c *config, pair int32) *greedy {
	p := &w.p.m.Pairs[pair]
	a, b := &w.p.objects[p.A], &w.p.objects[p.B]
	var rel geom.Pose
	rel.Relate(w.poseOf(c, p.A), w.poseOf(c, p.B))
	g := &w.greedy
	g.pair.Set(a.tree, b.tree, &rel, a.grown, b.grown)
	slack := w.slackOfPair(p.A, p.B)
	g.beyond, g.delta = (w.clearance+slack)*(1+4*u), w.tolerance
	g.within = w.clearance + w.tolerance - slack
	g.touches, g.bv, g.tri = false, 0, 0
	return g
}

// dist is GREEDY-DIST of nodes x of A and y of B: how much farther than the clearance
// all that is below them is apart, at least; 0 if that is not known to be more than 0.
// g.touches tells whether two points within the tolerance were found: g.touch.
func (g *greedy) dist(x, y int32) float64 {
	if g.pair.IsLeafPair(x, y) {
		return g.leaves(x, y)
	}
	g.bv++
	if d := g.pair.Bound(x, y, g.beyond+g.delta); d > 0 {
		return (d - g.beyond) * (1 - 4*u)
	}
	nx, ny := &g.pair.A.Nodes[x], &g.pair.B.Nodes[y]
	var alpha, beta float64
	if opensFirst(nx, ny) {
		if alpha = g.dist(nx.Left, y); alpha > 0 {
			beta = g.dist(nx.Left+1, y)
		}
	} else if alpha = g.dist(x, ny.Left); alpha > 0 {
		beta = g.dist(x, ny.Left+1)
	}
	return min(alpha, beta)
}

// opensFirst tells which of two nodes is replaced by its children: the bigger one.
func opensFirst(x, y *rsstree.Node) bool {
	return y.Leaf() || !x.Leaf() && x.Size() > y.Size()
}

func (g *greedy) leaves(x, y int32) float64 {
	g.tri++
	t := g.pair.Leaves(x, y)
	if t.Upper <= g.within {
		g.touch, g.touches = t, true
		return 0
	}
	return max(0, (t.Lower-g.beyond)*(1-4*u))
}

// greedyDist returns a lower bound of how much farther than the clearance a pair is
// apart at a configuration, and whether two of its points are within the tolerance.
func (w *Worker) greedyDist(c *config, pair, x, y int32) (distance float64, touches bool) {
	g := w.greedyAt(c, pair)
	begin := w.startTimer()
	distance = g.dist(x, y)
	w.stopTimer(begin, &w.stats.DistanceTime)
	w.countDistance(g)
	return distance, g.touches
}

func (w *Worker) countDistance(g *greedy) {
	w.stats.Distances++
	w.stats.BVTests += g.bv
	w.stats.TriTests += g.tri
}

// touchOf returns where the touch that greedyDist found is, in W.
func (w *Worker) touchOf(c *config, pair int32) (a, b, normal geom.Vec, distance float64) {
	t, pose := &w.greedy.touch, w.poseOf(c, w.p.m.Pairs[pair].A)
	return pose.Apply(t.PointA), pose.Apply(t.PointB), pose.R.Apply(t.Normal), t.Upper
}
