package live

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
)

// View is what a client sees at a time.
type View struct {
	Model      uint64             `json:"model"` // number of the model that /model has; 0: none
	Remark     string             `json:"remark"`
	Positions  map[string]float64 `json:"positions"`  // of joints, rad or m: as measured, no old ones
	Unmeasured int                `json:"unmeasured"` // joints of the model without a position
	State      *State             `json:"state"`      // nil before the first
	Verdicts   []Verdict          `json:"verdicts"`   // the newest last
}

// State is the node's state.
type State struct {
	Level     string   `json:"level"`
	Reason    string   `json:"reason"`
	Age       float64  `json:"age"`   // s since it arrived here
	Lower     *float64 `json:"lower"` // m; null: not proved
	Upper     *float64 `json:"upper"`
	Until     *float64 `json:"until"` // s to contact, not earlier; null: not known, or none within the horizon
	Clear     bool     `json:"clear"` // proved: no contact within the horizon
	Horizon   float64  `json:"horizon"`
	Checked   uint64   `json:"checked"`   // motions
	Unchecked uint64   `json:"unchecked"` // motions
	Pairs     []Pair   `json:"pairs"`
	Decided   *Pair    `json:"decided"` // the pair that the level is by; null: none
	Notes     []string `json:"notes"`   // what it rests on, and what makes it doubtful
	ModelHash string   `json:"model_hash"`
	SceneHash string   `json:"scene_hash"`
}

// Pair is two bodies and their distance.
type Pair struct {
	Names  [2]string  `json:"names"`
	Lower  *float64   `json:"lower"`
	Upper  *float64   `json:"upper"`
	A      [3]float64 `json:"a"` // m, in the frame of the root link
	B      [3]float64 `json:"b"`
	Normal [3]float64 `json:"normal"`
	Remark string     `json:"remark"` // why it does or does not decide the level, where that is not plain
}

// Verdict is the answer about a motion.
type Verdict struct {
	Number  uint64    `json:"number"` // counts those that came
	ID      string    `json:"id"`
	Status  string    `json:"status"`
	Message string    `json:"message"`
	Toc     *float64  `json:"toc"` // s
	Until   float64   `json:"until"`
	Length  float64   `json:"length"`
	Names   [2]string `json:"names"`
	Notes   []string  `json:"notes"` // what it rests on, and warnings
	Age     float64   `json:"age"`   // s since it came
	Other   bool      `json:"other"` // it is about another model or scene than the state

	came         time.Time
	model, scene string // hashes
}

// Silence is how old a state may be. What is older says nothing of now.
const Silence = 2 * time.Second

// Standing returns the level to show and the reason: UNKNOWN where no state has come, or none for
// so long that it says nothing of now.
func (v *View) Standing() (level, reason string) {
	switch {
	case v.State == nil:
		return "UNKNOWN", "No state has come yet."
	case !(v.State.Age < Silence.Seconds()):
		return "UNKNOWN", fmt.Sprintf("The node has said nothing for %.0f s: what is shown is old.", v.State.Age)
	}
	return v.State.Level, v.State.Reason
}

// Texts of others and lists are bounded, whatever is published.
const (
	maxText     = 400 // bytes
	maxPairs    = 10
	maxVerdicts = 20
	maxJoints   = 1000
)

var levels = map[uint8]string{
	fcmsgs.CollisionStateFree: "FREE", fcmsgs.CollisionStateWarn: "WARN", fcmsgs.CollisionStateStop: "STOP", fcmsgs.CollisionStateCollision: "COLLISION",
}

var statuses = map[uint8]string{
	fcmsgs.VerdictFree: "FREE", fcmsgs.VerdictContact: "CONTACT", fcmsgs.VerdictClearance: "CLEARANCE", fcmsgs.VerdictInvalid: "INVALID",
}

// named returns the name of a constant; what is unknown is never good news.
func named(names map[uint8]string, x uint8, otherwise string) string {
	if name, ok := names[x]; ok {
		return name
	}
	return otherwise
}

