// Package batch checks many motions: it divides them into chunks of about a second, keeps the
// answer of each chunk in a file that is whole or not there, and makes of all answers one Parquet file with a row
// for each motion, and a summary. Whatever dies, a motion has exactly one verdict: a chunk counts when its file
// is complete, and a second answer to it must be the same to the byte.
package batch

import "slices"

// Row is the answer about one motion. Times are in seconds from the motion's start, lengths in metres.
type Row struct {
	Index   int64  `parquet:"index"`        // of the motion, in the order of the input
	Motion  string `parquet:"motion"`       // its name
	File    string `parquet:"file,dict"`    // the file that it is in
	Episode int64  `parquet:"episode"`      // of a dataset; -1 where there are none
	Status  string `parquet:"status,dict"`  // free, contact, clearance, undecided, invalid or set-aside
	Message string `parquet:"message,dict"` // why it is undecided, invalid or set aside

	Duration    float64 `parquet:"duration_s"`
	ProvenUntil float64 `parquet:"proven_until_s"` // it is proved free before

	// Of a contact: nothing touches before TOCLo, the pair does at TOCHi. NaN without one.
	TOCLo float64 `parquet:"toc_lo_s"`
	TOCHi float64 `parquet:"toc_hi_s"`
	Scope string  `parquet:"scope,dict"` // self or world
	PairA string  `parquet:"pair_a,dict"`
	PairB string  `parquet:"pair_b,dict"`

	// Bounds of the smallest distance, if it was asked for, and when it is; else NaN.
	ClearanceLo   float64 `parquet:"clearance_lo_m"`
	ClearanceHi   float64 `parquet:"clearance_hi_m"`
	ClearanceTime float64 `parquet:"clearance_time_s"`
	ClosestA      string  `parquet:"closest_a,dict"`
	ClosestB      string  `parquet:"closest_b,dict"`

	// What the verdict rests on, and what is probably not what was meant: one in each line.
	Premises string `parquet:"premises,dict"`
	Warnings string `parquet:"warnings,dict"`
	Held     string `parquet:"held_joints,dict"`   // that the motion does not name, by commas
	Beyond   string `parquet:"beyond_limits,dict"` // joints that leave their limits, by commas

	AssumedPairs int64 `parquet:"assumed_pairs"`
	ProvenPairs  int64 `parquet:"proven_pairs"`

	// SHA-256 of what the answer is about, as certificates have it; empty where it could not be read.
	MotionSum string `parquet:"motion_sha256"`
	RobotSum  string `parquet:"robot_sha256,dict"`
	SRDFSum   string `parquet:"srdf_sha256,dict"`
	SceneSum  string `parquet:"scene_sha256,dict"`
}

// The statuses of rows beyond those of verdicts.
const (
	Invalid  = "invalid"   // could not be read or checked
	SetAside = "set-aside" // the program died on it, or failed: it has no verdict
)

// Exit returns the exit status of a row, as check has it.
func (r *Row) Exit() int {
	switch r.Status {
	case "free":
		return 0
	case "contact":
		return 1
	case "clearance":
		return 2
	case "undecided":
		return 3
	case Invalid:
		return 4
	}
	return 70
}

// severity lists the statuses, the worst last.
var severity = []string{"free", "undecided", "clearance", "contact", Invalid, SetAside}

// rank is how bad a row is.
func (r *Row) rank() int { return slices.Index(severity, r.Status) }
