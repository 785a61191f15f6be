package ros

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon"
	"github.com/firstcontact-ros/firstcontact/msgs/rmwddscommon/humble"
	"pgregory.net/rapid"
)

func gid(first byte) (g GUID) {
	for i := range g {
		g[i] = first + byte(i)
	}
	return g
}

var announced = announcement{
	participant: gid(0x10),
	nodes: []announcedNode{{
		namespace: "/", name: "guard",
		readers: []GUID{gid(0x40)}, writers: []GUID{gid(0x60), gid(0x80)},
	}},
}

// The announcement as each distribution puts it on the wire, written out by
// hand from the definition of the message and the rules of CDR.
var golden = map[int]string{
	24: `00010000
		101112131415161718191a1b1c1d1e1f 0000000000000000
		01000000
		02000000 2f00 0000
		06000000 677561726400 0000
		01000000
		404142434445464748494a4b4c4d4e4f 0000000000000000
		02000000
		606162636465666768696a6b6c6d6e6f 0000000000000000
		808182838485868788898a8b8c8d8e8f 0000000000000000`,
	16: `00010000
		101112131415161718191a1b1c1d1e1f
		01000000
		02000000 2f00 0000
		06000000 677561726400 0000
		01000000
		404142434445464748494a4b4c4d4e4f
		02000000
		606162636465666768696a6b6c6d6e6f
		808182838485868788898a8b8c8d8e8f`,
}

func fromHex(t *testing.T, s string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAnnouncementsMatchTheirGoldenBytes(t *testing.T) {
	for length, text := range golden {
		want := fromHex(t, text)
		got, err := announced.encode(length)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("ids of %d bytes:\n% x, %v\nnot\n% x", length, got, err, want)
		}
		back, err := decodeAnnouncement(want)
		if err != nil || !reflect.DeepEqual(back, announced) {
			t.Errorf("ids of %d bytes are read as %+v, %v", length, back, err)
		}
	}
}

// TestAnnouncementsAreTheStandardMessages reads them with the generated types.
func TestAnnouncementsAreTheStandardMessages(t *testing.T) {
	short, err := announced.encode(JazzyWire.GIDLength)
	if err != nil {
		t.Fatal(err)
	}
	var m rmwddscommon.ParticipantEntitiesInfo
	if err := cdr.Unmarshal(short, &m); err != nil {
		t.Fatal(err)
	}
	n := m.NodeEntitiesInfoSeq[0]
	if GUID(m.GID.Data) != announced.participant || n.NodeName != "guard" || n.NodeNamespace != "/" || GUID(n.WriterGIDSeq[1].Data) != gid(0x80) {
		t.Errorf("read as %+v", m)
	}
	long, err := announced.encode(HumbleWire.GIDLength)
	if err != nil {
		t.Fatal(err)
	}
	var h humble.ParticipantEntitiesInfo
	if err := cdr.Unmarshal(long, &h); err != nil {
		t.Fatal(err)
	}
	if w := h.NodeEntitiesInfoSeq[0].WriterGIDSeq[1].Data; GUID(w[:16]) != gid(0x80) || [8]byte(w[16:]) != [8]byte{} {
		t.Errorf("read as %+v", h)
	}
}

// TestAnnouncementsTellTheirFormApart: no announcement of one form is read as
// one of the other.
func TestAnnouncementsTellTheirFormApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(rapid.Byte(), 16, 16), func(b []byte) GUID { return GUID(b) }), 0, 4)
		node := rapid.Custom(func(t *rapid.T) announcedNode {
			return announcedNode{
				namespace: rapid.StringMatching(`(/[a-z]{1,5}){1,3}`).Draw(t, "namespace"),
				name:      rapid.StringMatching(`[a-z]{0,9}`).Draw(t, "name"),
				readers:   ids.Draw(t, "readers"),
				writers:   ids.Draw(t, "writers"),
			}
		})
		a := announcement{participant: gid(byte(rapid.Int().Draw(t, "id"))), nodes: rapid.SliceOfN(node, 0, 3).Draw(t, "nodes")}
		for _, length := range []int{16, 24} {
			data, err := a.encode(length)
			if err != nil {
				t.Fatal(err)
			}
			back, err := decodeAnnouncement(data)
			if err != nil || back.participant != a.participant || len(back.nodes) != len(a.nodes) {
				t.Fatalf("ids of %d bytes: %+v is read as %+v, %v", length, a, back, err)
			}
			for i, n := range back.nodes {
				if w := a.nodes[i]; n.name != w.name || n.namespace != w.namespace || len(n.readers) != len(w.readers) || len(n.writers) != len(w.writers) {
					t.Fatalf("ids of %d bytes: node %+v is read as %+v", length, w, n)
				}
			}
		}
	})
}

func FuzzDiscoveryInfo(f *testing.F) {
	for _, length := range []int{16, 24} {
		data, err := announced.encode(length)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := decodeAnnouncement(data)
		if err != nil {
			return
		}
		// What was read can be said again and means the same.
		again, err := a.encode(JazzyWire.GIDLength)
		if err != nil {
			t.Fatalf("%+v was read and cannot be written: %v", a, err)
		}
		back, err := decodeAnnouncement(again)
		if err != nil {
			t.Fatalf("%+v was read and then not: %v", a, err)
		}
		first, _ := back.encode(HumbleWire.GIDLength)
		second, _ := a.encode(HumbleWire.GIDLength)
		if !bytes.Equal(first, second) {
			t.Errorf("%+v is read back as %+v", a, back)
		}
	})
}

