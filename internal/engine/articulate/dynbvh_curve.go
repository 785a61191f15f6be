package articulate

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// orders is how many derivatives of a motion are bounded, the position included: the
// swept volume's pipe surface wants four, everything else the first.
const orders = 5

// curve is what a joint's variable does on a piece, and its derivatives: the control
// points of each in Bernstein form over [0, 1]. Where RKLM04 has joints of constant
// velocity, these are polynomials of degree up to kin.MaxDegree.
type curve struct {
	ctrl  [orders][kin.MaxDegree + 1]interval.I
	count [orders]int // of control points; none of a derivative that is zero
	exact bool        // the control points are numbers, not intervals
}

// set takes control points that may be off by err each.
func (c *curve) set(ctrl []float64, err float64) {
	c.count[0], c.exact = len(ctrl), err == 0
	for i, x := range ctrl {
		c.ctrl[0][i] = interval.Point(x)
		if err != 0 {
			c.ctrl[0][i] = c.ctrl[0][i].Grow(err)
		}
	}
	for k := 1; k < orders; k++ {
		n := max(c.count[k-1]-1, 0)
		c.count[k] = n
		for i := range n {
			c.ctrl[k][i] = c.ctrl[k-1][i+1].Sub(c.ctrl[k-1][i]).Scale(float64(n))
		}
	}
}

// on bounds the derivative of the given order on [lo, hi] in [0, 1]: the polynomial is
// in the hull of its control points over that interval, which de Casteljau's
// interpolation finds, in intervals. For a straight line, as most are, they are the ends.
func (c *curve) on(order int, lo, hi float64) interval.I {
	var w [kin.MaxDegree + 1]interval.I
	n := copy(w[:], c.ctrl[order][:c.count[order]])
	switch n {
	case 0:
		return interval.I{}
	case 1:
		return w[0]
	case 2:
		return blend(w[0], w[1], interval.Point(lo)).Hull(blend(w[0], w[1], interval.Point(hi)))
	}
	if hi < 1 { // what is left of hi
		t := interval.Point(hi)
		for k := 1; k < n; k++ {
			for i := n - 1; i >= k; i-- {
				w[i] = blend(w[i-1], w[i], t)
			}
		}
	}
	if lo > 0 { // of that, what is right of lo
		t := interval.Point(lo).Div(interval.Point(hi))
		for k := 1; k < n; k++ {
			for i := 0; i < n-k; i++ {
				w[i] = blend(w[i], w[i+1], t)
			}
		}
	}
	hull := w[0]
	for _, x := range w[1:n] {
		hull = hull.Hull(x)
	}
	return hull
}

// blend returns (1-t) a + t b.
func blend(a, b, t interval.I) interval.I {
	return a.Mul(interval.Point(1).Sub(t)).Add(b.Mul(t))
}

// still reports whether the variable does not move.
func (c *curve) still() bool {
	for _, x := range c.ctrl[0][1:max(c.count[0], 1)] {
		if x != c.ctrl[0][0] || !c.exact {
			return false
		}
	}
	return true
}
