// Package action is the protocol of ROS 2 actions on the services and topics of package ros:
// servers and clients that exchange goals, feedback and results with those of rcl_action.
//
// An action X is the services X/_action/send_goal, X/_action/get_result and
// X/_action/cancel_goal and the topics X/_action/feedback and X/_action/status.
package action
