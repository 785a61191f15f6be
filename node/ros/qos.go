package ros

import (
	"fmt"
	"time"
)

// Reliability says whether lost samples are sent again.
type Reliability uint8

// Reliable is the default of ROS. A reliable reader does not match a
// best-effort writer; a best-effort reader matches both.
const (
	Reliable Reliability = iota
	BestEffort
)

// Durability says whether a late reader receives samples that were written before it joined.
type Durability uint8

// Volatile is the default of ROS. A transient-local reader does not match a
// volatile writer; history is delivered only between reliable endpoints that
// are both transient local.
const (
	Volatile Durability = iota
	TransientLocal
)

// Liveliness says what asserts that a writer is alive.
type Liveliness uint8

// Automatic is the default of ROS, and the only kind that endpoints of this package have: the
// middleware asserts the writer's liveliness as long as its process runs, whatever the program
// does. Discovery may find the other kinds at peers, whose programs assert it themselves.
const (
	Automatic Liveliness = iota
	ManualByParticipant
	ManualByTopic
)

// KeepAll as QoS.Depth keeps every sample until it is taken or acknowledged.
const KeepAll = -1

// DefaultDepth is the history depth of a QoS whose Depth is zero.
const DefaultDepth = 10

// QoS is the quality of service of a reader or writer. The zero value is the
// ROS default: reliable, volatile, keep the last 10, no lifespan, no deadline,
// automatic liveliness without a lease.
type QoS struct {
	Reliability Reliability
	Durability  Durability
	// Depth is the number of samples kept: 0 means DefaultDepth, KeepAll no
	// limit. When a reader's history is full the oldest sample is dropped.
	Depth int
	// Lifespan is the age at which a sample is no longer delivered; 0 means
	// never. Writers only.
	Lifespan time.Duration
	// Deadline is the longest time between two samples. A writer offers it, a reader requests
	// it, and each counts the periods without a sample. Nothing is counted before the first
	// sample. 0 means none; a reader that requests one matches no writer that offers none or a
	// longer one.
	Deadline time.Duration
	// Lease is how long a writer counts as alive without a sign of life from its process; 0
	// means for as long as it is discovered. A writer offers it, a reader requests it; a
	// reader that requests one matches no writer that offers none or a longer one.
	Lease time.Duration
	// Liveliness is Automatic except for peers found by discovery.
	Liveliness Liveliness
}

// Profiles of the ROS graph.
var (
	// JointStateQoS subscribes to measurements: best effort matches both reliable and
	// best-effort publishers, and a subscriber that stalls does not stall a reliable
	// publisher. Samples that a publisher sends before this side has discovered it are lost;
	// the next one arrives.
	JointStateQoS = QoS{Reliability: BestEffort, Depth: 10}
	// SensorQoS is for data of which only the newest few samples matter.
	SensorQoS = QoS{Reliability: BestEffort, Depth: 5}
	// LatchedQoS delivers the last value to late subscribers: /robot_description, states and
	// maps.
	LatchedQoS = QoS{Durability: TransientLocal, Depth: 1}
	// ServiceQoS is the profile of request and reply topics.
	ServiceQoS = QoS{Depth: 10}
	// ParameterQoS is the profile of the parameter services and
	// /parameter_events.
	ParameterQoS = QoS{Depth: 1000}
	// RosoutQoS is the profile of /rosout.
	RosoutQoS = QoS{Durability: TransientLocal, Depth: 1000, Lifespan: 10 * time.Second}
	// ClockQoS is the profile of /clock subscriptions.
	ClockQoS = QoS{Reliability: BestEffort, Depth: 1}

	// The graph topic has no key, so all participants share one instance: a reader that kept
	// only the last sample would lose peers.
	graphWriterQoS = QoS{Durability: TransientLocal, Depth: 1}
	graphReaderQoS = QoS{Durability: TransientLocal, Depth: KeepAll}
)

// HistoryDepth is the number of samples kept, or KeepAll.
func (q QoS) HistoryDepth() int {
	if q.Depth == 0 {
		return DefaultDepth
	}
	return q.Depth
}

// Validate reports values outside their range.
func (q QoS) Validate() error {
	switch {
	case q.Reliability > BestEffort:
		return fmt.Errorf("ros: unknown reliability %d", q.Reliability)
	case q.Durability > TransientLocal:
		return fmt.Errorf("ros: unknown durability %d", q.Durability)
	case q.Depth < KeepAll:
		return fmt.Errorf("ros: history depth %d is negative; use KeepAll or a positive depth", q.Depth)
	case q.Lifespan < 0:
		return fmt.Errorf("ros: lifespan %v is negative", q.Lifespan)
	case q.Deadline < 0:
		return fmt.Errorf("ros: deadline %v is negative", q.Deadline)
	case q.Lease < 0:
		return fmt.Errorf("ros: lease %v is negative", q.Lease)
	case q.Liveliness != Automatic:
		return fmt.Errorf("ros: liveliness is %v; use Automatic", q.Liveliness)
	}
	return nil
}

// incompatible names the first policy in which an offer falls short of a request, or returns
// "" if the two endpoints match.
func incompatible(offered, requested QoS) string {
	switch {
	case offered.Reliability == BestEffort && requested.Reliability == Reliable:
		return "reliability"
	case offered.Durability == Volatile && requested.Durability == TransientLocal:
		return "durability"
	case longer(offered.Deadline, requested.Deadline):
		return "deadline"
	case offered.Liveliness < requested.Liveliness || longer(offered.Lease, requested.Lease):
		return "liveliness"
	}
	return ""
}

// longer compares durations, of which 0 means unlimited.
func longer(a, b time.Duration) bool { return b > 0 && (a == 0 || a > b) }

func (r Reliability) String() string {
	switch r {
	case Reliable:
		return "reliable"
	case BestEffort:
		return "best effort"
	}
	return fmt.Sprintf("Reliability(%d)", uint8(r))
}

func (d Durability) String() string {
	switch d {
	case Volatile:
		return "volatile"
	case TransientLocal:
		return "transient local"
	}
	return fmt.Sprintf("Durability(%d)", uint8(d))
}

func (l Liveliness) String() string {
	switch l {
	case Automatic:
		return "automatic"
	case ManualByParticipant:
		return "manual by participant"
	case ManualByTopic:
		return "manual by topic"
	}
	return fmt.Sprintf("Liveliness(%d)", uint8(l))
}
