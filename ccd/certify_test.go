package ccd

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// certified checks a motion, and verifies the proof where it is free.
func certified(t *testing.T, c *Checker, m *motion.Motion, q motion.Query) (v motion.Verdict, text []byte, r *verify.Report, took time.Duration) {
	t.Helper()
	var buf bytes.Buffer
	v, err := c.Certify(context.Background(), m, q, &buf)
	if err != nil {
		t.Fatal(err)
	}
	if v.Status != motion.Free {
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

// Every proof of the engine in random scenes is verified: with mimic joints, padding,
// clearance, tubes, attached objects and root links that move; and none of those
// that were made false.
func TestCertifyRandomScenes(t *testing.T) {
	race.LeaveOut(t)
	var free, planes, items, dropped, needless int
	for i := range long(100) {
		d := dice{chance.New(23, uint64(i))}
		robot, world := d.rooted(), d.world()
		if d.IntN(2) == 0 {
			tool := object("tool", d.shape(0.05), d.Pose(0.1))
			tool.AttachedTo = robot.Links[d.IntN(len(robot.Links))].Name
			world.Objects = append(world.Objects, tool)
		}
		opts := Options{}
		if d.IntN(2) == 0 {
			opts.Padding = d.In(0, 0.02)
		}
		if d.IntN(2) == 0 && len(world.Objects) > 2 {
			opts.Allowed = [][2]string{{"link0", "object0"}}
		}
		c, err := New(robot, world, opts)
		if err != nil {
			t.Fatal(err)
		}
		joints := c.ActiveJoints()
		if len(joints) > 1 && d.IntN(3) == 0 {
			joints = joints[1:] // the first is held
		}
		m := d.motion(joints)
		if d.IntN(3) == 0 {
			m = d.rootMotion(joints)
		}
		q := motion.Query{Question: motion.Question(d.IntN(3))}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.05)
		}
		if d.IntN(3) == 0 {
			q.Tube = d.tube(robot)
		}
		v, text, r, _ := certified(t, c, m, q)
		if v.Status != motion.Free || r == nil {
			continue
		}
		free++
		items += r.Items
		lines := bytes.SplitAfter(text, []byte("\n"))
		for range 20 {
			k := d.IntN(len(lines))
			if f := strings.Fields(string(lines[k])); len(f) > 5 && f[0] == "plane" {
				planes++
				for n := 3; n < 6; n++ {
					f[n] = flipped(f[n])
				}
				if refused(t, c, m, lines, k, strings.Join(f, " ")+"\n") == nil {
					t.Errorf("scene %d: verified with a plane turned round: %s", i, lines[k])
				}
			} else if len(f) > 5 && f[0] == "balls" {
				// Nothing is proved of an atom any more; another item may prove it too.
				dropped++
				if refused(t, c, m, lines, k, "plane "+f[1]+" "+f[1]+" 0 0 0\n") == nil {
					t.Errorf("scene %d: verified with an item about nothing", i)
				}
			}
		}
		// One item less, one item less in the count: only what was proved twice is still proved.
		k := slices.IndexFunc(lines, func(l []byte) bool { return bytes.HasPrefix(l, []byte("plane")) || bytes.HasPrefix(l, []byte("balls")) })
		end := fmt.Sprintf("end %d\n", r.Items-1)
		lines[len(lines)-3] = []byte(end) // before the sum
		dropped++
		if refused(t, c, m, lines, k, "") == nil {
			needless++
		}
	}
	t.Logf("%d free motions with %d items; %d planes turned round; of %d items left out %d were needless", free, items, planes, dropped, needless)
	if free < long(100)/5 || planes < free || needless > dropped/4 {
		t.Errorf("the test is one-sided: %d free, %d planes, %d of %d items needless", free, planes, needless, dropped)
	}
}

func flipped(x string) string {
	if y, ok := strings.CutPrefix(x, "-"); ok {
		return y
	}
	return "-" + x
}

// refused verifies the lines with another one at k.
func refused(t *testing.T, c *Checker, m *motion.Motion, lines [][]byte, k int, line string) error {
	t.Helper()
	changed := slices.Clone(lines)
	changed[k] = []byte(line)
	_, err := verify.Verify(context.Background(), c.Robot(), c.World(), m, bytes.NewReader(certificate.Seal(bytes.Join(changed, nil))), verify.Options{NoSelf: true, NoWorld: true})
	var r *verify.Refusal
	if err != nil && !errors.As(err, &r) {
		t.Errorf("not a refusal: %v", err)
	}
	return err
}

