package model

import (
	"context"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
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

// Clouds that differ every time do not fill the memory, however few they are; a large shape of
// the robot, which every model needs, stays.
func TestLibraryForgetsLargeShapes(t *testing.T) {
	race.LeaveOut(t)
	cloud := func(n int) *shape.Shape {
		s := &shape.Shape{Kind: shape.Cells}
		for i := range n {
			at := geom.Vec{X: float64(i)}
			s.Cells = append(s.Cells, geom.Box{Min: at, Max: geom.Vec{X: at.X + 1, Y: 1, Z: 1}})
		}
		return s
	}
	const each = spareElements / 10
	var l Library
	robot := cloud(spareElements + 1)
	form, err := l.form(context.Background(), robot)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		l.prepare(context.Background(), []*shape.Shape{robot, cloud(each)})
	}
	if n := len(l.forms.forms); n > 2*(1+spareElements/each+recentRounds+1) {
		t.Errorf("%d entries are kept", n)
	}
	if again, err := l.form(context.Background(), robot); err != nil || again != form {
		t.Errorf("the robot's form was made again (%v)", err)
	}
}

// Shapes of files are stored on disk, those of messages are not.
func TestOnlyShapesOfFilesAreStored(t *testing.T) {
	for _, source := range []string{"", "map.bt"} {
		dir := t.TempDir()
		l := Library{Store: cache.Open(dir)}
		s := &shape.Shape{Kind: shape.Cells, Source: source, Cells: []geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: 1}}}}
		if _, err := l.form(context.Background(), s); err != nil {
			t.Fatal(err)
		}
		if files, err := os.ReadDir(dir); err != nil || (len(files) > 0) != (source != "") {
			t.Errorf("source %q: %v, %v", source, files, err)
		}
	}
}
