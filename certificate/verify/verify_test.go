package verify

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A robot with every kind of joint, among every kind of shape: the sledge is planar,
// the elbow mimics, the wrist wraps, a tool hangs on the hand.
func TestEveryKindOfJointAndShape(t *testing.T) {
	p := armProof(t).prove()
	told := 0
	r, err := Verify(context.Background(), p.robot, p.world, p.motion, strings.NewReader(string(p.text())), Options{
		Clearance: 0.001, Strict: true, Progress: func(piece, pieces, items int) { told++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	// 7 bodies that move and 4 objects: 21 + 28 pairs, of which 8 may touch.
	if r.Pairs != 41 || r.Items < 100 || r.Pieces != 2 || len(r.NotChecked) != 8 || len(r.Open) != 0 || told != r.Items/256 {
		t.Errorf("%d pairs, %d items, %d pieces, %d pairs not checked, open %v, told %d times", r.Pairs, r.Items, r.Pieces, len(r.NotChecked), r.Open, told)
	}
}

// What is asked for beyond what is written is refused, and so are pairs on the
// certificate's word where they are not accepted.
func TestOptions(t *testing.T) {
	p := smallProof(t)
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Clearance: 0.003}, ""},
		{Options{Clearance: 0.0031}, "clearance of 0.003 m"},
		{Options{Strict: true}, "without a reason in the files"},
	} {
		_, err := Verify(context.Background(), p.robot, p.world, p.motion, strings.NewReader(string(p.text())), c.opts)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.opts, err)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Verify(gone, p.robot, p.world, p.motion, strings.NewReader(string(p.text())), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Verify(context.Background(), nil, nil, p.motion, strings.NewReader(""), Options{}); err == nil {
		t.Error("no robot is proved")
	}
	if _, err := Verify(context.Background(), p.robot, nil, nil, strings.NewReader(""), Options{}); err == nil {
		t.Error("no motion is proved")
	}
}
