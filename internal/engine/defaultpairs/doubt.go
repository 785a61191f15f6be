package defaultpairs

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// MaxTouchingShare is how many of the pairs that joints move against each other may
// touch at the default state before the model itself is in doubt: meshes in
// millimetres read as metres, or a default state that folds the robot. Real robots
// without their SRDFs have up to 0.087 (panda, 4 of 46); the same robots a
// thousand times too large have nearly 1.
const MaxTouchingShare = 0.2

// Doubt is a robot of which many pairs touch at the default state.
type Doubt struct {
	Robot    string
	Touching int // pairs of links that touch at the default state
	Pairs    int // pairs of links that joints move and that no joint connects
}

// Share is the part of the pairs that touch.
func (d Doubt) Share() float64 { return float64(d.Touching) / float64(d.Pairs) }

// Premise is the doubt as a gap of every check.
func (d Doubt) Premise() premise.Premise {
	return premise.Premise{
		Kind: premise.DefaultPairs, Names: []string{d.Robot}, Value: d.Share(),
		Detail: fmt.Sprintf("%d of the %d pairs of links that move against each other touch at the default state of robot %s, and so are not checked", d.Touching, d.Pairs, d.Robot),
		Remedy: "check the units and the scale of its meshes, and give an SRDF that says which pairs may touch",
	}
}

// Doubts lists the robots, one or those that were joined, of which more than
// MaxTouchingShare of the pairs are left out because they touch at the default
// state. leftOut is what Defaults returned for m.
func Doubts(robot *urdf.Robot, m *model.Model, leftOut []LeftOut) []Doubt {
	of := make([]Doubt, max(len(robot.Parts), 1))
	for i := range of {
		of[i].Robot = robot.Name
		if len(robot.Parts) > 0 {
			of[i].Robot = robot.Parts[i].Name
		}
	}
	frame := map[int]int{} // of links with geometry
	for i := range m.Bodies {
		frame[m.Bodies[i].Link] = m.Bodies[i].Frame
	}
	partOf := func(link int) int { return max(robot.Part(link), 0) }
	// All pairs of a part, less those of one frame and those that joints connect.
	inPart, inFrame := make([]int, len(of)), map[[2]int]int{}
	for i := range m.Bodies {
		p := partOf(m.Bodies[i].Link)
		k := [2]int{p, m.Bodies[i].Frame}
		of[p].Pairs += inPart[p] - inFrame[k]
		inPart[p]++
		inFrame[k]++
	}
	for _, p := range joinedBodies(robot, m) {
		a, b := m.Bodies[p[0]].Link, m.Bodies[p[1]].Link
		if partOf(a) == partOf(b) && frame[a] != frame[b] {
			of[partOf(a)].Pairs--
		}
	}
	for _, p := range leftOut {
		if p.Reason == TouchAtRest && frame[p.A] != frame[p.B] {
			of[partOf(p.A)].Touching++
		}
	}
	var out []Doubt
	for _, d := range of {
		if d.Pairs > 0 && d.Share() > MaxTouchingShare {
			out = append(out, d)
		}
	}
	return out
}
