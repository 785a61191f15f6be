// Package romtree bounds where the subtrees of a robot's kinematic tree can be, and
// answers distance queries down that tree. It follows the sphere trees of the ARMAR
// humanoid (SPHERE, sections III and IV), with proofs where the paper samples.
//
// A [RangeOfMotion] puts balls around each subtree that hold for every configuration
// of a [JointBox]. [Tables] bound, for the same configurations, the distance of links
// and subtrees from below. [SelfQuery] and [WorldQuery] measure the robot's distance
// to itself and to the world at one configuration and use both where they hold.
//
// Package selfcollision is the public form of this package. docs/self-collision.md
// explains the method and gives measurements.
package romtree
