package lanes

var vectors = false

func placeAVX2(*Pose, *Joint, *Turn, int)                  {}
func sweepAVX2(*Pose, *Box, int, *Sweep)                   {}
func missedAVX2(*Sweep, *Eight, *Eight, uint32, *[8]uint8) {}
func directAVX2(*Pose, *[3]float32, *Point)                {}
func supportAVX2(*Pose, *[3]float32, int, *Point, *Row)    {}
