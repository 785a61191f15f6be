// Package search finds balls that cover a link well: few, and protruding little.
//
// Nothing here is trusted. Package linkspheres proves every result, and its proof and measures
// are independent of the search.
//
// The search minimizes the cost of balls. Let s be the signed depth of a ball's centre in the
// body: then no point of the ball about c of radius r is farther from the body than r - s, so
// covering the point x from c costs |x - c| - s. Both strategies choose centres for a dense
// set of points of the body:
//
//   - Medial: candidate centres on and towards the medial axis; a greedy set cover of
//     all points at the smallest cost that needs no more balls than wanted, found by
//     bisection; then rounds in the manner of Lloyd, in which every point goes to the
//     ball that covers it at the least cost and every centre moves to where its largest
//     cost is least. No round makes the largest cost worse.
//   - Clusters: points as far apart as possible as seeds, then rounds in which every
//     point goes to the nearest ball and every ball becomes the smallest around its
//     points.
//
// Then radii shrink to what the pieces of the surface require that no other ball contains.
// Pieces are cut finer where that matters.
package search
