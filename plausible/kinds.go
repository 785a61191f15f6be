package plausible

// kinds lists all findings. docs/plausibility.md describes each of them.
var kinds = []Kind{
	// The robot.
	{"no-shapes", true, "give its links <collision> elements, or check another file of the robot"},
	{"small-link", true, "check the unit of the mesh and its scale, and the unit of the joints' origins: URDF lengths are in metres"},
	{"tiny-mesh", true, "check the unit of the mesh and its scale: a mesh in metres needs no scale of 0.001"},
	{"huge-link", true, "check the unit of the mesh and its scale: a mesh in millimetres needs scale=\"0.001 0.001 0.001\""},
	{"far-geometry", true, "check the <origin> of its <collision>, in metres, and the origin of the mesh's own coordinates"},
	{"offset-geometry", false, "check the <origin> of its <collision>, and the origin of the mesh's own coordinates"},
	{"huge-robot", true, "check the unit of the joints' <origin xyz>: URDF lengths are in metres"},
	{"tiny-robot", true, "check the unit of the robot's lengths: URDF lengths are in metres"},
	{"rpy-degrees", true, "write rpy in radians: 90 degrees are 1.5708"},
	{"limits-in-degrees", false, "write the joint's limits in radians: 170 degrees are 2.967"},
	{"limits-in-millimetres", false, "write the joint's limits in metres"},
	{"link-without-shape", false, "give the link a <collision> element, if contacts of it matter"},
	{"foreign-srdf", false, "give the SRDF of this robot"},

	{"assumed-share", false, "audit the pairs with 'firstcontact pairs --robot ROBOT --srdf SRDF'"},

	// The scene.
	{"scene-out-of-reach", true, "check the unit of the scene's positions (metres) and its frame"},
	{"scene-beyond-reach", false, "check the scene's frame, and where the robot stands in it"},
	{"far-object", true, "check the unit of its position (metres) and its frame"},
	{"tiny-object", true, "check the unit of its size (metres) and the scale of its mesh"},
	{"small-scene", false, "check the unit of the scene's sizes (metres) and the scale of its meshes"},
	{"same-pose", false, "give each object its xyz, and rpy or quat_xyzw"},
	{"object-not-checked", false, "look at the scene's allowed pairs"},
	{"huge-object", true, "check the unit of its mesh and its scale: a mesh in millimetres needs the scale 0.001"},
	{"far-attached", true, "give the pose of an attached object in the frame of its link, in metres"},
	{"quaternion-order", false, "write quaternions as x, y, z, w: no rotation is 0, 0, 0, 1"},

	// The motion.
	{"degrees", true, "convert the angles to radians (multiply by pi/180)"},
	{"millimetres", true, "convert the positions of sliding joints to metres (divide by 1000)"},
	{"far-beyond-limits", true, "check the order of the columns, the unit, and that the motion is of this robot"},
	{"few-joints", false, "name the other joints in the motion, or say where they stand with --state"},
	{"held-between", false, "name the joint in the motion, or say where it stands with --state"},
	{"incomplete-group", false, "name the joint in the motion, or say where it stands with --state"},
	{"epoch-stamps", false, "subtract the first time stamp: times are seconds from the motion's start"},
	{"slow-motion", false, "check the unit of the times: they are seconds"},
	{"fast-motion", false, "check the unit of the times (seconds), and that no row is missing"},
	{"recording-hole", false, "check the motion in parts, before the hole and after it, or record it again"},
	{"no-motion", false, "check that the recording or the planner gave the positions that were meant"},
	{"upside-down", false, "write the root link's orientation as x, y, z, w"},
}
