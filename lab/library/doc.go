// Package library tests the library for C and C++ as its users see it: programs in C, in C++, with OMPL and in Python, compiled with the
// sanitizers of memory and of undefined behaviour, that ask what formulas know, misuse every function, ask from eight threads, and
// watch what becomes of the process.
//
//	go test ./library                                        # half a minute
//	go test ./library -run Threads -threads 10m -timeout 0   # longer
//	go test ./library -run Misuse -misuses 1000000
//	go test ./library -run Process -rounds 500000            # more than a million calls
//	go test ./library -inside                                # with the sanitizers in the library, too: two minutes more to build
//	go test ./library -run Cost -v                           # what a call costs above one in Go
//	go test ./library -run FromPython -edges 100000 -v       # and from Python, alone and in batches
package library
