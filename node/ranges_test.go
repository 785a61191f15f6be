package node

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// watchWith is a monitor of the carts with other parameters.
func watchWith(t *testing.T, more map[string]any) *watched {
	t.Helper()
	given := railParameters(t, more)
	v := values(t, given)
	if err := checkRanges(v); err != nil {
		t.Fatal(err)
	}
	m, err := modelOf(t, given)
	if err != nil {
		t.Fatal(err)
	}
	w := watch(m)
	l := limitsOf(v)
	l.timeout = timeout
	w.limits = l
	return w
}

// Below the minimum of its range a pair is STOP and the search ends; beyond the maximum
// nothing is computed. Ranges of classes and pairs replace those of all.
func TestDistanceRanges(t *testing.T) {
	self := func(low, high float64) map[string]any {
		return map[string]any{"distance_range.self.min": low, "distance_range.self.max": high}
	}
	world := func(low, high float64) map[string]any {
		return map[string]any{"distance_range.world.min": low, "distance_range.world.max": high}
	}
	pairs := func(texts ...string) map[string]any { return map[string]any{"distance_range.pairs": texts} }
	inf := math.Inf(1)
	for _, c := range []struct {
		name                   string
		parameters             map[string]any
		left, right            float64
		level                  uint8
		reason                 string
		stopped, beyond        bool
		self, world            [2]float64 // {0, 0}: not looked at
		decidedBy, closestPair string
	}{
		// The carts are 0.8 + right - left apart, the wall is at 2.89 - left and 1.89 - right.
		{name: "beyond max", level: levelFree, reason: "beyond max: every pair is at least 0.5 m apart", beyond: true, self: [2]float64{0.5, inf}, world: [2]float64{0.5, inf}},
		{name: "self beyond its max", parameters: self(0.01, 0.1), left: 1.5, right: 1.5, level: levelFree, reason: "right and wall, is 0.39", self: [2]float64{0.1, inf}, world: [2]float64{0.39, 0.39}},
		{name: "self stops", parameters: self(0.85, 0.9), level: fcmsgs.CollisionStateStop, reason: "left and right are at most 0.8000 m apart, closer than 0.85 m; the search stopped there", stopped: true, self: [2]float64{0.8, 0.8}},
		{name: "world stops though self is closer", parameters: world(2, 3), level: fcmsgs.CollisionStateStop, reason: "right and wall are at most 1.8900 m apart, closer than 2 m", stopped: true},
		{name: "just clear", parameters: world(1.85, 3), level: levelFree, reason: "right and wall, is 1.8900"},
		{name: "not clear within the tolerance", parameters: world(1.875, 3), level: fcmsgs.CollisionStateStop, reason: "not clear of 1.875 m", stopped: true},
		{name: "world beyond its max", parameters: world(0.01, 0.06), left: 1, right: 0.5, level: levelFree, reason: "left and right, is 0.30", world: [2]float64{0.06, inf}, self: [2]float64{0.3, 0.3}},
		{name: "a class with a maximum for STOP only", parameters: map[string]any{"distance_range.world.max": 0.05}, right: 1.85, level: fcmsgs.CollisionStateWarn, reason: "right and wall are 0.0"},
		{name: "a pair stops early", parameters: pairs("wall:right:2:3"), level: fcmsgs.CollisionStateStop, reason: "right and wall are at most 1.8900 m", stopped: true},
		{name: "a pair may come closer", parameters: pairs("left:right:0.002:0.3"), right: -0.795, level: levelFree, reason: "left and right"},
		{name: "and is WARN", parameters: pairs("left:right:0.004:0.3"), right: -0.795, level: fcmsgs.CollisionStateWarn, reason: "closer than 0.006 m"},
		{name: "and stops", parameters: pairs("left:right:0.006:0.3"), right: -0.795, level: fcmsgs.CollisionStateStop, reason: "closer than 0.006 m", stopped: true},
		{name: "while the other is WARN", parameters: pairs("left:right:0.002:0.3"), left: 2.65, right: 1.857, level: fcmsgs.CollisionStateWarn, reason: "right and wall are 0.03"},
		{name: "a pair beyond its max", parameters: pairs("right:wall:0:0.05"), right: 1.6, level: levelFree, reason: "beyond max", beyond: true},
		{name: "a pair without a minimum touches", parameters: pairs("right:left:0:0.05"), right: -0.9, level: fcmsgs.CollisionStateCollision, reason: "touch"},
		{name: "nothing stops, something touches", parameters: map[string]any{"distance_range.min": 0.0}, right: -0.9, level: fcmsgs.CollisionStateCollision, reason: "touch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := watchWith(t, c.parameters).at(0, c.left, c.right)
			wantLevel(t, s, c.level, c.reason)
			if s.Stopped != c.stopped || s.BeyondMax != c.beyond {
				t.Errorf("stopped %v, beyond max %v (%s)", s.Stopped, s.BeyondMax, s.Reason)
			}
			if s.Stopped && len(s.ClosestPairs) != 1 {
				t.Errorf("stopped with %d pairs", len(s.ClosestPairs))
			}
			truth := [2]float64{gapOfCarts(c.left, c.right), min(gapToWall(c.left), gapToWall(1+c.right))}
			for i, x := range [][2]float64{{s.SelfLower, s.SelfUpper}, {s.WorldLower, s.WorldUpper}} {
				if !(x[0] <= truth[i]+1e-9 && x[1] >= truth[i]-1e-9) {
					t.Errorf("class %d is %g m apart, not within %v", i, truth[i], x)
				}
				if want := [][2]float64{c.self, c.world}[i]; want != ([2]float64{}) && !(math.Abs(x[0]-want[0]) <= 1e-9+tolerance*want[0] && (x[1] == want[1] || math.Abs(x[1]-want[1]) < 1e-9)) {
					t.Errorf("class %d: %v, want %v", i, x, want)
				}
			}
			if !math.IsInf(s.AttachedLower, 1) || !math.IsInf(s.AttachedUpper, 1) {
				t.Errorf("nothing is attached, but it is within %g and %g", s.AttachedLower, s.AttachedUpper)
			}
		})
	}
}

