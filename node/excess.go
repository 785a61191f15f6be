package node

import (
	"context"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

var nameOfLimit = map[ccd.LimitKind]string{ccd.PositionLimit: "position", ccd.VelocityLimit: "velocity", ccd.AccelerationLimit: "acceleration"}

// excesses lists the limits that a motion exceeds, and says so of the first.
func (m *model) excesses(ctx context.Context, a *fcmsgs.Verdict, q *question, way *motion.Motion) {
	if ctx.Err() != nil {
		a.Message += "; limits are not compared: there is no time left"
		return
	}
	found, err := m.checker.Excesses(way, q.accelerations)
	if err != nil {
		a.Message += "; limits are not compared: " + err.Error()
		return
	}
	if q.untimed {
		found = slices.DeleteFunc(found, func(e ccd.Excess) bool { return e.Of != ccd.PositionLimit })
	}
	for i := range found {
		e := &found[i]
		a.LimitExcesses = append(a.LimitExcesses, fcmsgs.LimitExcess{
			Of: uint8(e.Of), Joint: e.Joint, Limit: e.Limit, Value: e.Value, Time: e.Time, SegmentIndex: uint32(e.Piece),
		})
	}
	if len(found) > 0 {
		e := &found[0]
		a.Message += fmt.Sprintf("; the %s of joint %s is beyond its limit of %g (%.6g at %.6g s)", nameOfLimit[e.Of], e.Joint, e.Limit, e.Value, e.Time)
		if n := len(found) - 1; n > 0 {
			a.Message += fmt.Sprintf(", and %d more limits are exceeded", n)
		}
	}
}
