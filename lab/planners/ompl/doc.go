// Command ompl measures what planners gain by proofs: planners of OMPL plan problems of MotionBenchMaker, their motions judged by
// samples of FCL at three resolutions or by the library for C, and every path is judged by a proof and by dense samples of FCL. It
// writes lab/docs/planners.md.
//
//	go run ./planners/ompl -problems 4 -seconds 1 -page docs/planners.md
//
// The program that plans, build/plan, is in C++ (src) and computes in one thread.
//
// Files from the ground up; each uses only those above it in this list:
//
//	build.go     the program that plans
//	problems.go  which problems
//	program.go   talking to it
//	sums.go      what many runs came to
//	page.go      the page
//	main.go      switches, and the runs
package main
