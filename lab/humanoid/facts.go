package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// path is a motion, straight in joint space between its knots.
type path []knot

type knot struct {
	t float64
	q state
}

func (p path) at(t float64) state {
	i := sort.Search(len(p), func(i int) bool { return p[i].t > t })
	if i == 0 {
		return p[0].q
	}
	if i == len(p) {
		return p[i-1].q
	}
	a, b := p[i-1], p[i]
	s := (t - a.t) / (b.t - a.t)
	q := state{}
	for name, x := range b.q {
		q[name] = a.q[name] + s*(x-a.q[name])
	}
	return q
}

func (p path) length() float64 { return p[len(p)-1].t }

// csvPath reads back what csv wrote, so that the facts are those of the file.
func csvPath(text string) (path, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	var p path
	for _, row := range rows[1:] {
		k := knot{q: state{}}
		for c, name := range rows[0] {
			x, err := strconv.ParseFloat(row[c], 64)
			if err != nil {
				return nil, err
			}
			if name == "time" {
				k.t = x
			} else {
				k.q[name] = x
			}
		}
		p = append(p, k)
	}
	return p, nil
}

const (
	warn   = 0.05  // m: closer than this counts as near
	sample = 0.002 // s between two looks at a path
)

// fact is what one pair of bodies does along a path.
type fact struct {
	near
	within  [][2]float64 // s: stretches closer than warn
	touch   [][2]float64 // s: stretches that overlap
	leastAt float64      // s: where the distance is least
}

// facts samples the path, and bisects where a pair comes within warn or
// touches, to 0.1 ms.
func (w *world) facts(p path) []*fact {
	byPair := map[[2]string]*fact{}
	n := int(math.Ceil(p.length() / sample))
	before := map[[2]string]float64{}
	for i := 0; i <= n; i++ {
		t := math.Min(float64(i)*sample, p.length())
		now := map[[2]string]float64{}
		for _, x := range w.nearest(p.at(t), warn) {
			key := [2]string{x.a, x.b}
			now[key] = x.distance
			f := byPair[key]
			if f == nil {
				f = &fact{near: x, leastAt: t}
				byPair[key] = f
			}
			if x.distance < f.distance {
				f.distance, f.leastAt = x.distance, t
			}
		}
		for key, f := range byPair {
			f.within = w.track(f.within, p, key, warn, before, now, t)
			f.touch = w.track(f.touch, p, key, 0, before, now, t)
		}
		before = now
	}
	var fs []*fact
	for _, f := range byPair {
		fs = append(fs, f)
	}
	sort.Slice(fs, func(i, j int) bool {
		a, b := fs[i], fs[j]
		return cmp.Or(cmp.Compare(a.within[0][0], b.within[0][0]), cmp.Compare(a.a+" "+a.b, b.a+" "+b.b)) < 0
	})
	return fs
}

// track opens or closes a stretch below the level at the sample time t.
func (w *world) track(spans [][2]float64, p path, key [2]string, level float64, before, now map[[2]string]float64, t float64) [][2]float64 {
	below := func(m map[[2]string]float64) bool { d, ok := m[key]; return ok && d < level }
	switch {
	case below(now) && (t == 0 || !below(before)):
		from := 0.0
		if t > 0 {
			from = w.crossing(p, key, level, t)
		}
		spans = append(spans, [2]float64{from, t})
	case below(now):
		spans[len(spans)-1][1] = t
	case t > 0 && below(before):
		spans[len(spans)-1][1] = w.crossing(p, key, level, t)
	}
	return spans
}

