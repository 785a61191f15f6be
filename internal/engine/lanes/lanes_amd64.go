package lanes

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has the instructions.
var vectors = cpu.X86.HasAVX2

// The kernels are what their twins are; lab/kernels/lanes writes them.

// placeAVX2 is place for n joints, at least one.
//
//go:noescape
func placeAVX2(poses *Pose, joints *Joint, turns *Turn, n int)

// sweepAVX2 is sweep for n boxes, at least one.
//
//go:noescape
func sweepAVX2(poses *Pose, boxes *Box, n int, ends *Ends, out *Sweep)

// missedAVX2 is missed for a set of at least one box.
//
//go:noescape
func missedAVX2(s *Sweep, lo, hi *Eight, of uint32, out *[8]uint8)

//go:noescape
func directAVX2(p *Pose, n *[3]float32, out *Point)

// supportAVX2 is support for count corners, at least one.
//
//go:noescape
func supportAVX2(p *Pose, corners *[3]float32, count int, n *Point, out *Row)

// gapAVX2 is gap for corners, at least one of each.
//
//go:noescape
func gapAVX2(pa *Pose, a *[3]float32, countA int, pb *Pose, b *[3]float32, countB int, n *Point, out *Row)

// apartAVX2 is apart for n pairs, at least one.
//
//go:noescape
func apartAVX2(swept *Sweep, pairs *[2]int32, n int, steps *uint8)

// beyondAVX2 is beyond for n half-spaces, at least one.
//
//go:noescape
func beyondAVX2(half *HalfSpace, n int, lo, hi *Eight, out *[8]uint8)

//go:noescape
func besideAVX2(base *Pose, own *Box, p *Pose, box *Box, ends *Ends, grow float32) uint8

//go:noescape
func closestAVX2(pa *Pose, a *Triangle, pb *Pose, b *Triangle, out *Closest)
