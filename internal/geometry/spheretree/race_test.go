//go:build race

package spheretree

// racing: everything takes ten times as long, and is tried less often.
const racing = true
