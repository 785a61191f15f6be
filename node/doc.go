// Package node is the ROS node firstcontact. It monitors joint states, checks motions and
// trajectories on request, and publishes what it has proved.
//
// Missing, stale or faulty input is UNKNOWN or UNDECIDED, never FREE. docs/ros-interface.md
// lists every kind of input and its answer, docs/endpoints.md the topics, services and actions.
//
// The map below names each file once, in the order in which input passes through them; a test
// holds it to the folder. Ideas of their own are packages below this one (docs/architecture.md).
//
// # The monitor: from joint states to the state
//
//   - internal/jointstates merges measurements into configurations: which publisher owns a joint, what
//     the others measure of it, and where each joint was lately; dispute.go judges what the others measure
//   - pulse.go observes the process's own pauses; watch.go logs findings about publishers, and
//     impostors.go counts those on the node's own topics
//   - queue.go keeps configurations in order, and older.go judges the backlog; rejudge.go judges
//     again when the world has changed, former.go in the worlds that were in use before, and
//     meantime.go what was measured while the new one was made ready
//   - monitor.go takes configurations from the queue, judge.go checks the motion from one to the
//     next, lookahead.go the moments after it, along.go those along trajectories that run, and
//     elaborate.go adds distances of further pairs; margins.go says from which distance on a pair
//     is STOP or WARN, thresholds.go changes these distances between two states, and warm.go has
//     the distance queries ready before the first state
//   - state.go fills in the message, say.go looks at the clock a last time, and voice.go
//     publishes; watchdog.go speaks where the monitor does not
//
// # The validator: from questions to verdicts
//
//   - questions.go reads pairs of joint states and trajectories, planned.go what MoveIt displays,
//     robotstate.go and validity.go the service check_state_validity, clearance.go the service
//     get_clearance, ranges.go distance ranges
//   - trajectory.go turns a trajectory into the motion that a controller makes of it, by what
//     controller.go knows of the controller and succession.go of the trajectory before it
//   - turns.go shares the processor among clients, and validator.go has the question judged
//   - answer.go and answer_scopes.go fill in the message, excess.go the limits that the motion
//     exceeds, warnings.go what is implausible about it, premises.go what the answer rests on, geometry.go points and vectors; message.go is
//     the same for answers outside the node
//
// # The gate: what may pass to controllers
//
//   - gate.go opens it and asks the validator, gate_root.go about goals that move the root link;
//     passage.go is a trajectory that is proved free, and passage_hold.go where the robot is held if it
//     has no goal that could be canceled
//   - course.go judges the rest of what controllers execute, passage_stop.go the motion of a
//     robot that brakes
//
// # The model: what is checked
//
//   - description.go says where URDF and SRDF come from, loader.go keeps the model up to date,
//     history.go tells how it came about, and pins.go refuses what must be no other
//   - model.go is the robot in its world, proofs.go adds what is proved of pairs, trees.go builds
//     what finds close pairs of the robot's own, and hash.go identifies the whole
//   - remarks.go lists what a user should know of it, and inspect.go loads it without a graph
//
// # The world: obstacles that change
//
//   - worlds.go puts the sources' layers upon each other and makes the next world ready
//   - planning_scene.go is the source of MoveIt's scene, points.go that of point clouds, and tf.go
//     the frames of both
//
// # Parameters
//
//   - settings.go sorts what command line and files give, and parameters.go changes values while
//     the node runs
//
// # The node in the graph
//
//   - node.go connects everything, endpoints.go has topics, services and their quality of service,
//     and every.go runs what is done periodically
//   - life.go and stage.go let the model be used while the node is active
//   - time.go is the node's time, which may be that of /clock
//   - reports.go and meter.go tell what has been published, diagnose.go says it on /diagnostics,
//     drawings.go draws it, web.go shows it in a browser, and recording.go keeps it
//   - typedescription.go answers what a type consists of
//   - guard.go ends the node after a fault of the program, and failure.go logs why it ends
package node
