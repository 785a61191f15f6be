// Package laws holds the product against itself: two questions that mean the same
// must be answered alike. A random robot, world, motion and options (a Case) is asked
// about in one form, changed by a law that cannot change the answer, or changes it in
// a known way, and asked about again.
//
//	draw.go      random cases
//	case.go      a case as data that share nothing with the product
//	write.go     a case as files: URDF, SRDF, scene, trajectory, meshes
//	build.go     a case as the product takes it, through its readers or its Go API
//	answer.go    when two answers contradict each other, and what a tie is
//	law.go       the list of laws; law_*.go the laws, each with a line that states it
//
// A pair is one comparison of two answers. FIRSTCONTACT_LAWS=N makes the test run
// until N pairs are compared, FIRSTCONTACT_LAWS_FROM=K begins with case K in place of
// 1, FIRSTCONTACT_LAWS_CASE=K runs case K alone, and FIRSTCONTACT_LAWS_ONLY=NAME one
// law alone.
package laws
