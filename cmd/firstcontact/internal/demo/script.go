package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"gopkg.in/yaml.v3"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// script is what the demo plays and asks, with the expected results.
type script struct {
	wave      *motion.Motion
	home      map[string]float64
	questions []asked
	wanted    map[string]fact // by question, and "wave.csv"
}

// asked is a motion that the demo asks the node about, as waypoints of the joints that it
// names.
type asked struct {
	id     string
	pair   bool // sent as a pair of joint states, otherwise as a trajectory
	motion *motion.Motion
}

// fact is an entry of expected.yaml.
type fact struct {
	Length float64
	Status string
	TOC    float64
	Class  string
	Pair   []string
	Near   []nearness
}

// nearness is a pair that comes close: when it does, and when it touches.
type nearness struct {
	Class         string
	Pair          []string
	Within, Touch [][2]float64
	Least, At     float64
}

// length is the duration of the recorded motion in s, and rows its number of joint states.
func (s *script) length() float64 { return s.wave.Duration() }
func (s *script) rows() int       { return int(s.length()*rate+0.5) + 1 }

func readScript(dir string) (*script, error) {
	s := &script{wanted: map[string]fact{}}
	wave, err := readMotion(filepath.Join(dir, "wave.csv"))
	if err != nil {
		return nil, fmt.Errorf("--data needs a folder laid out as testdata/humanoid: %w", err)
	}
	s.wave = wave
	if s.home, err = homeOf(dir); err != nil {
		return nil, err
	}
	if err := s.readFacts(filepath.Join(dir, "expected.yaml")); err != nil {
		return nil, err
	}
	if err := s.readPairs(filepath.Join(dir, "pairs.yaml")); err != nil {
		return nil, err
	}
	for _, name := range []string{"trajectory_free.yaml", "trajectory_between.yaml"} {
		m, err := readMotion(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		s.questions = append(s.questions, asked{id: name, motion: m})
	}
	for _, q := range s.questions {
		if _, ok := s.wanted[q.id]; !ok {
			return nil, fmt.Errorf("expected.yaml has no entry for %s", q.id)
		}
	}
	return s, nil
}

func readMotion(path string) (*motion.Motion, error) {
	loaded, err := motionfile.Load(path, motionfile.Options{})
	if err != nil {
		return nil, err
	}
	return loaded[0].Motion, nil
}

// homeOf returns the SRDF's first group state.
func homeOf(dir string) (map[string]float64, error) {
	robot, err := urdf.Load(filepath.Join(dir, "humanoid.urdf"), urdf.Options{SRDF: filepath.Join(dir, "humanoid.srdf"), SkipMeshes: true})
	if err != nil {
		return nil, err
	}
	if len(robot.Semantic.States) == 0 {
		return nil, errors.New("humanoid.srdf has no group state")
	}
	return robot.Semantic.States[0].Positions, nil
}

func readDocument(path string, into any) error {
	data, err := infile.Read(context.Background(), path, limit.DocumentBytes)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (s *script) readFacts(path string) error {
	var doc struct{ Motions, Pairs map[string]fact }
	if err := readDocument(path, &doc); err != nil {
		return err
	}
	for id, f := range doc.Motions {
		s.wanted[id] = f
	}
	for id, f := range doc.Pairs {
		s.wanted[id] = f
	}
	return nil
}

func (s *script) readPairs(path string) error {
	var doc struct {
		Pairs []struct {
			ID          string
			Duration    float64
			Start, Goal map[string]float64
		}
	}
	if err := readDocument(path, &doc); err != nil {
		return err
	}
	for _, p := range doc.Pairs {
		m := &motion.Motion{Pieces: []motion.Piece{{End: p.Duration}}}
		for name, from := range p.Start {
			m.Joints = append(m.Joints, name)
			m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{from, p.Goal[name]})
		}
		s.questions = append(s.questions, asked{id: p.ID, pair: true, motion: m})
	}
	return nil
}

// whole returns the motion's joints and its waypoints completed by every other joint of the
// robot at home, so that the humanoid's present state does not matter.
func (s *script) whole(m *motion.Motion) (joints []string, points [][]float64, times []float64) {
	joints = append(joints, m.Joints...)
	named := map[string]bool{}
	for _, name := range m.Joints {
		named[name] = true
	}
	var rest []float64
	for _, name := range s.wave.Joints {
		if !named[name] {
			joints, rest = append(joints, name), append(rest, s.home[name])
		}
	}
	at := func(t float64) {
		points, times = append(points, append(m.At(t), rest...)), append(times, t)
	}
	at(m.Pieces[0].Start)
	for i := range m.Pieces {
		at(m.Pieces[i].End)
	}
	return joints, points, times
}
