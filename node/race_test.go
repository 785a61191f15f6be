//go:build race

package node

// racing: a humanoid takes too long.
const racing = true
