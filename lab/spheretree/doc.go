// Package spheretree is sphere trees over triangles and the distance between two of
// them (SPHERE sections II and V, after Quinlan 1994).
//
// Two kinds of tree answer the same questions. In a compact one ([Compact]) a node's
// ball holds the triangles below it and no more; it need not hold its children's
// balls, so that a child may stick out of its parent. In a greedy one ([Greedy])
// small balls cover every triangle and each parent holds the balls of its children;
// it is here to be compared with. [Tree.Nested] gives a compact tree's grouping the
// greedy tree's balls.
//
// [Distance] bounds the distance of two trees from both sides. The search is free to
// be wrong; what it says rests on the bounds of rounding.go and leaf.go alone: a
// lower bound is a gap between balls, or between triangles along a direction, made
// smaller by all rounding, and an upper bound is the distance of two points of the
// geometry.
//
// Trees are of surfaces. That one closed surface lies inside another is not seen:
// whoever means solids asks for that separately.
package spheretree
