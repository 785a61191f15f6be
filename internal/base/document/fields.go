package document

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Fields is a mapping whose keys have been checked.
type Fields struct {
	Value
	byKey map[string]Value
}

// Fields returns v's keys and values. A key that is not among known, a repeated key and a
// missing value are errors; name describes v.
func (v Value) Fields(name string, known ...string) (Fields, error) {
	f, err := v.AnyFields(name)
	if err != nil {
		return f, err
	}
	for k := range v.node.pairs {
		if key := k.text(); !slices.Contains(known, key) {
			return f, f.at(k).Errorf("%s has an unknown key %s: use one of %s", name, strconv.Quote(clip(key)), strings.Join(known, ", "))
		}
	}
	return f, nil
}

// AnyFields is like Fields for mappings with arbitrary keys, such as joint names.
func (v Value) AnyFields(name string) (Fields, error) {
	f := Fields{Value: v, byKey: map[string]Value{}}
	if !v.IsMap() {
		return f, v.Errorf("%s is %s: give a mapping of keys to values", name, v.kind())
	}
	for k, c := range v.node.pairs {
		if !k.is(yaml.ScalarNode) {
			return f, f.at(k).Errorf("%s has a key that is not a word", name)
		}
		if k.isScalar("!!merge") {
			return f, f.at(k).Errorf("%s has a merge key (<<): write the keys out", name)
		}
		key := k.text()
		if _, twice := f.byKey[key]; twice {
			return f, f.at(k).Errorf("%s has the key %s twice: keep one", name, strconv.Quote(clip(key)))
		}
		if c.isScalar(nullTag) {
			return f, f.at(k).Errorf("%s: the key %s has no value: write one (an empty list is [])", name, strconv.Quote(clip(key)))
		}
		f.byKey[key] = f.at(c)
	}
	return f, nil
}

func (f Fields) at(n node) Value { return f.with(n) }

// Find returns the value of a key of a mapping, whatever its other keys hold: for files that
// another program has written, of which little is used. It returns false if v is no mapping
// or if the key is not there or has no value.
func (v Value) Find(key string) (Value, bool) {
	if !v.node.exists() || !v.IsMap() {
		return Value{}, false
	}
	for k, c := range v.node.pairs {
		if k.is(yaml.ScalarNode) && k.text() == key {
			return v.with(c), !c.isScalar(nullTag)
		}
	}
	return Value{}, false
}

// Of returns f with messages that name its owner.
func (f Fields) Of(what string) Fields {
	g := Fields{Value: f.Value.Of(what), byKey: make(map[string]Value, len(f.byKey))}
	for k, v := range f.byKey {
		g.byKey[k] = v.Of(what)
	}
	return g
}

// Has reports whether f has the key.
func (f Fields) Has(key string) bool {
	_, ok := f.byKey[key]
	return ok
}

// HasAny reports whether f has one of the keys.
func (f Fields) HasAny(keys ...string) bool { return slices.ContainsFunc(keys, f.Has) }

// Get returns the value of key and whether there is one.
func (f Fields) Get(key string) (Value, bool) {
	v, ok := f.byKey[key]
	return v, ok
}

// Keys returns the keys in alphabetical order.
func (f Fields) Keys() []string {
	keys := make([]string, 0, len(f.byKey))
	for k := range f.byKey {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Need returns the value of key, or an error that says that it is missing.
func (f Fields) Need(name, key string) (Value, error) {
	v, ok := f.byKey[key]
	if !ok {
		return Value{}, f.Errorf("%s has no %s: add it", name, key)
	}
	return v, nil
}

// Optional reads the value of key by one of Value's methods, or returns zero if f has no such
// key.
func Optional[T any](f Fields, key string, read func(v Value, name string) (T, error)) (T, error) {
	v, ok := f.Get(key)
	if !ok {
		var zero T
		return zero, nil
	}
	return read(v, key)
}
