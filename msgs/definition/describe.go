package definition

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
	"github.com/firstcontact-ros/firstcontact/msgs/std"
	tdi "github.com/firstcontact-ros/firstcontact/msgs/typedescriptioninterfaces"
	firstcontactmsgs "github.com/firstcontact-ros/firstcontact/ros/firstcontact_msgs"
)

// Answer answers a request of get_type_description: for every type of this program's messages,
// services and actions, which its hash names.
func Answer(r *tdi.GetTypeDescriptionRequest) *tdi.GetTypeDescriptionResponse {
	k := known()
	described, ok := k.byHash[r.TypeHash]
	switch {
	case !ok:
		return &tdi.GetTypeDescriptionResponse{FailureReason: "this node has no type of that hash"}
	case described[0].String() != r.TypeName:
		return &tdi.GetTypeDescriptionResponse{FailureReason: "the hash is that of " + described[0].String()}
	}
	a := &tdi.GetTypeDescriptionResponse{Successful: true}
	a.TypeDescription.TypeDescription = individual(described[0])
	for _, m := range described[1:] {
		a.TypeDescription.ReferencedTypeDescriptions = append(a.TypeDescription.ReferencedTypeDescriptions, individual(m))
	}
	if r.IncludeTypeSources {
		for _, m := range described {
			a.TypeSources = append(a.TypeSources, k.source(m.Ref))
		}
	}
	return a
}

// types are all types, with the texts that define them.
type types struct {
	byHash map[string][]*rosidl.Message
	texts  map[rosidl.Ref]string
}

// known panics if a definition cannot be read, which a test excludes.
var known = sync.OnceValue(func() *types {
	k, err := load()
	if err != nil {
		panic(err)
	}
	return k
})

func load() (*types, error) {
	k := &types{byHash: map[string][]*rosidl.Message{}, texts: map[rosidl.Ref]string{}}
	set := rosidl.NewSet()
	packages, err := fs.ReadDir(std.Files, ".")
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		dir, err := fs.Sub(std.Files, p.Name())
		if err != nil {
			return nil, err
		}
		if err := k.add(set, p.Name(), dir); err != nil {
			return nil, err
		}
	}
	if err := k.add(set, "firstcontact_msgs", firstcontactmsgs.Files); err != nil {
		return nil, err
	}
	for _, ref := range references(set) {
		described, err := set.Described(ref)
		if err != nil {
			return nil, err
		}
		k.byHash[rosidl.Hash(described)] = described
	}
	return k, nil
}

// add reads the definitions of one ROS package and keeps their texts.
func (k *types) add(set *rosidl.Set, pkg string, dir fs.FS) error {
	refs, err := set.LoadPackage(pkg, dir)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		text, err := fs.ReadFile(dir, fmt.Sprintf("%s/%s.%[1]s", ref.Kind, ref.Name))
		if err != nil {
			return err
		}
		k.texts[ref] = string(text)
	}
	return nil
}

// references lists every type: messages, and services and actions as a whole.
func references(set *rosidl.Set) (refs []rosidl.Ref) {
	for ref := range set.Messages {
		refs = append(refs, ref)
	}
	for ref := range set.Services {
		refs = append(refs, ref)
	}
	for ref := range set.Actions {
		refs = append(refs, ref)
	}
	return refs
}

// source returns the text that defines a type; those that ROS derives have none.
func (k *types) source(ref rosidl.Ref) tdi.TypeSource {
	s := tdi.TypeSource{TypeName: ref.String(), Encoding: "implicit"}
	if text, ok := k.texts[ref]; ok {
		s.Encoding, s.RawFileContents = ref.Kind, text
	}
	return s
}

func individual(m *rosidl.Message) tdi.IndividualTypeDescription {
	d := tdi.IndividualTypeDescription{TypeName: m.String()}
	for _, f := range m.Described() {
		field := tdi.Field{Name: f.Name, DefaultValue: defaultOf(f.Default), Type: tdi.FieldType{
			TypeID: uint8(rosidl.TypeID(f.Type)), Capacity: uint64(f.Type.Len), StringCapacity: uint64(f.Type.StringBound),
		}}
		if f.Type.Primitive == rosidl.None {
			field.Type.NestedTypeName = f.Type.Nested.String()
		}
		d.Fields = append(d.Fields, field)
	}
	return d
}

// defaultOf writes a default value as ROS does, whose generator is in Python; "" is none.
func defaultOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case float64:
		text := fmt.Sprint(v)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0"
		}
		return text
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, defaultOf(item))
		}
		return "(" + strings.Join(items, ", ") + ")"
	}
	return fmt.Sprint(value)
}
