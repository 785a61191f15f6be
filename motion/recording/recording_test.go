package recording_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion/recording"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// message is a JointState: its stamp in milliseconds, joints named by single letters.
type message struct {
	at    int64
	names string
	pos   []float64
}

func record(t *testing.T, opts recording.Options, messages ...message) (*recording.Recorded, error) {
	t.Helper()
	b := recording.New(opts)
	for _, m := range messages {
		if err := b.Add(m.at*1e6, strings.Split(m.names, ""), m.pos); err != nil {
			return nil, err
		}
	}
	return b.Motion()
}

func recorded(t *testing.T, opts recording.Options, messages ...message) *recording.Recorded {
	t.Helper()
	out, err := record(t, opts, messages...)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Motion.Validate(); err != nil {
		t.Fatal(err)
	}
	return out
}

func gapsOf(r *recording.Recorded) (out []premise.Premise) {
	for _, p := range r.Motion.Gaps {
		if p.IsGap() {
			out = append(out, p)
		}
	}
	return out
}

// Two publishers measure a part of the robot each, at times of their own.
func TestPublishersAreMergedByJoint(t *testing.T) {
	r := recorded(t, recording.Options{},
		message{1000, "ab", []float64{0, 1}},
		message{1005, "c", []float64{5}},
		message{1010, "ab", []float64{1, 2}},
		message{1015, "c", []float64{6}},
		message{1020, "ba", []float64{3, 4}},
	)
	if got := r.Motion.Joints; !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Fatalf("joints %v", got)
	}
	if r.Start != 1005e6 || r.Motion.Duration() != 0.010 {
		t.Errorf("starts at %d ns and lasts %g s: want the time that all joints are measured", r.Start, r.Motion.Duration())
	}
	for at, want := range map[float64][]float64{
		0: {0.5, 1.5, 5}, 0.005: {1, 2, 5.5}, 0.010: {2.5, 2.5, 6},
	} {
		if got := r.Motion.At(at); !near(got, want) {
			t.Errorf("at %g s: %v, want %v", at, got, want)
		}
	}
	if g := gapsOf(r); len(g) != 0 {
		t.Errorf("gaps %v", g)
	}
	if p := r.Motion.Gaps[0]; p.Kind != premise.BetweenSamples || p.Value != 0.010 || !strings.Contains(p.Detail, "straight lines") {
		t.Errorf("premise %v of %g s", p, p.Value)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

func TestOrderAndRepetitions(t *testing.T) {
	r := recorded(t, recording.Options{},
		message{10, "a", []float64{1}}, message{0, "a", []float64{0}}, message{20, "a", []float64{2}},
		message{20, "a", []float64{2}}, message{15, "a", []float64{math.NaN()}})
	if len(r.Motion.Pieces) != 2 || r.Motion.At(0.010)[0] != 1 {
		t.Errorf("pieces %v", r.Motion.Pieces)
	}
	text := strings.Join(r.Notes, "\n")
	for _, want := range []string{"velocities and efforts are not used", "1 measured positions came out of order", "1 measured positions repeat", "a (1)"} {
		if !strings.Contains(text, want) {
			t.Errorf("notes %q do not say %q", text, want)
		}
	}
}

func TestRefused(t *testing.T) {
	nan := []float64{math.NaN()}
	for _, c := range []struct {
		name     string
		opts     recording.Options
		messages []message
		want     string
	}{
		{"nothing", recording.Options{}, nil, "no joint states"},
		{"no positions", recording.Options{}, []message{{0, "a", nil}, {10, "a", nil}}, "measures no position"},
		{"only NaN", recording.Options{}, []message{{0, "a", nan}, {10, "a", nan}}, "measures no position"},
		{"counts", recording.Options{}, []message{{0, "ab", []float64{1}}}, "1 positions for 2 names"},
		{"twice", recording.Options{}, []message{{0, "aa", []float64{1, 2}}}, "a twice"},
		{"twice, far behind", recording.Options{Joints: []string{"a"}}, []message{{0, strings.Repeat("x", 70) + "aa", append(make([]float64, 70), 1, math.NaN())}}, "a twice"},
		{"beyond", recording.Options{}, []message{{0, "a", []float64{1e7}}}, "joint a is 1e+07"},
		{"contradiction", recording.Options{}, []message{{0, "a", []float64{1}}, {0, "a", []float64{2}}, {1, "a", []float64{2}}}, "joint a is at 1 and at 2 at the same time"},
		{"no stamps", recording.Options{}, []message{{0, "a", []float64{1}}, {0, "b", []float64{2}}}, "all 2 messages have the stamp 0.000000000 s"},
		{"restart", recording.Options{}, []message{{5000, "a", []float64{1}}, {0, "a", []float64{2}}}, "jumps back from 5.000000000 to 0.000000000 s"},
		{"stamp not set", recording.Options{}, []message{{0, "a", []float64{1}}, {1.7e12, "a", []float64{2}}}, "spans 19676 days"},
		{"before zero", recording.Options{}, []message{{-1, "a", []float64{1}}}, "before zero"},
		{"once", recording.Options{}, []message{{0, "a", []float64{1}}}, "joint a is measured once only"},
		{"never both", recording.Options{}, []message{{0, "a", []float64{1}}, {1, "a", []float64{1}}, {2, "b", []float64{1}}, {3, "b", []float64{1}}}, "joint a is measured until 0.001000000 s and joint b from 0.002000000 s on"},
		{"chosen", recording.Options{Joints: []string{"a", "x"}}, []message{{0, "ab", []float64{1, 2}}, {1, "ab", []float64{1, 2}}}, "no position of x: choose among a"},
		{"longest gap", recording.Options{MaxGap: math.NaN()}, []message{{0, "a", []float64{1}}, {1, "a", []float64{2}}}, "longest gap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := record(t, c.opts, c.messages...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestChosenJoints(t *testing.T) {
	r := recorded(t, recording.Options{Joints: []string{"b"}}, message{0, "ab", []float64{math.NaN(), 2}}, message{10, "ab", []float64{1e9, 3}})
	if !slices.Equal(r.Motion.Joints, []string{"b"}) || len(gapsOf(r)) != 0 {
		t.Errorf("joints %v, gaps %v", r.Motion.Joints, gapsOf(r))
	}
}

// steady are messages of the joints every 10 ms within [from, to) ms.
func steady(names string, from, to int64) (out []message) {
	for at := from; at < to; at += 10 {
		out = append(out, message{at, names, make([]float64, len(names))})
	}
	return out
}

// contradicting are messages of two publishers, the second one so many milliseconds and so many
// radians after the first.
func contradicting(after int64, apart float64) (out []message) {
	for i := range int64(20) {
		out = append(out, message{50 * i, "a", []float64{0.3}}, message{50*i + after, "a", []float64{0.3 + apart}})
	}
	return out
}

// waving is a joint that goes to and fro with 50 rad/s², sampled each time it turns back.
func waving() (out []message) {
	for i := range int64(20) {
		out = append(out, message{100 * i, "a", []float64{0.25 * float64(i%2)}})
	}
	return out
}

func TestGaps(t *testing.T) {
	for _, c := range []struct {
		name     string
		opts     recording.Options
		messages []message
		joint    string // of the gap; empty for none
		begin    float64
		says     string
	}{
		{"steady", recording.Options{}, steady("a", 0, 1000), "", 0, ""},
		{"a hiccup of the recorder", recording.Options{}, append(steady("a", 0, 500), steady("a", 590, 1000)...), "", 0, ""},
		{"a pause", recording.Options{}, append(steady("a", 0, 500), steady("a", 800, 1000)...), "a", 0.49, "1 times, at most 0.31 s"},
		{"a pause that is relied on", recording.Options{MaxGap: 0.31}, append(steady("a", 0, 500), steady("a", 800, 1000)...), "", 0, ""},
		{"a pause of one publisher", recording.Options{}, slices.Concat(steady("a", 0, 1000), steady("b", 0, 500), steady("b", 800, 1000)), "b", 0.49, "joint b"},
		{"starts late", recording.Options{}, slices.Concat(steady("a", 0, 1000), steady("b", 200, 1000)), "b", 0, "before it was first measured, 0.2 s after"},
		{"starts a little late", recording.Options{}, slices.Concat(steady("a", 0, 1000), steady("b", 90, 1000)), "", 0, ""},
		{"ends early", recording.Options{}, slices.Concat(steady("a", 0, 1000), steady("b", 0, 500)), "b", 0.49, "after it was last measured, 0.5 s before"},
		{"once a second", recording.Options{}, []message{{0, "a", []float64{0}}, {1001, "a", []float64{0}}}, "a", 0, "1 times"},
		{"stamps that run back", recording.Options{}, append(steady("a", 0, 100), message{85, "a", []float64{1}}), "a", 0, "run back"},
		{"two publishers", recording.Options{}, append(steady("ab", 0, 100), message{95, "a", []float64{1}}), "a", 0, "two publishers"},
		{"two publishers of the same joints", recording.Options{}, contradicting(25, 0.9), "a", 0, "contradict each other"},
		{"two publishers, shortly after each other", recording.Options{}, contradicting(1, 0.1), "a", 0, "contradict each other"},
		{"two publishers, more than half a turn apart", recording.Options{}, contradicting(25, 4), "a", 0, "contradict each other"},
		{"a whole turn apart", recording.Options{}, contradicting(25, 6.2832), "", 0, ""},
		{"two publishers that agree", recording.Options{}, contradicting(1, 0.001), "", 0, ""},
		{"to and fro, as fast as robots are", recording.Options{}, waving(), "", 0, ""},
		{"never", recording.Options{}, append(steady("a", 0, 100), message{50, "x", nil}), "x", 0, "never measured"},
	} {
		t.Run(c.name, func(t *testing.T) {
			gaps := gapsOf(recorded(t, c.opts, c.messages...))
			if c.joint == "" {
				if len(gaps) != 0 {
					t.Fatalf("gaps %v", gaps)
				}
				return
			}
			if len(gaps) != 1 || gaps[0].Kind != premise.RecordingGap || gaps[0].Names[0] != c.joint || math.Abs(gaps[0].Value-c.begin) > 1e-9 {
				t.Fatalf("gaps %v, want of %s from %g s on", gaps, c.joint, c.begin)
			}
			if !strings.Contains(gaps[0].Detail, c.says) || gaps[0].Remedy == "" {
				t.Errorf("gap %q does not say %q", gaps[0].Detail, c.says)
			}
		})
	}
}

// A joint that turns across pi goes the short way also where another joint is measured in
// between; the point there lies on that way.
func TestShortWayBetweenSamples(t *testing.T) {
	messages := []message{
		{0, "a", []float64{3.1}}, {0, "b", []float64{0}}, {10, "b", []float64{1}}, {20, "a", []float64{-3.1}}, {20, "b", []float64{0}},
	}
	r := recorded(t, recording.Options{Continuous: map[string]bool{"a": true}}, messages...)
	if got := r.Motion.At(0.010)[0]; math.Abs(got-math.Pi) > 1e-12 {
		t.Errorf("half way at %g, want pi", got)
	}
	if len(gapsOf(r)) != 0 || r.Motion.KeepTurns {
		t.Errorf("gaps %v, keeps turns %v", gapsOf(r), r.Motion.KeepTurns)
	}
	r = recorded(t, recording.Options{Continuous: map[string]bool{"a": false}}, messages...)
	if got := r.Motion.At(0.010)[0]; math.Abs(got) > 1e-12 || len(gapsOf(r)) != 0 {
		t.Errorf("a revolute joint half way at %g, want 0; gaps %v", got, gapsOf(r))
	}
	r = recorded(t, recording.Options{}, messages...)
	if g := gapsOf(r); len(g) != 1 || g[0].Names[0] != "a" || !strings.Contains(g[0].Detail, "half a turn") {
		t.Errorf("a joint of unknown kind: gaps %v", g)
	}
}

// The motion goes through every sample within it, whatever the order of messages and
// however they are divided.
func TestThroughEverySample(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 14))
		var messages []message
		for range 2 + rng.IntN(40) {
			names := []string{"a", "b", "c", "ab", "ca", "abc"}[rng.IntN(6)]
			pos := make([]float64, len(names))
			for i := range pos {
				pos[i] = math.Round(rng.NormFloat64()*1000) / 1000
			}
			messages = append(messages, message{int64(rng.IntN(900)), names, pos})
		}
		r, err := record(t, recording.Options{Continuous: map[string]bool{"a": false, "b": false, "c": false}}, messages...)
		if err != nil {
			continue
		}
		if err := r.Motion.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			at := float64(m.at*1e6-r.Start) / 1e9
			if at < 0 || at > r.Motion.Duration() {
				continue
			}
			for i, name := range strings.Split(m.names, "") {
				got := r.Motion.At(at)[slices.Index(r.Motion.Joints, name)]
				if math.Abs(got-m.pos[i]) > 1e-9 {
					t.Fatalf("seed %d: joint %s at %g s is %g, measured %g", seed, name, at, got, m.pos[i])
				}
			}
		}
	}
}

func FuzzBuilder(f *testing.F) {
	f.Add(uint64(1), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		b := recording.New(recording.Options{})
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, c := range data[:min(len(data), 200)] {
			names := []string{"a", "b", "c"}[:c%4%3+1]
			pos := []float64{rng.NormFloat64(), float64(c), math.Float64frombits(rng.Uint64())}[:len(names)]
			if b.Add(int64(c>>2)*1e7*int64(1+rng.IntN(3)), names, pos) != nil {
				return
			}
		}
		r, err := b.Motion()
		if err != nil {
			return
		}
		if err := r.Motion.Validate(); err != nil && r.Motion != nil {
			t.Fatal(err)
		}
		if r.Motion.Gaps[0].Kind != premise.BetweenSamples {
			t.Fatal("without its premise")
		}
	})
}
