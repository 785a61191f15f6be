package main

// #include "include/firstcontact.h"
import "C"

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// checker is a ccd.Checker whose scene a caller can replace.
type checker struct {
	joints []string // of configurations
	robot  *urdf.Robot
	now    atomic.Pointer[within]
	mu     sync.Mutex // of who replaces now
	lines  sync.Pool  // of *line
	rests  sync.Pool  // of *line that stand still
	many   sync.Pool  // of *lot
}

// within is a checker's robot in one scene.
type within struct {
	*ccd.Checker
	open, accepted, assumed int       // gaps, and pairs that are left out
	trackers                sync.Pool // of *tracker
	counted                 atomic.Pointer[count]
}

// count is how many gaps a list of premises has. Verdicts of one checker mostly share their
// list, and to count it takes as long as a short check.
type count struct {
	list           []premise.Premise
	open, accepted int
}

// gaps counts those of a verdict's premises.
func (w *within) gaps(list []premise.Premise) (open, accepted int) {
	if len(list) == 0 {
		return 0, 0
	}
	if c := w.counted.Load(); c != nil && len(c.list) == len(list) && &c.list[0] == &list[0] {
		return c.open, c.accepted
	}
	open, accepted = gaps(list)
	w.counted.Store(&count{list, open, accepted})
	return open, accepted
}

func newWithin(c *ccd.Checker) *within {
	w := &within{Checker: c, assumed: len(c.Pairs().Assumed)}
	w.open, w.accepted = gaps(c.Premises())
	return w
}

// gaps counts those of a list that are open, and those that are accepted.
func gaps(list []premise.Premise) (open, accepted int) {
	for i := range list {
		switch p := &list[i]; {
		case p.Open():
			open++
		case p.IsGap():
			accepted++
		}
	}
	return open, accepted
}

//export goCheckerNew
func goCheckerNew(robot, world C.uintptr_t, o *C.fc_options, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_checker_new", text{t, size}, func() (any, error) {
		r, err := take[*urdf.Robot]("robot", robot)
		if err != nil {
			return nil, err
		}
		s, err := snapshotOf(world, r)
		if err != nil {
			return nil, err
		}
		var none C.fc_options
		if o == nil {
			none.size, o = C.size_t(unsafe.Sizeof(none)), &none
		}
		return newChecker(r, s, o)
	})
}

func snapshotOf(h C.uintptr_t, robot *urdf.Robot) (*scene.Snapshot, error) {
	w, err := take[*world]("scene", h)
	if err != nil {
		return nil, err
	}
	return w.snapshot().For(robot)
}

func newChecker(robot *urdf.Robot, s *scene.Snapshot, o *C.fc_options) (*checker, error) {
	options, err := readOptions(o)
	if err != nil {
		return nil, err
	}
	c, err := ccd.New(robot, s, options)
	if err != nil {
		return nil, err
	}
	if o.prove_defaults != 0 {
		if c, err = c.ProveDefaults(context.Background(), 0); err != nil {
			return nil, err
		}
	}
	joints, err := list("options.joints", o.joints)
	if err != nil {
		return nil, err
	}
	group, err := optional("options.group", o.group)
	if err != nil {
		return nil, err
	}
	if joints, err = configurations(c, joints, group); err != nil {
		return nil, err
	}
	return checkerOf(joints, c.Robot(), newWithin(c)), nil
}

func checkerOf(joints []string, robot *urdf.Robot, now *within) *checker {
	out := &checker{joints: joints, robot: robot}
	out.lines.New = func() any { return newLine(joints, 2) }
	out.rests.New = func() any { return newLine(joints, 1) }
	out.many.New = func() any { return &lot{} }
	out.now.Store(now)
	return out
}

//export goCheckerCopy
func goCheckerCopy(h C.uintptr_t, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_checker_copy", text{t, size}, func() (any, error) {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return nil, err
		}
		return checkerOf(c.joints, c.robot, c.now.Load()), nil
	})
}

func readOptions(o *C.fc_options) (ccd.Options, error) {
	if err := sized("fc_options", o.size, unsafe.Sizeof(*o)); err != nil {
		return ccd.Options{}, err
	}
	if o.reserved != 0 {
		return ccd.Options{}, errReserved("options", o.reserved)
	}
	state, err := named("options.state_joints", o.state_joints, o.state_positions)
	if err != nil {
		return ccd.Options{}, err
	}
	allowed, err := pairs("options.allowed", o.allowed)
	if err != nil {
		return ccd.Options{}, err
	}
	padding, err := named("options.padded_links", o.padded_links, o.link_paddings)
	if err != nil {
		return ccd.Options{}, err
	}
	accept, err := list("options.accept", o.accept)
	if err != nil {
		return ccd.Options{}, err
	}
	return ccd.Options{
		State: state, Allowed: allowed, Padding: float64(o.padding), LinkPadding: padding,
		Accept: premise.Accept(accept), Cache: C.GoString(o.cache),
	}, nil
}

// configurations decides which joints a configuration lists.
func configurations(c *ccd.Checker, joints []string, group string) ([]string, error) {
	active := c.ActiveJoints()
	switch {
	case len(joints) > 0 && group != "":
		return nil, errMisuse("options has joints and group: give one of them")
	case group != "":
		return jointsOf(c, active, group)
	case len(joints) == 0:
		joints = active
	}
	if len(joints) == 0 {
		return nil, fmt.Errorf("the robot has no joint that moves")
	}
	for i, name := range joints {
		if !slices.Contains(active, name) {
			return nil, fmt.Errorf("options.joints has %s, which is no joint of the robot that moves by itself: it has %s", name, strings.Join(active, ", "))
		}
		if slices.Contains(joints[:i], name) {
			return nil, fmt.Errorf("options.joints has %s twice", name)
		}
	}
	return joints, nil
}

