package ccd

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// armURDF is an arm of two boxes on a base, wide apart.
const armURDF = `<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.6 0.1 0.1"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
  <joint name="wrist" type="revolute"><origin xyz="1 0 0"/><parent link="upper"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
</robot>`

func arm(t *testing.T) *urdf.Robot {
	t.Helper()
	robot, err := urdf.Parse([]byte(armURDF), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return robot
}

const boxLine = "objects: [{id: table, type: box, size: [1, 1, 0.1], xyz: [0, 0, -1]}]\n"

// TestUnknownNames: whatever names a link, an object or a joint that is not there is
// an error that says which and what to do.
func TestUnknownNames(t *testing.T) {
	tool := func(on string, touch ...string) scene.Object {
		return scene.NewSphere("tool", geom.IdentityPose(), 0.05).Attach(on, geom.Translation(geom.Vec{X: 0.5}), touch...)
	}
	parsed := func(text string) func(*testing.T) *scene.Snapshot {
		return func(t *testing.T) *scene.Snapshot {
			s, err := scene.Parse("scene.yaml", []byte(text), scene.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	with := func(o scene.Object) func(*testing.T) *scene.Snapshot {
		return func(t *testing.T) *scene.Snapshot {
			s, err := scene.New("", o)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	placed := "robot_state: {multi_dof_joint_state: {joint_names: [virtual], transforms: [{translation: {x: 1, y: 0, z: 0}}]}}\n"
	for name, tc := range map[string]struct {
		world func(*testing.T) *scene.Snapshot
		opts  Options
		want  []string // in the error; none: no error
	}{
		"scene padding of no link":  {world: parsed(boxLine + "link_padding: {hnad: 0.2}"), want: []string{"link_padding", "hnad", `"hand"`}},
		"moveit padding of no link": {world: parsed("world: {}\nlink_padding: [{link_name: hnad, padding: 0.2}]"), want: []string{"link_padding", "hnad", `"hand"`}},
		"padding of an object":      {world: parsed(boxLine + "link_padding: {table: 0.2}"), want: []string{"link_padding", "table"}},
		"allowed pair of no link":   {world: parsed(boxLine + "allowed: [[table, bsae]]"), want: []string{"allows", "bsae", `"base"`}},
		"allowed pair of no object": {world: parsed(boxLine + "allowed: [[tabel, base]]"), want: []string{"allows", "tabel", `"table"`}},
		"attached to no link":       {world: with(tool("hnad")), want: []string{"tool", "hnad", `"hand"`}},
		"touch link of nothing":     {world: with(tool("hand", "uper")), want: []string{"tool", "uper", `"upper"`}},
		"option padding":            {opts: Options{LinkPadding: map[string]float64{"hnad": 0.1}}, want: []string{"options", "hnad", `"hand"`}},
		"option pair":               {opts: Options{Allowed: [][2]string{{"base", "hnad"}}}, want: []string{"options", "hnad", `"hand"`}},
		"option state":              {opts: Options{State: map[string]float64{"wirst": 1}}, want: []string{"wirst", `"wrist"`}},
		"placed by no joint":        {world: parsed(placed + "world: {}"), want: []string{"virtual", "SRDF"}},

		"all known": {
			world: parsed(boxLine + "link_padding: {hand: 0.2}\nallowed: [[table, base]]"),
			opts:  Options{LinkPadding: map[string]float64{"base": 0.1}, Allowed: [][2]string{{"base", "hand"}, {"hand", "table"}}},
		},
		"attached": {world: with(tool("hand", "upper"))},
		// MoveIt keeps entries of objects that are gone; nothing is left out for them.
		"matrix with an absent object": {world: parsed("allowed_collision_matrix: {entry_names: [hand, gone], entry_values: [[false, true], [true, false]]}")},
	} {
		t.Run(name, func(t *testing.T) {
			var world *scene.Snapshot
			if tc.world != nil {
				world = tc.world(t)
			}
			_, err := New(arm(t), world, tc.opts)
			expectError(t, err, tc.want)
			bare, errBare := New(arm(t), nil, Options{})
			if errBare != nil {
				t.Fatal(errBare)
			}
			if tc.world != nil { // and in a world that comes later
				_, err = bare.WithWorld(world)
				if tc.opts.Allowed == nil {
					expectError(t, err, tc.want)
				}
			}
		})
	}
}

func expectError(t *testing.T, err error, want []string) {
	t.Helper()
	if len(want) == 0 && err != nil {
		t.Fatalf("error %v", err)
	}
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %v, want one with %q", err, w)
		}
	}
}

// TestAbsentObject: a pair with an object that was taken away is no slip.
func TestAbsentObject(t *testing.T) {
	s, err := scene.Parse("scene.yaml", []byte(boxLine+"allowed: [[table, base]]"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(arm(t), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Without("table"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.WithWorld(s); err != nil {
		t.Error(err)
	}
}
