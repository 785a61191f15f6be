// Package plausible looks for slips in what a check is given, before any verdict: lengths in
// millimetres, angles in degrees, a scene in another frame, time stamps that are no durations.
// Such input is valid and can be proved about, but the proof is not about what was meant.
//
//	model := plausible.New(robot, world)
//	for _, f := range append(model.Findings(), model.Motion(m)...) {
//		fmt.Println(f)
//	}
//
// Each Finding has a stable name, the number that was measured, the threshold, and a remedy.
// Those that can hide a collision are gaps (package premise): package ccd holds back Free until
// they are accepted by name. The others are warnings. Thresholds are far from what real robots
// and scenes have; docs/plausibility.md has the list.
//
// Lengths are in metres, angles in radians, times in seconds.
package plausible
