package urdf_test

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

const spelt = `<robot name="r">
  <link name="a"><visual/><collision><origin xyz="0 0 1" rpy="0 0 0"/><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="b"><inertial/><collision><geometry><sphere radius="1"/></geometry></collision></link>
  <link name="c"/>
  <joint name="ab" type="revolute"><parent link="a"/><child link="b"/><origin xyz="5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="1"/></joint>
  <joint name="bc" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="ab" multiplier="2" offset="0.1"/></joint>
  <gazebo reference="a"/><transmission name="t"/>
</robot>`

// A word that is nearly one which decides what is checked is a slip; words of other
// programs are not.
func TestSlips(t *testing.T) {
	if _, err := urdf.Parse([]byte(spelt), urdf.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ right, wrong, meant string }{
		{"collision>", "colision>", "<collision>"},
		{"<collision><geometry><sphere radius=\"1\"/></geometry></collision>", "<Collision><geometry><sphere radius=\"1\"/></geometry></Collision>", "<collision>"},
		{"<collision><origin", "<collision><orgin", "<origin>"},
		{`xyz="0 0 1" rpy`, `xzy="0 0 1" rpy`, "xyz"},
		{`rpy="0 0 0"`, `rpyy="0 0 0.1"`, "rpy"},
		{`<axis xyz`, `<axs xyz`, "<axis>"},
		{`<mimic joint`, `<mimick joint`, "<mimic>"},
		{`multiplier="2"`, `multipler="2"`, "multiplier"},
		{`offset="0.1"`, `ofset="0.1"`, "offset"},
		{`lower="-1"`, `Lower="-1"`, "lower"},
		{`<limit lower`, `<limits lower`, "<limit>"},
		{`<link name="c"/>`, `<link name="c"/><lnik name="d"/>`, "<link>"},
	} {
		text := strings.ReplaceAll(spelt, c.right, c.wrong)
		if text == spelt {
			t.Fatalf("%q is not in the text", c.right)
		}
		if _, err := urdf.Parse([]byte(text), urdf.Options{}); err == nil || !strings.Contains(err.Error(), "did you mean "+c.meant+"?") || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v, want a hint at %s", c.wrong, err, c.meant)
		}
	}
	if _, err := urdf.Parse([]byte(strings.Replace(spelt, `rpy="0 0 0"`, `ryp="0 0 0"`, 1)), urdf.Options{}); err != nil {
		t.Errorf("a slip that changes nothing: %v", err)
	}
	for _, foreign := range []string{
		`<link name="c"><sensor/><self_collide/><gravity/></link>`, `<link name="c"><inertial><mass value="1"/></inertial><visual><colour/></visual></link>`,
		`<link name="c" kinematic="1"/>`, `<link name="c"/><material name="m"/><loop_joint name="l"/><ros2_control name="x"/>`,
	} {
		if _, err := urdf.Parse([]byte(strings.Replace(spelt, `<link name="c"/>`, foreign, 1)), urdf.Options{}); err != nil {
			t.Errorf("%s: %v", foreign, err)
		}
	}
}

func TestSlipsInSRDF(t *testing.T) {
	robot, err := urdf.Parse([]byte(spelt), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const right = `<robot name="r"><disable_default_collisions link="a"/><enable_collisions link1="a" link2="b"/>
		<group name="g"><joint name="ab"/></group><group_state name="s" group="g"><joint name="ab" value="0.5"/></group_state>
		<virtual_joint name="v" type="fixed" parent_frame="w" child_link="a"/><end_effector name="e" parent_link="b" group="g"/></robot>`
	if _, err := urdf.ParseSRDF(robot, []byte(right)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ right, wrong, meant string }{
		{"<enable_collisions", "<enable_colisions", "<enable_collisions>"},
		{"<enable_collisions", "<enable_collision", "<enable_collisions>"},
		{"<disable_default_collisions", "<disable_default_colisions", "<disable_default_collisions>"},
		{"group_state", "groupstate", "<group_state>"},
		{"<virtual_joint", "<virtual-joint", "<virtual_joint>"},
		{`parent_frame="w"`, `parent_fame="w"`, "parent_frame"},
	} {
		if _, err := urdf.ParseSRDF(robot, []byte(strings.ReplaceAll(right, c.right, c.wrong))); err == nil || !strings.Contains(err.Error(), "did you mean "+c.meant+"?") {
			t.Errorf("%s: %v, want a hint at %s", c.wrong, err, c.meant)
		}
	}
}
