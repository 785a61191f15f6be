// Package events turns states and verdicts into lines of a log that an operator reads: changes
// of the level, input that is missing and back, and verdicts, each at the level of the log that
// it deserves and none more often than somebody can read.
package events
