package node

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
)

// The engine's points, vectors and pairs as messages.

func pointOf(v geom.Vec) geometrymsgs.Point { return geometrymsgs.Point{X: v.X, Y: v.Y, Z: v.Z} }

func vectorOf(v geom.Vec) geometrymsgs.Vector3 {
	return geometrymsgs.Vector3{X: v.X, Y: v.Y, Z: v.Z}
}

func pairOf(p motion.Pair) fcmsgs.BodyPair {
	return fcmsgs.BodyPair{A: bodyOf(p.A), B: bodyOf(p.B)}
}

func bodyOf(b motion.Body) fcmsgs.Body {
	kind := fcmsgs.BodyRobotLink
	switch b.Kind {
	case motion.WorldObject:
		kind = fcmsgs.BodyWorldObject
	case motion.AttachedObject:
		kind = fcmsgs.BodyAttachedObject
	}
	return fcmsgs.Body{Kind: kind, Name: b.Name}
}

// between names both bodies of a pair.
func between(p fcmsgs.BodyPair) string { return p.A.Name + " and " + p.B.Name }

// scopeOf tells self-collision from collision with the world. CollisionState and Verdict use
// the same constants.
func scopeOf(p fcmsgs.BodyPair) uint8 {
	if p.A.Kind == fcmsgs.BodyWorldObject || p.B.Kind == fcmsgs.BodyWorldObject {
		return fcmsgs.VerdictScopeWorld
	}
	return fcmsgs.VerdictScopeSelf
}

func pairDistancesOf(pairs []motion.PairDistance) []fcmsgs.PairDistance {
	out := make([]fcmsgs.PairDistance, len(pairs))
	for i := range pairs {
		d := &pairs[i]
		out[i] = fcmsgs.PairDistance{
			Pair: pairOf(d.Pair), Lower: d.Bounds.Lo, Upper: d.Bounds.Hi,
			PointA: pointOf(d.PointA), PointB: pointOf(d.PointB), Normal: vectorOf(d.Normal),
		}
	}
	return out
}
