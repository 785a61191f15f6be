package ccd_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/ccd/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/internal/corpus"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// certified checks a motion, and verifies the proof where it is free.
func certified(t *testing.T, c *ccd.Checker, m *ccd.Motion, q ccd.Query) (v ccd.Verdict, text []byte, r *verify.Report, took time.Duration) {
	t.Helper()
	var buf bytes.Buffer
	v, err := c.Certify(context.Background(), m, q, &buf)
	if err != nil {
		t.Fatal(err)
	}
	if v.Status != ccd.Free {
		if buf.Len() > 0 {
			t.Errorf("a proof is written of %v", v.Status)
		}
		return v, nil, nil, 0
	}
	begin := time.Now()
	r, err = verify.Verify(context.Background(), c.Robot(), c.World(), m, bytes.NewReader(buf.Bytes()), verify.Options{Clearance: q.Clearance})
	if err != nil {
		t.Errorf("motion %s: %v", m.ID, err)
	}
	return v, buf.Bytes(), r, time.Since(begin)
}

func TestCertifyCorpus(t *testing.T) {
	const dir = "../../shared/peers/corpus/"
	for _, set := range []struct {
		scene, segments string
		noWorld         bool
	}{
		{"panda_shelf", "panda_shelf.local", false},
		{"panda_shelf", "panda_shelf.long", false},
		{"panda_pipes38k", "panda_pipes38k.local", false},
		{"g1", "g1_moves_10hz", true},
	} {
		t.Run(set.segments, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(dir, set.segments+".segs")); err != nil {
				t.Skip("the corpus is not here: ", err)
			}
			s, err := corpus.Load(dir + set.scene + ".scene")
			if err != nil {
				t.Fatal(err)
			}
			motions, err := s.Segments(dir + set.segments + ".segs")
			if err != nil {
				t.Fatal(err)
			}
			c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
			if err != nil {
				t.Fatal(err)
			}
			var free, items, size, zipped int
			var took, compute time.Duration
			some := 4
			if os.Getenv("FIRSTCONTACT_LONG") != "" {
				some = len(motions)
			}
			for i := 0; i < len(motions); i += 1 + (len(motions)-1)/some {
				v, text, r, d := certified(t, c, motions[i], ccd.Query{Question: motion.IsFree})
				if v.Status != ccd.Free || r == nil {
					continue
				}
				free++
				items += r.Items
				size += len(text)
				zipped += zip(t, text)
				took += d
				compute += v.Compute
			}
			if free == 0 {
				t.Fatal("no motion was free")
			}
			t.Logf("%d free motions; each %d items, %d bytes, %d compressed; %v to prove, %v to verify",
				free, items/free, size/free, zipped/free, compute/time.Duration(free), took/time.Duration(free))
		})
	}
}

func zip(t *testing.T, text []byte) int {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Len()
}
