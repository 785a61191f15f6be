package ccd

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What the engine's verdict rests on is in the certificate, and the verifier finds the
// same.
func TestCertifyPremises(t *testing.T) {
	robot := chainOf(
		chainJoint{name: "spin", kind: urdf.Continuous, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: box(0.2, 0.2, 0.2), at: pose(0, 0, 0)},
		chainJoint{name: "out", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: pose(0.3, 0, 0), shape: ball(0.05), at: geom.IdentityPose()},
		chainJoint{name: "back", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: pose(0, 0, 0), shape: box(0.6, 0.1, 0.1), at: pose(-0.2, 0, 0)}, // touches the first
	)
	robot.Gaps = []premise.Premise{{Kind: premise.MeshAxes, Names: []string{"out_link"}, Detail: "its mesh may lie", Remedy: "turn it"}}
	sheet := boxMesh(0.1, 0)
	sheet.Mesh.Triangles = sheet.Mesh.Triangles[1:]
	world := worldOf(object("sheet", sheet, pose(0, 0, 1)), object("post", ball(0.1), pose(2, 0, 0)))
	world.Gaps = []premise.Premise{{Kind: premise.Unplaced, Names: []string{"ghost"}, Detail: "it has no pose", Remedy: "give one"}}
	m := &motion.Motion{
		ID: "m", Joints: []string{"spin", "out"}, Pieces: []motion.Piece{{Start: 1, End: 2, Ctrl: [][]float64{{3, -3}, {0, 0.01}}}},
		Gaps: []premise.Premise{{Kind: premise.Start, Value: 1, Detail: "the first point is at 1 s", Remedy: "give the state"}},
	}
	accept := premise.Accept{"start", "unplaced-object:ghost", "default-pairs", "mesh-axes:out_link"}
	c, err := New(robot, world, Options{Accept: accept, Allowed: [][2]string{{"out_link", "sheet"}}})
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	v, err := c.Certify(context.Background(), m, motion.Query{}, &buf)
	if err != nil || v.Status != motion.Free {
		t.Fatalf("%v, %v %s", err, v.Status, v.Reason)
	}
	see := func(o verify.Options, m *motion.Motion, w *scene.Snapshot) (*verify.Report, error) {
		return verify.Verify(context.Background(), robot, w, m, bytes.NewReader(buf.Bytes()), o)
	}
	opts := verify.Options{Accept: accept, Strict: true, Allowed: [][2]string{{"sheet", "out_link"}}}
	r, err := see(opts, m, world)
	if err != nil {
		t.Fatalf("%v\n%s", err, buf.Bytes())
	}
	for i := range v.Premises {
		p := &v.Premises[i]
		if !slices.ContainsFunc(r.Premises, func(k verify.Known) bool {
			return k.Kind == p.Kind && slices.Equal(k.Names, p.Names) && k.Piece == p.Piece && k.Accepted == p.Accepted
		}) {
			t.Errorf("the verifier does not know of %v", p)
		}
	}
	for _, want := range []premise.Kind{premise.LeftOut, premise.DefaultPairs, premise.Surface, premise.Held, premise.Turned, premise.Start, premise.Unplaced, premise.MeshAxes} {
		if !slices.ContainsFunc(v.Premises, func(p premise.Premise) bool { return p.Kind == want }) {
			t.Errorf("the verdict has no premise of kind %s", want)
		}
	}
	noGap, moreGap, upright := *m, *world, *robot
	upright.Gaps = nil
	noGap.Gaps = nil
	moreGap.Gaps = append(moreGap.Gaps, premise.Premise{Kind: premise.NotUnderstood, Names: []string{"x"}})
	for what, err := range map[string]error{
		"accepting nothing":         second(see(verify.Options{}, m, world)),
		"accepting less":            second(see(verify.Options{Accept: accept[1:]}, m, world)),
		"a pair on trust":           second(see(verify.Options{Accept: accept, Strict: true}, m, world)),
		"a motion without the gap":  second(see(opts, &noGap, world)),
		"a robot without the gap":   second(verify.Verify(context.Background(), &upright, world, m, bytes.NewReader(buf.Bytes()), opts)),
		"a scene with another gap":  second(see(opts, m, &moreGap)),
		"a list that is not a list": second(see(verify.Options{Accept: premise.Accept{"all"}}, m, world)),
	} {
		var refusal *verify.Refusal
		if err == nil || what != "a list that is not a list" && !errors.As(err, &refusal) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// What a reader says of angles that look like degrees is told by one finding, of one body as of several: the certificate accepts that.
func TestCertificatesOfAnglesInDegrees(t *testing.T) {
	robot := chainOf(
		chainJoint{name: "spin", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: box(0.2, 0.2, 0.2), at: geom.IdentityPose()},
		chainJoint{name: "out", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: pose(0.3, 0, 0), shape: ball(0.05), at: geom.IdentityPose()},
	)
	world := worldOf(object("post", ball(0.1), pose(2, 0, 0)))
	m := straight(t, "spin out", []float64{0, 0}, []float64{1, 0.01})
	for _, links := range [][]string{{"spin_link"}, {"spin_link", "out_link"}} {
		robot.Gaps = nil
		for _, name := range links {
			gap, ok := premise.Degrees("link "+name, name, [3]float64{90, 0, 0})
			if !ok {
				t.Fatal("90 rad is no gap")
			}
			robot.Gaps = append(robot.Gaps, gap)
		}
		for _, accept := range []premise.Accept{{"implausible"}, {"implausible:rpy-degrees"}, {"implausible:spin_link", "implausible:out_link"}} {
			c, err := New(robot, world, Options{Accept: accept})
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if v, err := c.Certify(context.Background(), m, motion.Query{}, &file); err != nil || v.Status != motion.Free {
				t.Fatalf("%v of %v: %v, %s", accept, links, err, v.Reason)
			}
			text := file.Bytes()
			if _, err := verify.Verify(context.Background(), robot, world, m, bytes.NewReader(text), verify.Options{Accept: accept}); err != nil {
				t.Errorf("%v of %v: %v", accept, links, err)
			}
			if _, err := verify.Verify(context.Background(), robot, world, m, bytes.NewReader(text), verify.Options{}); err == nil {
				t.Errorf("%v: confirmed without being accepted", links)
			}
		}
	}
}
