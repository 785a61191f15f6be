//go:build !amd64 && !arm64

package lanes

// vectors says that there are no kernels.
var vectors = false

func placeKernel(*Pose, *Joint, *Turn, int)                  { panic(noVectors) }
func sweepKernel(*Pose, *Box, int, *Ends, *Sweep)            { panic(noVectors) }
func missedKernel(*Sweep, *Eight, *Eight, uint32, *[8]uint8) { panic(noVectors) }
func directKernel(*Pose, *[3]float32, *Point)                { panic(noVectors) }
func supportKernel(*Pose, *[3]float32, int, *Point, *Row)    { panic(noVectors) }
func gapKernel(*Pose, *[3]float32, int, *Pose, *[3]float32, int, *Point, *Row) {
	panic(noVectors)
}
func sumsKernel(*Row, *float32, int, *Row, int)                   { panic(noVectors) }
func apartKernel(*Sweep, *[2]int32, int, *uint8)                  { panic(noVectors) }
func beyondKernel(*HalfSpace, int, *Eight, *Eight, *[8]uint8)     { panic(noVectors) }
func besideKernel(*Pose, *Box, *Pose, *Box, *Ends, float32) uint8 { panic(noVectors) }
func closestKernel(*Pose, *Triangle, *Pose, *Triangle, *Closest)  { panic(noVectors) }

const noVectors = "lanes: no vector instructions"
