package pairproof

import (
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// None is the report of a run that has asked about no pair yet: what a list of pairs
// is about. It fails where All would before it asks.
func None(robot *urdf.Robot, opt Options) (Report, error) {
	r, err := emptyReport(robot, opt)
	if err != nil {
		return Report{}, err
	}
	return *r, nil
}

// Merge returns what is known of pairs before and after another run about the same
// robot: of each pair what says more, undecided ones with the smaller volume left.
func Merge(before, after []Pair) []Pair {
	at := map[[2]int]int{}
	out := append([]Pair(nil), before...)
	for i := range out {
		at[[2]int{out[i].A, out[i].B}] = i
	}
	for _, p := range after {
		i, known := at[[2]int{p.A, p.B}]
		switch {
		case !known:
			at[[2]int{p.A, p.B}] = len(out)
			out = append(out, p)
		case out[i].Meets == Undecided && (p.Meets != Undecided || p.VolumeLeft <= out[i].VolumeLeft):
			out[i] = p
		}
	}
	return out
}