// jointsOf lists the joints of a group that move by themselves.
func jointsOf(c *ccd.Checker, active []string, group string) ([]string, error) {
	if _, err := c.OnlyGroup(group); err != nil { // which knows all that can be wrong with it
		return nil, err
	}
	of := c.Robot().Semantic.Groups
	g := of[slices.IndexFunc(of, func(g urdf.Group) bool { return g.Name == group })]
	var joints []string
	for _, name := range g.Joints {
		if slices.Contains(active, name) {
			joints = append(joints, name)
		}
	}
	if len(joints) == 0 {
		return nil, fmt.Errorf("group %s has no joint that moves by itself", group)
	}
	return joints, nil
}

//export goCheckerSetScene
func goCheckerSetScene(h, world C.uintptr_t, t *C.char, size C.size_t) C.int {
	return guard("fc_checker_set_scene", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		s, err := snapshotOf(world, c.robot)
		if err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		next, err := c.now.Load().WithNextWorld(context.Background(), s)
		if err == nil {
			c.now.Store(newWithin(next))
		}
		return err
	})
}

//export goCheckerDimension
func goCheckerDimension(h C.uintptr_t, n *C.size_t, t *C.char, size C.size_t) C.int {
	return guard("fc_checker_dimension", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		if n == nil {
			return errMisuse("n is NULL")
		}
		*n = C.size_t(len(c.joints))
		return nil
	})
}

//export goCheckerJoint
func goCheckerJoint(h C.uintptr_t, index C.size_t, out *C.fc_joint, t *C.char, size C.size_t) C.int {
	return guard("fc_checker_joint", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		if out == nil {
			return errMisuse("joint is NULL")
		}
		if index >= C.size_t(len(c.joints)) {
			return errMisuse(fmt.Sprintf("there is no joint %d of %d", uint64(index), len(c.joints)))
		}
		c.joint(c.joints[index], out)
		return nil
	})
}

func (c *checker) joint(name string, out *C.fc_joint) {
	put(out.name[:], name)
	out._type = C.FC_OTHER_JOINT
	switch turns, comesBack := c.now.Load().Turns(name); {
	case comesBack:
		out._type = C.FC_CONTINUOUS
	case turns:
		out._type = C.FC_WINDING
	}
	i := c.robot.Joint(name)
	if i < 0 {
		return
	}
	j := &c.robot.Joints[i]
	switch j.Type {
	case urdf.Revolute:
		out._type = C.FC_REVOLUTE
	case urdf.Prismatic:
		out._type = C.FC_PRISMATIC
	}
	if j.Limit.Bounded {
		out.bounded, out.lower, out.upper = 1, C.double(j.Limit.Lower), C.double(j.Limit.Upper)
	}
	out.velocity = C.double(j.Limit.Velocity)
}

//export goCheckerPremises
func goCheckerPremises(h C.uintptr_t, into *C.char, room C.size_t, needed *C.size_t, t *C.char, size C.size_t) C.int {
	return guard("fc_checker_premises", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		if into == nil && room > 0 {
			return errMisuse("text is NULL, and size is not 0")
		}
		writePremises(c.now.Load().Premises(), text{into, room}, needed)
		return nil
	})
}

//export goPathPremises
func goPathPremises(h C.uintptr_t, points *C.double, count, n C.size_t, times *C.double, q *C.fc_query, into *C.char, room C.size_t, needed *C.size_t, t *C.char, size C.size_t) C.int {
	return guard("fc_path_premises", text{t, size}, func() error {
		c, err := take[*checker]("checker", h)
		if err != nil {
			return err
		}
		query, err := readQuery(q)
		if err != nil {
			return err
		}
		if into == nil && room > 0 {
			return errMisuse("text is NULL, and size is not 0")
		}
		m, err := c.path(points, count, n, times, q)
		if err != nil {
			return err
		}
		list, err := c.now.Load().premisesOf(m, query)
		if err == nil {
			writePremises(list, text{into, room}, needed)
		}
		return err
	})
}

// premisesOf lists what a verdict about a motion rests on.
func (w *within) premisesOf(m *motion.Motion, q motion.Query) ([]premise.Premise, error) {
	q.Question, q.Budget = motion.IsFree, 1 // a verdict has them, proved or not
	v, err := w.Check(background, m, q)
	return v.Premises, err
}

func writePremises(list []premise.Premise, into text, needed *C.size_t) {
	var b strings.Builder
	for i := range list {
		state := ""
		switch p := &list[i]; {
		case p.Open():
			state = "GAP "
		case p.IsGap():
			state = "accepted gap "
		}
		fmt.Fprintf(&b, "%s%s\n", state, list[i].String())
	}
	if needed != nil {
		*needed = C.size_t(b.Len() + 1)
	}
	into.write(b.String())
}

//export goCheckerFree
func goCheckerFree(h C.uintptr_t, t *C.char, size C.size_t) C.int {
	return guard("fc_checker_free", text{t, size}, func() error { return free[*checker]("checker", h) })
}
