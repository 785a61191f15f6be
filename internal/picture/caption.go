package picture

import (
	"image"
	"image/color"
	"image/draw"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Letters are outlines of package sfnt, which computes in integers, filled by package vector,
// which does so for pictures of up to 512 pixels. Its curves would be computed in floating point:
// they are cut into lines here.

var typeface = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })

// pen writes text into a picture.
type pen struct {
	to     *image.RGBA
	font   *sfnt.Font
	buffer sfnt.Buffer
}

func newPen(to *image.RGBA) (*pen, error) {
	f, err := typeface()
	return &pen{to: to, font: f}, err
}

// write writes a line that begins at x on the baseline y, at a size in pixels, and returns where
// it ends. What does not fit before end is left out, and three dots say so.
func (p *pen) write(x, y, end, size int, c color.RGBA, text string) int {
	if x+p.width(size, text) > end {
		runes := []rune(text)
		for len(runes) > 0 && x+p.width(size, string(runes)+"…") > end {
			runes = runes[:len(runes)-1]
		}
		text = string(runes) + "…"
	}
	at := fixed.I(x)
	for _, r := range text {
		at += p.letter(at, fixed.I(y), size, c, r)
	}
	return at.Ceil()
}

// width is how wide text is.
func (p *pen) width(size int, text string) int {
	var w fixed.Int26_6
	for _, r := range text {
		w += p.advance(p.glyph(r), size)
	}
	return w.Ceil()
}

// glyph returns the index of a letter, 0 if the font lacks it.
func (p *pen) glyph(r rune) sfnt.GlyphIndex {
	i, err := p.font.GlyphIndex(&p.buffer, r)
	if err != nil {
		return 0
	}
	return i
}

func (p *pen) advance(i sfnt.GlyphIndex, size int) fixed.Int26_6 {
	a, err := p.font.GlyphAdvance(&p.buffer, i, fixed.I(size), font.HintingNone)
	if err != nil {
		return 0
	}
	return a
}

// letter draws a letter and returns its advance.
func (p *pen) letter(x, y fixed.Int26_6, size int, c color.RGBA, r rune) fixed.Int26_6 {
	i := p.glyph(r)
	outline, err := p.font.LoadGlyph(&p.buffer, i, fixed.I(size), nil)
	if err != nil {
		return 0
	}
	var f figure
	for _, s := range outline {
		at := func(k int) point { return point{s.Args[k].X + x, s.Args[k].Y + y} }
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			f.begin(at(0))
		case sfnt.SegmentOpLineTo:
			f.line(at(0))
		case sfnt.SegmentOpQuadTo:
			f.curve(at(0), at(1))
		case sfnt.SegmentOpCubeTo:
			f.line(at(2)) // this font has none
		}
	}
	f.fill(p.to, c)
	return p.advance(i, size)
}

// point is a place in a picture, in 64ths of a pixel.
type point struct{ x, y fixed.Int26_6 }

// figure is closed lines.
type figure struct{ loops [][]point }

func (f *figure) begin(p point) { f.loops = append(f.loops, []point{p}) }

func (f *figure) line(p point) {
	l := &f.loops[len(f.loops)-1]
	*l = append(*l, p)
}

// curve draws a parabola with a control point.
func (f *figure) curve(by, to point) {
	l := f.loops[len(f.loops)-1]
	from := l[len(l)-1]
	const n = 6
	for t := fixed.Int26_6(1); t <= n; t++ {
		a, b, c := (n-t)*(n-t), 2*t*(n-t), t*t
		f.line(point{(a*from.x + b*by.x + c*to.x) / (n * n), (a*from.y + b*by.y + c*to.y) / (n * n)})
	}
}

// largest is the size up to which package vector computes in integers.
const largest = 512

// fill draws the figure. Larger ones than largest are not drawn.
func (f *figure) fill(to *image.RGBA, c color.RGBA) {
	if len(f.loops) == 0 {
		return
	}
	low, high := f.loops[0][0], f.loops[0][0]
	for _, l := range f.loops {
		for _, p := range l {
			low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	box := image.Rect(low.x.Floor(), low.y.Floor(), high.x.Ceil()+1, high.y.Ceil()+1)
	if box.Dx() > largest || box.Dy() > largest || box.Intersect(to.Bounds()).Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(p point) (x, y float32) {
		return float32(p.x-fixed.I(box.Min.X)) / 64, float32(p.y-fixed.I(box.Min.Y)) / 64
	}
	for _, l := range f.loops {
		z.MoveTo(at(l[0]))
		for _, p := range l[1:] {
			z.LineTo(at(p))
		}
		z.ClosePath()
	}
	z.DrawOp = draw.Over
	z.Draw(to, box, image.NewUniform(c), image.Point{})
}
