// Package certificate defines the file format of a proof of a verdict Free, so that others can
// check it: a list of items, each of which says that a part of one body and a part of another
// stay apart during an interval of time, and which plane or balls show it. Package verify
// checks such a list from the robot, the scene and the motion alone.
//
// # Form
//
// A certificate is text in lines. Words are separated by single blanks, names quoted as in Go,
// numbers written in decimal so that they are read back exactly. A file whose name ends in .gz
// is compressed. It begins
//
//	firstcontact certificate 3
//	tool "firstcontact"
//	robot "panda" SHA256
//	scene SHA256
//	motion "pick" SHA256
//	clearance 0.01
//	pairs self world
//	start 0
//
// where SHA256 are the sums of package digest, pairs says whether the robot was checked
// against itself, against the world, or both, and start is the second at which the motion
// begins. Then, in any number but in this order,
//
//	padding "hand" 0.005          metres added all around a link
//	tube "joint_1" 0.001          how far a joint may stray from the motion, rad or m
//	hold "finger" 0.02            where a joint stands that the motion does not name
//	assume "hand" "finger" "srdf: Adjacent"   a pair that is not checked, and why
//	assume "hand" "cover" "touch at the default state" X Y Z   a point that both have then
//	surface "shield"              a body with faces of a mesh that enclose nothing
//	ambiguous "bottle"            a body whose inside cannot be told from its mesh
//	turned "wrist" 3 -1           whole turns taken off a continuous joint on piece 3
//	seam 2 4e-10                  how far the root link's origin jumps where piece 2 begins
//	accept "start" "joint_1"      a gap that was accepted: its kind and names (package premise)
//	body 0 link "hand" 1234       a body and the number of its atoms
//	body 1 attached "tool" 12
//	body 2 world 190000           all objects that do not move, one after the other
//	order 0 5 3 4 0 1 2           body 0's atoms in the order that ranges refer to
//
// The atoms of a body are those of its shapes in sequence: one for a box, sphere, cylinder,
// capsule or cone, one for each triangle, point or cell. Without order lines they are in their
// natural order; several lines for one body continue each other. Then follows the proof.
//
//	at 0 0.5 0.75                 piece of the motion, and an interval of it, in [0, 1]
//	plane 0:12+3 2:100+50 0 0 1   a direction in which the parts are apart
//	balls 0 2:7 X Y Z X Y Z       the centres of two balls around them, each in its body's frame
//	plane 0 2 0 0 1 a X Y Z       a direction, and a ball instead of the first part
//	outside 0 2 0 0.5             look here, in piece 0 at 0.5, whether one lies in the other
//	end 3                         the number of planes and balls
//	sum SHA256                    of all lines above
//
// A part is a body, or body:first+count for a range of its ordered atoms, or body:first for
// one of them. Directions are in the frame of the scene at the middle of the interval; their
// length is 1 except for rounding, or anything from 1/2 to 2. The frame of a body is its
// link's, or the scene's. Pieces do not decrease.
package certificate
