package bisect

import "time"

// Stats counts what a check did, as the paper's tables do.
type Stats struct {
	Pairs          int // pairs of objects that were asked about
	NeverPairs     int // of those, proved never to meet by their swept spheres (V-A)
	Elements       int // taken from the queue
	Bisections     int // of those, cut
	Configurations int // placed by forward kinematics
	Distances      int // calls of GREEDY-DIST or another distance
	BVTests        int // pairs of volumes, "BV" in Tables III, VI, VIII to XI
	TriTests       int // pairs of leaves, "Tri"
	MaxQueue       int // the most elements that one queue held

	// Where Options.Timed: the time spent on distances and on placing the robot.
	DistanceTime, PlaceTime time.Duration
}

// startTimer returns the time, where stages are timed.
func (w *Worker) startTimer() (begin time.Time) {
	if w.Options.Timed {
		begin = time.Now()
	}
	return begin
}

func (w *Worker) stopTimer(begin time.Time, sum *time.Duration) {
	if w.Options.Timed {
		*sum += time.Since(begin)
	}
}
