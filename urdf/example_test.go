package urdf_test

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

func ExampleParse() {
	robot, err := urdf.Parse([]byte(`
<robot name="pendulum">
  <link name="stand"/>
  <link name="arm">
    <collision>
      <origin xyz="0 0 -0.5"/>
      <geometry><capsule radius="0.05" length="0.9"/></geometry>
    </collision>
  </link>
  <joint name="swing" type="revolute">
    <parent link="stand"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="10" velocity="4"/>
  </joint>
</robot>`), urdf.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	swing := robot.Joints[robot.Joint("swing")]
	arm := robot.Links[robot.Link("arm")]
	fmt.Println(swing.Type, "from", swing.Limit.Lower, "to", swing.Limit.Upper)
	fmt.Println(arm.Name, "is a", arm.Collisions[0].Shape.Kind)
	fmt.Println(robot.Warnings[0])
	// Output:
	// revolute from -1.5 to 1.5
	// arm is a capsule
	// links without collision geometry are never checked: stand
}
