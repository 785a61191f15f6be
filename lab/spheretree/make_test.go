package spheretree

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func randomVec(r *rand.Rand, size float64) geom.Vec {
	return geom.Vec{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()}
}

func randomPose(r *rand.Rand, size float64) geom.Pose {
	rot, err := geom.Quat(r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
	if err != nil {
		return geom.IdentityPose()
	}
	return geom.Pose{R: rot, P: randomVec(r, size)}
}

// ball returns a bumpy sphere of 2 n (n-1) triangles with radii of 1 to 1 + bump.
func bumpySphere(n int, bump float64, seed uint64) []tri.Triangle {
	r := dice(seed)
	at := make([][]geom.Vec, n+1)
	for i := range at {
		at[i] = make([]geom.Vec, n)
		st, ct := math.Sincos(math.Pi * float64(i) / float64(n))
		k := 1 + bump*r.Float64()
		for j := range n {
			sp, cp := math.Sincos(2 * math.Pi * float64(j) / float64(n))
			if i > 0 && i < n {
				k = 1 + bump*r.Float64()
			}
			at[i][j] = geom.Vec{X: k * st * cp, Y: k * st * sp, Z: k * ct}
		}
	}
	var out []tri.Triangle
	for i := range n {
		for j := range n {
			l := (j + 1) % n
			if i > 0 {
				out = append(out, tri.Triangle{at[i][j], at[i+1][j], at[i][l]})
			}
			if i < n-1 {
				out = append(out, tri.Triangle{at[i][l], at[i+1][j], at[i+1][l]})
			}
		}
	}
	return out
}

// soup returns n triangles of all sizes, some without area, many equal.
func soup(n int, seed uint64) []tri.Triangle {
	r := dice(seed)
	var out []tri.Triangle
	for i := range n {
		c := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: float64(r.IntN(2))}
		k := math.Pow(10, -6*r.Float64())
		var t tri.Triangle
		for j := range t {
			t[j] = geom.Vec{
				X: c.X + k*r.NormFloat64(), Y: c.Y + k*r.NormFloat64()*float64(r.IntN(2)), Z: c.Z + k*r.NormFloat64()*float64(r.IntN(2)),
			}
		}
		switch {
		case i > 0 && r.IntN(3) == 0:
			t = out[r.IntN(i)]
		case r.IntN(5) == 0:
			t[1] = t[0]
		}
		out = append(out, t)
	}
	return out
}

// boxMesh is the twelve triangles of a box of the given half sides.
func boxMesh(x, y, z float64) []tri.Triangle {
	return appendBox(nil, geom.Box{Min: geom.Vec{X: -x, Y: -y, Z: -z}, Max: geom.Vec{X: x, Y: y, Z: z}})
}

// grid cuts every triangle into n² equal ones.
func grid(ts []tri.Triangle, n int) []tri.Triangle {
	var out []tri.Triangle
	for _, t := range ts {
		e, f := scale(1/float64(n), sub(t[1], t[0])), scale(1/float64(n), sub(t[2], t[0]))
		at := func(i, j int) geom.Vec { return along(along(t[0], float64(i), e), float64(j), f) }
		for i := range n {
			for j := range n - i {
				out = append(out, tri.Triangle{at(i, j), at(i+1, j), at(i, j+1)})
				if i+j < n-1 {
					out = append(out, tri.Triangle{at(i+1, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return out
}

// lShape is SPHERE Figure 4's: an L with a thickness, finely meshed.
func lShape(n int) []tri.Triangle {
	leg := appendBox(nil, geom.Box{Max: geom.Vec{X: 1, Y: 0.3, Z: 0.3}})
	leg = appendBox(leg, geom.Box{Min: geom.Vec{Y: 0.3}, Max: geom.Vec{X: 0.3, Y: 1, Z: 0.3}})
	return grid(leg, n)
}

func scaled(ts []tri.Triangle, k float64, by geom.Vec) []tri.Triangle {
	out := make([]tri.Triangle, len(ts))
	for i, t := range ts {
		for j, v := range t {
			out[i][j] = along(by, k, v)
		}
	}
	return out
}

// chain returns triangles whose sizes double: what is split by area alone makes a
// list of it.
func chain(n int) []tri.Triangle {
	var out []tri.Triangle
	for i := range n {
		k := math.Ldexp(1, i-n)
		out = append(out, tri.Triangle{{X: k}, {X: 1.25 * k}, {X: k, Y: 0.25 * k}})
	}
	return out
}

// models to try everything on: closed and soups, degenerate, one triangle, all equal,
// tiny, huge, far from the origin, deep.
func models() map[string][]tri.Triangle {
	point := geom.Vec{X: 0.1, Y: 0.2, Z: 0.3}
	same := soup(1, 5)
	for range 300 {
		same = append(same, same[0])
	}
	return map[string][]tri.Triangle{
		"sphere": bumpySphere(14, 0.1, 1), "soup": soup(500, 2), "one": soup(1, 3), "five": soup(5, 4), "same": same,
		"point": {{point, point, point}}, "segment": {{point, point, {}}}, "L": lShape(4),
		"tiny": scaled(bumpySphere(8, 0.3, 6), 1e-7, geom.Vec{}), "huge": scaled(bumpySphere(8, 0.3, 6), 1e6, geom.Vec{}),
		"far": scaled(bumpySphere(8, 0.3, 6), 1, geom.Vec{X: 1000, Y: -3000, Z: 2000}), "chain": chain(400),
		"denormal": scaled(bumpySphere(5, 0.3, 6), 1e-310, geom.Vec{}), "minute": scaled(soup(50, 6), 1e-160, geom.Vec{}),
		"giant": scaled(soup(50, 6), 1e29, geom.Vec{}),
	}
}

func mustTree(t testing.TB) func(*Tree, error) *Tree {
	return func(tree *Tree, err error) *Tree {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
}

// up and down round outward: with round-to-nearest the exact value of an operation is
// between the neighbours of its result.
func up(x float64) float64   { return math.Nextafter(x, math.Inf(1)) }
func down(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }

// outside reports whether p lies outside a ball: by intervals where they can tell that
// it does not, else in exact arithmetic.
func outside(c geom.Vec, radius float64, p geom.Vec) bool {
	square := func(a, b float64) float64 { x := up(math.Abs(a - b)); return up(x * x) }
	if up(up(square(p.X, c.X)+square(p.Y, c.Y))+square(p.Z, c.Z)) <= down(radius*radius) {
		return false
	}
	return outsideExactly(c, radius, p)
}

const exact = 4400 // bits that hold sums of squares of any float64

func outsideExactly(c geom.Vec, radius float64, p geom.Vec) bool {
	sum := new(big.Float).SetPrec(exact)
	for _, x := range [3][2]float64{{p.X, c.X}, {p.Y, c.Y}, {p.Z, c.Z}} {
		d := new(big.Float).SetPrec(exact).Sub(big.NewFloat(x[0]), big.NewFloat(x[1]))
		sum.Add(sum, d.Mul(d, d))
	}
	r := new(big.Float).SetPrec(exact).SetFloat64(radius)
	return radius < 0 || sum.Cmp(r.Mul(r, r)) > 0
}

// bruteForce is the least distance over all pairs of triangles.
func bruteForce(a, b []tri.Triangle, pose geom.Pose) float64 {
	best := math.Inf(1)
	for i := range b {
		var placed tri.Triangle
		for k, v := range b[i] {
			placed[k] = pose.Apply(v)
		}
		for j := range a {
			best = min(best, tri.Distance(&a[j], &placed).Distance)
		}
	}
	return best
}
