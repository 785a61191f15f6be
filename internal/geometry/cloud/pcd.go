package cloud

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Point Cloud Data, the format of PCL, versions 0.5 to 0.7: a header of lines, then points as
// text, as rows of binary numbers, or compressed by LZF, field after field.

// field is a column of a PCD file.
type field struct {
	name  string
	size  int // of one number
	kind  byte
	count int
	at    int // offset in a row
}

type pcdHeader struct {
	fields        []field
	width, height int
	points        int
	viewpoint     []float64
	data          string
	row           int // bytes of a row
}

func isPCD(data []byte) bool {
	if bytes.HasPrefix(data, []byte("# .PCD")) {
		return true
	}
	return bytes.HasPrefix(data, []byte("VERSION ")) && bytes.Contains(data[:min(len(data), 4096)], []byte("\nFIELDS "))
}

// pointsPerLook is how many points pass between checks of the context.
const pointsPerLook = 8192

func readPCD(ctx context.Context, data []byte) (*Cloud, error) {
	h, body, err := readPCDHeader(data)
	if err != nil {
		return nil, fmt.Errorf("header of the PCD file: %w", err)
	}
	var xyz [3]field
	for i, name := range []string{"x", "y", "z"} {
		at := slices.IndexFunc(h.fields, func(f field) bool { return f.name == name })
		if at < 0 {
			return nil, fmt.Errorf("the PCD file has no field %s: export x, y and z", name)
		}
		f := h.fields[at]
		if f.kind != 'F' || f.count != 1 || f.size != 4 && f.size != 8 {
			return nil, fmt.Errorf("field %s is %d x %c of %d bytes: export it as a float of 4 or 8", f.name, f.count, f.kind, f.size)
		}
		xyz[i] = f
	}
	p := pcd{ctx: ctx, head: h, xyz: xyz, cloud: &Cloud{}}
	if v := h.viewpoint; v != nil && !slices.Equal(v, []float64{0, 0, 0, 1, 0, 0, 0}) {
		p.cloud.Viewpoint = v
	}
	if slices.ContainsFunc(h.fields, func(f field) bool { return f.name == "radius" }) {
		p.cloud.Skipped = []string{"radius"}
	}
	switch h.data {
	case "ascii":
		err = p.text(body)
	case "binary":
		err = p.binary(body)
	case "binary_compressed":
		err = p.compressed(body)
	default:
		err = fmt.Errorf("DATA %.40q: there are ascii, binary and binary_compressed", h.data)
	}
	return p.cloud, err
}

const maxPCDHeader = 1 << 16

func readPCDHeader(data []byte) (*pcdHeader, []byte, error) {
	h := &pcdHeader{width: -1, height: 1, points: -1}
	for line := 1; ; line++ {
		i := bytes.IndexByte(data[:min(len(data), maxPCDHeader)], '\n')
		if i < 0 {
			return nil, nil, errors.New("no line DATA: truncated or damaged; export or copy it again")
		}
		words := strings.Fields(string(data[:i]))
		data = data[i+1:]
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if err := h.line(words[0], words[1:]); err != nil {
			return nil, nil, fmt.Errorf("line %d: %s: %w", line, words[0], err)
		}
		if words[0] == "DATA" {
			return h, data, h.check()
		}
	}
}

func (h *pcdHeader) line(key string, words []string) error {
	switch key {
	case "VERSION":
		return nil
	case "FIELDS", "COLUMNS":
		return h.names(words)
	case "SIZE", "TYPE", "COUNT":
		return h.column(key, words)
	case "VIEWPOINT":
		return h.view(words)
	case "WIDTH", "HEIGHT", "POINTS", "DATA":
	default:
		return errors.New("not a statement of a PCD header: damaged; export or copy it again")
	}
	if len(words) != 1 {
		return fmt.Errorf("has %d words: give one", len(words))
	}
	if key == "DATA" {
		h.data = words[0]
		return nil
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return fmt.Errorf("%.40q is no number of points", words[0])
	}
	*map[string]*int{"WIDTH": &h.width, "HEIGHT": &h.height, "POINTS": &h.points}[key] = int(n)
	return nil
}

const maxFields = 1000

func (h *pcdHeader) names(words []string) error {
	if len(h.fields) > 0 || len(words) == 0 || len(words) > maxFields {
		return fmt.Errorf("%d names, once and at most %d are expected", len(words), maxFields)
	}
	for i, w := range words {
		if w != "_" && slices.Contains(words[:i], w) {
			return fmt.Errorf("the field %.40q appears twice", w)
		}
		h.fields = append(h.fields, field{name: w, size: 4, kind: 'F', count: 1})
	}
	return nil
}

func (h *pcdHeader) column(key string, words []string) error {
	if len(words) != len(h.fields) {
		return fmt.Errorf("%d values for %d fields", len(words), len(h.fields))
	}
	for i, w := range words {
		f := &h.fields[i]
		if key == "TYPE" {
			if w != "F" && w != "I" && w != "U" {
				return fmt.Errorf("%.40q: there are F, I and U", w)
			}
			f.kind = w[0]
			continue
		}
		n, err := strconv.ParseInt(w, 10, 32)
		if err != nil || n < 1 || n > 1<<16 {
			return fmt.Errorf("%.40q of field %.40q is out of range", w, f.name)
		}
		if key == "COUNT" {
			f.count = int(n)
		} else if f.size = int(n); n != 1 && n != 2 && n != 4 && n != 8 {
			return fmt.Errorf("%d of field %.40q: there are 1, 2, 4 and 8 bytes", n, f.name)
		}
	}
	return nil
}

