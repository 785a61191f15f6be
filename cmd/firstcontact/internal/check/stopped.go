package check

import "github.com/firstcontact-ros/firstcontact/motion"

// tooClose is why a motion is undecided of which a pair comes closer than its distance range.
const tooClose = "a pair comes closer than the least distance asked for"

// withholdStopped takes back that a motion is free, and a scope of it, where a pair comes closer than its distance
// range. A verdict says Free where that was proved before the pair was found, as with --each-scope: but who gives a
// least distance asks for it, and the exit status must not depend on the order of proofs.
func withholdStopped(v *motion.Verdict) {
	if v.Status == motion.Free && v.MinClearance.Stopped {
		v.Status, v.Reason = motion.Undecided, tooClose
	}
	for _, s := range [...]*motion.ScopeVerdict{v.Self, v.World} {
		if s != nil && s.Status == motion.Free && s.MinClearance.Stopped {
			s.Status, s.Reason = motion.Undecided, tooClose
		}
	}
}
