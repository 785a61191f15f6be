package main

// #include "include/firstcontact.h"
import "C"

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// writeVerdict writes an answer into the caller's memory, which holds zeros.
func (w *within) writeVerdict(out *C.fc_verdict, v *motion.Verdict) {
	out.proven_until = C.double(v.ProvenUntil)
	out.compute = C.double(v.Compute.Seconds())
	out.assumed_pairs, out.proven_pairs = C.int32_t(v.AssumedPairs), C.int32_t(v.ProvenPairs)
	out.held_joints, out.beyond_limits, out.open_meshes = C.int32_t(len(v.Held)), C.int32_t(len(v.BeyondLimits)), C.int32_t(len(v.OpenMeshes))
	open, accepted := w.gaps(v.Premises)
	out.open_gaps, out.accepted_gaps = C.int32_t(open), C.int32_t(accepted)
	if c := &v.MinClearance; c.Known {
		out.clearance_known, out.clearance_lo, out.clearance_hi = 1, C.double(c.Bounds.Lo), C.double(c.Bounds.Hi)
		writeWitness(&out.closest, &c.At)
	}
	switch v.Status {
	case motion.Contact:
		out.toc_lo, out.toc_hi, out.piece = C.double(v.TOC.Lo), C.double(v.TOC.Hi), C.int32_t(v.Piece)
		writeWitness(&out.contact, &v.Contact)
		out.status = C.FC_CONTACT
	case motion.Free:
		out.status = C.FC_FREE
	default:
		put(out.reason[:], v.Reason)
	}
}

func writeWitness(out *C.fc_witness, w *motion.Witness) {
	put(out.a[:], w.Pair.A.Name)
	put(out.b[:], w.Pair.B.Name)
	out.kind_a, out.kind_b = kindOf(w.Pair.A.Kind), kindOf(w.Pair.B.Kind)
	out.time, out.distance = C.double(w.Time), C.double(w.Distance)
	out.point_a, out.point_b, out.normal = vector(w.PointA), vector(w.PointB), vector(w.Normal)
}

func kindOf(k motion.BodyKind) C.int32_t {
	switch k {
	case motion.WorldObject:
		return C.FC_OBJECT
	case motion.AttachedObject:
		return C.FC_ATTACHED
	}
	return C.FC_LINK
}

func vector(v geom.Vec) [3]C.double { return [3]C.double{C.double(v.X), C.double(v.Y), C.double(v.Z)} }

func writeDistances(out *C.fc_distances, d *motion.Distances, in *within) {
	out.self_lower, out.self_upper = C.double(d.Self.Lo), C.double(d.Self.Hi)
	out.world_lower, out.world_upper = C.double(d.World.Lo), C.double(d.World.Hi)
	out.lower = C.double(math.Min(math.Min(d.Self.Lo, d.World.Lo), d.Attached.Lo))
	out.upper = C.double(math.Min(math.Min(d.Self.Hi, d.World.Hi), d.Attached.Hi))
	if len(d.Pairs) > 0 {
		writeWitness(&out.closest, &d.Pairs[0].Witness)
	}
	out.open_gaps, out.assumed_pairs = C.int32_t(in.open), C.int32_t(in.assumed)
}

func writeSpans(out []C.fc_span, spans []motion.ProfileSpan, openGaps int) {
	for i := range out {
		s := &spans[i]
		out[i] = C.fc_span{
			start: C.double(s.Start), end: C.double(s.End), open_gaps: C.int32_t(openGaps),
			lower: [2]C.double{C.double(s.Lower[0]), C.double(s.Lower[1])},
			upper: [2]C.double{C.double(s.Upper[0]), C.double(s.Upper[1])},
		}
		if s.Unknown {
			out[i].unknown = 1
		}
	}
}

func errPosition(i int, x float64) error {
	return fmt.Errorf("position %d of the configuration is %g: give a finite number, no larger than %g (rad or m)", i, x, float64(motion.MaxPosition))
}
