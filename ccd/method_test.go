package ccd

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	methods "github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// pendulum swings a ball towards a wall that it touches, or does not, within a quarter
// turn.
func pendulum(t *testing.T, wallAt float64) (*Checker, *motion.Motion) {
	t.Helper()
	robot := chainOf(chainJoint{name: "a", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: ball(0.1), at: pose(1, 0, 0)})
	c := newChecker(t, robot, worldOf(object("wall", box(4, 0.1, 4), pose(0, wallAt, 0))))
	m, err := motion.Between([]string{"a"}, []float64{0}, []float64{1.5}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

func TestEveryMethodAnswers(t *testing.T) {
	if len(Methods()) < 2 || Methods()[0] != motion.Spacetime {
		t.Fatalf("methods %v", Methods())
	}
	hit, m := pendulum(t, 0.8)
	miss, _ := pendulum(t, 1.2)
	for _, by := range Methods() {
		t.Run(by.String(), func(t *testing.T) {
			v, err := hit.Check(context.Background(), m, motion.Query{Method: by})
			if err != nil || v.Status != motion.Contact || v.Contact.Pair.B.Name != "wall" && v.Contact.Pair.A.Name != "wall" {
				t.Errorf("towards the wall: %v, %+v", err, v)
			}
			// The ball's centre is at 0.8 - 0.05 - 0.1 after asin 0.65 radians.
			if want := 0.707584436 / 1.5 * 2; v.TOC.Hi < want-2e-6 || v.TOC.Lo > want+2e-6 {
				t.Errorf("contact within %v, want %g", v.TOC, want)
			}
			v, err = miss.Check(context.Background(), m, motion.Query{Method: by, Question: motion.MinClearance})
			if err != nil || v.Status != motion.Free || !v.MinClearance.Known {
				t.Errorf("short of the wall: %v, %+v", err, v)
			}
			if b := v.MinClearance.Bounds; b.Lo > 0.05251 || b.Hi < 0.05250 || b.Hi-b.Lo > 1.1e-3 {
				t.Errorf("it comes as close as %v", b)
			}
			if v, err := hit.Check(context.Background(), m, motion.Query{Method: by, Budget: time.Nanosecond}); err != nil || v.Status != motion.Undecided || v.Reason == "" {
				t.Errorf("without time: %v, %+v", err, v)
			}
		})
	}
}

// A query that a method does not support is an error, and no verdict.
func TestMethodsRefuse(t *testing.T) {
	c, m := pendulum(t, 1.2)
	for _, by := range append(Methods()[1:], motion.Method(77)) {
		for name, ask := range map[string]func() (motion.Verdict, error){
			"tube": func() (motion.Verdict, error) {
				return c.Check(context.Background(), m, motion.Query{Method: by, Tube: map[string]float64{"a": 0.01}})
			},
			"certificate": func() (motion.Verdict, error) {
				return c.Certify(context.Background(), m, motion.Query{Method: by}, &bytes.Buffer{})
			},
			"path": func() (motion.Verdict, error) {
				_, err := c.PathChecker(motion.Query{Method: by, Question: motion.IsFree})
				return motion.Verdict{}, err
			},
		} {
			v, err := ask()
			if err == nil || v.Status == motion.Free {
				t.Errorf("%s, %s: %v, %v", by, name, v.Status, err)
				continue
			}
			if by.String() != "method(77)" && !strings.Contains(err.Error(), "spacetime") {
				t.Errorf("%s, %s: no remedy in %q", by, name, err)
			}
		}
	}
}

// Whether the default engine can answer is not looked at: it can do all that there is to ask.
func TestDefaultEngineAnswersAll(t *testing.T) {
	e, ok := methods.Find(motion.Auto)
	if !ok || e.Method() != motion.Spacetime {
		t.Fatal("no default engine")
	}
	a := reflect.ValueOf(e.Abilities())
	for i := range a.NumField() {
		if !a.Field(i).Bool() {
			t.Errorf("the default engine has not the ability %s", a.Type().Field(i).Name)
		}
	}
}
