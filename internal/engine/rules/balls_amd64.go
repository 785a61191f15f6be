package rules

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has the instructions.
var vectors = cpu.X86.HasAVX

// ballsAVX is partFours for fours times four pairs, at least one; lab/kernels/balls writes it.
//
//go:noescape
func ballsAVX(balls *Ball, pairs *[2]int32, fours int, clearance, h float64, apart *uint8)
