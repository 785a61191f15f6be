package node

//go:generate go test -run TestReferenceIsCurrent -write

// listed says of one endpoint what the running node cannot: when it is there, and what it
// carries. Type, direction and quality of service are read from a node.
type listed struct {
	// name is relative, private (~) or absolute, as the node gives it before remapping.
	name string
	// when lists parameters each of which makes the endpoint, whatever its value if none is
	// given; without any it is always there.
	when []string
	// unless is a parameter that takes it away.
	unless string
	// also is the reliability that the node adds when it has met a publisher.
	also  string
	about string
}

const withGate = "gate.controllers:=[CONTROLLER]"

// reference lists every endpoint of the node, in the order of docs/endpoints.md. An endpoint
// that is missing here, or that no node has, fails TestReferenceListsTheEndpoints.
// The capital names stand for what parameters give.
var reference = map[kind][]listed{
	subscription: {
		{name: "joint_states", also: "reliable where the publisher is", about: "where the robot is. A message may hold any part of the joints: [faults](ros-interface.md#faults-of-the-joint-states), [publishers](ros-interface.md#publishers)"},
		{name: "robot_description", unless: "robot_description_file:=ROBOT", about: "the URDF, where the parameters give none: [the model](ros-interface.md#the-model)"},
		{name: "robot_description_semantic", when: []string{"model.semantic_topic:=true"}, about: "the SRDF, where the parameters give none"},
		{name: "~/trajectory", about: "is this trajectory free? The answer is on `~/verdict`: [questions](ros-interface.md#faults-of-questions)"},
		{name: "~/joint_state_pair", about: "is the straight motion between two configurations free?"},
		{name: "CONTROLLER/joint_trajectory", when: []string{"trajectory.topics:=[CONTROLLER]"}, about: "is this trajectory free, as this controller executes it? The node only listens"},
		{name: "display_planned_path", about: "is what MoveIt has planned free? See [Planned paths](ros-interface.md#planned-paths)"},
		{name: "CONTROLLER_checked/joint_trajectory", when: []string{withGate}, about: "a trajectory that is sent on to the controller if it is FREE: [the gate](ros-interface.md#the-gate)"},
		{name: "monitored_planning_scene", when: []string{"world.topics:=[monitored_planning_scene]"}, about: "obstacles, attached objects, allowed pairs, padding: [the planning scene](ros-interface.md#the-planning-scene)"},
		{name: "planning_scene", when: []string{"world.topics:=[planning_scene]"}, about: "the same, from others than `move_group`"},
		{name: "collision_object", when: []string{"world.topics:=[collision_object]"}, about: "one object is added, moved or removed"},
		{name: "attached_collision_object", when: []string{"world.topics:=[attached_collision_object]"}, about: "one object is attached to a link or let go"},
		{name: "POINTS", when: []string{"points.topics:=[POINTS]"}, about: "obstacles that a sensor sees: [point clouds](ros-interface.md#point-clouds)"},
		{name: "/tf", when: []string{"world.topics", "points.topics"}, about: "frames of obstacles and sensors: [frames](ros-interface.md#frames)"},
		{name: "/tf_static", when: []string{"world.topics", "points.topics"}, about: "frames that do not move"},
		{name: "/clock", when: []string{"use_sim_time:=true"}, about: "the node's time: [simulated time](ros-interface.md#simulated-time)"},
	},
	publication: {
		{name: "~/state", about: "level UNKNOWN, FREE, WARN, STOP or COLLISION, with the pair and the distances that decided it: [when a state comes](ros-interface.md#when-a-state-comes)"},
		{name: "~/collision_free_stamped", about: "true for FREE, WARN and STOP; false for COLLISION and where nothing is proved. The header is that of the state"},
		{name: "~/min_distance_stamped", about: "no two bodies that can touch are closer than this (m); NaN where nothing is proved. The header is that of the state"},
		{name: "~/collision_free", about: "the same without a header: it cannot show its age"},
		{name: "~/min_distance", about: "the same without a header: it cannot show its age"},
		{name: "~/speed_scaling", when: []string{"speed_scaling:=true"}, about: "how fast the robot may go on, 0 to 1: [looking ahead](ros-interface.md#looking-ahead)"},
		{name: "~/verdict", about: "one for each motion that was asked about, with the id of the question"},
		{name: "CONTROLLER/joint_trajectory", when: []string{withGate}, about: "what came on `CONTROLLER_checked/joint_trajectory` and is FREE; a stop: [the gate](ros-interface.md#the-gate)"},
		{name: "~/markers", unless: "markers.rate:=0.0", about: "what RViz and Foxglove show: [markers](ros-interface.md#markers)"},
		{name: "/diagnostics", about: "the node's health, once a second: [diagnostics](ros-interface.md#diagnostics)"},
		{name: "~/transition_event", about: "transitions of the [lifecycle](ros-interface.md#lifecycle)"},
		{name: "/parameter_events", about: "all parameters as new ones at start, then each change"},
		{name: "/rosout", about: "the log, which also goes to standard error: [the log](ros-interface.md#the-log)"},
	},
	service: {
		{name: "~/check_trajectory", about: "is a trajectory free? With start state, clearance, distance ranges, tolerances, deadline; the reply is the verdict, which is published too"},
		{name: "~/check_state_validity", about: "is the robot free in this state? MoveIt's service, by proof: [groups and states](ros-interface.md#groups-and-states)"},
		{name: "~/get_clearance", about: "the closest pairs of a configuration, or all, with two points each, in the root link's frame and on their links"},
		{name: "~/list_parameters", about: "names of parameters"},
		{name: "~/get_parameters", about: "their values; \"not set\" for an unknown name"},
		{name: "~/get_parameter_types", about: "their types"},
		{name: "~/describe_parameters", about: "text, range, unit and constraints, as in [parameters.md](parameters.md)"},
		{name: "~/set_parameters", about: "changes, each on its own"},
		{name: "~/set_parameters_atomically", about: "changes, all or none"},
		{name: "~/change_state", about: "a transition of the [lifecycle](ros-interface.md#lifecycle); answered when it has ended"},
		{name: "~/get_state", about: "its state"},
		{name: "~/get_available_states", about: "all its states"},
		{name: "~/get_available_transitions", about: "the transitions from its state"},
		{name: "~/get_transition_graph", about: "all its transitions"},
		{name: "~/get_type_description", unless: "start_type_description_service:=false", about: "what a type consists of, by its name and hash, with its definition. Not with `ROS_DISTRO=humble`"},
	},
	client: {
		{name: "get_planning_scene", when: []string{"world.topics"}, unless: "world.service:=''", about: "the whole scene: at start, after lost messages and when its publisher has changed"},
	},
	actionServer: {
		{name: "CONTROLLER_checked/follow_joint_trajectory", when: []string{withGate}, about: "a goal that is sent on to the controller if it is FREE: [the gate](ros-interface.md#the-gate)"},
	},
	actionClient: {
		{name: "CONTROLLER/follow_joint_trajectory", when: []string{withGate}, about: "what came on `CONTROLLER_checked/follow_joint_trajectory` and is FREE"},
	},
}
