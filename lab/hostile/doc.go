// Hostile attacks a node over DDS and judges what it says meanwhile.
//
// It starts the node as a process of its own, on loopback and in a graph of its own, lets
// honest and hostile publishers tell it where a test robot is, and observes ~/state
// and ~/verdict as any other subscriber would. The test robot is made so that contact
// has a closed form, and every position that is published is unique, so that the judge
// can tell from a state's witness points which message it rests on. The judge shares
// no code with the node: it knows what was written, by whom and when.
//
// For each attack the program prints how fast and how regularly states came, what the
// node used, whether a normal question was answered in time, and how many states FREE,
// WARN or STOP were not true: of data older than the timeout, contradicted by a
// publisher within it, or of data that nobody wrote. See lab/docs/hostile.md.
//
//	go run -C lab -tags cyclone ./hostile                            # every attack, 10 s each
//	go run -C lab -tags cyclone ./hostile -only second -each 30s     # some of them
//	go run -C lab -tags cyclone ./hostile -minutes 30                # all, again and again
//	go run -C lab -tags cyclone ./hostile -random -minutes 30 -seed 1
//	go run -C lab -tags cyclone ./hostile -soak -minutes 60
package main