// Board keeps the newest state and verdicts. Who posts never waits for who reads: both only copy.
// The zero value is ready to use.
type Board struct {
	mu       sync.Mutex
	state    *fcmsgs.CollisionState
	notes    []string // of it
	came     time.Time
	verdicts []Verdict
	count    uint64
}

// State posts a state. It retains no list of it.
func (b *Board) State(m *fcmsgs.CollisionState) {
	kept := *m
	kept.ClosestPairs = slices.Clone(m.ClosestPairs[:min(len(m.ClosestPairs), maxPairs)])
	notes := notesOfState(m)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state, b.notes, b.came = &kept, notes, time.Now()
}

// stateOf is a state as clients see it.
func stateOf(m *fcmsgs.CollisionState) *State {
	s := &State{
		Level: named(levels, m.Level, "UNKNOWN"), Reason: clean(m.Reason), Lower: number(m.DistanceLower), Upper: number(m.DistanceUpper),
		Until: number(m.TimeToContact), Clear: math.IsInf(m.TimeToContact, 1), Horizon: finite(m.Horizon), Checked: m.MotionsChecked, Unchecked: m.MotionsUnchecked,
		Pairs: []Pair{}, ModelHash: clean(m.ModelHash), SceneHash: clean(m.SceneHash),
	}
	for i := range m.ClosestPairs {
		p := &m.ClosestPairs[i]
		s.Pairs = append(s.Pairs, Pair{
			Names: names(&p.Pair), Lower: number(p.Lower), Upper: number(p.Upper),
			A: point(p.PointA), B: point(p.PointB), Normal: point(geometrymsgs.Point(p.Normal)),
		})
	}
	s.decide(m)
	return s
}

// Verdict posts a verdict. It retains nothing of it.
func (b *Board) Verdict(m *fcmsgs.Verdict) {
	v := Verdict{
		ID: clean(m.ID), Status: named(statuses, m.Status, "UNDECIDED"), Message: clean(m.Message), Until: finite(m.ProvenUntil), Length: finite(m.Duration),
		Notes: notesOfVerdict(m), came: time.Now(), model: clean(m.ModelHash), scene: clean(m.SceneHash),
	}
	if m.Status == fcmsgs.VerdictContact || m.Status == fcmsgs.VerdictClearance {
		v.Toc, v.Names = number(m.TOCUpper), names(&m.Pair)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	v.Number = b.count
	if len(b.verdicts) == maxVerdicts {
		b.verdicts = b.verdicts[1:]
	}
	b.verdicts = append(b.verdicts[:len(b.verdicts):len(b.verdicts)], v)
}

// View returns what is on the board, with positions of joints.
func (b *Board) View(positions map[string]float64) View {
	b.mu.Lock()
	state, notes, came, verdicts := b.state, b.notes, b.came, b.verdicts // which are replaced and never changed
	b.mu.Unlock()
	now := time.Now()
	v := View{Positions: make(map[string]float64, len(positions)), Verdicts: slices.Clone(verdicts)}
	if v.Verdicts == nil {
		v.Verdicts = []Verdict{} // in JSON never null
	}
	for name, x := range positions {
		if len(v.Positions) < maxJoints && len(name) <= maxText && number(x) != nil {
			v.Positions[name] = x
		}
	}
	for i := range v.Verdicts {
		v.Verdicts[i].Age = now.Sub(v.Verdicts[i].came).Seconds()
	}
	if state != nil {
		v.State = stateOf(state)
		v.State.Notes, v.State.Age = notes, now.Sub(came).Seconds()
	}
	for i := range v.Verdicts {
		x := &v.Verdicts[i]
		x.Other = v.State == nil || x.model != v.State.ModelHash || x.scene != v.State.SceneHash
	}
	return v
}

func clean(s string) string { return oneline.Text(s, maxText) }

func names(p *fcmsgs.BodyPair) [2]string { return [2]string{clean(p.A.Name), clean(p.B.Name)} }

// number returns nil for what JSON does not have.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func finite(x float64) float64 {
	if number(x) == nil {
		return 0
	}
	return x
}

func point(p geometrymsgs.Point) [3]float64 { return [3]float64{finite(p.X), finite(p.Y), finite(p.Z)} }
