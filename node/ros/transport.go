package ros

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Errors of every transport, to be tested with errors.Is.
var (
	// ErrClosed is returned by calls on a closed participant, reader or writer.
	ErrClosed = errors.New("ros: closed")
	// ErrWriteTimeout is returned by Write when a reliable reader is so far
	// behind that the writer's history is full: the sample was not sent.
	ErrWriteTimeout = errors.New("ros: write timed out: a reliable reader does not keep up")
)

// Transport moves serialized messages between participants. It knows DDS
// topics and type names, not ROS names: everything ROS-like lies above it, so
// that another DDS implementation, or another middleware, is one more adapter.
//
// Transports and everything made from them are safe for use by several
// goroutines at once.
type Transport interface {
	// Name is the name of the implementation, for messages to the user.
	Name() string
	// Open joins a domain. Participants of one process and one domain must
	// agree in ParticipantOptions.Network.
	Open(ParticipantOptions) (Participant, error)
}

// ParticipantOptions describe a participant.
type ParticipantOptions struct {
	// Domain is the DDS domain, 0 to 232.
	Domain int
	// UserData is announced to peers with the participant ("enclave=/;").
	UserData string
	// Network limits where peers are looked for.
	Network Network
	// Log, where not nil, takes what the transport itself has to log. It neither
	// waits nor uses the transport.
	Log func(level Level, text string)
	// Properties are passed to the DDS participant as they are; the files of
	// a secured enclave travel this way (dds.sec.auth.identity_ca …).
	Properties map[string]string
}

// Participant is a member of a domain: the factory of readers and writers.
type Participant interface {
	GUID() GUID
	NewWriter(Endpoint) (Writer, error)
	// NewReader delivers each sample to receive. Calls for one reader come
	// one after another, in the order in which each writer wrote, on a
	// goroutine of that reader: a slow receiver delays only itself, and once
	// its history is full loses the oldest samples.
	NewReader(e Endpoint, receive func(Sample)) (Reader, error)
	// Discovered returns what is known of the domain at this moment, this
	// participant's own endpoints included.
	Discovered() (Discovered, error)
	// WritersOn returns the writers on topics that are known at this moment,
	// this participant's own included. It takes no memory for any others.
	WritersOn(topics ...string) ([]DiscoveredEndpoint, error)
	// Close deletes the participant and all its readers and writers. It waits
	// for receivers that are running; it must not be called from one.
	// Closing twice is no error.
	Close() error
}

// Endpoint describes a reader or writer in terms of DDS.
type Endpoint struct {
	// Topic is the DDS topic name, as in "rt/joint_states".
	Topic string
	// Type is the DDS type name, as in "sensor_msgs::msg::dds_::JointState_".
	Type string
	QoS  QoS
	// UserData is announced to peers with the endpoint
	// ("typehash=RIHS01_…;").
	UserData string
	// MaxBytes is the size beyond which a reader gets only the head of a sample; 0
	// is no bound. Of samples that are larger than limit.SmallMessageBytes the same
	// holds while more bytes of them wait than limit.WaitingMessageBytes, except in
	// readers that take larger ones. Writers ignore it, but a reader and a writer of one
	// process exchange their samples faster where they agree.
	MaxBytes int
	// IgnoreLocal makes a reader deaf to writers of its own participant.
	IgnoreLocal bool
	// Admit, where not nil, is asked before a reader reads a sample of a writer. False
	// drops the sample unread and counts it as refused. Calls come on the receiver's
	// goroutine.
	Admit func(writer GUID) bool
	// Silence is called with the counters when a deadline of a reader was missed
	// or a writer's liveliness changed: when one was matched, lost or was found
	// again. Calls come one after another on a goroutine that is not the
	// receiver's; of events that come meanwhile one call tells. Like the
	// receiver it must not close the reader. Nil where nobody asks.
	Silence func(EndpointStats)
}

// Writer sends samples.
type Writer interface {
	Peer
	// Write sends one serialized message: the 4-byte encapsulation header,
	// then the CDR body. The bytes are copied before Write returns. With a
	// reliable writer it may block for a short, bounded time and then return
	// ErrWriteTimeout.
	Write(data []byte) error
}

// Reader receives samples until it is closed.
//
// Close returns when no call of the receiver is running, and none comes after
// it; so it must not be called from the receiver.
type Reader interface {
	Peer
}

