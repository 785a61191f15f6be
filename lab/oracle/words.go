package oracle

import (
	"errors"
	"strconv"
	"strings"
)

// join writes words as the program reads them back: quoted where they are empty
// or hold blanks, quotes or backslashes.
func join(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w != "" && !strings.ContainsAny(w, " \t\"\\") {
			b.WriteString(w)
			continue
		}
		b.WriteByte('"')
		for _, c := range []byte(w) {
			if c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		b.WriteByte('"')
	}
	return b.String()
}

// split is the inverse of join.
func split(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return words, nil
		}
		var word string
		var err error
		if word, line, err = cutWord(line); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
}

func cutWord(line string) (word, rest string, err error) {
	if line[0] != '"' {
		if end := strings.IndexAny(line, " \t"); end >= 0 {
			return line[:end], line[end:], nil
		}
		return line, "", nil
	}
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return b.String(), line[i+1:], nil
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", errors.New("a quoted word is not closed")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func numbers(lists ...[]float64) []string {
	var words []string
	for _, list := range lists {
		for _, x := range list {
			words = append(words, number(x))
		}
	}
	return words
}
