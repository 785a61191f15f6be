package rosidl

// Action is what a .action file defines, and what ROS derives from it.
type Action struct {
	Ref
	Doc                    []string
	Goal, Result, Feedback *Message
	SendGoal, GetResult    *Service
	FeedbackMessage        *Message
}

// ParseAction reads the text of a .action file: a goal, a result and a feedback, with a line
// of three hyphens between them.
func ParseAction(ref Ref, text string) (*Action, error) {
	parts, err := parse(ref, text, "_Goal", "_Result", "_Feedback")
	if err != nil {
		return nil, err
	}
	a := &Action{Ref: ref, Doc: parts[0].Doc, Goal: parts[0], Result: parts[1], Feedback: parts[2]}
	a.Goal.Doc = nil
	id := Field{Name: "goal_id", Type: Type{Nested: Ref{"unique_identifier_msgs", "msg", "UUID"}}}
	a.SendGoal = a.service("_SendGoal",
		[]Field{id, holding("goal", a.Goal)},
		[]Field{{Name: "accepted", Type: Type{Primitive: Bool}}, {Name: "stamp", Type: Type{Nested: Ref{"builtin_interfaces", "msg", "Time"}}}})
	a.GetResult = a.service("_GetResult",
		[]Field{id},
		[]Field{{Name: "status", Type: Type{Primitive: Int8}}, holding("result", a.Result)})
	a.FeedbackMessage = a.message("_FeedbackMessage", []Field{id, holding("feedback", a.Feedback)})
	return a, nil
}

// message is one that is derived from the action.
func (a *Action) message(suffix string, fields []Field) *Message {
	return &Message{Ref: Ref{a.Package, a.Kind, a.Name + suffix}, Fields: fields}
}

func (a *Action) service(suffix string, request, response []Field) *Service {
	return &Service{
		Ref:      Ref{a.Package, a.Kind, a.Name + suffix},
		Request:  a.message(suffix+"_Request", request),
		Response: a.message(suffix+"_Response", response),
	}
}

// holding is a field with a message in it.
func holding(name string, m *Message) Field { return Field{Name: name, Type: Type{Nested: m.Ref}} }

// addAction adds the action, its services and their messages.
func (s *Set) addAction(a *Action) {
	s.Actions[a.Ref] = a
	for _, srv := range []*Service{a.SendGoal, a.GetResult} {
		s.addService(srv)
	}
	for _, m := range []*Message{a.Goal, a.Result, a.Feedback, a.FeedbackMessage} {
		s.Messages[m.Ref] = m
	}
}

func (s *Set) addService(srv *Service) {
	s.Services[srv.Ref] = srv
	s.Messages[srv.Request.Ref] = srv.Request
	s.Messages[srv.Response.Ref] = srv.Response
}