// Peer is what readers and writers have in common.
type Peer interface {
	GUID() GUID
	// Matches are the remote endpoints this one exchanges samples with: a
	// reader gets what a writer among its matches writes from now on, if
	// nothing is lost on the way. Each side finds its matches for itself. What
	// a writer writes before the reader has found it is lost to a best-effort
	// reader, and repeated to a reliable one if the writer had found it.
	Matches() []Match
	// WaitMatches blocks until ok holds for the matches or the context ends,
	// whose error it then returns. It asks again after every change.
	WaitMatches(ctx context.Context, ok func([]Match) bool) error
	Stats() EndpointStats
	Close() error
}

// Sample is one received message.
type Sample struct {
	// Data is the encapsulation header and the CDR body. It belongs to the
	// receiver and stays valid.
	Data []byte
	// Size is the size of the sample, more than Data has where that is its head.
	Size int
	// Writer is the GUID of the writer, zero where the transport cannot tell.
	Writer GUID
	// Sequence counts the samples of that writer from 1; 0 where the
	// transport cannot tell.
	Sequence uint64
	// SourceTime is when the writer wrote, on the writer's clock; zero where the
	// writer does not tell.
	SourceTime time.Time
}

// Match is a remote endpoint that this process exchanges samples with.
type Match struct {
	GUID     GUID
	UserData string
}

// EndpointStats are counters of one reader or writer since it was made.
type EndpointStats struct {
	// Samples were delivered to the receiver, or written.
	Samples uint64
	// Missed counts the samples that a writer numbered and the receiver did
	// not get: lost on the way, or pushed out of the reader's history by newer
	// ones because the receiver was slow. Readers only.
	Missed uint64
	// Refused counts the samples that Endpoint.Admit refused. Readers only.
	Refused uint64
	// Lost counts what the middleware itself reports as lost, which may be
	// less than what it loses: Cyclone DDS 0.10 does not report samples that a
	// best-effort writer sent in vain. Readers only.
	Lost uint64
	// Incompatible counts peers that did not match because of their QoS;
	// IncompatiblePolicy names the policy of the last one.
	Incompatible       uint64
	IncompatiblePolicy string
	// DeadlineMissed counts periods of QoS.Deadline without a sample.
	DeadlineMissed uint64
	// Alive is how many matched writers are alive, and NotAlive how many have
	// given no sign of life within the lease that they offer. A writer that is
	// gone for good is in neither. Readers only.
	Alive, NotAlive int
}

// Discovered is a snapshot of a domain.
type Discovered struct {
	Participants []DiscoveredParticipant
	Writers      []DiscoveredEndpoint
	Readers      []DiscoveredEndpoint
}

// DiscoveredParticipant is a participant as its peers see it.
type DiscoveredParticipant struct {
	GUID     GUID
	UserData string
}

// DiscoveredEndpoint is a reader or writer as its peers see it.
type DiscoveredEndpoint struct {
	GUID        GUID
	Participant GUID
	Topic, Type string
	QoS         QoS
	UserData    string
}

// GUID identifies a participant, reader or writer in its domain: 12 bytes
// that all entities of a participant share, then 4 bytes of entity id, in the
// order in which they go over the wire.
type GUID [16]byte

// Vendor is a DDS implementation, by the number that the OMG has given it.
type Vendor [2]byte

// cycloneVendor is Eclipse Cyclone DDS.
var cycloneVendor = Vendor{0x01, 0x10}

// String is the form of the OMG's list, as in "01.10".
func (v Vendor) String() string { return fmt.Sprintf("%02x.%02x", v[0], v[1]) }

// Vendor returns the vendor of the entity's DDS implementation, with which its
// GUID begins; false where the GUID does not begin with one, as those of the
// oldest versions of Cyclone DDS.
func (g GUID) Vendor() (Vendor, bool) {
	const registered = 0x01 // all numbers given so far begin with it
	return Vendor(g[:2]), g[0] == registered
}

// SameParticipant reports whether two entities belong to one participant.
func (g GUID) SameParticipant(other GUID) bool {
	return [12]byte(g[:12]) == [12]byte(other[:12])
}

// Participant returns the GUID with which all entities of its participant begin, the
// rest zero.
func (g GUID) Participant() (p GUID) {
	copy(p[:12], g[:12])
	return p
}

// IsZero reports whether the GUID is unset.
func (g GUID) IsZero() bool { return g == GUID{} }

// String is the hexadecimal form, with a dot before the entity id.
func (g GUID) String() string {
	return hex.EncodeToString(g[:12]) + "." + hex.EncodeToString(g[12:])
}

// WaitForMatch blocks until the endpoint has at least n matches.
func WaitForMatch(ctx context.Context, p Peer, n int) error {
	return p.WaitMatches(ctx, func(m []Match) bool { return len(m) >= n })
}
