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

// Transport moves serialized messages between participants. It handles DDS topics and type
// names, not ROS names: the ROS conventions lie above it, so that another DDS implementation
// or middleware is one more adapter.
//
// Transports and everything made from them are safe for concurrent use.
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
	// Log, if not nil, receives the transport's own log lines. It must neither block nor use
	// the transport.
	Log func(level Level, text string)
	// Properties are passed to the DDS participant unchanged; they name the files of a secured
	// enclave (dds.sec.auth.identity_ca …).
	Properties map[string]string
}

// Participant is a member of a domain: the factory of readers and writers.
type Participant interface {
	GUID() GUID
	NewWriter(Endpoint) (Writer, error)
	// NewReader delivers each sample to receive. Calls for one reader are sequential, in the
	// order in which each writer wrote, on a goroutine of that reader: a slow receiver delays
	// only itself, and loses the oldest samples once its history is full.
	NewReader(e Endpoint, receive func(Sample)) (Reader, error)
	// Discovered returns what is known of the domain now, including this participant's own
	// endpoints.
	Discovered() (Discovered, error)
	// WritersOn returns the writers on topics that are known now, including this participant's
	// own. It uses no memory for other writers.
	WritersOn(topics ...string) ([]DiscoveredEndpoint, error)
	// Close deletes the participant and all its readers and writers. It waits for running
	// receivers, so it must not be called from one. Closing twice is no error.
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
	// MaxBytes is the size beyond which a reader gets only the head of a sample; 0 means
	// unlimited. The same holds for samples larger than limit.SmallMessageBytes while more
	// than limit.WaitingMessageBytes of them wait, except in readers that accept larger ones.
	// Writers ignore it, but a reader and a writer of one process exchange samples faster if
	// they have the same value.
	MaxBytes int
	// IgnoreLocal makes a reader ignore writers of its own participant.
	IgnoreLocal bool
	// Admit, if not nil, is called before a reader reads a sample of a writer. False drops the
	// sample unread and counts it as refused. Calls run on the receiver's goroutine.
	Admit func(writer GUID) bool
	// Silence, if not nil, is called with the counters when a deadline of a reader was missed
	// or a writer's liveliness changed: when one was matched, lost or became alive again.
	// Calls are sequential, on a different goroutine than the receiver; one call covers all
	// events since the previous one. Like the receiver it must not close the reader.
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

// RelatedWriter is a Writer that can send the identity of another sample beside the data, as
// the requests and replies of rmw_fastrtps need it. Writers of a participant are all of this
// kind, or none is.
type RelatedWriter interface {
	Writer
	// WriteRelated is Write with an identity, whose sequence may be 0. It returns the
	// sequence of the sample that it writes.
	WriteRelated(data []byte, related SampleID) (sequence uint64, err error)
}

// Reader receives samples until it is closed.
//
// When Close returns, no call of the receiver is running and none follows, so Close must not
// be called from the receiver.
type Reader interface {
	Peer
}

// Peer holds the methods common to readers and writers.
type Peer interface {
	GUID() GUID
	// Matches returns the remote endpoints that this one exchanges samples with: a reader gets
	// what a writer among its matches writes from now on, if nothing is lost in transport.
	// Each side discovers its matches independently. Samples that a writer writes before the
	// reader has discovered it are lost to a best-effort reader, and repeated to a reliable
	// one if the writer had discovered it.
	Matches() []Match
	// WaitMatches blocks until ok returns true for the matches. It returns the context's error
	// if the context ends first. It calls ok after every change.
	WaitMatches(ctx context.Context, ok func([]Match) bool) error
	Stats() EndpointStats
	Close() error
}

// Sample is one received message.
type Sample struct {
	// Data is the encapsulation header and the CDR body. It belongs to the receiver and stays
	// valid.
	Data []byte
	// Size is the size of the sample, larger than Data if Data is only its head.
	Size int
	// Writer is the GUID of the writer, zero if unknown.
	Writer GUID
	// Sequence counts the samples of that writer from 1; 0 if unknown.
	Sequence uint64
	// SourceTime is when the writer wrote, on the writer's clock; zero if unknown.
	SourceTime time.Time
	// Related is the identity of another sample that the writer sent beside the data; zero
	// without one, or if the transport does not tell.
	Related SampleID
}

// SampleID identifies a sample by its writer and the writer's count of it, 0 if unknown.
type SampleID struct {
	Writer   GUID
	Sequence uint64
}

// IsZero reports whether the identity is unset.
func (id SampleID) IsZero() bool { return id == SampleID{} }

// Match is a remote endpoint that this process exchanges samples with.
type Match struct {
	GUID     GUID
	UserData string
}

// EndpointStats are counters of one reader or writer since it was made.
type EndpointStats struct {
	// Samples were delivered to the receiver, or written.
	Samples uint64
	// Missed counts the samples that a writer numbered and the receiver did not get: lost in
	// transport, or displaced from the reader's history by newer ones because the receiver was
	// slow. Readers only.
	Missed uint64
	// Refused counts the samples that Endpoint.Admit refused. Readers only.
	Refused uint64
	// Lost counts the samples that the middleware itself reports as lost, possibly fewer than
	// it loses: Cyclone DDS 0.10 does not report lost samples of a best-effort writer. Readers
	// only.
	Lost uint64
	// Incompatible counts peers that did not match because of their QoS;
	// IncompatiblePolicy names the policy of the last one.
	Incompatible       uint64
	IncompatiblePolicy string
	// DeadlineMissed counts periods of QoS.Deadline without a sample.
	DeadlineMissed uint64
	// Alive is how many matched writers are alive, and NotAlive how many have given no sign of
	// life within the lease that they offer. A writer that has left is in neither. Readers
	// only.
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

// Vendor identifies a DDS implementation by the number that the OMG has assigned.
type Vendor [2]byte

// The implementations whose requests this package reads.
var (
	cycloneVendor = Vendor{0x01, 0x10} // Eclipse Cyclone DDS
	fastVendor    = Vendor{0x01, 0x0f} // eProsima Fast DDS
)

// String returns the form of the OMG's list, as in "01.10".
func (v Vendor) String() string { return fmt.Sprintf("%02x.%02x", v[0], v[1]) }

// Vendor returns the vendor of the entity's DDS implementation, with which its GUID begins. It
// returns false for a GUID that does not begin with one, as in the oldest versions of Cyclone
// DDS.
func (g GUID) Vendor() (Vendor, bool) {
	const registered = 0x01 // all numbers assigned so far begin with it
	return Vendor(g[:2]), g[0] == registered
}

// SameParticipant reports whether two entities belong to one participant.
func (g GUID) SameParticipant(other GUID) bool {
	return [12]byte(g[:12]) == [12]byte(other[:12])
}

// Participant returns the GUID of the entity's participant: the first 12 bytes, the rest zero.
func (g GUID) Participant() (p GUID) {
	copy(p[:12], g[:12])
	return p
}

// IsZero reports whether the GUID is unset.
func (g GUID) IsZero() bool { return g == GUID{} }

// String returns the hexadecimal form, with a dot before the entity id.
func (g GUID) String() string {
	return hex.EncodeToString(g[:12]) + "." + hex.EncodeToString(g[12:])
}

// WaitForMatch blocks until the endpoint has at least n matches.
func WaitForMatch(ctx context.Context, p Peer, n int) error {
	return p.WaitMatches(ctx, func(m []Match) bool { return len(m) >= n })
}
