package rosidl

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parseDefault reads the default of a field: one value, or [a, b, c].
func parseDefault(typ Type, text string) (any, error) {
	if typ.Primitive == None {
		return nil, fmt.Errorf("a field of type %s cannot have a default", typ.Nested)
	}
	if typ.Collection == Single {
		return parseValue(typ, text)
	}
	inner, opens := strings.CutPrefix(text, "[")
	inner, closes := strings.CutSuffix(inner, "]")
	if !opens || !closes {
		return nil, fmt.Errorf("default %s of a list is not in brackets", text)
	}
	items, err := splitList(inner)
	if err != nil {
		return nil, err
	}
	if typ.Collection == Array && len(items) != typ.Len || typ.Collection == BoundedSequence && len(items) > typ.Len {
		return nil, fmt.Errorf("default has %d elements where the type says %d", len(items), typ.Len)
	}
	values := make([]any, len(items))
	for i, item := range items {
		if values[i], err = parseValue(typ, item); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// splitList splits at the commas that are not inside quotes.
func splitList(text string) ([]string, error) {
	var items []string
	var quote byte
	start := 0
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0 && c == quote && text[i-1] != '\\':
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == ',':
			items = append(items, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("list [%s] has an open quote", text)
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" || len(items) > 0 {
		items = append(items, rest)
	}
	return items, nil
}

// parseValue reads one value of a primitive type.
func parseValue(typ Type, text string) (any, error) {
	p := typ.Primitive
	switch p {
	case Bool:
		switch strings.ToLower(text) {
		case "true", "1":
			return true, nil
		case "false", "0":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not a boolean", text)
	case String:
		return parseString(typ, text)
	case Float32, Float64:
		v, err := strconv.ParseFloat(text, 8*p.Size())
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is not a finite number of %d bits", text, 8*p.Size())
		}
		return v, nil
	case Int8, Int16, Int32, Int64:
		v, err := strconv.ParseInt(text, 0, 8*p.Size())
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number of %d bits", text, 8*p.Size())
		}
		return v, nil
	}
	v, err := strconv.ParseUint(text, 0, 8*p.Size())
	if err != nil {
		return nil, fmt.Errorf("%q is not a whole number of %d bits without sign", text, 8*p.Size())
	}
	return v, nil
}

// parseString takes off the quotes, where there are any.
func parseString(typ Type, text string) (any, error) {
	for _, quote := range []string{`"`, `'`} {
		inner, opens := strings.CutPrefix(text, quote)
		if !opens {
			continue
		}
		inner, closes := strings.CutSuffix(inner, quote)
		plain := strings.ReplaceAll(inner, `\`+quote, "")
		if !closes || strings.Contains(plain, quote) || strings.HasSuffix(plain, `\`) {
			return nil, fmt.Errorf("quotes of %s do not match (a # inside them starts a comment)", text)
		}
		text = strings.ReplaceAll(inner, `\`+quote, quote)
		break
	}
	if typ.StringBound > 0 && len(text) > typ.StringBound {
		return nil, fmt.Errorf("%q exceeds the bound of %d bytes", text, typ.StringBound)
	}
	return text, nil
}
