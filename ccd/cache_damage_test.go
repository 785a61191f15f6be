package ccd

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// questionnaire is the humanoid in its room, motions of it, and questions about them.
type questionnaire struct {
	robot   *urdf.Robot
	world   *scene.Snapshot
	motions []*motion.Motion
	asked   []motion.Question
}

func newQuestionnaire(t *testing.T) *questionnaire {
	t.Helper()
	robot := humanoidRobot(t)
	world, err := scene.Load(humanoidDir+"obstacles.yaml", scene.Options{Robot: robot})
	if err != nil {
		t.Fatal(err)
	}
	q := &questionnaire{robot: robot, world: world, asked: []motion.Question{motion.FirstContact, motion.MinClearance}}
	c := q.checker(t, "")
	joints := c.ActiveJoints()
	for seed := range uint64(6) {
		d := dice{chance.New(seed, 23)}
		q.motions = append(q.motions, through(t, joints, [][]float64{d.within(c, joints, 0), d.within(c, joints, 0.3), d.within(c, joints, 0.6)}))
	}
	return q
}

func (q *questionnaire) checker(t *testing.T, folder string) *Checker {
	t.Helper()
	opts := anyRobot
	opts.Cache = folder
	c, err := New(q.robot, q.world, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answers are the verdicts of a checker with this cache.
func (q *questionnaire) answers(t *testing.T, folder string) (all []motion.Verdict) {
	t.Helper()
	c := q.checker(t, folder)
	for _, m := range q.motions {
		for _, question := range q.asked {
			all = append(all, ask(t, c, m, motion.Query{Question: question}))
		}
	}
	return all
}

// sameVerdicts are equal to the last bit, but for the time that they took.
var sameVerdicts = cmp.Options{cmpopts.IgnoreFields(motion.Verdict{}, "Compute"), cmpopts.EquateEmpty()}

func entriesIn(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d entries, %v", len(files), err)
	}
	slices.Sort(files)
	return files
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A cache that is cut short, changed, of another robot or of another version gives the verdicts that
// there are without a cache, to the last bit, and is whole again afterwards.
func TestDamagedCacheChangesNoVerdict(t *testing.T) {
	q := newQuestionnaire(t)
	want := q.answers(t, "")
	count := map[motion.Status]int{}
	for i := range want {
		count[want[i].Status]++
	}
	if count[motion.Free] == 0 || count[motion.Contact] == 0 {
		t.Fatalf("the motions are all of one sort: %v", count)
	}
	good, foreign := t.TempDir(), t.TempDir()
	if d := cmp.Diff(want, q.answers(t, good), sameVerdicts); d != "" {
		t.Fatalf("with an empty cache:\n%s", d)
	}
	lamp(t, Options{Cache: foreign})
	other := read(t, entriesIn(t, foreign)[0])
	damages := map[string]func(data []byte, i int) []byte{
		"as it is":   func(data []byte, _ int) []byte { return data },
		"empty":      func([]byte, int) []byte { return nil },
		"cut short":  func(data []byte, i int) []byte { return data[:len(data)*(i+1)/7] },
		"one byte":   func(data []byte, _ int) []byte { return data[:len(data)-1] },
		"longer":     func(data []byte, _ int) []byte { return append(data, 0) },
		"zeros":      func(data []byte, _ int) []byte { return make([]byte, len(data)) },
		"a bit":      func(data []byte, i int) []byte { data[(7919*(i+1))%len(data)] ^= 1 << (i % 8); return data },
		"the mark":   func(data []byte, _ int) []byte { return bytes.Replace(data, []byte("entry 1"), []byte("entry 0"), 1) },
		"of another": func([]byte, int) []byte { return other },
	}
	for name, damage := range damages {
		dir := t.TempDir()
		for i, file := range entriesIn(t, good) {
			at := filepath.Join(dir, filepath.Base(filepath.Dir(file)), filepath.Base(file))
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, damage(read(t, file), i), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, q.answers(t, dir), sameVerdicts); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		for i, file := range entriesIn(t, dir) {
			if !bytes.Equal(read(t, file), read(t, entriesIn(t, good)[i])) {
				t.Errorf("%s: entry %d was not made again", name, i)
			}
		}
	}
}

// Entries that are whole, with a right checksum, but belong to other meshes or say nonsense change
// no status and no time of contact: what they choose is measured again.
func TestForgedCacheChangesNoVerdict(t *testing.T) {
	q := newQuestionnaire(t)
	want := q.answers(t, "")
	good := t.TempDir()
	q.answers(t, good)
	var keys []cache.Key
	var payloads [][]byte
	for _, file := range entriesIn(t, good) {
		var k cache.Key
		if _, err := hex.Decode(k[:], []byte(filepath.Base(filepath.Dir(file))+filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
		data, ok := cache.Open(good).Load(k, 1<<30)
		if !ok {
			t.Fatalf("%s is no entry", file)
		}
		keys, payloads = append(keys, k), append(payloads, data)
	}
	r := chance.New(3, 23)
	for name, forge := range map[string]func(i int) []byte{
		"swapped": func(i int) []byte { return payloads[(i+1)%len(payloads)] },
		"empty":   func(int) []byte { return nil },
		"noise": func(i int) []byte {
			data := bytes.Clone(payloads[i])
			for k := range data {
				data[k] = byte(r.IntN(256))
			}
			return data
		},
		// The head and the lists' lengths stay, so that the plan is read.
		"some numbers": func(i int) []byte {
			data := bytes.Clone(payloads[i])
			for range 20 {
				data[64+r.IntN(len(data)-64)] ^= byte(1 << r.IntN(8))
			}
			return data
		},
	} {
		dir := t.TempDir()
		for i, k := range keys {
			cache.Open(dir).Save(k, forge(i))
		}
		got := q.answers(t, dir)
		for i := range want {
			w, g := &want[i], &got[i]
			if g.Status != w.Status || g.TOC.Lo > w.TOC.Hi || g.TOC.Hi < w.TOC.Lo {
				t.Errorf("%s, motion %d: %v at %v, without a cache %v at %v", name, i/len(q.asked), g.Status, g.TOC, w.Status, w.TOC)
			}
		}
	}
}

// Processes that fill and use one cache at the same time, while entries vanish, all give the verdicts
// that there are without one. Given a folder as an argument, this test is one of the processes.
func TestProcessesShareACache(t *testing.T) {
	q := newQuestionnaire(t)
	want := q.answers(t, "")
	if flag.NArg() == 1 {
		for range 4 {
			if d := cmp.Diff(want, q.answers(t, flag.Arg(0)), sameVerdicts); d != "" {
				t.Fatal(d)
			}
		}
		return
	}
	dir := t.TempDir()
	var all []*exec.Cmd
	for range 3 {
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", dir)
		c.Stdout, c.Stderr = new(strings.Builder), new(strings.Builder)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, c := range all {
			if err := c.Wait(); err != nil {
				t.Errorf("%v:\n%s%s", err, c.Stdout, c.Stderr)
			}
		}
	}()
	removed := 0
	for going := true; going; {
		select {
		case <-done:
			going = false
		default:
			files, _ := filepath.Glob(filepath.Join(dir, "*", "[0-9a-f]*"))
			for _, file := range files {
				if os.Remove(file) == nil {
					removed++
				}
			}
		}
	}
	if removed < 10 {
		t.Errorf("%d entries were removed, so that little was written", removed)
	}
}
