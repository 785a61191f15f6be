package papers

import "errors"

var errPending = errors.New("pending")

func pending(*Bench) (*Result, error) { return nil, errPending }

var coverings, qualityOfBounds, stepsOfTheTip, waysToMeasure, collidingSegments, plannersFixed, plannersAdaptive, freeSegments, walksAndSmoothing, badCaseA, badCaseB, badCaseC, refined = pending, pending, pending, pending, pending, pending, pending, pending, pending, pending, pending, pending, pending
