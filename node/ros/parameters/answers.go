package parameters

import (
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
)

// List answers list_parameters: the names that begin with one of the prefixes, or all if there
// are none, with at most the given depth of dots below them.
func (s *Server) List(r *rclinterfaces.ListParametersRequest) *rclinterfaces.ListParametersResponse {
	a := &rclinterfaces.ListParametersResponse{}
	for _, name := range s.names {
		if !listed(name, r) {
			continue
		}
		a.Result.Names = append(a.Result.Names, name)
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 && !slices.Contains(a.Result.Prefixes, name[:dot]) {
			a.Result.Prefixes = append(a.Result.Prefixes, name[:dot])
		}
	}
	return a
}

func listed(name string, r *rclinterfaces.ListParametersRequest) bool {
	within := func(rest string) bool {
		return r.Depth == rclinterfaces.ListParametersRequestDepthRecursive || uint64(strings.Count(rest, ".")) < r.Depth
	}
	if len(r.Prefixes) == 0 {
		return within(name)
	}
	return slices.ContainsFunc(r.Prefixes, func(prefix string) bool {
		rest, below := strings.CutPrefix(name, prefix+".")
		return name == prefix || below && within(rest)
	})
}

// Get answers get_parameters: a value for each name, of the type "not set" where there is no
// such parameter. An answer that exceeds the bounds has no values.
func (s *Server) Get(r *rclinterfaces.GetParametersRequest) *rclinterfaces.GetParametersResponse {
	a := &rclinterfaces.GetParametersResponse{}
	bytes := 0
	for _, name := range r.Names {
		p, _ := s.get(name)
		value := valueOf(p.Value)
		if bytes += len(value.StringValue); bytes > limit.MessageBytes && len(r.Names) > 1 {
			return &rclinterfaces.GetParametersResponse{}
		}
		a.Values = append(a.Values, value)
	}
	return a
}

// Types answers get_parameter_types: "not set" where there is no such parameter.
func (s *Server) Types(r *rclinterfaces.GetParameterTypesRequest) *rclinterfaces.GetParameterTypesResponse {
	a := &rclinterfaces.GetParameterTypesResponse{}
	for _, name := range r.Names {
		p, _ := s.get(name)
		a.Types = append(a.Types, p.Descriptor.Type)
	}
	return a
}

// Describe answers describe_parameters: a descriptor of the type "not set" where there is no
// such parameter.
func (s *Server) Describe(r *rclinterfaces.DescribeParametersRequest) *rclinterfaces.DescribeParametersResponse {
	a := &rclinterfaces.DescribeParametersResponse{}
	for _, name := range r.Names {
		p, declared := s.get(name)
		if !declared {
			p.Descriptor.Name = name
		}
		a.Descriptors = append(a.Descriptors, p.Descriptor)
	}
	return a
}

// Set answers set_parameters: each change stands on its own.
func (s *Server) Set(r *rclinterfaces.SetParametersRequest) *rclinterfaces.SetParametersResponse {
	a := &rclinterfaces.SetParametersResponse{}
	for i := range r.Parameters {
		a.Results = append(a.Results, resultOf(s.set(r.Parameters[i:i+1])))
	}
	return a
}

// SetAtomically answers set_parameters_atomically: all changes or none.
func (s *Server) SetAtomically(r *rclinterfaces.SetParametersAtomicallyRequest) *rclinterfaces.SetParametersAtomicallyResponse {
	return &rclinterfaces.SetParametersAtomicallyResponse{Result: resultOf(s.set(r.Parameters))}
}

func resultOf(err error) rclinterfaces.SetParametersResult {
	if err != nil {
		return rclinterfaces.SetParametersResult{Reason: oneline.Text(err.Error(), limit.TextBytes)}
	}
	return rclinterfaces.SetParametersResult{Successful: true}
}
