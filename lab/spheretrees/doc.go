// Command spheretrees measures sphere trees the way the paper that the compact ones
// come from does (SPHERE, Figures 4, 9 and 10): compact against greedy, by level, by
// distance, by the limit and by the tolerance given, a humanoid alone and in a kitchen.
//
//	go run ./spheretrees -data ../../shared -out docs/sphere-trees
//
// writes the figures as SVG and prints the tables. Its tests hold the trees' distances
// against FCL's.
package main
