package search

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/selfcollision/cover"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func TestTry(t *testing.T) {
	f := os.Getenv("TRY")
	if f == "" {
		t.Skip()
	}
	n := 8
	r, err := urdf.Load("../../../../shared/robots/"+f, urdf.Options{})
	if err != nil {
		t.Skip(err)
	}
	var sum, n2 float64
	for i := range r.Links {
		if w := os.Getenv("LINK"); w != "" && !strings.Contains(r.Links[i].Name, w) {
			continue
		}
		b, err := cover.NewBody(&r.Links[i])
		if err != nil {
			t.Fatal(err)
		}
		if b.Empty() {
			continue
		}
		for _, st := range []Strategy{Medial, Clusters} {
			t0 := time.Now()
			s := newSample(b, densityFor(Options{Balls: n}), false, randomOf(1))
			t1 := time.Now()
			var cs []site
			if st == Medial {
				cs = s.medial(n)
			} else {
				cs = s.clusters(n)
			}
			t2 := time.Now()
			_, most, _ := s.assign(cs)
			balls := s.tighten(cs)
			t3 := time.Now()
			var before float64
			for i := range balls {
				before += balls[i].Radius
			}
			p, err := s.prove(context.Background(), Options{}, balls)
			t4 := time.Now()
			if err != nil {
				t.Log(err)
			}
			for i := range balls {
				before -= balls[i].Radius
			}
			e, _ := b.Excess(context.Background(), balls, cover.ExcessOptions{})
			t5 := time.Now()
			m := b.Sample(context.Background(), balls, 5000, 1)
			t6 := time.Now()
			t.Logf("%-28s %-8s %d balls pts %d pieces %d sites %d open %d goal %.4f excess %.4f..%.4f vol %.3f±%.3f mean %.4f proof %v grown %.2g | sample %v search %v tighten %v prove %v excess %v mc %v", b.Link, st, len(balls), len(s.points), len(s.pieces), len(s.sites), b.Open, most, e.Lower, e.Upper, m.Ratio.Mean, m.Ratio.Error, m.Excess.Mean, p, -before,
				t1.Sub(t0).Round(time.Millisecond), t2.Sub(t1).Round(time.Millisecond), t3.Sub(t2).Round(time.Millisecond), t4.Sub(t3).Round(time.Millisecond), t5.Sub(t4).Round(time.Millisecond), t6.Sub(t5).Round(time.Millisecond))
			sum += e.Upper
			n2++
		}
	}
	t.Log(sum / n2)
}
