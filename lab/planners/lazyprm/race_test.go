//go:build race

package lazyprm

const race = true
