//go:build race

package workload

const racing = true