// Whatever the ranges, no level is better than the truth, and each bound holds.
func TestLevelsAreSoundWithRanges(t *testing.T) {
	race.LeaveOut(t)
	levels, beyond := map[uint8]int{}, 0
	for i := range 150 {
		d := chance.New(83, uint64(i))
		parameters := map[string]any{}
		truth := map[string][2]float64{"self": {0.01, 0.05}, "world": {0.01, 0.05}} // STOP and WARN below
		for _, class := range []string{"self", "world"} {
			if d.IntN(2) == 0 {
				low := d.In(0, 0.3)
				parameters["distance_range."+class+".min"] = low
				parameters["distance_range."+class+".max"] = max(0.05, low) + d.In(0, 0.4)
				truth[class] = [2]float64{low, max(0.05, low)}
			}
		}
		own := [2]float64{-1}
		if d.IntN(2) == 0 {
			low := d.In(0, 0.3)
			own = [2]float64{low, max(low, min(0.05, 1.5*low))}
			parameters["distance_range.pairs"] = []string{strings.Join([]string{"left", "right", number(low), number(max(0.05, low) + d.In(0, 0.4))}, ":")}
		}
		w := watchWith(t, parameters)
		for k := range 12 {
			left := []float64{0, d.In(-1, 3.5)}[d.IntN(2)]
			right := left - 0.8 + []float64{d.In(0, 0.4), d.In(0, 0.02), d.In(0, 3)}[d.IntN(3)]
			w.queue.drop()
			w.use(w.model, "")
			s := w.at(0, left, right)
			carts, walls := gapOfCarts(left, right), min(gapToWall(left), gapToWall(1+right))
			ofCarts := truth["self"]
			if own[0] >= 0 {
				ofCarts = own
			}
			least := int(levelFree)
			for _, x := range []struct {
				d      float64
				limits [2]float64
			}{{carts, ofCarts}, {walls, truth["world"]}} {
				switch {
				case x.d <= 0:
					least = max(least, int(fcmsgs.CollisionStateCollision))
				case x.d < x.limits[0]:
					least = max(least, int(fcmsgs.CollisionStateStop))
				case x.d < x.limits[1]:
					least = max(least, int(fcmsgs.CollisionStateWarn))
				}
			}
			if int(s.Level) < least {
				t.Errorf("%d.%d %v: carts %g, walls %g: level %d (%s) is better than %d", i, k, parameters, carts, walls, s.Level, s.Reason, least)
			}
			if s.SelfLower > carts+1e-9 || s.SelfUpper < carts-1e-9 || s.WorldLower > walls+1e-9 || s.WorldUpper < walls-1e-9 || s.DistanceLower > min(carts, walls)+1e-9 || s.DistanceUpper < min(carts, walls)-1e-9 {
				t.Errorf("%d.%d %v: carts %g, walls %g: bounds %g %g, %g %g", i, k, parameters, carts, walls, s.SelfLower, s.SelfUpper, s.WorldLower, s.WorldUpper)
			}
			levels[s.Level]++
			if s.BeyondMax {
				beyond++
			}
		}
	}
	t.Log("levels: ", levels, ", beyond max: ", beyond)
	for _, level := range []uint8{levelFree, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop, fcmsgs.CollisionStateCollision} {
		if levels[level] < 20 {
			t.Errorf("level %d came %d times: too few", level, levels[level])
		}
	}
	if beyond < 20 {
		t.Errorf("%d states beyond max: too few", beyond)
	}
}

