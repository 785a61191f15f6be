// Package attack tries to refute verdicts. Random motions of real robots, alone and
// among obstacles, some of which leave a robot a hair's breadth, are asked about and
// then judged pose by pose by two that share no code with package ccd: FCL (package
// oracle), and a fast judge of poses (package static) for campaigns of a million.
//
//   - No pose of a motion called free touches, of 1,000, and none before TOC.Lo,
//   - none is nearer than the clearance that was proved,
//   - a contact is there at TOC.Hi, as FCL has it,
//   - proofs are verified, and corrupted ones refused,
//   - distances are the same.
//
// Of the poses of a campaign FCL judges those that the fast judge is not sure of, two of
// each motion drawn by lot, and all of every 500th motion.
//
// It holds tests only. They need the collection of robots beside the repository
// and FCL, and are skipped where either is missing. FIRSTCONTACT_LONG makes them
// longer; FIRSTCONTACT_ORACLE makes a campaign (campaign_test.go).
package attack