// crossing bisects the sample that ends at t for where the pair crosses level.
func (w *world) crossing(p path, key [2]string, level, t float64) float64 {
	lo, hi := math.Max(0, t-sample), t
	below := func(t float64) bool {
		for _, x := range w.nearest(p.at(t), warn) {
			if x.a == key[0] && x.b == key[1] {
				return x.distance < level
			}
		}
		return false
	}
	end := below(hi)
	for hi-lo > 1e-4 {
		if mid := (lo + hi) / 2; below(mid) == end {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo + hi) / 2
}

// first is the fact that touches first, nil for a free path.
func first(fs []*fact) *fact {
	var best *fact
	for _, f := range fs {
		if len(f.touch) > 0 && (best == nil || f.touch[0][0] < best.touch[0][0]) {
			best = f
		}
	}
	return best
}

const factsHead = `# What a check of each motion here must find, with obstacles.yaml as the scene and humanoid.srdf
# as the list of pairs that may touch. Written by make humanoid; edit that, not this.
#
# How obtained: by a judge of its own in lab/humanoid, which shares no code with the
# checker. It cuts every mesh into the convex pieces it was made of, measures pairs of pieces with
# GJK every 2 ms of the motion, straight in joint space between its rows or waypoints, and bisects
# where a pair crosses a level to 0.1 ms. Times are good to 1 ms; a contact shorter than 2 ms would
# escape it, but none is made to be so short. Distances are good to 1 mm; a negative one is how
# deep the deepest two pieces overlap. FCL, reading the files through urdfdom and assimp, agrees: a
# test beside the generator asks it for every pair's distance and both sides of every touch.
#
# toc: first contact (s from start).  class: self or world.  pair: the two that touch first.
# near: every pair that comes closer than 0.05 m: when (s), where it touches (s), and its least
# distance (m) with its time. Pairs not listed stay 0.05 m apart.
`

// motion is one thing to check, and what is true of it.
type motion struct {
	section, id string // where expected.yaml has it
	path        path
	facts       []*fact // after measure
}

// motions lists all, as the files have them.
func (w *world) motions() ([]*motion, error) {
	p, err := csvPath(w.robot.csv(wave, waveLength, waveRate))
	if err != nil {
		return nil, fmt.Errorf("wave.csv: %w", err)
	}
	ms := []*motion{{section: "motions", id: "wave.csv", path: p}}
	for _, tr := range trajectories() {
		ms = append(ms, &motion{section: "motions", id: tr.file, path: tr.path()})
	}
	for _, p := range jointPairs() {
		ms = append(ms, &motion{section: "pairs", id: p.id, path: p.path()})
	}
	return ms, nil
}

func (w *world) measure(ms []*motion) {
	for _, m := range ms {
		m.facts = w.facts(m.path)
	}
}

// expected writes expected.yaml.
func expected(ms []*motion) string {
	var b strings.Builder
	b.WriteString(factsHead)
	section := ""
	for _, m := range ms {
		if m.section != section {
			section = m.section
			b.WriteString(section + ":\n")
		}
		m.describe(&b)
	}
	return b.String()
}

func (m *motion) describe(b *strings.Builder) {
	fmt.Fprintf(b, "  %s:\n    length: %s\n", m.id, num(m.path.length()))
	if f := first(m.facts); f != nil {
		fmt.Fprintf(b, "    status: contact\n    toc: %.4f\n    class: %s\n    pair: [%s, %s]\n", f.touch[0][0], f.class, f.a, f.b)
	} else {
		b.WriteString("    status: free\n")
	}
	if len(m.facts) == 0 {
		b.WriteString("    near: []\n")
		return
	}
	b.WriteString("    near:\n")
	for _, f := range m.facts {
		fmt.Fprintf(b, "      - {class: %s, pair: [%s, %s], within: %s, touch: %s, least: %.4f, at: %.3f}\n",
			f.class, f.a, f.b, spans(f.within), spans(f.touch), f.distance, f.leastAt)
	}
}

func spans(ss [][2]float64) string {
	var xs []string
	for _, s := range ss {
		xs = append(xs, fmt.Sprintf("[%.4f, %.4f]", s[0], s[1]))
	}
	return "[" + strings.Join(xs, ", ") + "]"
}
