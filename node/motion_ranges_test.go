package node

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// A request's distance ranges replace those of the parameters, which are for topics.
func TestRangesOfAMotion(t *testing.T) {
	v := values(t, map[string]any{"trajectory.min_distance": 0.01, "trajectory.max_distance": 0.3})
	d := defaults(v)
	if r := d.aboutPair(&fcmsgs.JointStatePair{}).query.Range; r.Min != 0.01 || r.Max != 0.3 {
		t.Errorf("from the parameters: %+v", r)
	}
	request := &fcmsgs.CheckTrajectoryRequest{
		MinClearance: true, MinDistance: 0.02, MaxDistance: 0.5,
		Ranges: []fcmsgs.DistanceRange{
			{Of: fcmsgs.DistanceRangeWorld, Max: 1}, {Of: fcmsgs.DistanceRangePair, A: "hand", B: "table", Min: 0.05},
		},
	}
	r := d.aboutRequest(request).query.Range
	if r.Min != 0.02 || r.Max != 0.5 || r.SelfRange != nil || r.WorldRange == nil || r.WorldRange.Max != 1 || len(r.Ranges) != 1 || r.Ranges[0].A != "hand" {
		t.Errorf("from a request: %+v", r)
	}
	if r := d.aboutRequest(&fcmsgs.CheckTrajectoryRequest{MinClearance: true}).query.Range; !r.IsZero() {
		t.Errorf("from a request without: %+v", r)
	}
	for _, x := range []struct {
		change func(*fcmsgs.CheckTrajectoryRequest)
		want   string
	}{
		{func(r *fcmsgs.CheckTrajectoryRequest) { r.MinClearance = false }, "set min_clearance"},
		{func(r *fcmsgs.CheckTrajectoryRequest) { r.Ranges = append(r.Ranges, fcmsgs.DistanceRange{}) }, "ranges[2] is of 0"},
	} {
		bad := *request
		x.change(&bad)
		if _, err := d.aboutRequest(&bad).way(context.Background(), map[string]float64{}); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %s", err, x.want)
		}
	}
	if err := checkRanges(values(t, map[string]any{"trajectory.min_distance": 0.4, "trajectory.max_distance": 0.3})); err == nil || !strings.Contains(err.Error(), "trajectory.max_distance") {
		t.Errorf("an empty range: %v", err)
	}
}

func TestAnswersTellOfRanges(t *testing.T) {
	way, err := motion.Between([]string{"x"}, []float64{0}, []float64{1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	q := &question{query: motion.Query{Question: motion.MinClearance}}
	hand := motion.Pair{A: motion.Body{Name: "hand"}, B: motion.Body{Name: "table", Kind: motion.WorldObject}}
	v := motion.Verdict{Status: motion.Undecided, Reason: "why", MinClearance: motion.Clearance{
		Known: true, Stopped: true, Bounds: motion.Interval{Hi: 0.01}, At: motion.Witness{Pair: hand, Time: 1.5},
	}}
	a := (&model{}).answer(q, way, &v, nil)
	if a.Status != fcmsgs.VerdictUndecided || !a.MinClearanceKnown || !a.MinClearanceStopped || a.MinClearanceBeyond ||
		a.MinClearanceLower != 0 || a.MinClearanceUpper != 0.01 || a.MinClearanceTime != 1.5 || a.MinClearancePair.A.Name != "hand" {
		t.Errorf("stopped: %+v", a)
	}
	v = motion.Verdict{Status: motion.Free, MinClearance: motion.Clearance{Known: true, Beyond: true, Bounds: motion.Interval{Lo: 0.3, Hi: math.Inf(1)}}}
	a = (&model{}).answer(q, way, &v, nil)
	if a.Status != fcmsgs.VerdictFree || a.MinClearanceStopped || !a.MinClearanceBeyond || a.MinClearanceLower != 0.3 || !math.IsInf(a.MinClearanceUpper, 1) {
		t.Errorf("beyond: %+v", a)
	}
}
