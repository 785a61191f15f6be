package node

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
)

// The distances that levels depend on are the model's, so that a state is graded by one set of them:
// the model that judges it. Other distances make another model of the same robot in the same world,
// which replaces the one in use between two states, as another world does.

// ofLevels reports whether a parameter is one of the distances that levels depend on.
func ofLevels(name string) bool {
	return strings.HasPrefix(name, "distance_range.") || slices.Contains([]string{"warn_distance", "margin_overrides", "top_k_pairs"}, name)
}

// lists are those that name links and objects.
var lists = [...]string{"margin_overrides", "distance_range.pairs"}

// under returns the model with other distances. Its first state will not be slow where the joints
// stand at these positions.
func (m *model) under(ctx context.Context, v config.Values, at map[string]float64) (*model, error) {
	next := *m
	next.levels, next.limits = v, limitsOf(v)
	if m.resting != nil {
		var err error
		if next.resting, err = restMargins(ctx, m.checker, next.limits); err != nil {
			return nil, err
		}
	}
	if err := next.settleMargins(); err != nil {
		return nil, err
	}
	next.trackers = newTrackers(&next, at)
	return &next, next.warm(ctx)
}

// judgesAs reports whether motions are judged by one model as by the other: their levels alone may
// differ.
func (m *model) judgesAs(other *model) bool {
	return m == other || m != nil && other != nil && m.checker == other.checker && m.outdated == other.outdated
}

var (
	errLoading = errors.New("a robot description is being loaded: change distances when it is in use")
	errNoNames = errors.New("there is no model yet whose links and objects the names could be compared with: change margin_overrides and distance_range.pairs when there is one")
	errBusy    = errors.New("the scene changes faster than a model with other distances is made: nothing was changed, try again")
)

// regradePatience bounds how long a change of distances waits for a world that does not change.
const regradePatience = 2 * time.Second

// regrade makes other distances those of the model in use, and of the models to come. All or nothing
// is changed. It returns the models before and after, nil if there is none.
func (l *loader) regrade(v config.Values, changed []string, at func() map[string]float64) (before, after *model, err error) {
	if !l.building.TryLock() {
		return nil, nil, errLoading
	}
	defer l.building.Unlock()
	ctx, stop := context.WithTimeout(context.Background(), regradePatience)
	defer stop()
	for ctx.Err() == nil {
		before := l.kept()
		if before == nil {
			if slices.ContainsFunc(lists[:], func(name string) bool { return slices.Contains(changed, name) }) {
				return nil, nil, errNoNames
			}
			l.grade(v)
			return nil, nil, nil
		}
		after, err := before.under(ctx, v, at())
		if err != nil {
			return nil, nil, err
		}
		if l.swap(before, after) {
			l.grade(v)
			_ = after.warmRest(ctx) // the monitor goes without, or tells the error itself
			return before, after, nil
		}
	}
	return nil, nil, errBusy
}

// grade keeps the values that models are made with.
func (l *loader) grade(v config.Values) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.levels = v
}

// graded returns the values that models are made with.
func (l *loader) graded() config.Values {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.levels
}

// laxer lists the parameters of levels whose change makes some level less strict, besides those of
// which the list of parameters says so. was and is are the models before and after.
func laxer(before, after config.Values, was, is *model) (names []string) {
	then, now := classRanges(before), classRanges(after)
	for i, class := range classes {
		worse := false
		for _, ofWorld := range []bool{false, true} {
			if attached := i == 2; attached || ofWorld == (i == 1) {
				worse = worse || now.OfClass(ofWorld, attached).Min < then.OfClass(ofWorld, attached).Min
			}
		}
		for _, end := range []string{"min", "max"} {
			if name := "distance_range." + class + "." + end; worse && before.Double(name) != after.Double(name) {
				names = append(names, name)
			}
		}
	}
	if was == nil || is == nil {
		return names
	}
	pairs := maps.Clone(was.margins)
	maps.Copy(pairs, is.margins)
	for pair := range pairs {
		if a, b := was.marginFor(pair), is.marginFor(pair); b.stop < a.stop || b.warn < a.warn {
			for _, name := range lists {
				if !slices.Equal(before.Strings(name), after.Strings(name)) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// marginFor returns the margin of a pair, its own or that of its class.
func (m *model) marginFor(pair names) margin {
	if own, special := m.margins[pair]; special {
		return own
	}
	r := m.limits.ranges.OfClass(m.classOf(pair))
	return margin{r.Min, m.limits.warn, r.Max}
}
