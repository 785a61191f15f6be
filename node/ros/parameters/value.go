package parameters

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Empty is the value of a list without elements, whatever its type: command lines cannot tell
// it.
type Empty = ros.EmptyArray

// Value returns the value of a message: Empty, or one of the types of Parameter.Value. It
// refuses values without a type.
func Value(m *rclinterfaces.ParameterValue) (any, error) {
	switch m.Type {
	case rclinterfaces.ParameterTypeParameterNotSet:
		return nil, errors.New("it cannot be deleted: give a value")
	case rclinterfaces.ParameterTypeParameterBool:
		return m.BoolValue, nil
	case rclinterfaces.ParameterTypeParameterInteger:
		return m.IntegerValue, nil
	case rclinterfaces.ParameterTypeParameterDouble:
		return m.DoubleValue, nil
	case rclinterfaces.ParameterTypeParameterString:
		return m.StringValue, nil
	case rclinterfaces.ParameterTypeParameterByteArray:
		return list(m.ByteArrayValue), nil
	case rclinterfaces.ParameterTypeParameterBoolArray:
		return list(m.BoolArrayValue), nil
	case rclinterfaces.ParameterTypeParameterIntegerArray:
		return list(m.IntegerArrayValue), nil
	case rclinterfaces.ParameterTypeParameterDoubleArray:
		return list(m.DoubleArrayValue), nil
	case rclinterfaces.ParameterTypeParameterStringArray:
		return list(m.StringArrayValue), nil
	}
	return nil, fmt.Errorf("its value has the unknown type %d", m.Type)
}

func list[T any](values []T) any {
	if len(values) == 0 {
		return Empty{}
	}
	return values
}

// valueOf returns the message of a value.
func valueOf(value any) (m rclinterfaces.ParameterValue) {
	switch v := value.(type) {
	case bool:
		m.Type, m.BoolValue = rclinterfaces.ParameterTypeParameterBool, v
	case int64:
		m.Type, m.IntegerValue = rclinterfaces.ParameterTypeParameterInteger, v
	case float64:
		m.Type, m.DoubleValue = rclinterfaces.ParameterTypeParameterDouble, v
	case string:
		m.Type, m.StringValue = rclinterfaces.ParameterTypeParameterString, v
	case []byte:
		m.Type, m.ByteArrayValue = rclinterfaces.ParameterTypeParameterByteArray, v
	case []bool:
		m.Type, m.BoolArrayValue = rclinterfaces.ParameterTypeParameterBoolArray, v
	case []int64:
		m.Type, m.IntegerArrayValue = rclinterfaces.ParameterTypeParameterIntegerArray, v
	case []float64:
		m.Type, m.DoubleArrayValue = rclinterfaces.ParameterTypeParameterDoubleArray, v
	case []string:
		m.Type, m.StringArrayValue = rclinterfaces.ParameterTypeParameterStringArray, v
	}
	return m
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// short is a name from outside for a reason.
func short(name string) string { return ros.LogName(name) }
