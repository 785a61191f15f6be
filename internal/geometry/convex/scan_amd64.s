#include "textflag.h"

// The kernels of scan_amd64.go: eight vertices a turn, with the products and sums
// of the plain scan in the same order and rounded alike.

DATA minusInf<>+0(SB)/8, $0xfff0000000000000
GLOBL minusInf<>(SB), RODATA, $8

// func largestAVX(x, y, z *float64, n int, dx, dy, dz float64) float64
TEXT ·largestAVX(SB), NOSPLIT, $0-64
	MOVQ         x+0(FP), SI
	MOVQ         y+8(FP), DI
	MOVQ         z+16(FP), R8
	MOVQ         n+24(FP), CX
	VBROADCASTSD dx+32(FP), Y0
	VBROADCASTSD dy+40(FP), Y1
	VBROADCASTSD dz+48(FP), Y2
	VBROADCASTSD minusInf<>(SB), Y3
	VMOVAPD      Y3, Y4
	XORQ         AX, AX

turn:
	VMULPD (SI)(AX*8), Y0, Y5
	VMULPD (DI)(AX*8), Y1, Y6
	VADDPD Y6, Y5, Y5
	VMULPD (R8)(AX*8), Y2, Y7
	VADDPD Y7, Y5, Y5
	VMAXPD Y5, Y3, Y3
	VMULPD 32(SI)(AX*8), Y0, Y8
	VMULPD 32(DI)(AX*8), Y1, Y9
	VADDPD Y9, Y8, Y8
	VMULPD 32(R8)(AX*8), Y2, Y10
	VADDPD Y10, Y8, Y8
	VMAXPD Y8, Y4, Y4
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    turn

	VMAXPD       Y4, Y3, Y3
	VEXTRACTF128 $1, Y3, X4
	VMAXPD       X4, X3, X3
	VPERMILPD    $1, X3, X4
	VMAXSD       X4, X3, X3
	VMOVSD       X3, ret+56(FP)
	VZEROUPPER
	RET

// func indexAVX(x, y, z *float64, n int, dx, dy, dz, value float64) int
TEXT ·indexAVX(SB), NOSPLIT, $0-72
	MOVQ         x+0(FP), SI
	MOVQ         y+8(FP), DI
	MOVQ         z+16(FP), R8
	MOVQ         n+24(FP), CX
	VBROADCASTSD dx+32(FP), Y0
	VBROADCASTSD dy+40(FP), Y1
	VBROADCASTSD dz+48(FP), Y2
	VBROADCASTSD value+56(FP), Y3
	XORQ         AX, AX

look:
	VMULPD    (SI)(AX*8), Y0, Y5
	VMULPD    (DI)(AX*8), Y1, Y6
	VADDPD    Y6, Y5, Y5
	VMULPD    (R8)(AX*8), Y2, Y7
	VADDPD    Y7, Y5, Y5
	VCMPPD    $0, Y5, Y3, Y5
	VMOVMSKPD Y5, DX
	TESTL     DX, DX
	JNZ       found
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       look
	MOVQ      $0, ret+64(FP)
	VZEROUPPER
	RET

found:
	BSFL DX, DX
	ADDQ DX, AX
	MOVQ AX, ret+64(FP)
	VZEROUPPER
	RET