// A sample aside is judged for contact too: a search that stops at a pair too close may
// miss one that touches.
func TestAsideTouchesThoughTheSearchStops(t *testing.T) {
	w := watchWith(t, map[string]any{"distance_range.self.min": 5.0, "distance_range.self.max": 6.0})
	w.at(0, 0, 0)
	w.clock = ms
	s := placedAt(w, 1.9)
	s.Aside = "test"
	w.queue.push(s)
	wantLevel(t, w.look(), fcmsgs.CollisionStateCollision, "right and wall touch")
}

func TestRangesThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		parameters map[string]any
		says       []string
	}{
		{map[string]any{"distance_range.self.min": 0.6}, []string{"distance_range.self.max", "0.6 m to 0.5 m", "raise"}},
		{map[string]any{"distance_range.world.max": 0.04}, []string{"distance_range.world.max", "below warn_distance", "raise the first"}},
		{map[string]any{"distance_range.attached.min": 0.2, "distance_range.attached.max": 0.1}, []string{"distance_range.attached.max"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:0.1"}}, []string{"distance_range.pairs", "A:B:MIN:MAX"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:x:1"}}, []string{"distance_range.pairs", "two numbers"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:0.2:0.1"}}, []string{"distance_range.pairs", "MIN and then MAX"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:0.03:0.04"}}, []string{"distance_range.pairs", "MAX is below"}},
		{map[string]any{"distance_range.pairs": []string{"left:rail:0.1:0.2"}}, []string{"distance_range.pairs", "named rail"}},
		{map[string]any{"distance_range.pairs": []string{"left:left:0.1:0.2"}}, []string{"distance_range.pairs", "two names"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:nan:0.2"}}, []string{"distance_range.pairs", "two numbers"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:0.1:inf"}}, []string{"distance_range.pairs", "two numbers"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:0.1:0.2", "right:left:0.1:0.2"}}, []string{"distance_range.pairs", "given twice"}},
		{map[string]any{"distance_range.pairs": []string{"left:right:0.1:0.2"}, "margin_overrides": []string{"right:left:0.001"}}, []string{"distance_range.pairs", "margin_overrides", "leave it out"}},
	} {
		given := railParameters(t, c.parameters)
		err := checkRanges(values(t, given))
		if err == nil {
			_, err = modelOf(t, given)
		}
		if err == nil {
			t.Errorf("%v is accepted", c.parameters)
			continue
		}
		for _, word := range c.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%v: %q lacks %q", c.parameters, err, word)
			}
		}
	}
}

// The searches of the monitor allocate nothing once their memory has grown.
func TestSearchesAllocateNothing(t *testing.T) {
	w := watchWith(t, map[string]any{
		"robot_description_semantic": `<robot name="carts"/>`, // without one some pairs are left out by proof
		"distance_range.self.max":    0.9, "distance_range.pairs": []string{"left:wall:0.1:0.2"},
	})
	for _, right := range []float64{0, -0.795, 1.8} {
		at := placedAt(w, right)
		for what := range searches {
			if n := testing.AllocsPerRun(50, func() {
				if _, _, err := w.model.distances(context.Background(), at, what); err != nil {
					t.Error(err)
				}
			}); n > 0 {
				t.Errorf("search %d at %g: %g allocations", what, right, n)
			}
		}
	}
}

// A pair with a margin of its own is searched for only up to where it begins to warn, and is still what
// a state reports where it is the closest.
func TestCloseByDesign(t *testing.T) {
	m, err := modelOf(t, railParameters(t, map[string]any{"margin_overrides": []string{"left:right:0.004"}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gap    float64
		listed int
		level  uint8
		reason string
	}{{0.03, 0, levelFree, "left and right, is 0.03"}, {0.0065, 0, levelFree, "left and right, is 0.0065"}, {0.005, 1, fcmsgs.CollisionStateWarn, "closer than 0.006"}} {
		at := &jointstates.Sample{Position: make([]float64, len(m.joints))}
		for i, name := range m.joints {
			if name == "right_x" {
				at.Position[i] = c.gap - 0.8
			}
		}
		near, _, err := m.distances(context.Background(), at, nearPairs)
		if err != nil || len(near.Pairs) != c.listed {
			t.Errorf("%g m: %d pairs are near, want %d (%v)", c.gap, len(near.Pairs), c.listed, err)
		}
		s := watch(m).at(0, 0, c.gap-0.8)
		wantLevel(t, s, c.level, c.reason)
		if len(s.ClosestPairs) == 0 || math.Abs(s.ClosestPairs[0].Upper-c.gap) > 1e-9 {
			t.Errorf("%g m: the closest pairs are %v", c.gap, s.ClosestPairs)
		}
	}
}
