package articulate

// Stages 1 and 2 of the pipeline, RKLM04 section 3.5: which pairs of elements are left
// for the exact stage. dynbvh.go and swept.go are what they rest on.
//
// Departure. The paper has one robot against its environment; pairs of one robot, or of
// several, go through the same stages here.

// culling is the scratch of both stages.
type culling struct {
	dynamic *DynamicBVH
	sweeper *Sweeper
	volumes map[[2]int]*sweptBy
	slices  sweptPair
	alive   []bool // per pair of the model
	touched []bool
	left    []int32 // the stages' results, one step's after another's

	against []int32 // Model.Against of the element whose volume is held against the world
	wanted  func(element int32) bool
	hit     func(item int32)
}

// sweptBy is what an element sweeps, as seen from a frame, when that was worked out, and
// whether it was held against the world.
type sweptBy struct {
	stamp  uint64
	held   bool
	volume SweptVolume
}

func newCulling(links *LinkBVH, mover *Mover, pairs int) culling {
	return culling{
		dynamic: NewDynamicBVH(links, mover), sweeper: NewSweeper(links, mover), volumes: map[[2]int]*sweptBy{},
		alive: make([]bool, pairs), touched: make([]bool, pairs),
	}
}

// cull returns the pairs that both stages leave for [lo, hi]; they are kept until the
// caller takes w.left back to its length from before.
func (w *Worker) cull(lo, hi float64, pairs []int32) []int32 {
	if !w.Options.NoDynamicBVH {
		begin := w.now()
		pairs = w.cullBoxes(lo, hi, pairs)
		w.spend(&w.stats.DynamicBVH, begin)
	}
	if !w.Options.NoSweptCull && len(pairs) > 0 {
		begin := w.now()
		pairs = w.cullSwept(lo, hi, pairs)
		w.spend(&w.stats.SweptVolume, begin)
	}
	return pairs
}

// cullBoxes is stage 1.
func (w *Worker) cullBoxes(lo, hi float64, pairs []int32) []int32 {
	clear(w.alive)
	for _, i := range pairs {
		w.alive[i] = true
	}
	w.dynamic.Update(lo, hi)
	w.dynamic.Cull(w.clearance, w.alive)
	w.stats.BVHTests += w.dynamic.Tests()
	return w.keep(0, pairs, w.alive)
}

// keep returns those of the pairs that are wanted.
func (w *Worker) keep(stage int, pairs []int32, wanted []bool) []int32 {
	from := len(w.left)
	for _, i := range pairs {
		if wanted[i] {
			w.left = append(w.left, i)
		}
	}
	left := w.left[from:len(w.left):len(w.left)]
	w.stats.PairsIn[stage] += len(pairs)
	w.stats.PairsOut[stage] += len(pairs) - len(left)
	return left
}

// cullSwept is stage 2.
func (w *Worker) cullSwept(lo, hi float64, pairs []int32) []int32 {
	w.stamp++
	clear(w.touched)
	clear(w.alive)
	for _, i := range pairs {
		w.alive[i] = w.m.Pairs[i].World
	}
	w.sweepTogether(lo, hi, pairs)
	for _, i := range pairs {
		p := &w.m.Pairs[i]
		if p.World {
			if moving := w.moving(i); w.m.Against[moving] != nil {
				w.sweepWorld(lo, hi, moving)
			}
			continue
		}
		w.stats.SweptTests++
		if a, b := w.sweep(lo, hi, p.A, p.Base), w.sweep(lo, hi, p.B, p.Base); !w.slices.apart(&a.volume, &b.volume, w.clearance) {
			w.touched[i] = true
		}
	}
	return w.keep(1, pairs, w.touched)
}

// moving returns the element of a pair with the world that is of the robot.
func (w *Worker) moving(pair int32) int {
	p := &w.m.Pairs[pair]
	if w.m.Bodies[w.m.Elements[p.A].Body].Link < 0 {
		return p.B
	}
	return p.A
}

// sweep returns what an element sweeps, as seen from a frame.
func (w *Worker) sweep(lo, hi float64, element, base int) *sweptBy {
	key := [2]int{element, base}
	s := w.volumes[key]
	if s == nil {
		s = &sweptBy{}
		w.volumes[key] = s
	}
	if s.stamp != w.stamp {
		s.stamp, s.held = w.stamp, false
		w.sweeper.Sweep(element, base, lo, hi, &s.volume)
	}
	return s
}

// sweepTogether does for all elements what sweepWorld does for one, where the culler takes many
// volumes at once.
func (w *Worker) sweepTogether(lo, hi float64, pairs []int32) {
	batch, ok := w.culler().(BatchCuller)
	if !ok {
		return
	}
	var vs []*SweptVolume
	for _, i := range pairs {
		if !w.m.Pairs[i].World {
			continue
		}
		moving := w.moving(i)
		if s := w.sweep(lo, hi, moving, 0); !s.held && w.m.Against[moving] != nil {
			s.held = true
			vs = append(vs, &s.volume)
			w.stats.SweptTests += len(s.volume.Slices)
		}
	}
	if len(vs) == 0 {
		return
	}
	batch.CullAll(vs, w.clearance, func(volume int, element int32) bool {
		w.against = w.m.Against[vs[volume].Element]
		return w.wants(element)
	}, func(volume int, item int32) {
		w.against = w.m.Against[vs[volume].Element]
		w.hits(item)
	})
}

// sweepWorld notes, once for each element, which of its pairs with the world its volume
// may touch.
func (w *Worker) sweepWorld(lo, hi float64, element int) {
	s := w.sweep(lo, hi, element, 0)
	if s.held {
		return
	}
	s.held = true
	w.against = w.m.Against[element]
	w.stats.SweptTests += len(s.volume.Slices)
	w.culler().Cull(&s.volume, w.clearance, w.wanted, w.hit)
}

// wants reports whether it matters that a volume may touch an element of the world.
func (w *Worker) wants(element int32) bool {
	p := w.against[element-w.m.First]
	return p >= 0 && w.alive[p] && !w.touched[p]
}

// hits notes that the volume may touch an item of the world.
func (w *Worker) hits(item int32) {
	w.touched[w.against[w.m.World.Items[item].Element-w.m.First]] = true
}
