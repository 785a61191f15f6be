package check

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/picture"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// pngFlags say how to draw shaded pictures. The zero value of each but file is its default.
type pngFlags struct {
	file, size, view, background string
	ghosts                       int // -1: as many as suit what is shown
	noCloseUp                    bool

	width, height int         // parsed size
	from          *[2]float64 // parsed view

	mu     sync.Mutex // of what follows, and held while drawing: one picture uses all processors
	robot  *urdf.Robot
	artist *picture.Artist
}

const (
	defaultSize = "1280x800"
	leastSide   = 64
	mostSide    = 8192
	mostGhosts  = 64
	someGhosts  = 8
)

func (f *pngFlags) validate() (err error) {
	if err := (cli.Output{Flag: "png", Path: f.file}).Ends(".png", ".png"); err != nil {
		return err
	}
	if f.size == "" {
		f.size = defaultSize
	}
	w, h, ok := strings.Cut(f.size, "x")
	f.width, err = strconv.Atoi(w)
	if err == nil && ok {
		f.height, err = strconv.Atoi(h)
	}
	if err != nil || !ok || min(f.width, f.height) < leastSide || max(f.width, f.height) > mostSide {
		return fmt.Errorf("--size %s: give WIDTHxHEIGHT in pixels, such as %s, from %d to %d each", f.size, defaultSize, leastSide, mostSide)
	}
	if f.from, err = parseView(f.view); err != nil {
		return err
	}
	switch f.background {
	case "", "light", "dark":
	default:
		return fmt.Errorf("--background %s: give light or dark", f.background)
	}
	if f.ghosts < -1 || f.ghosts > mostGhosts {
		return fmt.Errorf("--ghosts %d: give 0 to %d", f.ghosts, mostGhosts)
	}
	return nil
}

// parseView parses azimuth and elevation. An empty text is none.
func parseView(text string) (*[2]float64, error) {
	if text == "" {
		return nil, nil
	}
	a, e, ok := strings.Cut(text, ",")
	azimuth, errA := strconv.ParseFloat(strings.TrimSpace(a), 64)
	elevation, errE := strconv.ParseFloat(strings.TrimSpace(e), 64)
	if !ok || errA != nil || errE != nil || !(math.Abs(azimuth) <= 360) || !(math.Abs(elevation) <= 90) {
		return nil, fmt.Errorf("--view %s: give AZIMUTH,ELEVATION in degrees, such as 30,20: from where the camera looks, seen from the\nrobot: azimuth counterclockwise from the x axis, from -360 to 360, elevation upward, from -90 to 90", text)
	}
	return &[2]float64{azimuth, elevation}, nil
}

// number gives each motion the file of its picture: of several motions the names are numbered.
// None may be one of the inputs.
func (f *pngFlags) number(jobs []Job, inputs []cli.Input) error {
	if f.file == "" {
		return nil
	}
	if len(jobs) == 1 {
		jobs[0].png = f.file
		return cli.Writable(inputs, cli.Output{Flag: "png", Path: f.file})
	}
	if !cli.Regular(f.file) {
		return cli.OutputError{Err: fmt.Errorf("--png %s: %d motions give as many files: name a file in a folder", f.file, len(jobs))}
	}
	for i := range jobs {
		jobs[i].png = f.numbered(i)
		if err := cli.Writable(inputs, cli.Output{Flag: "png", Path: jobs[i].png}); err != nil {
			return err
		}
	}
	return nil
}

// numbered is the file of a motion, from 0.
func (f *pngFlags) numbered(i int) string {
	return fmt.Sprintf("%s-%d.png", strings.TrimSuffix(f.file, ".png"), i+1)
}

// tell says where the pictures of several motions are. That of a single one is in its result.
func (f *pngFlags) tell(w io.Writer, n int) (err error) {
	if f.file != "" && n > 1 {
		_, err = fmt.Fprintf(w, "their pictures are %s to %s, in the order of the motions\n", f.numbered(0), f.numbered(n-1))
	}
	return err
}

// addPNG draws the answer.
func (f *Flags) addPNG(ctx context.Context, j *Job, a *node.Answer, r *verdict.Result) error {
	if err := f.png.draw(ctx, j.png, a.Checker, j.Motion, f.png.shotOf(worstOf(a.Verdict, a.Touch), r)); err != nil {
		return err
	}
	r.PNG = j.png
	return nil
}

// shotOf returns what to show of an answer: what the still shows, and the way there; of a free
// motion the whole.
func (f *pngFlags) shotOf(v *motion.Verdict, r *verdict.Result) *picture.Shot {
	s := stillOf(v, r)
	shot := &picture.Shot{Title: s.title, Caption: s.caption, Time: s.time, Witness: s.witness}
	end := s.time
	switch {
	case r.TOC != nil:
		shot.Caption += "; " + r.Before()
	case r.Status == "free":
		end = r.Duration
	case r.Status == "undecided":
		shot.Caption = r.Undecided()
	}
	for _, s := range r.Limits() {
		if s.Kind == verdict.Open {
			shot.Caption += "; " + s.Text
		}
	}
	shot.Ghosts = f.ghostTimes(r.Start, end, someGhosts)
	return shot
}

// ghostTimes are evenly spread times before an end, as many as --ghosts or, without it, as usual.
func (f *pngFlags) ghostTimes(start, end float64, usual int) (out []float64) {
	n := f.ghosts
	if n < 0 {
		n = usual
	}
	if !(end > start) {
		return nil
	}
	for i := range n {
		out = append(out, start+(end-start)*float64(i)/float64(n))
	}
	return out
}

// draw writes a picture. Without a motion it shows the robot at rest.
func (f *pngFlags) draw(ctx context.Context, file string, c *ccd.Checker, m *motion.Motion, shot *picture.Shot) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if robot := c.Robot(); f.robot != robot {
		f.robot, f.artist = robot, picture.NewArtist(robot)
	}
	stage, err := f.artist.On(c, m)
	if err != nil {
		return err
	}
	drawn, err := stage.Draw(ctx, shot, picture.Options{
		Width: f.width, Height: f.height, Dark: f.background == "dark", From: f.from, NoInset: f.noCloseUp, Workers: runtime.GOMAXPROCS(0),
		Done: func(n, of int) {
			progress.Tell(ctx, progress.Step{What: "drawing " + file, Done: int64(n), Total: int64(of), Unit: "parts"})
		},
	})
	if err != nil {
		return err
	}
	small := png.Encoder{CompressionLevel: png.BestCompression}
	return cli.Create(cli.Output{Flag: "png", Path: file}, func(w io.Writer) error { return small.Encode(w, drawn) })
}
