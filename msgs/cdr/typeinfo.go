package cdr

// TypeInfo names a type of the ROS graph.
type TypeInfo struct {
	Package string // sensor_msgs
	Kind    string // "msg", "srv" or "action"
	Name    string // JointState; CheckTrajectory_Request for half a service
	Hash    string // RIHS01_ and 64 hexadecimal digits (REP-2011)
}

// ROSName is the name that ROS tools show: sensor_msgs/msg/JointState.
func (t TypeInfo) ROSName() string { return t.Package + "/" + t.Kind + "/" + t.Name }

// DDSName is the type's name on DDS: sensor_msgs::msg::dds_::JointState_.
func (t TypeInfo) DDSName() string { return t.Package + "::" + t.Kind + "::dds_::" + t.Name + "_" }

// ServiceInfo names a service type of the ROS graph. Its Hash covers request,
// response and event together and is not the hash of either half.
type ServiceInfo struct {
	Package  string // std_srvs
	Kind     string // "srv" or "action"
	Name     string // SetBool
	Hash     string // RIHS01_ and 64 hexadecimal digits
	Request  TypeInfo
	Response TypeInfo
}

// ROSName is the name that ROS tools show: std_srvs/srv/SetBool.
func (s ServiceInfo) ROSName() string { return s.Package + "/" + s.Kind + "/" + s.Name }

// ActionInfo names an action type of the ROS graph, with the types that ROS derives from it.
type ActionInfo struct {
	Package   string // control_msgs
	Name      string // FollowJointTrajectory
	Hash      string // RIHS01_ and 64 hexadecimal digits
	SendGoal  ServiceInfo
	GetResult ServiceInfo
	Feedback  TypeInfo // of the message on the topic: the goal's id and the feedback
}

// ROSName is the name that ROS tools show: control_msgs/action/FollowJointTrajectory.
func (a ActionInfo) ROSName() string { return a.Package + "/action/" + a.Name }
