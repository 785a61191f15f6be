// Package oracle judges robot motions by sampling with other people's code, so
// that a bug of ours cannot hide: the program beside it, fcl_oracle, reads URDF
// with urdfdom and meshes with assimp and asks FCL for collisions and
// distances; only its forward kinematics are written here, in C++.
//
// It shares no code with the engines it judges. A sample that touches refutes a
// proof of freedom; samples that do not touch prove nothing.
package oracle
