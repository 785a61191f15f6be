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

// Where eight vertices stand, the first four and the others; and by how much that grows in a turn.
DATA places<>+0(SB)/8, $0.0
DATA places<>+8(SB)/8, $1.0
DATA places<>+16(SB)/8, $2.0
DATA places<>+24(SB)/8, $3.0
DATA places<>+32(SB)/8, $4.0
DATA places<>+40(SB)/8, $5.0
DATA places<>+48(SB)/8, $6.0
DATA places<>+56(SB)/8, $7.0
GLOBL places<>(SB), RODATA, $64

DATA eight<>+0(SB)/8, $8.0
GLOBL eight<>(SB), RODATA, $8

DATA inf<>+0(SB)/8, $0x7ff0000000000000
GLOBL inf<>(SB), RODATA, $8

// func extremeAVX(x, y, z *float64, n int, dx, dy, dz float64) int
//
// Each lane keeps the largest of its values and where it stood first. A lane whose value is not the largest of all stands
// at infinity in the end, so that the least place is that of the first.
TEXT ·extremeAVX(SB), NOSPLIT, $0-64
	MOVQ         x+0(FP), SI
	MOVQ         y+8(FP), DI
	MOVQ         z+16(FP), R8
	MOVQ         n+24(FP), CX
	VBROADCASTSD dx+32(FP), Y0
	VBROADCASTSD dy+40(FP), Y1
	VBROADCASTSD dz+48(FP), Y2
	VBROADCASTSD minusInf<>(SB), Y3
	VMOVAPD      Y3, Y4
	VXORPD       Y11, Y11, Y11
	VMOVAPD      Y11, Y12
	VMOVUPD      places<>+0(SB), Y13
	VMOVUPD      places<>+32(SB), Y14
	VBROADCASTSD eight<>(SB), Y15
	XORQ         AX, AX

look:
	VMULPD    (SI)(AX*8), Y0, Y5
	VMULPD    (DI)(AX*8), Y1, Y6
	VADDPD    Y6, Y5, Y5
	VMULPD    (R8)(AX*8), Y2, Y7
	VADDPD    Y7, Y5, Y5
	VCMPPD    $0x1e, Y3, Y5, Y6
	VBLENDVPD Y6, Y13, Y11, Y11
	VBLENDVPD Y6, Y5, Y3, Y3
	VMULPD    32(SI)(AX*8), Y0, Y8
	VMULPD    32(DI)(AX*8), Y1, Y9
	VADDPD    Y9, Y8, Y8
	VMULPD    32(R8)(AX*8), Y2, Y10
	VADDPD    Y10, Y8, Y8
	VCMPPD    $0x1e, Y4, Y8, Y9
	VBLENDVPD Y9, Y14, Y12, Y12
	VBLENDVPD Y9, Y8, Y4, Y4
	VADDPD    Y15, Y13, Y13
	VADDPD    Y15, Y14, Y14
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       look

	VMAXPD       Y4, Y3, Y5
	VPERM2F128   $1, Y5, Y5, Y6
	VMAXPD       Y6, Y5, Y5
	VPERMILPD    $5, Y5, Y6
	VMAXPD       Y6, Y5, Y5
	VBROADCASTSD inf<>(SB), Y6
	VCMPPD       $0, Y5, Y3, Y7
	VCMPPD       $0, Y5, Y4, Y8
	VBLENDVPD    Y7, Y11, Y6, Y7
	VBLENDVPD    Y8, Y12, Y6, Y8
	VMINPD       Y8, Y7, Y7
	VEXTRACTF128 $1, Y7, X8
	VMINPD       X8, X7, X7
	VPERMILPD    $1, X7, X8
	VMINSD       X8, X7, X7
	VCVTTSD2SIQ  X7, AX
	MOVQ         AX, ret+56(FP)
	VZEROUPPER
	RET
