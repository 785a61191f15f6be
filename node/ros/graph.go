package ros

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon"
)

// Graph holds the discovered nodes of a domain.
type Graph struct {
	Nodes []GraphNode
}

// GraphNode is a node as its peers see it.
type GraphNode struct {
	Namespace, Name string
	// Enclave is the security enclave of the node's participant.
	Enclave     string
	Participant GUID
	Publishers  []GraphEndpoint
	Subscribers []GraphEndpoint
	Services    []GraphEndpoint
	Clients     []GraphEndpoint
}

// GraphEndpoint is one topic or service of a node.
type GraphEndpoint struct {
	// Name is the ROS name ("/joint_states"), or the DDS name of a topic outside ROS.
	Name string
	// Type is the ROS type ("sensor_msgs/msg/JointState"). For services it is that of the
	// request without "_Request".
	Type string
	// TypeHash is the announced hash (RIHS01_…), if any.
	TypeHash string
	QoS      QoS
	GUID     GUID
}

// FullName is the fully qualified name.
func (n GraphNode) FullName() string { return join(n.Namespace, n.Name) }

// Node returns the node of a fully qualified name.
func (g Graph) Node(fullName string) (GraphNode, bool) {
	i := slices.IndexFunc(g.Nodes, func(n GraphNode) bool { return n.FullName() == fullName })
	if i < 0 {
		return GraphNode{}, false
	}
	return g.Nodes[i], true
}

// graph announces one node and collects the announcements of others, on the topic
// ros_discovery_info.
type graph struct {
	participant Participant
	wire        WireForm
	log         *Logger
	complain    throttle
	writer      Writer
	reader      Reader

	mu     sync.Mutex
	own    announcement
	closed bool
	peers  map[GUID]announcement
}

func newGraph(p Participant, n names, wire WireForm, log *Logger) (*graph, error) {
	g := &graph{
		participant: p, wire: wire, log: log,
		own: announcement{
			participant: p.GUID(),
			nodes:       []announcedNode{{namespace: n.namespace, name: n.node}},
		},
		peers: map[GUID]announcement{},
	}
	e := Endpoint{Topic: "ros_discovery_info", MaxBytes: limit.AnnouncementBytes}
	info := (*rmwddscommon.ParticipantEntitiesInfo)(nil).ROSType()
	e.Type = info.DDSName()
	if wire.TypeHashes {
		e.UserData = "typehash=" + info.Hash + ";"
	}
	var err error
	e.QoS = graphWriterQoS
	if g.writer, err = p.NewWriter(e); err != nil {
		return nil, fmt.Errorf("announcing nodes: %w", err)
	}
	e.QoS, e.IgnoreLocal = graphReaderQoS, true
	if g.reader, err = p.NewReader(e, g.receive); err != nil {
		return nil, fmt.Errorf("listening to nodes: %w", err)
	}
	return g, g.change(func(*announcedNode) {})
}

// change applies alter to the node's entry and announces the result.
func (g *graph) change(alter func(*announcedNode)) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	alter(&g.own.nodes[0])
	data, err := g.own.encode(g.wire.GIDLength)
	if err == nil {
		err = g.writer.Write(data)
	}
	if err != nil {
		return fmt.Errorf("announcing the node's endpoints: %w", err)
	}
	return nil
}

func (g *graph) addReader(id GUID) error {
	return g.change(func(n *announcedNode) { n.readers = append(n.readers, id) })
}

func (g *graph) addWriter(id GUID) error {
	return g.change(func(n *announcedNode) { n.writers = append(n.writers, id) })
}

func (g *graph) removeReader(id GUID) error {
	return g.change(func(n *announcedNode) { n.readers = without(n.readers, id) })
}

func (g *graph) removeWriter(id GUID) error {
	return g.change(func(n *announcedNode) { n.writers = without(n.writers, id) })
}

func without(ids []GUID, id GUID) []GUID {
	return slices.DeleteFunc(ids, func(g GUID) bool { return g == id })
}

// receive keeps the newest announcement of each participant.
func (g *graph) receive(s Sample) {
	var a announcement
	err := Bounds{Bytes: limit.AnnouncementBytes}.whole(s)
	if err == nil {
		a, err = announcementOf(s.Data)
	}
	switch {
	case err != nil:
	case !s.Writer.IsZero() && !s.Writer.SameParticipant(a.participant):
		err = fmt.Errorf("it announces nodes of another participant, %s", a.participant)
	default:
		err = g.keep(a)
	}
	if err != nil && g.complain.ok() {
		g.log.Warnf("ros_discovery_info: ignored an announcement from %s: %v", s.Writer, err)
	}
}

