package model

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

func spheres(n int) []*shape.Shape {
	out := make([]*shape.Shape, n)
	for i := range out {
		out[i] = &shape.Shape{Kind: shape.Sphere, Radius: 1}
	}
	return out
}

// Of worlds that come and go the last ones are remembered, and the robot that is in
// all of them; what is forgotten is made again.
func TestLibraryForgets(t *testing.T) {
	var l Library
	robot, first := spheres(10), spheres(100)
	l.prepare(context.Background(), append(first, robot...))
	before, err := l.form(context.Background(), first[0])
	if err != nil {
		t.Fatal(err)
	}
	arm, err := l.form(context.Background(), robot[0])
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		l.prepare(context.Background(), append(spheres(100), robot...))
	}
	if n := len(l.forms.forms); n > 2*(spareForms+4*110) { // two entries a form
		t.Errorf("%d entries are kept of worlds with 110", n)
	}
	if f, err := l.form(context.Background(), robot[0]); err != nil || f != arm {
		t.Errorf("the robot's form was made again (%v)", err)
	}
	again, err := l.form(context.Background(), first[0])
	if err != nil || again == before {
		t.Errorf("the first world is still kept (%v)", err)
	}
	l.prepare(context.Background(), first)
	if f, err := l.form(context.Background(), first[0]); err != nil || f != again {
		t.Errorf("what was asked for last is forgotten (%v)", err)
	}
}
