//go:build !race

package ccd

const racing = false
