package geom

// MaxLength (m) bounds every length and coordinate of a robot or a scene. It is far
// beyond any machine, and small enough that products of several lengths neither
// overflow nor lose what is computed from them.
const MaxLength = 1e6

// MinLength (m) is the smallest size that a primitive shape may have. Its square is
// far above the smallest numbers that float64 holds at full precision.
const MinLength = 1e-9

// MaxAngle (rad) bounds every angle that a file or a user gives.
const MaxAngle = 1e6
