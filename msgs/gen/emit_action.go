package main

import "github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"

// action writes the goal, the result and the feedback, and the names and hashes of what ROS
// derives from them.
func (e *emitter) action(a *rosidl.Action) error {
	hash, err := e.set.ActionHash(a.Ref)
	if err != nil {
		return err
	}
	name := typeName(a.Ref)
	e.p("// %sAction is the type %s.", name, a.Ref)
	e.doc(a.Doc)
	e.p("func %sAction() cdr.ActionInfo {\nreturn cdr.ActionInfo{", name)
	e.p("Package: %q, Name: %q,\nHash: %q,", a.Package, a.Name, hash)
	for _, s := range []struct {
		field   string
		service *rosidl.Service
	}{{"SendGoal", a.SendGoal}, {"GetResult", a.GetResult}} {
		if err := e.derivedService(s.field, s.service); err != nil {
			return err
		}
	}
	if err := e.typeInfo("Feedback", a.FeedbackMessage); err != nil {
		return err
	}
	e.p("}\n}\n")
	for _, m := range []*rosidl.Message{a.Goal, a.Result, a.Feedback} {
		if err := e.message(m); err != nil {
			return err
		}
		e.p("\n// ROSAction tells the action that the type is part of.")
		e.p("func (*%s) ROSAction() cdr.ActionInfo { return %sAction() }\n", typeName(m.Ref), name)
	}
	return nil
}

// derivedService writes a field of type cdr.ServiceInfo.
func (e *emitter) derivedService(field string, srv *rosidl.Service) error {
	hash, err := e.set.ServiceHash(srv.Ref)
	if err != nil {
		return err
	}
	e.p("%s: cdr.ServiceInfo{", field)
	e.p("Package: %q, Kind: %q, Name: %q,\nHash: %q,", srv.Package, srv.Kind, srv.Name, hash)
	if err := e.typeInfo("Request", srv.Request); err != nil {
		return err
	}
	if err := e.typeInfo("Response", srv.Response); err != nil {
		return err
	}
	e.p("},")
	return nil
}

// typeInfo writes a field of type cdr.TypeInfo.
func (e *emitter) typeInfo(field string, m *rosidl.Message) error {
	hash, err := e.set.MessageHash(m.Ref)
	if err != nil {
		return err
	}
	e.p("%s: cdr.TypeInfo{", field)
	e.p("Package: %q, Kind: %q, Name: %q,\nHash: %q,\n},", m.Package, m.Kind, m.Name, hash)
	return nil
}
