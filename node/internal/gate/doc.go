// Package gate stands in front of trajectory controllers: what it is sent for a controller
// reaches that controller only if a Judge has proved it free.
//
// For a controller C it offers the action C_checked/follow_joint_trajectory in front of
// C/follow_joint_trajectory, and the topic C_checked/joint_trajectory in front of
// C/joint_trajectory. A goal is accepted at once and then judged, because the protocol of
// actions carries a reason only in a result: a goal that is not proved free is aborted, with
// the reason in the result's error string. One that cannot be read, or comes while too many
// wait, is rejected.
//
// A goal is sent on whole, with its id, after its proof. While the controller executes it the
// Judge watches the rest of it, and the gate cancels it where the proof no longer holds. The
// Judge then says whether the stop is free; the gate does not wait for that.
package gate
