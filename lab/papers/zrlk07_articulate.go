package papers

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/engine/catch"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// catchAgainstArticulate is ZRLK07, Figure 12.
func catchAgainstArticulate(b *Bench) (*Result, error) {
	row := &catchRows[0]
	w, motions, err := row.get(b)
	if err != nil {
		return nil, err
	}
	worker, err := w.catcher(catch.Options{})
	if err != nil {
		return nil, err
	}
	other, err := w.articulated(articulate.Options{})
	if err != nil {
		return nil, err
	}
	printed, err := w.articulated(asPrinted)
	if err != nil {
		return nil, err
	}
	q := w.of.Ask
	q.NoSelf = true
	c, err := b.hold(motions, q, w.by("CATCH", worker, nil), w.by("ARTICULATE", other, nil), w.by(oneStep, printed, nil), w.byDefault())
	if err != nil {
		return nil, err
	}
	t := Table{Title: "ms", Head: []string{"", "n", "CATCH", "ARTICULATE", "ARTICULATE by CATCH", "ARTICULATE in one step", "by CATCH", "default engine"}}
	t.add("average CCD", c.n(), milli(c.mean(0)), milli(c.mean(1)), c.mean(1)/c.mean(0), milli(c.mean(2)), c.mean(2)/c.mean(0), milli(c.mean(3)))
	t.add("of motions that touch", c.count(motion.Contact), milli(c.mean(0, motion.Contact)), milli(c.mean(1, motion.Contact)),
		c.mean(1, motion.Contact)/c.mean(0, motion.Contact),
		milli(c.mean(2, motion.Contact)), c.mean(2, motion.Contact)/c.mean(0, motion.Contact), milli(c.mean(3, motion.Contact)))
	t.add("of free motions", c.count(motion.Free), milli(c.mean(0, motion.Free)), milli(c.mean(1, motion.Free)),
		c.mean(1, motion.Free)/c.mean(0, motion.Free),
		milli(c.mean(2, motion.Free)), c.mean(2, motion.Free)/c.mean(0, motion.Free), milli(c.mean(3, motion.Free)))
	chart := Chart{Name: "zrlk07-figure12", Title: "Walk, without self-collision: time by frame", X: "frame", Y: "ms", LogY: true}
	for k := range c.methods {
		s := Series{Name: c.methods[k].name}
		for i, a := range c.answers[k] {
			s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, micros(a.time)/1000)
		}
		chart.Series = append(chart.Series, s)
	}
	return &Result{
		Setup: []string{w.sized(), "The robot against itself is left out. " + c.told() + ". In one step ARTICULATE goes through its exact stage as RKLM04 prints it, once for each motion."}, Tables: []Table{t}, Charts: []Chart{chart},
		Samples: []Sample{c.sample("Walk, without self-collision", row.counted())}, Notes: c.undecidedNotes("Walk"), Agreed: c.agree(0),
	}, nil
}
