// Package world keeps the planning scene that MoveIt and others publish, and says what of it is
// not known.
//
// Messages are converted into those of package scene, whose Live applies them by the rules that
// hold for recordings, too. This package adds what only a live source has: a scene that has not
// come yet, publishers that go, messages that are lost, a reply that overtakes the changes before
// it, another robot. Each is a gap of kind scene-source until a whole scene mends it.
package world