// Pairs that the query leaves out are left out of the proof, which says so.
func TestCertifySomePairs(t *testing.T) {
	robot := chainOf(
		chainJoint{name: "a", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: ball(0.1), at: pose(1, 0, 0)},
		chainJoint{name: "b", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: pose(2, 0, 0), shape: ball(0.1), at: geom.IdentityPose()},
	)
	robot.Semantic = &urdf.Semantic{}
	c := newChecker(t, robot, worldOf(object("wall", box(0.2, 2, 2), pose(-3, 0, 0))))
	m, err := motion.Between([]string{"a", "b"}, []float64{0, 0}, []float64{0.5, 0.1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []motion.Query{{NoSelf: true}, {NoWorld: true}} {
		var buf bytes.Buffer
		if v, err := c.Certify(context.Background(), m, q, &buf); err != nil || v.Status != motion.Free {
			t.Fatal(v.Status, err)
		}
		if _, err := verify.Verify(context.Background(), robot, c.World(), m, bytes.NewReader(buf.Bytes()), verify.Options{}); err == nil {
			t.Errorf("%+v: verified as if nothing were left out", q)
		}
		if _, err := verify.Verify(context.Background(), robot, c.World(), m, bytes.NewReader(buf.Bytes()), verify.Options{NoSelf: q.NoSelf, NoWorld: q.NoWorld}); err != nil {
			t.Errorf("%+v: %v", q, err)
		}
	}
	broken := errors.New("disk full")
	if _, err := c.Certify(context.Background(), m, motion.Query{}, failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a proof that cannot be written: %v", err)
	}
	if _, err := c.Certify(context.Background(), m, motion.Query{Clearance: -1}, io.Discard); err == nil {
		t.Error("a question that makes no sense is answered")
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// Proofs of real robots are verified: among random obstacles, from their state
// towards random configurations, with and without SRDF. FIRSTCONTACT_LONG takes
// all robots, and more motions.
func TestCertifyRobots(t *testing.T) {
	robots, motions := []string{"panda", "anymal_c"}, 6
	if switches.Long.Set() {
		robots, motions = append(robots, "ur5e", "open_manipulator", "fanuc", "iiwa14", "kinova_gen3", "nextage", "g1", "h1", "romeo", "abb_irb2400", "dual_panda", "allegro_hand", "simple_humanoid"), 12
	}
	for _, name := range robots {
		t.Run(name, func(t *testing.T) {
			file, srdf := filepath.Join("../../shared/robots", name, name+".urdf"), filepath.Join("../../shared/robots", name, name+".srdf")
			if _, err := os.Stat(srdf); err != nil {
				srdf = ""
			}
			robot := loadRobot(t, file, srdf)
			var free, items, size int
			var compute, took time.Duration
			for i := range motions {
				d := dice{chance.New(29, uint64(i))}
				world := d.world()
				for k := range world.Objects {
					world.Objects[k].PoseWS.P = geom.Vec{X: d.In(-2, 2), Y: d.In(-2, 2), Z: d.In(0, 2)}
				}
				c := newChecker(t, robot, world)
				var joints []string
				for _, j := range c.ActiveJoints() {
					if robot.Joint(j) >= 0 {
						joints = append(joints, j)
					}
				}
				m, err := motion.Between(joints, d.within(c, joints, 0), d.within(c, joints, [...]float64{0.03, 0.1, 0.3}[i%3]), 1)
				if err != nil {
					t.Fatal(err)
				}
				v, text, r, verifying := certified(t, c, m, motion.Query{Question: motion.IsFree})
				if v.Status != motion.Free || r == nil {
					continue
				}
				free++
				items, size, compute, took = items+r.Items, size+len(text), compute+v.Compute, took+verifying
			}
			if free == 0 {
				t.Fatal("no motion is free")
			}
			n := time.Duration(free)
			t.Logf("%d of %d motions free; each %d items, %d bytes, %v to prove, %v to verify", free, motions, items/free, size/free, compute/n, took/n)
		})
	}
}

// The engine's proofs of the comparison corpus are verified: of a few segments, or
// with FIRSTCONTACT_LONG of all.
func TestCertifyCorpus(t *testing.T) {
	const dir = "../../shared/peers/corpus/"
	all := switches.Long.Set()
	for _, set := range []struct {
		scene, segments string
		some            int // motions, where not all
	}{
		{"panda_shelf", "panda_shelf.local", 3},
		{"panda_shelf", "panda_shelf.long", 3},
		{"panda_pipes38k", "panda_pipes38k.local", 1},
		{"panda_pipes190k", "panda_pipes190k.local", 0},
		{"g1", "g1_moves_10hz", 0},
	} {
		if set.some == 0 && !all {
			continue
		}
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
			c, err := New(s.Robot, s.World, Options{Allowed: s.Rigid()})
			if err != nil {
				t.Fatal(err)
			}
			var free, items, size, zipped int
			var took, compute time.Duration
			some := set.some
			if all {
				some = len(motions)
			}
			for i := 0; i < len(motions); i += 1 + (len(motions)-1)/some {
				v, text, r, d := certified(t, c, motions[i], motion.Query{Question: motion.IsFree})
				if v.Status != motion.Free || r == nil {
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
