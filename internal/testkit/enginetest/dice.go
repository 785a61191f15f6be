package enginetest

import (
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Dice draws the suite's random robots, worlds and motions. Equal seeds draw equal ones.
type Dice struct{ robots.Dice }

// NewDice returns the dice of case i of a seed.
func NewDice(seed, i uint64) Dice { return Dice{robots.NewDice(seed, i)} }

// Robot draws a tree of up to five joints of every type, some of which follow others.
func (d Dice) Robot() *urdf.Robot { return d.Dice.Robot(robots.Plan{Odd: 12}) }

// World draws objects, padded or not; one may be attached to the robot's last link.
func (d Dice) World(robot *urdf.Robot) *scene.Snapshot {
	return d.Dice.World(robots.Scenery{Padded: true, Held: robot.Links[len(robot.Links)-1].Name})
}

// Motion draws a motion of the robot: one to three pieces that begin at any time, of any
// degree, which meet at their knots. It may leave out joints, move the root link if
// rooted, and go around continuous joints more than once.
func (d Dice) Motion(robot *urdf.Robot, rooted bool) *motion.Motion {
	return d.Dice.Motion(robot, robots.Travel{Timed: true, Turns: true, Partial: true, Root: rooted})
}
