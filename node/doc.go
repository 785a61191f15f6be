// Package node is the ROS node firstcontact: it watches joint states, judges
// motions and trajectories it is sent, and says what it has proved.
//
// The way of a joint state: tracker.go merges measurements into configurations,
// queue.go keeps them in order, monitor.go takes them from there, judge.go
// proves the way from one to the next, state.go puts it into words, and
// elaborate.go adds what could wait. publishers.go says whose measurement of a
// joint counts, rivals.go keeps what others say of it, dispute.go has that judged
// too, clock.go and losses.go watch the publishers' clocks and numbers, notices.go
// and watch.go tell of them. The way of a question: questions.go takes
// it, trajectory.go makes it a motion, validator.go has it judged, answer.go
// puts it into words. model.go and description.go hold what both judge by,
// loader.go keeps it up to date, and node.go ties everything to the ROS graph.
//
// Missing, stale or faulty input is UNKNOWN or UNDECIDED, never FREE.
// docs/ros-interface.md lists every kind of input and its answer.
package node
