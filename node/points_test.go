package node

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/clouds"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// What is seen lies upon the world below it: an object of the same name, and boxes of another
// root link, leave nothing FREE.
func TestShowing(t *testing.T) {
	seen := clouds.Shown{Objects: []scene.Object{cube("/points", -1)}, Premises: []premise.Premise{{Kind: premise.PointCloud, Names: []string{"/points"}}}, Fresh: true}
	gap := premise.Premise{Kind: premise.MissingPoints, Names: []string{"/points"}, Detail: "nothing has come", Remedy: "wait"}
	for _, tt := range []struct {
		name  string
		below []scene.Object
		root  string
		shown []clouds.Shown
		level uint8
		why   string
	}{
		{"seen", []scene.Object{cube("crate", -2)}, "rail", []clouds.Shown{seen}, fcmsgs.CollisionStateFree, ""},
		{"nothing", nil, "rail", []clouds.Shown{{Fresh: true}}, fcmsgs.CollisionStateFree, ""},
		{"stale", nil, "rail", []clouds.Shown{seen, {Premises: []premise.Premise{gap}}}, fcmsgs.CollisionStateUnknown, "nothing has come"},
		{"one name", []scene.Object{cube("/points", -2)}, "rail", []clouds.Shown{seen}, fcmsgs.CollisionStateUnknown, "an object /points"},
		{"another robot", nil, "base", []clouds.Shown{seen}, fcmsgs.CollisionStateUnknown, "from the link base"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := changing(t, nil)
			w.at(0, 0, 1)
			w.put(fromPlanningScene, adding(tt.below...))
			w.put(fromPointClouds, showing(tt.root, tt.shown))
			if s := w.look(); s.Level != tt.level || !strings.Contains(s.Reason, tt.why) {
				t.Errorf("level %d: %s", s.Level, s.Reason)
			}
		})
	}
}

// The body is made again only where what the robot carries has changed.
func TestSameCargo(t *testing.T) {
	crate := cube("crate", 0)
	held := crate.Attach("left", crate.PoseWS)
	world := func(objects ...scene.Object) *scene.Snapshot {
		s, err := scene.New("rail", objects...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	larger := held
	shape := *held.Shape
	shape.Size.X *= 2
	larger.Shape = &shape
	for name, tt := range map[string]struct {
		a, b *scene.Snapshot
		same bool
	}{
		"none":           {nil, world(cube("wall", 3)), true},
		"dropped":        {world(held), world(crate), false},
		"taken":          {nil, world(held), false},
		"kept":           {world(held), world(cube("wall", 3), held), true},
		"another shape":  {world(held), world(larger), false},
		"on another arm": {world(held), world(crate.Attach("right", crate.PoseWS)), false},
	} {
		if sameCargo(tt.a, tt.b) != tt.same {
			t.Errorf("%s: %v", name, !tt.same)
		}
	}
}
