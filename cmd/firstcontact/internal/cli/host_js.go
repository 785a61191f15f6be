package cli

import (
	"syscall/js"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// tellHost returns what hears of progress: the page, if it asks for it, as soon as it is told. The
// console's notes would wait for the work to end, because WebAssembly has one thread.
func tellHost(console func(progress.Step)) func(progress.Step) {
	host := js.Global().Get("firstcontactProgress")
	if host.Type() != js.TypeFunction {
		return console
	}
	return func(s progress.Step) {
		unit := s.Unit
		if unit == progress.Bytes {
			unit = "bytes"
		}
		host.Invoke(s.What, float64(s.Done), float64(s.Total), unit, s.Note)
	}
}
