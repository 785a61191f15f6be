package node

import (
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

type (
	clearanceRequest  = fcmsgs.GetClearanceRequest
	clearanceResponse = fcmsgs.GetClearanceResponse
)

func testClearance(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	client, err := ros.NewClient[clearanceRequest, clearanceResponse](r.node, "firstcontact/get_clearance", ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	at := func(left, right float64) clearanceRequest {
		return clearanceRequest{JointNames: strings.Fields(bothCarts), Positions: []float64{left, right}}
	}
	with := func(q clearanceRequest, change func(*clearanceRequest)) clearanceRequest {
		change(&q)
		return q
	}
	for _, c := range []struct {
		name        string
		ask         clearanceRequest
		says        string // where it fails
		pairs       int    // at least
		self, world float64
		check       func(*clearanceResponse) bool
	}{
		{"all pairs", at(0, 0), "", 2, 0.8, 1.89, func(a *clearanceResponse) bool {
			return !a.Stopped && a.ModelHash != "" && math.IsInf(a.AttachedLower, 1) && len(a.PointsAOnLink) == len(a.Pairs) && len(a.PointsBOnLink) == len(a.Pairs)
		}},
		{"closest pair", with(at(0, 0), func(q *clearanceRequest) { q.MaxPairs = 1 }), "", 1, 0.8, 1.89, func(a *clearanceResponse) bool {
			return len(a.Pairs) == 1 && between(a.Pairs[0].Pair) == "left and right"
		}},
		{"roughly", with(at(0, 0), func(q *clearanceRequest) { q.RelativeTolerance = 0.2 }), "", 2, 0.8, 1.89, nil},
		{"without the world", with(at(0, 0), func(q *clearanceRequest) { q.SkipWorld = true }), "", 1, 0.8, math.Inf(1), nil},
		{"in contact", at(0, -0.9), "", 2, 0, 2.79, func(a *clearanceResponse) bool { return a.Pairs[0].Upper == 0 }},
		{"too close", with(at(0, 0), func(q *clearanceRequest) { q.MinDistance = 1 }), "", 1, -1, -1, func(a *clearanceResponse) bool {
			return a.Stopped && len(a.Pairs) == 1 && a.Pairs[0].Upper < 1
		}},
		{"nothing in reach", with(at(0, 0), func(q *clearanceRequest) { q.MaxDistance = 0.5 }), "", 0, -1, -1, func(a *clearanceResponse) bool {
			return len(a.Pairs) == 0 && a.SelfLower >= 0.5 && a.SelfLower <= 0.8 && math.IsInf(a.SelfUpper, 1)
		}},
		{"ranges of classes", ranged(at(0, 0), classRange(fcmsgs.DistanceRangeSelf, 0.1, 0.5), classRange(fcmsgs.DistanceRangeWorld, 0.1, 5)), "", 1, -1, 1.89, func(a *clearanceResponse) bool {
			return !a.Stopped && between(a.Pairs[0].Pair) == "right and wall" && a.SelfLower >= 0.5 && math.IsInf(a.SelfUpper, 1)
		}},
		{"a class too close", ranged(at(0, 0), classRange(fcmsgs.DistanceRangeSelf, 0.1, 0), classRange(fcmsgs.DistanceRangeWorld, 2, 0)), "", 1, -1, -1, func(a *clearanceResponse) bool {
			return a.Stopped && a.Pairs[0].Pair.B.Name == "wall" && a.SelfLower <= 0.8
		}},
		{"a pair too close that is not the closest", with(ranged(at(0, 0), pairRange("wall", "right", 1.9, 0)), func(q *clearanceRequest) { q.MaxPairs = 1 }), "", 1, -1, -1, func(a *clearanceResponse) bool {
			return a.Stopped && between(a.Pairs[0].Pair) == "right and wall"
		}},
		{"a pair that may be close", with(ranged(at(0, 0), pairRange("left", "right", 0, 0)), func(q *clearanceRequest) { q.MinDistance = 1 }), "", 2, 0.8, 1.89, func(a *clearanceResponse) bool { return !a.Stopped }},
		{"range of no class", ranged(at(0, 0), classRange(9, 0, 0)), "ranges[0] is of 9", 0, 0, 0, nil},
		{"two ranges of a class", ranged(at(0, 0), classRange(fcmsgs.DistanceRangeSelf, 0, 0), classRange(fcmsgs.DistanceRangeSelf, 0, 0)), "ranges[1] is the second", 0, 0, 0, nil},
		{"names of a class", ranged(at(0, 0), fcmsgs.DistanceRange{Of: fcmsgs.DistanceRangeSelf, A: "left"}), "is of a class", 0, 0, 0, nil},
		{"range of nobody", ranged(at(0, 0), pairRange("left", "elbow", 0, 1)), "elbow", 0, 0, 0, nil},
		{"empty range of a class", ranged(at(0, 0), classRange(fcmsgs.DistanceRangeWorld, 2, 1)), "range 2 m to 1 m", 0, 0, 0, nil},
		{"too many ranges", ranged(at(0, 0), make([]fcmsgs.DistanceRange, limit.MessageRanges+1)...), "at most 4096", 0, 0, 0, nil},
		{"nothing attached", with(at(0, 0), func(q *clearanceRequest) { q.OnlyAttached = true }), "", 0, math.Inf(1), math.Inf(1), nil},
		{"not all joints", clearanceRequest{JointNames: []string{"left_x"}, Positions: []float64{0}}, "no fresh measurement of right_x", 0, 0, 0, nil},
		{"nobody's joint", clearanceRequest{JointNames: []string{"elbow"}, Positions: []float64{0}}, "no joint elbow", 0, 0, 0, nil},
		{"twice", clearanceRequest{JointNames: []string{"left_x", "left_x"}, Positions: []float64{0, 0}}, "twice", 0, 0, 0, nil},
		{"half", clearanceRequest{JointNames: strings.Fields(bothCarts), Positions: []float64{0}}, "2 joints have 1 positions", 0, 0, 0, nil},
		{"NaN", at(0, math.NaN()), "not finite", 0, 0, 0, nil},
		{"no range", with(at(0, 0), func(q *clearanceRequest) { q.MinDistance, q.MaxDistance = 2, 1 }), "range 2 m to 1 m", 0, 0, 0, nil},
		{"no tolerance", with(at(0, 0), func(q *clearanceRequest) { q.RelativeTolerance = 1 }), "less than 1", 0, 0, 0, nil},
		{"no such group", with(at(0, 0), func(q *clearanceRequest) { q.Group = "arm" }), "group arm", 0, 0, 0, nil},
		{"nothing", with(at(0, 0), func(q *clearanceRequest) { q.SkipSelf, q.SkipWorld = true, true }), "nothing to measure", 0, 0, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := client.Call(r.soon(), &c.ask)
			if err != nil {
				t.Fatal(err)
			}
			if a.Success != (c.says == "") || !strings.Contains(a.Message, c.says) {
				t.Fatalf("success %v: %q, want %q", a.Success, a.Message, c.says)
			}
			if c.says != "" {
				if !math.IsNaN(a.SelfLower) || !math.IsNaN(a.WorldUpper) {
					t.Errorf("a failure tells distances: %+v", a)
				}
				return
			}
			if len(a.Pairs) < c.pairs {
				t.Errorf("%d pairs", len(a.Pairs))
			}
			for _, x := range [][3]float64{{a.SelfLower, a.SelfUpper, c.self}, {a.WorldLower, a.WorldUpper, c.world}} {
				wide := 1e-9 + c.ask.RelativeTolerance*x[1]
				if x[2] >= 0 && !(x[0] <= x[2]+1e-9 && x[1] >= x[2]-1e-9 && (math.IsInf(x[2], 1) || x[1]-x[0] <= wide)) {
					t.Errorf("within %g and %g, want %g", x[0], x[1], x[2])
				}
			}
			if c.check != nil && !c.check(a) {
				t.Errorf("%+v", a)
			}
		})
	}
}

func ranged(q clearanceRequest, ranges ...fcmsgs.DistanceRange) clearanceRequest {
	q.Ranges = ranges
	return q
}

func classRange(of uint8, low, high float64) fcmsgs.DistanceRange {
	return fcmsgs.DistanceRange{Of: of, Min: low, Max: high}
}

func pairRange(a, b string, low, high float64) fcmsgs.DistanceRange {
	return fcmsgs.DistanceRange{Of: fcmsgs.DistanceRangePair, A: a, B: b, Min: low, Max: high}
}

func TestClearance(t *testing.T) { testClearance(t, inMemory()) }
