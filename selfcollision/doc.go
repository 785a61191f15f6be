// Package selfcollision decides what is known about the links of one robot against
// each other: which pairs can meet, and whether an SRDF disables the right ones.
package selfcollision
