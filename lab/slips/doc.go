// Command slips makes the slips that people make in their files, and looks at what the
// command says of them.
//
// A base is a question about real files (a robot with its SRDF, obstacles, a motion) whose
// answer is CONTACT. A slip changes one of its files or arguments: a unit, a joint, a
// frame, a stamp, a mesh, a column. The command, run as a user would run it, must not
// answer FREE without a word about what is wrong, as that would be a proof about something
// else than was asked. Some slips leave files that are right in themselves: an obstacle
// that was never written, two columns swapped. No program can tell; their table says why,
// and they are counted apart.
package main
