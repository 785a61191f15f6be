package main

import "strings"

// objectWord begins the subjects of pieces and descriptions of objects: $O.BUCKET.C.ID and $O.BUCKET.M.NAME.
const objectWord = "$O."

// puts finds the objects that the submitter stored: the description first, then the file. An object lasts from its first piece to
// the server's answer about its description, which comes last.
func (r *Run) puts(said []*event) {
	var first *event
	bytes, count, waiting := 0, 0, asked{}
	for _, e := range said {
		request := waiting.answer(e)
		if e.up && strings.HasPrefix(e.subject, objectWord) {
			if first == nil {
				first = e
			}
			bytes += e.size
		}
		if request == nil || !isDescription(request.subject) || first == nil {
			continue
		}
		took := since(first.come, e.come)
		switch count++; count {
		case 1:
			r.specBytes, r.putSpec = bytes, took
		case 2:
			r.fileBytes, r.putFile = bytes, took
		}
		first, bytes = nil, 0
	}
}

func isDescription(subject string) bool {
	words := strings.Split(subject, ".")
	return words[0]+"." == objectWord && len(words) > 3 && words[2] == "M"
}

// gets finds how long the first two objects took a worker: the description, then the file. An object lasts from the request for its
// description to its last piece.
func gets(said []*event) (spec, file float64) {
	var asks *event
	var took []float64
	for _, e := range said {
		switch {
		case e.up && strings.Contains(e.subject, "DIRECT.GET.OBJ_"):
			asks = e
			took = append(took, 0)
		case !e.up && asks != nil && strings.HasPrefix(e.subject, objectWord):
			took[len(took)-1] = since(asks.come, e.gone)
		case e.up && strings.HasPrefix(e.subject, doneWord):
			if len(took) < 2 {
				return 0, 0
			}
			return took[0], took[1]
		}
	}
	return 0, 0
}
