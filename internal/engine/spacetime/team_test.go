package spacetime

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Where too many intervals wait, workers that share a yes or no search their own
// pieces in the order of time. What one of them has proved before its contact says
// nothing of the pieces in between, which others have left open.
func TestSharedContactsProveNothingOfOthersPieces(t *testing.T) {
	// At the end of the second piece the ball runs into the wall.
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), robots.World(robots.Object("wall", robots.Box(0.2, 2, 2), robots.At(1.2, 0, 0))), 0, through(0.5, 0, 1.05))
	q := motion.Query{Question: motion.IsFree}
	const n = 2
	workers := [n]*Worker{NewWorker(r.model), NewWorker(r.model)}
	team, shares := NewTeam(n, 0), make([]Share, n)
	for index := n - 1; index >= 0; index-- {
		workers[index].room = -100 // no interval may wait
		shares[index] = workers[index].CheckShare(context.Background(), r.bound, q, team, index)
	}
	if !shares[0].cut {
		t.Fatalf("the first piece was judged: %v", shares[0].Status)
	}
	v := team.Merge(r.bound, shares, true)
	if v.Status != motion.Contact || v.Piece != 1 || v.TOC.Lo != 0 || v.ProvenUntil != 0 {
		t.Errorf("%v in %v of piece %d, proven until %g: want a contact in piece 1 that proves nothing", v.Status, v.TOC, v.Piece, v.ProvenUntil)
	}
}

// One worker that has no room for waiting intervals gives the answers of one that has.
func TestRoomForWaitingIntervalsChangesNoAnswer(t *testing.T) {
	for i := range rounds(watched(60)) {
		d := newDice(93, uint64(i))
		robot, world := d.robot(), robots.World(robots.Object("o", d.shape(d.Spread(0.05, 0.7)), d.Pose(1)))
		m := d.pieceMotion(robot)
		if len(m.Joints) == 0 {
			continue
		}
		r := newRig(t, robot, world, 0, m)
		r.dropTouching(m.Pieces[0].Start)
		q := motion.Query{Question: motion.IsFree}
		want := r.check(q)
		r.w.room = -d.IntN(10)
		got := r.check(q)
		if got.Status != want.Status || got.ProvenUntil != want.ProvenUntil || got.TOC.Lo != want.TOC.Lo {
			t.Errorf("robot %d: %v, proven until %g, contact in %v; with room for all intervals %v, until %g, in %v",
				i, got.Status, got.ProvenUntil, got.TOC, want.Status, want.ProvenUntil, want.TOC)
		}
	}
}

// What follows a worker's share has what is left of the worker's budget, and no limit where there was none.
func TestShareLeavesTheRestOfItsBudget(t *testing.T) {
	for _, c := range []struct{ budget, took, left time.Duration }{
		{0, time.Second, 0},
		{time.Second, 0, time.Second},
		{time.Second, 300 * time.Millisecond, 700 * time.Millisecond},
		{time.Second, time.Second, 1},
		{time.Second, time.Hour, 1},
	} {
		s := Share{Verdict: motion.Verdict{Compute: c.took}}
		q := motion.Query{Question: motion.MinClearance, Clearance: 0.1, Budget: c.budget}
		left := s.Left(q)
		if left.Budget != c.left {
			t.Errorf("after %v of %v there is %v left, not %v", c.took, c.budget, left.Budget, c.left)
		}
		if left.Budget = q.Budget; !reflect.DeepEqual(left, q) {
			t.Errorf("more than the budget differs: %+v", left)
		}
	}
}
