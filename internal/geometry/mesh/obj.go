package mesh

import (
	"errors"
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// objReader collects the vertices and faces of a Wavefront OBJ file. All its objects and
// groups are one mesh. Faces are triangulated at the end, because a face may refer to later
// vertices.
type objReader struct {
	scanner
	verts   []geom.Vec
	corners []int32 // the faces' vertex indices, face after face
	sizes   []int32 // corners of each face
	maxIdx  int32   // the largest vertex index of any face
	maxLine int     // and the line that names it
	last    string  // the statement of the last line
	thin    int     // the first line with a line or points, 0 if there is none
}

// ignored lists statements without surface: attributes, grouping, materials,
// and parameters of free-form geometry, whose surfaces are refused.
var ignored = map[string]bool{
	"vn": true, "vt": true, "vp": true,
	"o": true, "g": true, "s": true, "mg": true, "usemtl": true, "mtllib": true, "usemap": true, "maplib": true,
	"bevel": true, "c_interp": true, "d_interp": true, "lod": true, "shadow_obj": true, "trace_obj": true,
	"cstype": true, "deg": true, "bmat": true, "step": true, "ctech": true, "stech": true,
	"curv": true, "curv2": true, "parm": true, "trim": true, "hole": true, "scrv": true, "sp": true, "end": true, "con": true,
}

func readOBJ(b *builder, data []byte) error {
	r := &objReader{scanner: *newScanner(data)}
	for more := true; more; more = r.nextLine() {
		if err := r.statement(b.lim); err != nil {
			return r.errorf("%w", err)
		}
	}
	if int(r.maxIdx) >= len(r.verts) {
		return fmt.Errorf("line %d: face refers to vertex %d of %d: truncated or damaged; export or copy it again",
			r.maxLine, int64(r.maxIdx)+1, len(r.verts))
	}
	if r.thin > 0 {
		b.notUnderstood("line %d: lines and points (l, p) of an OBJ file are not read", r.thin)
	}
	if r.mayBeCut() {
		b.notUnderstood("line %d: the last line is a vertex, or a face of fewer corners than the one before it or than three, and no line end follows: the file may be cut short", r.line)
	}
	return r.build(b)
}

// mayBeCut reports whether the file may have lost the end of its last line. Exporters leave out the
// last line end, so its lack alone tells nothing.
func (r *objReader) mayBeCut() bool {
	if strings.HasSuffix(r.text, "\n") || strings.HasSuffix(r.text, "\r") {
		return false
	}
	switch n := len(r.sizes); r.last {
	case "v":
		return true
	case "f", "fo":
		return n > 0 && (r.sizes[n-1] < 3 || n > 1 && r.sizes[n-1] < r.sizes[n-2])
	}
	return false
}

func (r *objReader) statement(lim limits) error {
	w := r.wordInLine()
	r.last = w
	switch {
	case w == "" || w[0] == '#' || ignored[w]:
		return nil
	case w == "l" || w == "p":
		if r.thin == 0 {
			r.thin = r.line
		}
		return nil
	case len(r.verts) == 0 && w[0] >= '0' && w[0] <= '9':
		return nil // some exporters write the counts of vertices and faces first
	case w == "v":
		v, err := vec(r.wordInLine)
		if err != nil {
			return err
		}
		r.verts = append(r.verts, v)
		return r.weight()
	case w == "f" || w == "fo":
		return r.face(lim)
	case w == "surf" || w == "bzp" || w == "bsp" || w == "cdp" || w == "res":
		return fmt.Errorf("free-form surface %q: convert the surface to polygons", w)
	case w == "call" || w == "csh":
		return fmt.Errorf("%q runs an external command: put all geometry into the file", w)
	}
	return fmt.Errorf("statement %.40q is not OBJ: repair the file or export it again", w)
}

// weight reads what follows the three coordinates of a vertex: one number is a weight, by which some
// programs divide the coordinates and others do not; more are a colour.
func (r *objReader) weight() error {
	w := r.wordInLine()
	if w == "" || w[0] == '#' {
		return nil
	}
	if next := r.wordInLine(); next != "" && next[0] != '#' {
		return nil
	}
	if weight, err := float(w); err != nil {
		return fmt.Errorf("after the coordinates of a vertex: %w", err)
	} else if weight != 1 {
		return fmt.Errorf("vertex of weight %g: programs read it differently; export it without weights, or with 1", weight)
	}
	return nil
}

// face reads corners v, v/vt, v//vn or v/vt/vn; only v is used.
func (r *objReader) face(lim limits) error {
	n := int32(0)
	for {
		w := r.wordInLine()
		if w == "" || w[0] == '#' {
			break
		}
		i, err := r.corner(w)
		if err != nil {
			return err
		}
		r.corners = append(r.corners, i)
		n++
	}
	if n == 0 {
		return errors.New("face without corners: repair or export it again")
	}
	if len(r.sizes) >= lim.triangles {
		return fmt.Errorf("more than %d faces: simplify the mesh or split it", lim.triangles)
	}
	r.sizes = append(r.sizes, n)
	return nil
}

func (r *objReader) corner(w string) (int32, error) {
	if slash := strings.IndexByte(w, '/'); slash >= 0 {
		w = w[:slash]
	}
	i, err := integer(w)
	switch {
	case err != nil:
		return 0, fmt.Errorf("face corner: %w", err)
	case i == 0:
		return 0, errors.New("face refers to vertex 0, but OBJ counts from 1")
	case i > 0:
		i--
	case int(i)+len(r.verts) < 0:
		return 0, fmt.Errorf("face refers to vertex %d, but only %d precede it", i, len(r.verts))
	default:
		i += int32(len(r.verts))
	}
	if i > r.maxIdx || len(r.corners) == 0 {
		r.maxIdx, r.maxLine = i, r.line
	}
	return i, nil
}

func (r *objReader) build(b *builder) error {
	if len(r.sizes) == 0 {
		return nil
	}
	weld := newWelder(b, len(r.verts), func(i int32) geom.Vec { return r.verts[i] })
	t := triangulator{emit: weld.triangle}
	for at, k := int32(0), 0; k < len(r.sizes); k++ {
		n := r.sizes[k]
		if err := t.cut(r.verts, r.corners[at:at+n]); err != nil {
			return fmt.Errorf("face %d: %w", k+1, err)
		}
		at += n
	}
	return nil
}
