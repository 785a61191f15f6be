package ros

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// announcement is rmw_dds_common/msg/ParticipantEntitiesInfo. Its ids have 24 bytes up to
// Humble (the GUID and eight zeros) and 16 since Iron. One Go type represents both.
type announcement struct {
	participant GUID
	nodes       []announcedNode
	bytes       int // its encoded size
}

type announcedNode struct {
	namespace, name  string
	readers, writers []GUID
}

// maxGraphString is the bound of names in the message's definition.
const maxGraphString = 256

func (a announcement) encode(gidLength int) ([]byte, error) {
	var w cdr.Writer
	w.Reset(nil)
	writeGID(&w, a.participant, gidLength)
	w.Len(len(a.nodes))
	for _, n := range a.nodes {
		w.BoundedString(n.namespace, maxGraphString)
		w.BoundedString(n.name, maxGraphString)
		for _, ids := range [][]GUID{n.readers, n.writers} {
			w.Len(len(ids))
			for _, id := range ids {
				writeGID(&w, id, gidLength)
			}
		}
	}
	return w.Bytes(), w.Err()
}

func writeGID(w *cdr.Writer, id GUID, length int) {
	var padded [24]uint8
	copy(padded[:], id[:])
	w.Uint8s(padded[:length])
}

// decodeAnnouncement reads either form: nodes of several distributions may share a domain. The
// form is the one that consumes all bytes.
func decodeAnnouncement(data []byte) (announcement, error) {
	a, err := decodeAnnouncementAs(data, JazzyWire.GIDLength)
	if err == nil {
		return a, nil
	}
	if old, oldErr := decodeAnnouncementAs(data, HumbleWire.GIDLength); oldErr == nil {
		return old, nil
	}
	return announcement{}, err
}

func decodeAnnouncementAs(data []byte, gidLength int) (announcement, error) {
	var r cdr.Reader
	if err := r.Reset(data); err != nil {
		return announcement{}, err
	}
	var a announcement
	var err error
	if a.participant, err = readGID(&r, gidLength); err != nil {
		return announcement{}, err
	}
	// Minimum size of a node: four lengths.
	a.nodes = cdr.Seq(&r, a.nodes, 16)
	for i := range a.nodes {
		n := &a.nodes[i]
		r.BoundedString(&n.namespace, maxGraphString)
		r.BoundedString(&n.name, maxGraphString)
		for _, ids := range []*[]GUID{&n.readers, &n.writers} {
			*ids = cdr.Seq(&r, *ids, gidLength)
			for j := range *ids {
				if (*ids)[j], err = readGID(&r, gidLength); err != nil {
					return announcement{}, err
				}
			}
		}
		if r.Err() != nil {
			return announcement{}, r.Err()
		}
	}
	return a, r.Close()
}

var errPadding = errors.New("an id's padding is not zero")

func readGID(r *cdr.Reader, length int) (GUID, error) {
	var padded [24]uint8
	r.Uint8s(padded[:length])
	if [8]uint8(padded[16:]) != [8]uint8{} {
		return GUID{}, errPadding
	}
	return GUID(padded[:16]), r.Err()
}
