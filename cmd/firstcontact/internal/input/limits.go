package input

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// limitSlack is how far beyond a limit counts as rounding, rad or m.
const limitSlack = 1e-6

// BeyondLimits lists the joints that are beyond their limits, followers included.
func BeyondLimits(robot *urdf.Robot, state map[string]float64) (out []Beyond) {
	for i := range robot.Joints {
		j := &robot.Joints[i]
		x, known := state[j.Name]
		if j.Mimic != nil {
			x, known = state[robot.Joints[j.Mimic.Joint].Name]
			x = j.Mimic.Multiplier*x + j.Mimic.Offset
		}
		if limit := math.Max(j.Limit.Lower, math.Min(x, j.Limit.Upper)); known && j.Limit.Bounded && math.Abs(x-limit) > limitSlack {
			out = append(out, Beyond{Joint: j.Name, Position: x, Limit: limit})
		}
	}
	return out
}

// HeldBeyond notes the held joints that are beyond their limits.
func HeldBeyond(robot *urdf.Robot, premises []premise.Premise) (notes []string) {
	held := map[string]float64{}
	for i := range premises {
		if p := &premises[i]; p.Kind == premise.Held && len(p.Names) > 0 {
			held[p.Names[0]] = p.Value
		}
	}
	for _, b := range BeyondLimits(robot, held) {
		notes = append(notes, "held beyond its limits: "+b.String())
	}
	return notes
}

// String says by how much.
func (b Beyond) String() string {
	return fmt.Sprintf("%s at %.6g, %.3g beyond its limit %.6g", b.Joint, b.Position, math.Abs(b.Position-b.Limit), b.Limit)
}

// Beyond is a joint beyond its limits.
type Beyond struct {
	// The joint.
	Joint string `json:"joint"`
	// rad or m: where it is.
	Position float64 `json:"position"`
	// rad or m: the limit that it exceeds.
	Limit float64 `json:"limit"`
}
