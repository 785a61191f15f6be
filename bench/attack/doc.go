// Package attack tries to refute verdicts. Random motions of real robots, alone and
// among obstacles, some of which leave a robot a hair's breadth, are judged by
// package ccd and by sampling with FCL (package oracle), which shares no code with
// it:
//
//   - no sample of a motion called free touches, and none before TOC.Lo,
//   - a contact is there at TOC.Hi,
//   - distances are the same.
//
// It holds tests only. They need the collection of robots beside the repository
// and FCL, and are skipped where either is missing. FIRSTCONTACT_LONG makes them
// longer.
package attack
