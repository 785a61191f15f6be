package clouds

import (
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// Message is a PointCloud2 as it is received: one that has more fields than a cloud can need is
// an error before memory is taken for them, however many bytes its points may have.
type Message struct{ sensormsgs.PointCloud2 }

// UnmarshalCDR reads the fields of m in order, see cdr.Message.
func (m *Message) UnmarshalCDR(r *cdr.Reader) error {
	if err := m.Header.UnmarshalCDR(r); err != nil {
		return err
	}
	m.Height = r.Uint32()
	m.Width = r.Uint32()
	m.Fields = cdr.BoundedSeq(r, m.Fields, 13, limit.CloudFields)
	for i := range m.Fields {
		if err := m.Fields[i].UnmarshalCDR(r); err != nil {
			return err
		}
	}
	m.IsBigendian = r.Bool()
	m.PointStep = r.Uint32()
	m.RowStep = r.Uint32()
	m.Data = cdr.Seq(r, m.Data, 1)
	r.Uint8s(m.Data)
	m.IsDense = r.Bool()
	return r.Err()
}
