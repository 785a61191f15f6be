package node

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/firstcontact-ros/firstcontact/config"
)

// The robot of these tests is two carts on a rail along x, cubes of 0.2 m. At
// zero left stands at x = 0 and right at x = 1, so they are 0.8 + right - left
// apart. A wall 2 cm thick, too thin for samples to see, begins at x = 2.99. All
// distances have closed forms.
const railURDF = `<robot name="carts">
  <link name="rail"/>
  <link name="left"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="right"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="flag"/>
  <joint name="left_x" type="prismatic">
    <parent link="rail"/><child link="left"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="10"/>
  </joint>
  <joint name="right_x" type="prismatic">
    <parent link="rail"/><child link="right"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="10"/>
  </joint>
  <joint name="flag_x" type="prismatic">
    <parent link="right"/><child link="flag"/><axis xyz="0 0 1"/><mimic joint="right_x" multiplier="0.5"/>
    <limit lower="-5" upper="5" effort="1" velocity="10"/>
  </joint>
</robot>`

const railSRDF = `<robot name="carts"><disable_collisions link1="left" link2="right" reason="Never"/></robot>`

const railScene = `{frame: rail, objects: [{id: wall, type: box, xyz: [3, 0, 0], size: [0.02, 1, 1]}]}`

// gapToWall and gapOfCarts are the two distances that there are.
func gapToWall(x float64) float64 {
	return math.Max(0, math.Max(2.99-(x+0.1), (x-0.1)-3.01))
}

func gapOfCarts(left, right float64) float64 { return math.Max(0, math.Abs(1+right-left)-0.2) }

// gap is the least distance at a configuration.
func gap(left, right float64) float64 {
	return math.Min(gapOfCarts(left, right), math.Min(gapToWall(left), gapToWall(1+right)))
}

// railParameters are the node's parameters for the carts and their wall.
func railParameters(t testing.TB, more map[string]any) map[string]any {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wall.yaml")
	write(t, path, railScene)
	given := map[string]any{"robot_description": railURDF, "scene": path}
	for name, value := range more {
		given[name] = value
	}
	return given
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func values(t testing.TB, given map[string]any) config.Values {
	t.Helper()
	v, err := config.Validate(given)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func railModel(t testing.TB) *model {
	t.Helper()
	v := values(t, railParameters(t, nil))
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
