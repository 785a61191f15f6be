// Package node is the ROS node firstcontact. It monitors joint states, checks motions and
// trajectories on request, and publishes what it has proved.
//
// A joint state passes through these files: tracker.go merges measurements into
// configurations, queue.go keeps them in order, monitor.go takes them from the queue, judge.go
// checks the motion from one to the next, state.go fills in the message, and elaborate.go adds
// distances of further pairs. publishers.go decides which publisher owns a joint, rivals.go
// keeps the measurements of the others, dispute.go judges those, clock.go and losses.go
// observe the publishers' clocks and sequence numbers, notices.go and watch.go log findings
// about them.
//
// A question passes through these: questions.go reads it, trajectory.go turns it into a
// motion, validator.go has it judged, answer.go fills in the message. model.go and
// description.go hold the model that both use, loader.go keeps it up to date, and node.go
// connects everything to the ROS graph. life.go and stage.go let the model be used while the node
// is active. reports.go and diagnose.go tell what has been published.
//
// Missing, stale or faulty input is UNKNOWN or UNDECIDED, never FREE. docs/ros-interface.md
// lists every kind of input and its answer.
package node
