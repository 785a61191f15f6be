// Package jtc derives the motion that the ROS 2 joint_trajectory_controller executes from a
// command, the robot's state and the trajectory that runs.
//
// Settings.Plan applies the controller's rules: where the motion starts, what happens to
// joints that the command leaves out, to a stamp in the future or in the past, and to the
// trajectory that the command replaces. What depends on a setting that is not known, and
// matters for this command, is a gap of the motion.
//
// Source: ros2_controllers, joint_trajectory_controller: trajectory.cpp (sample,
// set_point_before_trajectory_msg, wraparound_joint, decelerate_to_stop),
// joint_trajectory_controller.cpp (update, fill_partial_goal, validate_trajectory_msg,
// set_hold_position), tolerances.hpp (resolve_tolerance_source), and the controller's page on
// trajectory replacement. docs/motions.md lists the rules.
package jtc
