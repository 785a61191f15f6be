package msgs_test

import "github.com/google/go-cmp/cmp/cmpopts"

// equateEmpty: a sequence of no elements decodes as an empty slice, whichever
// the sender had.
var equateEmpty = cmpopts.EquateEmpty()
