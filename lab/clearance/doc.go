// Package clearance holds distances at single configurations against FCL's, which
// reads the same robot by itself.
package clearance
