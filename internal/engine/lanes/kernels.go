package lanes

// Place computes the poses of frames 1 to len(joints), in this order, from poses[0] and those
// of their parents, which come before them: joints[j] and turns[j] are those of frame j+1.
func Place(poses []Pose, joints []Joint, turns []Turn) {
	if n := len(joints); n > 0 {
		_, _ = poses[n], turns[n-1]
		if vectors {
			placeKernel(&poses[0], &joints[0], &turns[0], n)
			return
		}
	}
	place(poses, joints, turns)
}

// SweepBoxes computes what each box sweeps in each step if its corners' coordinates stay between
// those at the step's ends, each box being larger by Grow on all sides.
func SweepBoxes(poses []Pose, boxes []Box, ends *Ends, out []Sweep) {
	if n := len(boxes); n > 0 && vectors {
		_ = out[n-1]
		sweepKernel(&poses[0], &boxes[0], n, ends, &out[0])
		return
	}
	sweep(poses, boxes, ends, out)
}

// Missed computes, for each box in the set of, the steps in which the sweep misses it; the
// others' results stay as they are. Bit i of the set is for the box from lo[axis][i] to
// hi[axis][i].
func (s *Sweep) Missed(lo, hi *Eight, of uint32, out *[8]uint8) {
	if of &= 0xff; vectors && of != 0 {
		missedKernel(s, lo, hi, of, out)
		return
	}
	missed(s, lo, hi, of, out)
}

// Direct turns a direction of the frame to the root's frame.
func (p *Pose) Direct(n *[3]float32, out *Point) {
	if vectors {
		directKernel(p, n, out)
		return
	}
	direct(p, n, out)
}

// Support computes the largest n.x over the hull of corners of the frame, at least one.
func (p *Pose) Support(corners [][3]float32, n *Point, out *Row) {
	if vectors {
		supportKernel(p, &corners[0], len(corners), n, out)
		return
	}
	support(p, corners, n, out)
}

// Gap computes the least n.(y-x) for x in the hull of corners a of one frame and y in that of corners b of another,
// at least one of each.
func Gap(pa *Pose, a [][3]float32, pb *Pose, b [][3]float32, n *Point, out *Row) {
	if vectors {
		gapKernel(pa, &a[0], len(a), pb, &b[0], len(b), n, out)
		return
	}
	gap(pa, a, pb, b, n, out)
}

// Sums computes each row of out: the sum of len(factors) rows, each times its factor. Rows of one sum follow each other.
func Sums(rows []Row, factors []float32, out []Row) {
	n := len(factors)
	if n == 0 || len(out) == 0 || !vectors {
		sums(rows, factors, out)
		return
	}
	_ = rows[n*len(out)-1]
	sumsKernel(&rows[0], &factors[0], n, &out[0], len(out))
}

// Apart computes, for each pair of sweeps, the steps in which their boxes are apart. Boxes that
// touch are not, and a number that is a NaN tells nothing. Each index of a pair must be one of
// swept: the kernel does not look.
func Apart(swept []Sweep, pairs [][2]int32, steps []uint8) {
	if n := len(pairs); n > 0 {
		_ = steps[n-1]
		if vectors {
			apartKernel(&swept[0], &pairs[0], n, &steps[0])
			return
		}
	}
	apart(swept, pairs, steps)
}

// Beyond adds, for each of eight boxes, the steps in which it is beyond one of the half-spaces.
func Beyond(half []HalfSpace, lo, hi *Eight, out *[8]uint8) {
	if n := len(half); n > 0 && vectors {
		beyondKernel(&half[0], n, lo, hi, out)
		return
	}
	beyond(half, lo, hi, out)
}

// Beside returns the steps at both ends of which a box is apart from the base's own along the same axis of the
// base, on the same side of it, by more than grow. The frames of the boxes are not looked at.
func Beside(base *Pose, own *Box, p *Pose, box *Box, ends *Ends, grow float32) (steps uint8) {
	if vectors {
		return besideKernel(base, own, p, box, ends, grow)
	}
	return beside(base, own, p, box, ends, grow)
}

// FindClosest looks for the closest points of two triangles, each in a frame of its own.
func FindClosest(pa *Pose, a *Triangle, pb *Pose, b *Triangle, out *Closest) {
	if vectors {
		closestKernel(pa, a, pb, b, out)
		return
	}
	closest(pa, a, pb, b, out)
}
