// Package jointstates makes configurations of the joint states that publishers send. Each joint has its
// measurement from one publisher, its owner. What others measure of it is kept beside and judged, too: any of them
// may be right. What is missing, stale or faulty makes the configuration unknown.
//
//	age.go         how old something is, by clocks that may be set or stand still
//	losses.go      how many messages are lost
//	clock.go       how far a publisher's clock is off
//	notices.go     log lines about publishers
//	tracker.go     measurements merged into configurations
//	publishers.go  who owns which joint
//	rivals.go      measurements of joints that others own
//	past.go        where each joint was lately
package jointstates
