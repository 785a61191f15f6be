package main

import "time"

// lookAhead follows what both controllers execute, just after one of them took a goal over, to its
// end: it must not collide.
func (l *lane) lookAhead() {
	now := time.Now()
	var follow [2]func(t float64) float64
	lasts, moving := 0.0, 0
	for i, a := range l.arms {
		way, begun := a.controller.Course()
		if way == nil {
			at := a.controller.At()[a.joint]
			follow[i] = func(float64) float64 { return at }
			continue
		}
		moving++
		since := now.Sub(begun).Seconds()
		lasts = max(lasts, way.Duration()-since)
		follow[i] = func(t float64) float64 { return way.At(since + t)[0] }
	}
	if moving == len(l.arms) {
		l.tally.count("taken over while the other controller executed")
	}
	for t := 0.0; t <= lasts; t += 0.0005 {
		if left, right := follow[0](t), follow[1](t); gap(left, right) < 0 {
			l.tally.fault("both controllers execute what collides in %.3f s, at %.4f and %.4f", t, left, right)
			return
		}
	}
}
