package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// getClearance answers how close the bodies are at one configuration. Such questions share the
// schedule with questions about motions.
func (n *Node) getClearance(r *fcmsgs.GetClearanceRequest, info ros.RequestInfo, reply func(*fcmsgs.GetClearanceResponse)) {
	refuse := func(reason string) {
		a := noClearance()
		a.Message = oneline.Text(reason, limit.TextBytes)
		reply(a)
	}
	if info.Err != nil {
		refuse(info.Err.Error())
		return
	}
	n.validator.turns.add(&task{
		client: info.Client, bytes: info.Bytes, patience: n.ask().deadline, refuse: refuse,
		work: func(ctx context.Context) func() {
			m, absent := n.loader.current()
			measured, stamps := n.monitor.stamped()
			a := m.clearance(ctx, absent, r, measured, stamps)
			if why := n.monitor.whyOutdated(m); why != "" && a.Success {
				a = noClearance()
				m.describeClearance(a)
				a.Message = why
			}
			a.Message = oneline.Text(a.Message, limit.TextBytes)
			return func() { reply(a) }
		},
	})
}

// noClearance is an answer without distances.
func noClearance() *fcmsgs.GetClearanceResponse {
	return &fcmsgs.GetClearanceResponse{SelfLower: nan, SelfUpper: nan, WorldLower: nan, WorldUpper: nan, AttachedLower: nan, AttachedUpper: nan}
}

// stamped returns the joints' fresh positions by name, and the time of each measurement.
func (w *monitor) stamped() (positions map[string]float64, stamps map[string]time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	positions, stamps = map[string]float64{}, map[string]time.Time{}
	if w.tracker == nil {
		return positions, stamps
	}
	now := w.read()
	for name, j := range w.tracker.Agreed(now) {
		positions[name], stamps[name] = j.Position, j.Stamp
	}
	return positions, stamps
}

// clearance answers a request. Without a model, absent says why.
func (m *model) clearance(ctx context.Context, absent string, r *fcmsgs.GetClearanceRequest, measured map[string]float64, stamps map[string]time.Time) *fcmsgs.GetClearanceResponse {
	a := noClearance()
	if m == nil {
		a.Message = absent
		return a
	}
	m.describeClearance(a)
	if m.gap != nil {
		a.Message = m.gap.Why()
		return a
	}
	at, oldest, err := m.configuration(r, measured, stamps)
	if err != nil {
		a.Message = err.Error()
		return a
	}
	if !oldest.IsZero() {
		a.Header.Stamp = builtininterfaces.TimeOf(oldest)
	}
	q := motion.DistanceQuery{
		K: int(r.MaxPairs), DistanceRanges: motion.DistanceRanges{Min: r.MinDistance, Max: r.MaxDistance}, Relative: r.RelativeTolerance,
		NoSelf: r.SkipSelf, NoWorld: r.SkipWorld, OnlyAttached: r.OnlyAttached, Group: r.Group,
	}
	if q.K == 0 {
		q.K = -1
	}
	if err := takeRanges(&q.DistanceRanges, r.Ranges); err != nil {
		a.Message = err.Error()
		return a
	}
	d, err := m.checker.Distance(ctx, at, q)
	if err != nil {
		a.Message = err.Error()
		return a
	}
	a.Success, a.Stopped = true, d.Stopped
	a.Pairs = pairDistancesOf(d.Pairs)
	for i := range d.Pairs {
		a.PointsAOnLink = append(a.PointsAOnLink, pointOf(d.Pairs[i].OnA))
		a.PointsBOnLink = append(a.PointsBOnLink, pointOf(d.Pairs[i].OnB))
	}
	a.SelfLower, a.SelfUpper = d.Self.Lo, d.Self.Hi
	a.WorldLower, a.WorldUpper = d.World.Lo, d.World.Hi
	a.AttachedLower, a.AttachedUpper = d.Attached.Lo, d.Attached.Hi
	return a
}

// describeClearance fills in what the answer rests on.
func (m *model) describeClearance(a *fcmsgs.GetClearanceResponse) {
	a.Header.FrameID, a.AssumedPairs = m.frame, m.assumed
	a.ModelHash, a.SceneHash, a.SceneVersion = m.hash, m.sceneHash, m.sceneVersion
	a.Premises = premisesOf(m.checker.Premises())
}

// configuration returns the positions in the request, completed by measured positions of the
// other joints, and the oldest stamp of those.
func (m *model) configuration(r *fcmsgs.GetClearanceRequest, measured map[string]float64, stamps map[string]time.Time) (at map[string]float64, oldest time.Time, err error) {
	if err := fewEnough("joint_names", r.JointNames); err != nil {
		return nil, oldest, err
	}
	switch {
	case len(r.JointNames) != len(r.Positions):
		return nil, oldest, fmt.Errorf("%d joints have %d positions: give one per joint", len(r.JointNames), len(r.Positions))
	case r.SkipSelf && r.SkipWorld:
		return nil, oldest, fmt.Errorf("skip_self and skip_world leave nothing to measure")
	}
	at = map[string]float64{}
	for i, name := range r.JointNames {
		if _, twice := at[name]; twice {
			return nil, oldest, fmt.Errorf("joint_names names %s twice", name)
		}
		if !m.known[name] {
			return nil, oldest, m.noJoint(name)
		}
		at[name] = r.Positions[i]
	}
	var lost []string
	for _, name := range m.joints {
		if _, given := at[name]; given {
			continue
		}
		x, ok := measured[name]
		if !ok {
			lost = append(lost, name)
			continue
		}
		at[name] = x
		if stamp := stamps[name]; oldest.IsZero() || stamp.Before(oldest) {
			oldest = stamp
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		return nil, oldest, fmt.Errorf("joint_names does not name every joint, and there is no fresh measurement of %s: wait for joint states or name them", oneline.Few(lost))
	}
	return at, oldest, nil
}
