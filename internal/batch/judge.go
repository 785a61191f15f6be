package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Judge answers one question about motions of one robot in one world. Several goroutines may use it.
type Judge struct {
	setting setting.Setting
	query   motion.Query

	robot, srdf, world string   // sums
	said               sync.Map // text by rests
	kept               atomic.Int64
}

// NewJudge returns a judge.
func NewJudge(s setting.Setting, q motion.Query) *Judge {
	q.Workers = 1
	j, c := &Judge{setting: s, query: q}, s.Checker
	j.robot, j.srdf = text(digest.Robot(c.Robot())), text(digest.Semantic(c.Robot()))
	j.world = text(digest.Scene(c.World()))
	return j
}

// Setting returns what holds for all motions.
func (j *Judge) Setting() *setting.Setting { return &j.setting }

// identity is all that verdicts of the judge depend on, as text: what the sums leave out, too, such as limits, gaps and
// the pairs that are left out.
func (j *Judge) identity() string {
	var b strings.Builder
	checker := j.setting.Checker
	robot, world := checker.Robot(), checker.World()
	fmt.Fprintf(&b, "%s %s %s\n%+v\n%v %v\n", j.robot, j.srdf, j.world, j.query, j.setting.State, j.setting.Scene)
	for i := range robot.Joints {
		fmt.Fprintf(&b, "%q %+v\n", robot.Joints[i].Name, robot.Joints[i].Limit)
	}
	fmt.Fprintf(&b, "%+v\n%+v\n%v\n", robot.Gaps, checker.Premises(), checker.State())
	if world != nil {
		fmt.Fprintf(&b, "%+v %q %q\n", world.Gaps, world.Absent, world.PlacedBy)
	}
	if p := checker.Pairs().Proofs; p != nil {
		known := *p
		known.Took = 0
		fmt.Fprintf(&b, "%+v\n", known)
	}
	return b.String()
}

// Sums returns the SHA-256 of robot, SRDF and scene, in hexadecimal, and of all else that verdicts of the judge depend on.
func (j *Judge) Sums() [4]string {
	return [4]string{j.robot, j.srdf, j.world, text(sha256.Sum256([]byte(j.identity())))}
}

func text(sum [32]byte) string { return hex.EncodeToString(sum[:]) }

// Row checks the i-th motion of a source, whose number in the batch is index. Bad input makes a row that is
// invalid; a panic one that is set aside. The second result is false if the context ended: the row is then no answer.
func (j *Judge) Row(ctx context.Context, src dataset.Source, i int, index int64, file string) (r Row, ok bool) {
	none := math.NaN()
	r = Row{
		Index: index, File: file, Episode: -1, RobotSum: j.robot, SRDFSum: j.srdf, SceneSum: j.world,
		TOCLo: none, TOCHi: none, ClearanceLo: none, ClearanceHi: none, ClearanceTime: none,
	}
	defer func() {
		if p := recover(); p != nil {
			r.Status, r.Message, ok = SetAside, fmt.Sprintf("the check failed: %v", p), true
		}
		if r.Motion == "" { // its reader gave it no name
			r.Motion = fmt.Sprintf("%s#%d", file, i)
		}
	}()
	l, err := src.Motion(i)
	if l.ID != "" {
		r.Motion, r.Episode = l.ID, int64(l.Episode)
	}
	if err == nil {
		r.MotionSum, r.Duration = text(digest.Motion(l.Motion)), l.Motion.Duration()
		err = j.answer(ctx, &l, &r)
	}
	if ctx.Err() != nil {
		return r, false
	}
	if err != nil {
		r.Status, r.Message = Invalid, err.Error()
		r.Premises = strings.Join(l.Premises, "\n")
	}
	return r, true
}

// answer fills in the row.
func (j *Judge) answer(ctx context.Context, l *dataset.Loaded, r *Row) error {
	c, notes, err := j.setting.CheckerOf(&l.Loaded)
	if err != nil {
		return err
	}
	if c.World() != j.setting.Checker.World() {
		r.SceneSum = text(digest.Scene(c.World()))
	}
	v, touch, err := c.CheckMargin(ctx, l.Motion, j.query)
	if err != nil {
		return err
	}
	shown, status := &v, v.Status.String()
	if touch != nil {
		status = "clearance"
		if touch.Status == motion.Contact {
			shown, status = touch, "contact"
		}
	}
	r.Status, r.Message, r.ProvenUntil = status, shown.Reason, shown.ProvenUntil
	if j.query.Question == motion.IsFree && shown.Status == motion.Contact {
		r.ProvenUntil = 0 // which contact is found, and how far the proof came, may differ from run to run
	} else if shown.Status == motion.Contact {
		p := shown.Contact.Pair
		r.TOCLo, r.TOCHi, r.PairA, r.PairB = shown.TOC.Lo, shown.TOC.Hi, p.A.Name, p.B.Name
		if r.Scope = "self"; p.World() {
			r.Scope = "world"
		}
	}
	if m := &v.MinClearance; m.Known {
		r.ClearanceLo, r.ClearanceHi = m.Bounds.Lo, m.Bounds.Hi
		if !m.Beyond {
			r.ClearanceTime, r.ClosestA, r.ClosestB = m.At.Time, m.At.Pair.A.Name, m.At.Pair.B.Name
		}
	}
	r.AssumedPairs, r.ProvenPairs = int64(v.AssumedPairs), int64(v.ProvenPairs)
	r.Held, r.Beyond = strings.Join(v.Held, ","), strings.Join(v.BeyondLimits, ",")
	r.Premises = j.premises(l.Premises, v.Premises)
	for _, f := range c.Plausible().Motion(l.Motion) {
		notes = append(notes, f.String())
	}
	r.Warnings = strings.Join(append(notes, l.Warnings...), "\n")
	return nil
}

// unchecked says what the question left out.
func (j *Judge) unchecked() (out []string) {
	if j.query.NoSelf {
		out = append(out, "the robot with itself is not checked (--no-self)")
	}
	if j.query.NoWorld {
		out = append(out, "the robot with the world is not checked (--no-world)")
	}
	return out
}

// rests is the premises of many motions, which share two lists.
type rests struct {
	reader  *string
	verdict *premise.Premise
	readers int
	count   int
}

// maxKept bounds the texts that are remembered: motions whose premises are their own would fill the memory.
const maxKept = 64

// premises joins what the reader and the verdict rest on. Motions of one file share the lists, so the text is
// made once.
func (j *Judge) premises(reader []string, verdict []premise.Premise) string {
	key := rests{readers: len(reader), count: len(verdict)}
	if len(reader) > 0 {
		key.reader = &reader[0]
	}
	if len(verdict) > 0 {
		key.verdict = &verdict[0]
	}
	if said, ok := j.said.Load(key); ok {
		return said.(string)
	}
	lines := append(j.unchecked(), reader...)
	for i := range verdict {
		lines = append(lines, verdict[i].String())
	}
	said := strings.Join(lines, "\n")
	if j.kept.Add(1) <= maxKept { // the key keeps the lists alive, so their addresses stay theirs
		j.said.Store(key, said)
	}
	return said
}
