package action

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// getResult answers at once for a goal that has ended or is unknown, and otherwise at its end.
func (s *Server[G, R, F, PG, PR, PF]) getResult(r *resultRequest[R, PR], info ros.RequestInfo, reply func(*resultResponse[R, PR])) {
	tell := func(status Status, result *R) { reply(&resultResponse[R, PR]{Status: status, Result: *result}) }
	s.mu.Lock()
	g := s.goals[r.ID]
	if g != nil {
		g.asked = true
	}
	switch {
	case info.Err != nil || g == nil:
		s.mu.Unlock()
		tell(Unknown, new(R))
	case g.status.Final():
		status, result := g.status, g.result
		s.mu.Unlock()
		tell(status, result)
	case s.waiting >= limit.ActionWaiters:
		s.mu.Unlock()
		s.options.Refused(info.Client, r.ID, errWaiters)
	default:
		g.waiters = append(g.waiters, tell)
		s.waiting++
		s.mu.Unlock()
	}
}

// cancelGoal asks the goals that a request means to stop.
func (s *Server[G, R, F, PG, PR, PF]) cancelGoal(r *actionmsgs.CancelGoalRequest, info ros.RequestInfo, reply func(*actionmsgs.CancelGoalResponse)) {
	if info.Err != nil {
		reply(&actionmsgs.CancelGoalResponse{ReturnCode: actionmsgs.CancelGoalResponseErrorRejected})
		return
	}
	wanted, code := s.meant(r)
	answer := &actionmsgs.CancelGoalResponse{ReturnCode: code}
	for _, g := range wanted {
		if s.options.Cancel(g.id) && s.cancel(g) {
			answer.GoalsCanceling = append(answer.GoalsCanceling, g.info())
		}
	}
	if len(wanted) > 0 && len(answer.GoalsCanceling) == 0 {
		answer.ReturnCode = actionmsgs.CancelGoalResponseErrorRejected
	}
	reply(answer)
}

// meant lists the goals that a request to cancel means and that can be canceled: the one with
// its id, and those accepted at its stamp or before; all, if it has neither. The code is the
// answer if there are none.
func (s *Server[G, R, F, PG, PR, PF]) meant(r *actionmsgs.CancelGoalRequest) (goals []*Goal[R, F], code int8) {
	id, stamp := ID(r.GoalInfo.GoalID.UUID), r.GoalInfo.Stamp
	before, all := stamp.Time(), id.IsZero() && stamp.Sec == 0 && stamp.Nanosec == 0
	timed := stamp.Sec != 0 || stamp.Nanosec != 0
	s.mu.Lock()
	defer s.mu.Unlock()
	found := false
	for _, g := range s.order {
		named := g.id == id
		found = found || named
		if !all && !named && !(timed && !g.stamp.Time().After(before)) {
			continue
		}
		if g.status == Accepted || g.status == Executing {
			goals = append(goals, g)
		}
	}
	switch {
	case len(goals) > 0 || id.IsZero() || timed:
		return goals, actionmsgs.CancelGoalResponseErrorNone
	case found:
		return nil, actionmsgs.CancelGoalResponseErrorGoalTerminated
	}
	return nil, actionmsgs.CancelGoalResponseErrorUnknownGoalID
}

// cancel moves a goal to Canceling, and reports whether it could.
func (s *Server[G, R, F, PG, PR, PF]) cancel(g *Goal[R, F]) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.status != Accepted && g.status != Executing {
		return false
	}
	g.status = Canceling
	close(g.canceling)
	s.announce()
	return true
}

var errWaiters = fmt.Errorf("%d requests for results wait already", limit.ActionWaiters)
