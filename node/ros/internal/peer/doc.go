// Package peer holds what all transports on DDS have in common: the endpoints of a
// participant, their counters, waiting for matches, the delivery of samples, and the passing
// on of a library's log. What calls the library stays in the packages of the transports.
package peer
