//go:build amd64 || arm64

package lanes

// The kernels are what their twins are; lab/kernels writes them.

// placeKernel is place for n joints, at least one.
//
//go:noescape
func placeKernel(poses *Pose, joints *Joint, turns *Turn, n int)

// sweepKernel is sweep for n boxes, at least one.
//
//go:noescape
func sweepKernel(poses *Pose, boxes *Box, n int, ends *Ends, out *Sweep)

// missedKernel is missed for a set of at least one box.
//
//go:noescape
func missedKernel(s *Sweep, lo, hi *Eight, of uint32, out *[8]uint8)

//go:noescape
func directKernel(p *Pose, n *[3]float32, out *Point)

// supportKernel is support for count corners, at least one.
//
//go:noescape
func supportKernel(p *Pose, corners *[3]float32, count int, n *Point, out *Row)

// gapKernel is gap for corners, at least one of each.
//
//go:noescape
func gapKernel(pa *Pose, a *[3]float32, countA int, pb *Pose, b *[3]float32, countB int, n *Point, out *Row)

// sumsKernel is sums for n factors and count rows of out, at least one of each.
//
//go:noescape
func sumsKernel(rows *Row, factors *float32, n int, out *Row, count int)

// apartKernel is apart for n pairs, at least one.
//
//go:noescape
func apartKernel(swept *Sweep, pairs *[2]int32, n int, steps *uint8)

// beyondKernel is beyond for n half-spaces, at least one.
//
//go:noescape
func beyondKernel(half *HalfSpace, n int, lo, hi *Eight, out *[8]uint8)

//go:noescape
func besideKernel(base *Pose, own *Box, p *Pose, box *Box, ends *Ends, grow float32) uint8

//go:noescape
func closestKernel(pa *Pose, a *Triangle, pb *Pose, b *Triangle, out *Closest)
