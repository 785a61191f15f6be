package ccd

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// A motion that names the joints of one before is validated all the same: bad pieces are an error, and never a verdict.
func TestKnownJointsExcuseNothing(t *testing.T) {
	c, good := pendulum(t, 5)
	ask := func(m *motion.Motion) error {
		_, err := c.Check(context.Background(), m, motion.Query{Question: motion.IsFree})
		return err
	}
	piece := func(start, end float64, ctrl ...[]float64) motion.Piece {
		return motion.Piece{Start: start, End: end, Ctrl: ctrl}
	}
	for name, pieces := range map[string][]motion.Piece{
		"none":           nil,
		"no number":      {piece(0, 1, []float64{0, math.NaN()})},
		"endless":        {piece(0, 1, []float64{math.Inf(1)})},
		"far":            {piece(0, 1, []float64{0, 2 * motion.MaxPosition})},
		"no rows":        {piece(0, 1)},
		"two rows":       {piece(0, 1, []float64{0}, []float64{0})},
		"no points":      {piece(0, 1, nil)},
		"seven points":   {piece(0, 1, make([]float64, 7))},
		"back in time":   {piece(1, 0, []float64{0})},
		"a jump":         {piece(0, 1, []float64{0, 1}), piece(1, 2, []float64{1.1, 0})},
		"a gap":          {piece(0, 1, []float64{0}), piece(1.5, 2, []float64{0})},
		"no number late": {piece(0, 1, []float64{0}), piece(1, 2, []float64{0, math.NaN()})},
	} {
		if err := ask(good); err != nil {
			t.Fatal(err)
		}
		if err := ask(&motion.Motion{Joints: good.Joints, Pieces: pieces}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	rooted := &motion.Motion{Joints: good.Joints, Pieces: []motion.Piece{piece(0, 1, []float64{0})}, Root: make([]motion.RootPiece, 2)}
	if err := ask(rooted); err == nil {
		t.Error("more pieces of the root link than of the joints: no error")
	}
	if err := ask(nil); err == nil {
		t.Error("no motion: no error")
	}
	if err := (*motion.Motion)(nil).ValidatePieces(); err == nil {
		t.Error("pieces of no motion: no error")
	}
	if err := ask(&motion.Motion{Joints: []string{"a", "a"}, Pieces: []motion.Piece{piece(0, 1, []float64{0}, []float64{0})}}); err == nil {
		t.Error("a joint that is named twice: no error")
	}
}
