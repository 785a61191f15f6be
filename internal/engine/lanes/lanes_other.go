//go:build !amd64

package lanes

// vectors says that there are no kernels.
var vectors = false

func placeAVX2(*Pose, *Joint, *Turn, int)                  { panic(noVectors) }
func sweepAVX2(*Pose, *Box, int, *Ends, *Sweep)            { panic(noVectors) }
func missedAVX2(*Sweep, *Eight, *Eight, uint32, *[8]uint8) { panic(noVectors) }
func directAVX2(*Pose, *[3]float32, *Point)                { panic(noVectors) }
func supportAVX2(*Pose, *[3]float32, int, *Point, *Row)    { panic(noVectors) }
func gapAVX2(*Pose, *[3]float32, int, *Pose, *[3]float32, int, *Point, *Row) {
	panic(noVectors)
}
func apartAVX2(*Sweep, *[2]int32, int, *uint8)                  { panic(noVectors) }
func beyondAVX2(*HalfSpace, int, *Eight, *Eight, *[8]uint8)     { panic(noVectors) }
func besideAVX2(*Pose, *Box, *Pose, *Box, *Ends, float32) uint8 { panic(noVectors) }
func closestAVX2(*Pose, *Triangle, *Pose, *Triangle, *Closest)  { panic(noVectors) }

const noVectors = "lanes: no vector instructions"
