//go:build gl && cgo

package sweptgl

// Published returns the image culler as the paper has it: a pixel is its middle, in one frame of
// three axes, and nothing is rounded outward. It drops contacts; it is there to be
// compared with.
func (w *World) Published(pixels int) (*Image, error) {
	p, err := newPrinter(w.device, w.world, pixels)
	if err != nil {
		return nil, err
	}
	p.naive = true
	return &Image{guard: newGuard(w.links, w.world, w.device, w.canaries), p: p}, nil
}
