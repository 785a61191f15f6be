package clouds

import (
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// Feed is what is known from the clouds of one topic. It is for one goroutine at a time.
type Feed struct {
	ID      string        // of the obstacle: the topic
	Decay   time.Duration // how long a box stays that newer clouds do not show
	Timeout time.Duration // the age at which a cloud is stale

	// Publishers is how many the topic has. The clouds of several would replace each other.
	Publishers int

	scans   []*Scan // the newest last
	fault   error   // of the newest cloud
	object  scene.Object
	any     bool
	voxels  []voxel // of the object
	premise premise.Premise
}

// Shown is what a feed adds to a world.
type Shown struct {
	Objects  []scene.Object
	Premises []premise.Premise // one is a gap if there is no fresh cloud
	Fresh    bool
}

// Take takes a cloud. One that is not newer than the newest only adds what has not decayed: it must
// not hide what was seen later. If all clouds that count take up too many boxes, it is not used.
func (f *Feed) Take(s *Scan) error {
	newest := s
	if late, is := f.late(s); is {
		if f.Decay == 0 || late > f.Decay {
			f.fault = fmt.Errorf("it is %.3f s older than one that came before it", late.Seconds())
			return f.fault
		}
		newest = f.scans[len(f.scans)-1]
	}
	scans := slices.DeleteFunc(append(slices.Clone(f.scans), s), func(old *Scan) bool {
		age := newest.Stamp.Sub(old.Stamp)
		return old.opts != s.opts || age > f.Decay || age < 0
	})
	slices.SortStableFunc(scans, func(a, b *Scan) int { return a.Stamp.Compare(b.Stamp) })
	all := union(scans)
	object, any, seen, err := objectOf(f.ID, newest, all)
	if err != nil {
		f.fault = err
		return err
	}
	f.scans, f.fault, f.premise = scans, nil, seen
	if !slices.Equal(all, f.voxels) || f.any != any {
		f.object, f.any, f.voxels = object, any, all // else the same shape stays in use
	}
	return nil
}

// late reports whether a cloud is not newer than the newest, and how much older it is. Clouds that
// are used are at most Timeout off the time: two that are farther apart than twice that are of
// different times, because the clock was set back.
func (f *Feed) late(s *Scan) (by time.Duration, is bool) {
	if len(f.scans) == 0 {
		return 0, false
	}
	by = f.scans[len(f.scans)-1].Stamp.Sub(s.Stamp)
	return by, by >= 0 && by <= 2*f.Timeout
}

// Fail says why the newest cloud cannot be used.
func (f *Feed) Fail(err error) { f.fault = err }

// Forget forgets all clouds: they were seen from another robot, or at another time.
func (f *Feed) Forget() { f.scans, f.fault, f.voxels, f.any = nil, nil, nil, false }

// At returns what the feed adds at a moment. Obstacles of clouds that are stale stay, because
// they are the last that is known.
func (f *Feed) At(now time.Time) Shown {
	var s Shown
	if len(f.scans) == 0 {
		s.Premises = []premise.Premise{f.missing("no point cloud has come on " + f.ID)}
		return s
	}
	if f.any {
		s.Objects = []scene.Object{f.object}
	}
	s.Premises = []premise.Premise{f.premise}
	if f.Publishers > 1 {
		s.Premises = append(s.Premises, f.missing(fmt.Sprintf("%s has %d publishers, and each cloud takes the place of another's: give each a topic of its own", f.ID, f.Publishers)))
		return s
	}
	age := now.Sub(f.scans[len(f.scans)-1].Stamp)
	if s.Fresh = age <= f.Timeout && age >= -f.Timeout; !s.Fresh {
		s.Premises = append(s.Premises, f.missing(fmt.Sprintf("no point cloud on %s that can be used is younger than %v", f.ID, f.Timeout)))
	}
	return s
}

// Summary words the newest cloud for people: boxes, points and age.
func (f *Feed) Summary(now time.Time) string {
	if len(f.scans) == 0 {
		return "nothing has come"
	}
	s := f.scans[len(f.scans)-1]
	return fmt.Sprintf("%d boxes, %d points of which %d are the robot's, %.3f s old", len(f.voxels), s.Points, s.Own, now.Sub(s.Stamp).Seconds())
}

// missing is the gap that nothing is known of what a sensor would see.
func (f *Feed) missing(detail string) premise.Premise {
	if f.fault != nil {
		detail += ": " + f.fault.Error()
	}
	return premise.Premise{
		Kind: premise.MissingPoints, Names: []string{f.ID}, Value: f.Timeout.Seconds(), Detail: detail,
		Remedy: "see that the sensor publishes, that its frame is known on tf and its clock is the joint states'; or leave the topic out of points.topics",
	}
}