func (h *pcdHeader) view(words []string) error {
	if len(words) != 7 {
		return fmt.Errorf("has %d numbers: give x y z qw qx qy qz", len(words))
	}
	h.viewpoint = nil
	for _, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%.40q is not a finite number", w)
		}
		h.viewpoint = append(h.viewpoint, x+0)
	}
	return nil
}

// check completes the header.
func (h *pcdHeader) check() error {
	if h.width < 0 && h.points < 0 {
		return errors.New("neither WIDTH nor POINTS: truncated or damaged")
	}
	switch {
	case h.points < 0:
		if h.height > 0 && h.width > limit.SceneTriangles/h.height {
			return tooMany(limit.SceneTriangles)
		}
		h.points = h.width * h.height
	case h.width >= 0 && int64(h.width)*int64(h.height) != int64(h.points):
		return fmt.Errorf("WIDTH %d and HEIGHT %d are not the %d POINTS: damaged; export or copy it again", h.width, h.height, h.points)
	}
	if h.points > limit.SceneTriangles {
		return tooMany(h.points)
	}
	for i := range h.fields {
		f := &h.fields[i]
		f.at = h.row
		h.row += f.size * f.count
	}
	return nil
}

// pcd reads the points after the header.
type pcd struct {
	ctx   context.Context
	head  *pcdHeader
	xyz   [3]field
	cloud *Cloud
}

// take adds point i, whose coordinate c is coordinate(c).
func (p *pcd) take(i int, coordinate func(c int) float64) error {
	if i%pointsPerLook == 0 {
		if err := p.ctx.Err(); err != nil {
			return err
		}
	}
	return p.cloud.add(geom.Vec{X: coordinate(0), Y: coordinate(1), Z: coordinate(2)})
}

func wrongSize(what string, got, want int) error {
	return fmt.Errorf("%s are %d bytes, the header's points take %d: truncated or damaged; export or copy it again", what, got, want)
}

// cut returns the first n bytes. PCL fills its files with zeros up to a multiple of the page.
func cut(what string, body []byte, n int) ([]byte, error) {
	if len(body) < n || len(bytes.Trim(body[n:], "\x00")) > 0 {
		return nil, wrongSize(what, len(body), n)
	}
	return body[:n], nil
}

func (p *pcd) binary(body []byte) error {
	body, err := cut("the points", body, p.head.points*p.head.row)
	if err != nil {
		return err
	}
	for i := range p.head.points {
		row := body[i*p.head.row:]
		if err := p.take(i, func(c int) float64 { return floatOf(row[p.xyz[c].at:], p.xyz[c].size) }); err != nil {
			return err
		}
	}
	return nil
}

func floatOf(b []byte, size int) float64 {
	if size == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// compressed reads points that are stored field by field and compressed as a whole.
func (p *pcd) compressed(body []byte) error {
	if len(body) < 8 {
		return wrongSize("the points", len(body), 8)
	}
	packed, size := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[4:])
	body, err := cut("the compressed points", body[8:], int(packed))
	if err != nil {
		return err
	}
	if want := p.head.points * p.head.row; int64(size) != int64(want) {
		return wrongSize("the unpacked points", int(size), want)
	}
	all, err := unpackLZF(body, int(size))
	if err != nil {
		return err
	}
	for i := range p.head.points {
		if err := p.take(i, func(c int) float64 {
			f := &p.xyz[c]
			return floatOf(all[f.at*p.head.points+i*f.size:], f.size)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (p *pcd) text(body []byte) error {
	columns, where := 0, [3]int{}
	for _, f := range p.head.fields {
		for c := range where {
			if f.name == p.xyz[c].name {
				where[c] = columns
			}
		}
		columns += f.count
	}
	cut := len(body) > 0 && body[len(body)-1] != '\n' // the last number, perhaps
	i := 0
	for len(body) > 0 {
		row, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		words := bytes.Fields(row)
		if len(words) == 0 {
			continue
		}
		if len(words) != columns {
			return fmt.Errorf("point %d has %d numbers, the header's fields take %d: damaged; export or copy it again", i, len(words), columns)
		}
		var xyz [3]float64
		for c := range xyz {
			w := string(words[where[c]])
			x, err := strconv.ParseFloat(w, 64)
			if strings.EqualFold(w, "-nan") { // as C prints some
				x, err = math.NaN(), nil
			}
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return fmt.Errorf("point %d: %.40q is not a number", i, w)
			}
			xyz[c] = x
		}
		if i++; i > p.head.points {
			return fmt.Errorf("more points than the %d that the header declares: damaged; export or copy it again", p.head.points)
		}
		if err := p.take(i-1, func(c int) float64 { return xyz[c] }); err != nil {
			return err
		}
	}
	if cut {
		return errors.New("the last line has no end: truncated, or add a line end")
	}
	if i != p.head.points {
		return fmt.Errorf("%d points, the header declares %d: truncated or damaged; export or copy it again", i, p.head.points)
	}
	return nil
}
