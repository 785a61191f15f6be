package jtc_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// source deals out numbers of a fuzzer's bytes: plain ones, and now and then any float64.
type source struct{ data []byte }

func (s *source) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

func (s *source) number() float64 {
	b := s.byte()
	if b == 255 && len(s.data) >= 8 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(s.data))
		s.data = s.data[8:]
		return x
	}
	return float64(int8(b)) / 16
}

func (s *source) row(n int) []float64 {
	switch s.byte() % 4 {
	case 0:
		return nil
	case 1:
		n += int(s.byte()%3) - 1
	}
	row := make([]float64, max(n, 0))
	for i := range row {
		row[i] = s.number()
	}
	return row
}

func (s *source) state(joints []string) jtc.State {
	st := jtc.State{Positions: map[string]float64{}, Velocities: map[string]float64{}, Accelerations: map[string]float64{}, Stamp: now}
	for _, name := range joints {
		if s.byte()%8 != 0 {
			st.Positions[name] = s.number()
		}
		if s.byte()%2 == 0 {
			st.Velocities[name] = s.number()
		}
	}
	return st
}

func (s *source) command() jtc.Command {
	c := jtc.Command{Joints: both[:1+s.byte()%2]}
	at := 0.0
	for range s.byte() % 5 {
		c.Points = append(c.Points, motion.Waypoint{Time: at, Positions: s.row(len(c.Joints)), Velocities: s.row(len(c.Joints)), Accelerations: s.row(len(c.Joints))})
		at += s.number()
	}
	if s.byte()%2 == 0 {
		c.Stamp = now.Add(time.Duration(s.number() * 1e9))
	}
	for range s.byte() % 3 {
		c.PathTolerance = append(c.PathTolerance, jtc.Tolerance{Joint: both[s.byte()%2], Position: s.number()})
		c.GoalTolerance = append(c.GoalTolerance, jtc.Tolerance{Joint: both[s.byte()%2], Position: s.number()})
	}
	return c
}

// Whatever the numbers, there is an error or a valid motion from time 0 on, or a gap, and tubes
// that are no less than zero.
func FuzzPlan(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
	f.Add([]byte{255, 0, 0, 0, 0, 0, 0, 248, 127, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		settings, _ := jtc.ForDistribution("humble")
		flags := s.byte()
		settings.FromCommanded, settings.Deferred, settings.Partial = flags&1 != 0, flags&2 != 0, flags&4 != 0
		settings.StateVelocity, settings.StateAcceleration = flags&8 != 0, flags&16 != 0
		if flags&32 != 0 {
			settings.Joints = both
		}
		settings.Wrap, settings.Fill = jtc.Switch(s.byte()%3), jtc.Switch(s.byte()%3)
		settings.Continuous = func(name string) bool { return flags&64 != 0 && name == "a" }
		at := jtc.Situation{Now: now, Handover: time.Duration(s.byte()) * time.Millisecond, Measured: s.state(both)}
		for range 2 {
			p, err := settings.Plan(s.command(), at)
			if err != nil {
				continue
			}
			if err := p.Motion.Validate(); err != nil {
				t.Fatalf("%v: %+v", err, p.Motion)
			}
			if p.Motion.Pieces[0].Start > 0 && len(p.Motion.Gaps) == 0 {
				t.Fatalf("the motion begins at %g s without a gap", p.Motion.Pieces[0].Start)
			}
			if p.End != nil {
				if err := p.End.Validate(); err != nil {
					t.Fatal(err)
				}
			}
			for joint, width := range p.Tube {
				if width < 0 || math.IsNaN(width) {
					t.Fatalf("tube of joint %s: %g", joint, width)
				}
			}
			at.Running, at.Now = p, at.Now.Add(time.Duration(s.byte())*10*time.Millisecond)
			at.Measured = s.state(both)
		}
	})
}
