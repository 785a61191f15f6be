//go:build !race

package lazyprm

const race = false
