// Package static judges poses: whether a robot among obstacles certainly touches
// nothing at each of many configurations, one by one. It is the fast half of the
// judge that random campaigns hold verdicts against; FCL (package oracle) is the
// other half, which judges whatever this one is not sure of and a random share of
// the rest.
//
// It shares neither bounds nor traversal nor shapes with what it judges: there is
// no time in it, no velocity and no interval, only poses. What it says rests on
//
//   - plain forward kinematics (chain.go),
//   - separating planes of convex leaves: triangles and primitives (gap.go),
//   - balls about the leaves of a subtree (tree.go),
//   - rays that leave a closed mesh, for bodies inside others (inside.go),
//   - the triangle inequality between two poses: where two bodies were d apart
//     and no point has moved by d against the other body, they are apart (pair.go).
//     Molecular dynamics keeps its lists of neighbours by the same rule (Verlet 1967).
//
// It never says that something touches: it says that it is not sure.
package static
