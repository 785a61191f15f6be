// Where the links are. The formulas are those of the checker's tree of elementary joints, in
// double precision.
import { Matrix4, Vector3 } from 'three'

// matrixOf returns a Matrix4 of a pose: the rows of its rotation, each followed by a coordinate.
export function matrixOf(p) {
  return new Matrix4().set(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], 0, 0, 0, 1)
}

export class Kinematics {
  constructor(robot) {
    this.frames = robot.frames.map((f) => ({ ...f, pose: matrixOf(f.pose), axis: new Vector3(...f.axis) }))
    this.links = robot.links.map((l) => ({ frame: l.frame, pose: matrixOf(l.pose) }))
    this.dofs = robot.dofs
  }

  // poses returns the pose of each link in the frame of the scene, at the positions of all dofs;
  // root is the pose of the root link, if that moves.
  poses(positions, root) {
    const move = new Matrix4()
    const at = []
    this.frames.forEach((f, i) => {
      if (f.parent < 0) {
        at[i] = root ? root.clone() : new Matrix4()
        return
      }
      const q = f.mult * positions[f.dof] + f.offset
      if (f.prismatic) move.makeTranslation(f.axis.x * q, f.axis.y * q, f.axis.z * q)
      else move.makeRotationAxis(f.axis, q)
      at[i] = at[f.parent].clone().multiply(f.pose).multiply(move)
    })
    return this.links.map((l) => at[l.frame].clone().multiply(l.pose))
  }

  // positions returns the positions of all dofs out of those of joints by their names; the
  // others stand at 0.
  positions(byName) {
    return this.dofs.map((d) => byName[d.name] ?? 0)
  }
}

// Course is a motion: Bernstein polynomials on pieces of time.
export class Course {
  constructor(motion) {
    this.course = motion.course
    this.state = motion.state
    const c = this.course
    this.offsets = [0]
    for (let i = 0; i < c.points.length; i++) this.offsets.push(this.offsets[i] + c.points[i] * c.dofs.length)
    this.start = c.start[0]
    this.end = c.end[c.end.length - 1]
  }

  // piece returns the index of the piece that contains a time: the later of two that meet there.
  piece(t) {
    const { start } = this.course
    let lo = 0, hi = start.length
    while (lo < hi) {
      const mid = (lo + hi) >> 1
      if (start[mid] > t) hi = mid
      else lo = mid + 1
    }
    return Math.max(lo - 1, 0)
  }

  // positions returns the positions of all dofs at a time.
  positions(t) {
    const c = this.course, i = this.piece(t), joints = c.dofs.length, count = c.points[i]
    const s = Math.min(Math.max((t - c.start[i]) / (c.end[i] - c.start[i]), 0), 1)
    const out = this.state.slice(), b = new Array(count)
    for (let j = 0; j < joints; j++) {
      if (c.dofs[j] < 0) continue
      for (let k = 0; k < count; k++) b[k] = c.control[this.offsets[i] + k * joints + j]
      for (let n = count - 1; n > 0; n--) for (let k = 0; k < n; k++) b[k] = (1 - s) * b[k] + s * b[k + 1]
      out[c.dofs[j]] = b[0]
    }
    return out
  }

  // root returns the pose of the root link at a time, undefined if it rests.
  root(t) {
    const c = this.course
    if (!c.root.length) return undefined
    const i = this.piece(t)
    const u = Math.min(Math.max(t, c.start[i]), c.end[i]) - c.start[i]
    const r = c.root.subarray(21 * i, 21 * i + 21)
    const point = new Vector3(r[12], r[13], r[14]), velocity = new Vector3(r[15], r[16], r[17]), turn = new Vector3(r[18], r[19], r[20])
    const pose = matrixOf(r.subarray(0, 12))
    const rate = turn.length()
    pose.premultiply(new Matrix4().makeTranslation(-point.x, -point.y, -point.z))
    if (rate > 0) pose.premultiply(new Matrix4().makeRotationAxis(turn.divideScalar(rate), rate * u))
    const to = point.addScaledVector(velocity, u)
    return pose.premultiply(new Matrix4().makeTranslation(to.x, to.y, to.z))
  }
}

// Profile is the bounds of the smallest distance over time.
export class Profile {
  constructor(profile) { Object.assign(this, profile) }

  // span returns the index of the span that contains a time, -1 outside.
  span(t) {
    let lo = 0, hi = this.start.length
    while (lo < hi) {
      const mid = (lo + hi) >> 1
      if (this.start[mid] > t) hi = mid
      else lo = mid + 1
    }
    return lo - 1
  }

  // bounds returns what is known at a time: bounds, the pair, and whether it is unknown or beyond.
  bounds(t) {
    const i = this.span(t)
    if (i < 0) return undefined
    const x = this.end[i] > this.start[i] ? Math.min(Math.max((t - this.start[i]) / (this.end[i] - this.start[i]), 0), 1) : 0
    const along = (a) => (a[2 * i] === a[2 * i + 1] ? a[2 * i] : a[2 * i] * (1 - x) + a[2 * i + 1] * x)
    return {
      lower: along(this.lower), upper: along(this.upper), pair: this.pairs[this.pair[i]],
      beyond: (this.flags[i] & 1) !== 0, unknown: (this.flags[i] & 2) !== 0,
    }
  }
}
