// Package cputime measures the computing time of a thread, excluding other programs' time, as
// measurements on a shared machine need it.
package cputime
