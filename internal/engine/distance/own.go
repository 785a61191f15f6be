package distance

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Own tells which of the robot's own pairs can matter at a configuration, by balls around
// links and subtrees instead of one test for each pair (package romtree). It is immutable;
// all that depends on the configuration is in Balls.
type Own interface {
	// Place prepares b for a configuration, at which st places the robot.
	Place(b *Balls, st *kin.State, configuration []float64)
	// Apart tells what each pair of the model is apart at least in the configuration that
	// b was placed for; negative is unknown, and nil that nothing is known.
	Apart(b *Balls) []float64
	// Cull appends to near the pairs that may be closer than enough. The distances of
	// all others are at least the bound that it returns, +Inf where there are no others.
	Cull(b *Balls, enough float64, near []int32) ([]int32, float64)
}

// Balls are the balls of one configuration, in the root link's frame. They are the scratch
// of one goroutine.
type Balls struct {
	State  *kin.State
	Placed uint64 // the configuration, counted

	// Per frame: balls around what it carries and around its subtree, which hold for the
	// configuration of the given number. The zero number holds for none.
	Link, Tree     []convex.Ball
	LinkAt, TreeAt []uint64

	// In tells whether the robot is within its limits, Beyond for each frame whether the
	// joints beyond it are.
	In     bool
	Beyond []bool
}
