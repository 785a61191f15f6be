// Package cputime tells how long a thread has been computing, which does not count
// what else the machine does meanwhile: what measurements on a shared machine need.
package cputime
