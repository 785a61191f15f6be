// Package frames keeps the transforms of the topics tf and tf_static, and answers where a frame
// was at a stamp.
//
// It follows tf2 where tf2 is sound: a transform between two samples is on the straight line
// and the shortest turn between them, nothing is extrapolated, and a static transform holds at
// all times. It is stricter in what tf2 leaves to chance. Samples of different publishers are
// never mixed: each is interpolated alone, and where their answers differ, where a frame has
// two parents at a stamp, or where it is both static and not, there is no answer. Samples that
// are too far apart are not joined. A publisher whose stamps go back begins anew.
//
// That a frame moved as the interpolation says is a premise of every answer, not a theorem:
// Transform.Gap says how far apart the samples are.
package frames
