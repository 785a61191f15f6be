package articulate

import (
	"fmt"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Motions of several pieces, in which continuous joints go the short way across many turns,
// are followed from piece to piece: what was worked out for one is not taken for the next.
func TestPathsOfManyPiecesAgreeWithSpacetime(t *testing.T) {
	var c tally
	for i := range 25 * long() {
		d := newChance(51, uint64(i))
		r := randomTrial(t, d)
		if r.course.MovesRoot() {
			continue // pieces of a root's motion must meet: another test's matter
		}
		tree := r.model.Tree
		m := &motion.Motion{}
		for _, dof := range tree.Dofs {
			if dof.Name != "" {
				m.Joints = append(m.Joints, dof.Name)
			}
		}
		at := make([]float64, len(m.Joints))
		for p := range 1 + d.IntN(4) {
			piece := motion.Piece{Start: float64(p), End: float64(p + 1)}
			for k := range at {
				to := at[k] + d.in(-0.3, 0.3)
				if dof := tree.DofIndex(m.Joints[k]); tree.Dofs[dof].Continuous {
					to += 6.283185307179586 * float64(d.IntN(41)-20) // another number of turns for the same pose
				}
				piece.Ctrl = append(piece.Ctrl, []float64{at[k], to})
				at[k] = to
			}
			m.Pieces = append(m.Pieces, piece)
		}
		b, err := kin.Bind(tree, m, make([]float64, len(tree.Dofs)))
		if err != nil {
			t.Fatal(err)
		}
		r.course = b
		q := motion.Query{}
		c.hold(t, fmt.Sprint("path ", i), q, r.check(q), r.reference(q))
	}
	t.Logf("%v, ties %d, disagreements %d", c.count, c.ties, c.disagree)
	if c.count[motion.Free] < 3 || c.count[motion.Contact] < 3 {
		t.Error("the test is one-sided")
	}
}