// announcementOf decodes an announcement that is not too large.
func announcementOf(data []byte) (announcement, error) {
	if len(data) > limit.AnnouncementBytes {
		return announcement{}, fmt.Errorf("it has %d bytes, more than the maximum of %d", len(data), limit.AnnouncementBytes)
	}
	a, err := decodeAnnouncement(data)
	a.bytes = len(data)
	return a, err
}

func (g *graph) keep(a announcement) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.full(a) != nil {
		found, err := g.participant.Discovered()
		if err != nil {
			return err
		}
		g.forget(found)
		if err := g.full(a); err != nil {
			return err
		}
	}
	g.peers[a.participant] = a
	return nil
}

// full says why there is no room for an announcement, which replaces the participant's last
// one.
func (g *graph) full(a announcement) error {
	peers, bytes := 1, a.bytes
	for id, other := range g.peers {
		if id != a.participant {
			peers++
			bytes += other.bytes
		}
	}
	switch {
	case peers > limit.GraphPeers:
		return fmt.Errorf("there are %d participants already", peers-1)
	case bytes > limit.GraphBytes:
		return fmt.Errorf("the announcements of %d participants take %d bytes already", peers-1, bytes-a.bytes)
	}
	return nil
}

// forget drops the announcements of participants that are gone.
func (g *graph) forget(found Discovered) {
	present := make(map[GUID]bool, len(found.Participants))
	for _, p := range found.Participants {
		present[p.GUID] = true
	}
	maps.DeleteFunc(g.peers, func(id GUID, _ announcement) bool { return !present[id] })
}

// snapshot combines the announcements with what the transport discovered. Announcements of
// participants that are gone are left out.
func (g *graph) snapshot() (Graph, error) {
	found, err := g.participant.Discovered()
	if err != nil {
		return Graph{}, err
	}
	enclaves := map[GUID]string{}
	for _, p := range found.Participants {
		enclaves[p.GUID] = userDataValue(p.UserData, "enclave")
	}
	readers, writers := byGUID(found.Readers), byGUID(found.Writers)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(found)
	var result Graph
	for _, a := range g.announcements() {
		for _, n := range a.nodes {
			result.Nodes = append(result.Nodes, describe(a.participant, enclaves[a.participant], n, readers, writers))
		}
	}
	slices.SortFunc(result.Nodes, func(a, b GraphNode) int { return strings.Compare(a.FullName(), b.FullName()) })
	return result, nil
}

func (g *graph) announcements() []announcement {
	all := []announcement{g.own}
	for _, a := range g.peers {
		all = append(all, a)
	}
	return all
}

func byGUID(endpoints []DiscoveredEndpoint) map[GUID]DiscoveredEndpoint {
	m := make(map[GUID]DiscoveredEndpoint, len(endpoints))
	for _, e := range endpoints {
		m[e.GUID] = e
	}
	return m
}

// describe sorts a node's endpoints by role. The reader of requests identifies a service, the
// reader of replies a client.
func describe(participant GUID, enclave string, n announcedNode, readers, writers map[GUID]DiscoveredEndpoint) GraphNode {
	node := GraphNode{Namespace: n.namespace, Name: n.name, Enclave: enclave, Participant: participant}
	for _, id := range n.writers {
		e, ok := writers[id]
		if !ok {
			continue
		}
		if r, _ := fromDDS(e.Topic); r == roleTopic || r == roleOther {
			node.Publishers = append(node.Publishers, graphEndpoint(e))
		}
	}
	for _, id := range n.readers {
		e, ok := readers[id]
		if !ok {
			continue
		}
		switch r, _ := fromDDS(e.Topic); r {
		case roleRequest:
			node.Services = append(node.Services, graphEndpoint(e))
		case roleReply:
			node.Clients = append(node.Clients, graphEndpoint(e))
		default:
			node.Subscribers = append(node.Subscribers, graphEndpoint(e))
		}
	}
	return node
}

func graphEndpoint(e DiscoveredEndpoint) GraphEndpoint {
	r, name := fromDDS(e.Topic)
	typeName := typeFromDDS(e.Type)
	switch r {
	case roleRequest:
		typeName = strings.TrimSuffix(typeName, "_Request")
	case roleReply:
		typeName = strings.TrimSuffix(typeName, "_Response")
	}
	return GraphEndpoint{Name: name, Type: typeName, TypeHash: userDataValue(e.UserData, "typehash"), QoS: e.QoS, GUID: e.GUID}
}

// close stops announcing. The announcement disappears with the participant.
func (g *graph) close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	return errors.Join(g.reader.Close(), g.writer.Close())
}
