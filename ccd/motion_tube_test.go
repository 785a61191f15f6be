package ccd

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

const gripper = `<robot name="gripper">
  <link name="base"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="left"><collision><origin xyz="0 1 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0 -1 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="free"/>
  <joint name="left_x" type="prismatic"><parent link="base"/><child link="left"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="right_x" type="prismatic"><parent link="base"/><child link="right"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="left_x" multiplier="-2" offset="0.1"/></joint>
  <joint name="glued" type="fixed"><parent link="left"/><child link="free"/></joint>
</robot>`

func TestTubeOfMimicJoints(t *testing.T) {
	robot, err := urdf.Parse([]byte(gripper), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(robot, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name        string
		given, want map[string]float64
	}{
		{"none", nil, nil},
		{"zero", map[string]float64{"left_x": 0, "right_x": 0}, nil},
		{"follows", map[string]float64{"left_x": 0.1}, map[string]float64{"left_x": 0.1, "right_x": 0.2}},
		{"its own", map[string]float64{"left_x": 0.1, "right_x": 0.05}, map[string]float64{"left_x": 0.1, "right_x": 0.05}},
		{"its own zero", map[string]float64{"left_x": 0.1, "right_x": 0}, map[string]float64{"left_x": 0.1, "right_x": 0}},
		{"its own alone", map[string]float64{"right_x": 0.05}, map[string]float64{"right_x": 0.05}},
	} {
		t.Run(k.name, func(t *testing.T) {
			got, err := c.tube(k.given)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(k.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	for _, k := range []struct {
		given map[string]float64
		want  string
	}{
		{map[string]float64{"elbow": 0.1}, "no joint elbow"},
		{map[string]float64{"elbow": 0}, "no joint elbow"},
		{map[string]float64{"glued": 0.1}, "joint glued is fixed"},
		{map[string]float64{"left_x": -0.1}, "tube of -0.1 around joint left_x"},
		{map[string]float64{"left_x": math.NaN()}, "NaN"},
		{map[string]float64{"left_x": math.Inf(1)}, "Inf"},
	} {
		if _, err := c.tube(k.given); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v: error %v does not say %q", k.given, err, k.want)
		}
	}
}
