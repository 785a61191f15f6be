package clouds

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// layout is where the coordinates are in the bytes of a message.
type layout struct {
	width, height, step, rowStep int
	at                           [3]int  // of x, y, z in a point
	double                       [3]bool // float64; else float32
	order                        binary.ByteOrder
	plain                        bool // three float32, little endian
}

// layoutOf reads the fields of a message, and fails where its bytes are not as they say.
func layoutOf(m *sensormsgs.PointCloud2) (l layout, err error) {
	l = layout{width: int(m.Width), height: int(m.Height), step: int(m.PointStep), rowStep: int(m.RowStep), order: binary.LittleEndian}
	if m.IsBigendian {
		l.order = binary.BigEndian
	}
	if n := uint64(m.Width) * uint64(m.Height); n > limit.CloudPoints {
		return l, fmt.Errorf("it has %d points, the maximum is %d: thin it out, for instance with a voxel grid", n, limit.CloudPoints)
	}
	if l.width == 0 || l.height == 0 {
		if len(m.Data) > 0 {
			return l, fmt.Errorf("it has %d bytes of data, and %d rows of %d points, which take none", len(m.Data), m.Height, m.Width)
		}
		return layout{}, nil
	}
	for i, name := range []string{"x", "y", "z"} {
		f, err := fieldOf(m, name)
		if err != nil {
			return l, err
		}
		l.at[i], l.double[i] = int(f.Offset), f.Datatype == sensormsgs.PointFieldFloat64
		size := 4
		if l.double[i] {
			size = 8
		}
		if uint64(f.Offset)+uint64(size) > uint64(m.PointStep) {
			return l, fmt.Errorf("field %s ends at byte %d of a point of %d", name, uint64(f.Offset)+uint64(size), m.PointStep)
		}
	}
	l.plain = !m.IsBigendian && l.double == [3]bool{}
	row := uint64(m.Width) * uint64(m.PointStep)
	if l.height == 1 {
		l.rowStep = int(row) // of one row it says nothing
	}
	if uint64(l.rowStep) < row {
		return l, fmt.Errorf("row_step is %d, and %d points of %d bytes take %d", m.RowStep, m.Width, m.PointStep, row)
	}
	if want := uint64(m.Height) * uint64(l.rowStep); want != uint64(len(m.Data)) {
		return l, fmt.Errorf("it has %d bytes of data, and %d rows of %d bytes take %d", len(m.Data), m.Height, l.rowStep, want)
	}
	return l, nil
}

// fieldOf returns a coordinate's field.
func fieldOf(m *sensormsgs.PointCloud2, name string) (found sensormsgs.PointField, err error) {
	n := 0
	for i := range m.Fields {
		if m.Fields[i].Name == name {
			found = m.Fields[i]
			n++
		}
	}
	switch {
	case n == 0:
		return found, fmt.Errorf("it has no field %s: give x, y and z in metres", name)
	case n > 1:
		return found, fmt.Errorf("it has the field %s twice", name)
	case found.Datatype != sensormsgs.PointFieldFloat32 && found.Datatype != sensormsgs.PointFieldFloat64:
		return found, fmt.Errorf("field %s has the datatype %d: give FLOAT32 (7) or FLOAT64 (8), in metres", name, found.Datatype)
	case found.Count > 1:
		return found, fmt.Errorf("field %s has %d elements, not 1", name, found.Count)
	}
	return found, nil
}

// each calls yield with every point, until it returns false.
func (l *layout) each(data []byte, yield func(geom.Vec) bool) {
	for r := range l.height {
		row := data[r*l.rowStep:]
		for c := range l.width {
			if !yield(l.point(row[c*l.step : (c+1)*l.step])) {
				return
			}
		}
	}
}

func (l *layout) point(b []byte) geom.Vec {
	if l.plain {
		return geom.Vec{X: float(b[l.at[0]:]), Y: float(b[l.at[1]:]), Z: float(b[l.at[2]:])}
	}
	return geom.Vec{X: l.coordinate(b, 0), Y: l.coordinate(b, 1), Z: l.coordinate(b, 2)}
}

func float(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }

func (l *layout) coordinate(b []byte, i int) float64 {
	if l.double[i] {
		return math.Float64frombits(l.order.Uint64(b[l.at[i]:]))
	}
	return float64(math.Float32frombits(l.order.Uint32(b[l.at[i]:])))
}