func FuzzServiceHeader(f *testing.F) {
	whole := cdr.Marshal(&rmwddscommon.Gid{}) // a header and 16 bytes
	f.Add(whole)
	for n := range whole {
		f.Add(whole[:n])
	}
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		id, err := requestID(data)
		if long := len(data) >= 4+cdr.RequestIDSize && data[0] == 0 && data[1] <= 1; long != (err == nil) {
			t.Errorf("%d bytes starting % x: %v", len(data), data[:min(len(data), 4)], err)
		}
		if err != nil {
			return
		}
		var w cdr.Writer
		w.Reset(nil)
		w.Uint64(id.Client)
		w.Int64(id.Sequence)
		if same := bytes.Equal(w.Bytes()[4:], data[4:20]); data[1] == 1 && !same {
			t.Errorf("% x is read as %+v", data[4:20], id)
		}
	})
}

func TestUserData(t *testing.T) {
	data := "clientid= 1.2.f;typehash=RIHS01_ab;x;=y;empty=;"
	for key, want := range map[string]string{"clientid": " 1.2.f", "typehash": "RIHS01_ab", "empty": "", "x": "", "none": ""} {
		if got := userDataValue(data, key); got != want {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
}

// TestNodesAnnounceWhatTheirDistributionExpects reads the user data of a node's
// participant and endpoints as its peers do.
func TestNodesAnnounceWhatTheirDistributionExpects(t *testing.T) {
	info := (*rmwddscommon.ParticipantEntitiesInfo)(nil).ROSType()
	// The hash of the standard message in Iron, Jazzy and later.
	if info.Hash != "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e" {
		t.Errorf("the hash of the graph message is %s", info.Hash)
	}
	for distro, want := range map[string]string{"humble": "", "jazzy": "typehash=" + info.Hash + ";"} {
		n, err := NewNode(NewMemory(), Options{Name: "guard", Args: Args{NoRosout: true}, Env: Environment{Distro: distro}})
		if err != nil {
			t.Fatal(err)
		}
		found, err := n.Participant().Discovered()
		if err != nil {
			t.Fatal(err)
		}
		if got := found.Participants[0].UserData; got != "enclave=/;" {
			t.Errorf("%s: the participant announces %q", distro, got)
		}
		for _, e := range append(found.Writers, found.Readers...) {
			if e.Topic != "ros_discovery_info" || e.Type != "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_" || e.UserData != want {
				t.Errorf("%s: an endpoint announces %+v", distro, e)
			}
		}
		w := found.Writers[0].QoS
		if w != (QoS{Durability: TransientLocal, Depth: 1}) {
			t.Errorf("%s: the graph is announced with %+v", distro, w)
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestGraphForgetsParticipantsThatAreGone announces many participants that are
// not there, from a transport that does not tell who writes.
func TestGraphForgetsParticipantsThatAreGone(t *testing.T) {
	n, err := NewNode(NewMemory(), Options{Name: "guard"})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for i := range 3 * limit.GraphPeers {
		a := announcement{participant: GUID{1, byte(i >> 8), byte(i)}}
		data, err := a.encode(16)
		if err != nil {
			t.Fatal(err)
		}
		n.graph.receive(Sample{Data: data})
	}
	if got := len(n.graph.peers); got > limit.GraphPeers {
		t.Errorf("%d announcements are kept", got)
	}
	if _, newest := n.graph.peers[GUID{1, byte((3*limit.GraphPeers - 1) >> 8), byte((3*limit.GraphPeers - 1) & 0xff)}]; !newest {
		t.Error("the newest announcement is not kept")
	}
	if g, err := n.Graph(); err != nil || len(g.Nodes) != 1 || len(n.graph.peers) != 0 {
		t.Errorf("the graph is %+v, %v, with %d announcements", g, err, len(n.graph.peers))
	}
}

// TestGraphIsBounded: neither one announcement nor all of those who are there take
// more than their bounds, and who is known already may announce anew.
func TestGraphIsBounded(t *testing.T) {
	const room = limit.AnnouncementBytes - 100 // for the rest of an announcement
	transport := NewMemory()
	n, err := NewNode(transport, Options{Name: "guard"})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	say := func(id GUID, bytes int) {
		a := announcement{participant: id, nodes: []announcedNode{{namespace: "/", name: "n", readers: make([]GUID, bytes/16)}}}
		data, err := a.encode(16)
		if err != nil {
			t.Fatal(err)
		}
		n.graph.receive(Sample{Data: data, Writer: id})
	}
	var there []GUID
	for range 2 * limit.GraphBytes / room {
		p, err := transport.Open(ParticipantOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		there = append(there, p.GUID())
		say(p.GUID(), room)
	}
	total := 0
	for _, a := range n.graph.peers {
		total += a.bytes
	}
	if total > limit.GraphBytes || total < limit.GraphBytes/2 {
		t.Errorf("announcements of %d bytes are kept", total)
	}
	say(there[0], 16)
	if got := len(n.graph.peers[there[0]].nodes[0].readers); got != 1 {
		t.Errorf("a participant that is known has %d readers, not the one that it announced last", got)
	}
	say(there[0], 2*limit.AnnouncementBytes)
	if got := len(n.graph.peers[there[0]].nodes[0].readers); got != 1 {
		t.Errorf("an announcement that is too large is kept, with %d readers", got)
	}
}

func TestQoSOutOfRange(t *testing.T) {
	for _, q := range []QoS{{Reliability: 7}, {Durability: 7}, {Depth: -2}, {Lifespan: -1}, {Deadline: -1}} {
		if q.Validate() == nil {
			t.Errorf("%+v is accepted", q)
		}
		p, err := NewMemory().Open(ParticipantOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.NewWriter(Endpoint{Topic: "t", Type: "T", QoS: q}); err == nil {
			t.Errorf("a writer with %+v is made", q)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
