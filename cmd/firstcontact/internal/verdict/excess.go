package verdict

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// LimitExcess is the largest excess of a joint beyond a limit of the URDF.
type LimitExcess struct {
	// What the limit is about.
	Of string `json:"of" jsonschema:"enum=position,enum=velocity"`
	// The joint.
	Joint string `json:"joint"`
	// rad or m, for a velocity rad/s or m/s: the limit.
	Limit float64 `json:"limit"`
	// rad or m, for a velocity rad/s or m/s: where the joint is, or how fast.
	Value float64 `json:"value"`
	// s: when.
	Time float64 `json:"time"`
	// The piece of the motion, from 0.
	Segment int `json:"segment"`
}

// CompareLimits adds where the motion exceeds limits of the URDF.
func (r *Result) CompareLimits(c *ccd.Checker, m *motion.Motion) {
	found, err := c.Excesses(m, nil)
	if err != nil { // the answer stays
		r.Notes = append(r.Notes, "limits are not compared: "+err.Error())
		return
	}
	of := map[ccd.LimitKind]string{ccd.PositionLimit: "position", ccd.VelocityLimit: "velocity"}
	for i := range found {
		e := &found[i]
		r.LimitExcesses = append(r.LimitExcesses, LimitExcess{Of: of[e.Of], Joint: e.Joint, Limit: e.Limit, Value: e.Value, Time: e.Time, Segment: e.Piece})
	}
}

// tooFast lists the joints that are faster than their limits.
func tooFast(found []LimitExcess) string {
	var items []string
	for i := range found {
		if e := &found[i]; e.Of == "velocity" {
			items = append(items, fmt.Sprintf("%s %.4g at %.4g s (limit %.4g)", oneline.Text(e.Joint, maxLine), e.Value, e.Time, e.Limit))
		}
	}
	return answer.Some(items)
}
