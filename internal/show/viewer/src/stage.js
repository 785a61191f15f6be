// The 3D view: a robot, what is around it, ghosts, points and swept volumes. It draws when
// something has changed, and not otherwise.
import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight, DoubleSide, EdgesGeometry, GridHelper, Group,
  HemisphereLight, InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial, MeshBasicMaterial, PerspectiveCamera, Quaternion, Ray, Raycaster,
  Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js'
import { Kinematics, matrixOf } from './kinematics.js'

const crease = (35 * Math.PI) / 180

// Colours of things, in light and in dark.
export const colours = {
  light: { background: 0xf4f6f8, grid: 0xc9d1d9, edge: 0x4a3f30, link: 0x6f8fb3, object: 0xb9a88f, attached: 0x8a9b62, hit: 0xd1242f, close: 0xc96a12, near: 0xd9a514, witness: 0x8b1a9b, sweep: 0x2f9e8f, sky: 0xffffff, ground: 0x9aa4ad },
  dark: { background: 0x14181d, grid: 0x3a424b, edge: 0xd8cbb4, link: 0x7fa3cc, object: 0x8d7f6a, attached: 0x8fa562, hit: 0xff6a69, close: 0xf08c3c, near: 0xe8c04a, witness: 0xe58cff, sweep: 0x4fd1be, sky: 0xdfe8f2, ground: 0x2b323a },
}

export class Stage {
  // The view fills the element. It throws if the browser has no WebGL 2.
  constructor(element, model) {
    this.element = element
    this.model = model
    this.kinematics = new Kinematics(model.robot)
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true })
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2))
    this.canvas = this.renderer.domElement
    element.appendChild(this.canvas)
    this.scene = new Scene()
    this.camera = new PerspectiveCamera(40, 1, 0.01, 500)
    this.camera.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.camera, this.canvas)
    this.controls.addEventListener('change', () => this.draw())
    this.sky = new HemisphereLight(0xffffff, 0x888888, 2.2)
    this.sky.position.set(0, 0, 1)
    this.sun = new DirectionalLight(0xffffff, 2.0)
    this.scene.add(this.sky, this.sun, new AmbientLight(0xffffff, 0.5))
    this.links = model.robot.links.map((b) => geometryOf(b.mesh))
    this.robot = new Figure(this, this.links)
    this.scene.add(this.robot.group)
    this.objects = []
    this.marks = new Group()
    this.scene.add(this.marks)
    this.marked = new Set()
    this.sceneOpacity = 1
    this.setTheme('light')
    this.setScene(-1)
    new ResizeObserver(() => this.resize()).observe(element)
    this.resize()
  }

  // setScene shows the objects of one of the model's scenes; -1 shows none.
  setScene(index) {
    if (this.surroundings) this.scene.remove(this.surroundings)
    this.surroundings = new Group()
    this.scene.add(this.surroundings)
    this.objects = []
    this.robot.drop()
    if (this.ghostFigure) this.ghostFigure.drop()
    const scene = this.model.scenes[index]
    for (const b of scene ? scene.objects : []) {
      const geometry = geometryOf(b.mesh)
      if (b.link >= 0) {
        this.robot.carry(b, geometry)
        if (this.ghostFigure) this.ghostFigure.carry(b, geometry)
        continue
      }
      const mesh = solid(geometry, b.name, 'object')
      mesh.matrix.copy(matrixOf(b.pose))
      mesh.matrixWorldNeedsUpdate = true
      if (geometry && b.mesh.triangles.length < 3 * mostEdged) mesh.add(edges(geometry))
      this.surroundings.add(mesh)
      this.objects.push(mesh)
    }
    this.paint()
  }

  // setPositions moves the robot: positions of all dofs in their order, or of some by name (the
  // others stand at 0), and the root's pose, a Matrix4, if that moves.
  setPositions(positions, root) {
    if (positions.length === undefined) positions = this.kinematics.positions(positions)
    this.poses = this.kinematics.poses(positions, root)
    this.robot.place(this.poses)
    this.draw()
  }

  // linkPose returns where a link is drawn, as 16 numbers column by column.
  linkPose(name) {
    const i = this.model.robot.links.findIndex((l) => l.name === name)
    return this.poses?.[i]?.elements
  }

  // setGhost draws the robot once more, thinly; without positions it draws none.
  setGhost(positions, root) {
    if (!this.ghostFigure && positions) {
      this.ghostFigure = new Figure(this, this.links, true)
      this.robot.carried.forEach((c) => this.ghostFigure.carry(c.body, c.mesh.geometry))
      this.scene.add(this.ghostFigure.group)
    }
    this.ghosted = !!positions
    if (this.ghostFigure) {
      this.ghostFigure.group.visible = this.ghosted
      if (positions) this.ghostFigure.place(this.kinematics.poses(positions, root))
    }
    this.paint()
  }

  // showGhost hides the ghost or shows it again.
  showGhost(yes) {
    if (this.ghostFigure) this.ghostFigure.group.visible = yes && this.ghosted
    this.draw()
  }

  // setSweep draws a link at many times of a course and returns how many; null draws none.
  setSweep(link, course) {
    if (this.sweep) {
      this.scene.remove(this.sweep)
      this.sweep.dispose()
      this.sweep = undefined
    }
    let poses = []
    if (link !== null && this.links[link]) {
      poses = along((t) => this.kinematics.poses(course.positions(t), course.root(t))[link], course, this.links[link].boundingBox)
      const material = new MeshStandardMaterial({ transparent: true, opacity: Math.max(0.05, 0.13 * Math.min(1, 60 / poses.length)), depthWrite: false, roughness: 1, side: DoubleSide })
      this.sweep = new InstancedMesh(this.links[link], material, poses.length)
      poses.forEach((pose, i) => this.sweep.setMatrixAt(i, pose))
      this.sweep.frustumCulled = false
      this.scene.add(this.sweep)
    }
    this.paint()
    return poses.length
  }

  // setWitnesses marks pairs of points {a, b, normal}: a ball each, and the normal at a.
  setWitnesses(list) {
    this.marks.clear()
    const material = new MeshBasicMaterial({ color: this.colours.witness, depthTest: false, transparent: true })
    for (const w of list) {
      for (const p of [w.a, w.b]) {
        const ball = new Mesh(new SphereGeometry(1, 20, 12), material)
        ball.position.set(...p)
        ball.renderOrder = 10
        this.marks.add(sized(ball))
      }
      const line = new BufferGeometry().setFromPoints([new Vector3(...w.a), new Vector3(...w.b)])
      const between = new Line(line, new LineBasicMaterial({ color: this.colours.witness, depthTest: false, transparent: true }))
      between.renderOrder = 10
      this.marks.add(between)
      const n = new Vector3(...(w.normal || [0, 0, 0]))
      if (n.length() > 0.5) this.marks.add(sized(arrow(new Vector3(...w.a), n.normalize(), material)))
    }
    this.draw()
  }

  // markSize is the radius of the balls: the same part of the picture from near and from far, so
  // that they hide no small gap.
  markSize() {
    return 0.006 * this.camera.position.distanceTo(this.controls.target)
  }

  // highlight paints bodies by their names: 'hit' where they touch, 'close' where they are closer
  // than wanted, 'near' where they are just looked at.
  highlight(names, how = 'hit') {
    this.marked = new Set(names)
    this.markedHow = how
    this.paint()
  }

  // setSceneOpacity draws what is around the robot more or less thinly, from 0 to 1.
  setSceneOpacity(x) {
    this.sceneOpacity = x
    this.paint()
  }

  setTheme(name) {
    this.colours = colours[name]
    this.scene.background = new Color(this.colours.background)
    this.sky.color.set(this.colours.sky)
    this.sky.groundColor.set(this.colours.ground)
    if (this.grid) this.grid.material.color.set(this.colours.grid)
    this.paint()
  }

  // paint gives every body its colour.
  paint() {
    const c = this.colours
    const marked = (mesh) => this.marked.has(mesh.name)
    for (const mesh of this.robot.meshes()) {
      mesh.material.color.set(marked(mesh) ? c[this.markedHow] : c[mesh.userData.role])
    }
    for (const mesh of this.objects) {
      mesh.material.color.set(marked(mesh) ? c[this.markedHow] : c.object)
      for (const lines of mesh.children) lines.material.color.set(c.edge)
    }
    if (this.ghostFigure) for (const mesh of this.ghostFigure.meshes()) mesh.material.color.set(c.hit)
    if (this.sweep) this.sweep.material.color.set(c.sweep)
    this.draw()
  }

  // fade thins the objects between the camera and what it looks at.
  fade() {
    const eye = this.camera.position, to = this.controls.target.clone().sub(eye)
    const far = to.length() - 0.15 * (this.reach || 1)
    const ray = new Ray(eye, to.normalize()), hit = new Vector3(), box = new Box3()
    for (const mesh of this.objects) {
      box.copy(mesh.geometry.boundingBox).applyMatrix4(mesh.matrix)
      const blocks = !this.marked.has(mesh.name) && (box.containsPoint(eye) || (ray.intersectBox(box, hit) && hit.distanceTo(eye) < far))
      const opacity = Math.min(this.sceneOpacity, blocks ? 0.12 : 1)
      mesh.visible = opacity > 0
      const m = mesh.material
      if (m.opacity !== opacity) {
        m.needsUpdate = m.transparent !== opacity < 1
        m.opacity = opacity
        m.transparent = opacity < 1
        m.depthWrite = opacity >= 1
        for (const lines of mesh.children) lines.material.opacity = edgeOpacity * opacity
      }
    }
  }

  // fit looks at the whole robot from a direction, such as [1, -1, 0.6], or from the next one from
  // where nothing hides a point of interest.
  fit(direction = [1.0, -1.1, 0.55], point = undefined) {
    const box = this.robot.box()
    if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5))
    this.reach = box.getSize(new Vector3()).length() / 2
    const middle = box.getCenter(new Vector3())
    const narrow = Math.min(1, this.camera.aspect)
    const distance = (1.15 * this.reach) / Math.sin((this.camera.fov * Math.PI) / 360) / narrow
    let from = new Vector3(...direction).normalize()
    if (point) from = this.unobstructed(point, from, distance)
    this.camera.position.copy(middle).addScaledVector(from, distance)
    this.camera.near = this.reach / 200
    this.camera.far = this.reach * 200
    this.camera.updateProjectionMatrix()
    this.controls.target.copy(middle)
    this.controls.update()
    if (this.grid) this.scene.remove(this.grid)
    const step = 10 ** Math.round(Math.log10(this.reach)) / 2
    this.grid = new GridHelper(step * 20, 20)
    this.grid.material = new LineBasicMaterial({ color: this.colours.grid, transparent: true, opacity: 0.5 })
    this.grid.rotation.x = Math.PI / 2
    this.grid.position.set(Math.round(middle.x / step) * step, Math.round(middle.y / step) * step, box.min.z - 0.001)
    this.scene.add(this.grid)
    this.draw()
  }

  // unobstructed returns a direction from which nothing hides a point, the first one of a turn
  // around it that begins with the one given; without any, that one.
  unobstructed(point, direction, distance) {
    const p = new Vector3(...point), first = direction.clone().normalize()
    this.scene.updateMatrixWorld()
    const caster = new Raycaster()
    caster.near = 0.02 * this.reach
    caster.far = distance
    const bodies = [...this.robot.meshes(), ...this.objects.filter((m) => m.visible)]
    for (const up of [0, 0.5, -0.4]) {
      for (const around of [0, 0.5, -0.5, 1, -1, 1.6, -1.6, 2.2, -2.2, 3.1]) {
        const d = first.clone().applyAxisAngle(new Vector3(0, 0, 1), around)
        d.z = Math.max(-0.3, d.z + up)
        d.normalize()
        caster.set(p, d)
        if (!caster.intersectObjects(bodies, false).length) return d
      }
    }
    return first
  }

  // lookAt turns the camera to a point, closer, from where nothing hides it.
  lookAt(point) {
    const p = new Vector3(...point)
    const from = this.unobstructed(point, this.camera.position.clone().sub(this.controls.target), 1.1 * (this.reach || 1))
    this.controls.target.copy(p)
    this.camera.position.copy(p).addScaledVector(from, 1.1 * (this.reach || 1))
    this.controls.update()
    this.draw()
  }

  // turn moves the camera around its target (rad), and closer by a factor.
  turn(around, up, closer = 1) {
    const d = this.camera.position.clone().sub(this.controls.target)
    const r = d.length() / closer
    const azimuth = Math.atan2(d.y, d.x) + around
    const height = Math.min(Math.max(Math.asin(d.z / d.length()) + up, -1.55), 1.55)
    this.camera.position.set(Math.cos(height) * Math.cos(azimuth), Math.cos(height) * Math.sin(azimuth), Math.sin(height)).multiplyScalar(r).add(this.controls.target)
    this.controls.update()
    this.draw()
  }

  // focusable makes the view usable from the keyboard.
  focusable() {
    this.canvas.tabIndex = 0
    this.canvas.setAttribute('role', 'img')
    this.canvas.addEventListener('keydown', (e) => {
      const by = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1], '+': [0, 0, 1.15], '=': [0, 0, 1.15], '-': [0, 0, 1 / 1.15] }[e.key]
      if (!by) return
      this.turn(...by)
      e.preventDefault()
    })
  }

  // bodyAt returns the name of the body below a point of the window, if any.
  bodyAt(x, y) {
    const area = this.canvas.getBoundingClientRect()
    const caster = new Raycaster()
    caster.setFromCamera(new Vector2(((x - area.left) / area.width) * 2 - 1, 1 - ((y - area.top) / area.height) * 2), this.camera)
    const seen = [...this.robot.meshes(), ...this.objects.filter((m) => m.material.opacity > 0.5)]
    return caster.intersectObjects(seen, false)[0]?.object.name
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.element
    if (!w || !h) return
    this.renderer.setSize(w, h)
    this.camera.aspect = w / h
    this.camera.updateProjectionMatrix()
    this.draw()
  }

  // draw draws soon.
  draw() {
    if (this.pending) return
    this.pending = requestAnimationFrame(() => this.render())
  }

  // render draws now.
  render() {
    if (this.pending) cancelAnimationFrame(this.pending)
    this.pending = 0
    this.fade()
    for (const mark of this.marks.children) if (mark.userData.sized) mark.scale.setScalar(this.markSize())
    this.sun.position.copy(this.camera.position).sub(this.controls.target).add(new Vector3(0, 0, this.reach || 1))
    this.renderer.render(this.scene, this.camera)
  }
}

// Figure is the robot with what it carries.
class Figure {
  constructor(stage, geometries, ghost) {
    this.ghost = ghost
    this.group = new Group()
    this.links = geometries.map((g, i) => {
      if (!g) return undefined
      const mesh = solid(g, stage.model.robot.links[i].name, 'link', ghost)
      this.group.add(mesh)
      return mesh
    })
    this.carried = []
  }

  carry(body, geometry) {
    const mesh = solid(geometry, body.name, 'attached', this.ghost)
    this.group.add(mesh)
    this.carried.push({ body, mesh, pose: matrixOf(body.pose) })
    if (this.poses) this.place(this.poses)
  }

  drop() {
    this.carried.forEach((c) => this.group.remove(c.mesh))
    this.carried = []
  }

  place(poses) {
    this.poses = poses
    this.links.forEach((mesh, i) => mesh && put(mesh, poses[i]))
    this.carried.forEach((c) => put(c.mesh, poses[c.body.link].clone().multiply(c.pose)))
  }

  meshes() {
    return [...this.links.filter(Boolean), ...this.carried.map((c) => c.mesh)]
  }

  box() {
    const out = new Box3(), box = new Box3()
    for (const mesh of this.meshes()) out.union(box.copy(mesh.geometry.boundingBox).applyMatrix4(mesh.matrix))
    return out
  }
}

function put(mesh, matrix) {
  mesh.matrix.copy(matrix)
  mesh.matrixWorldNeedsUpdate = true
}

// sweepTimes are the times at which along looks, and sweepPoses how many poses it returns at most.
const sweepTimes = 2000, sweepPoses = 300

// along returns poses of a body during a course, an eighth of the body's size apart, or more if they
// would be too many: where the body rests there is one.
function along(poseAt, course, box) {
  const corners = Array.from({ length: 8 }, (_, i) => new Vector3(box[i & 1 ? 'max' : 'min'].x, box[i & 2 ? 'max' : 'min'].y, box[i & 4 ? 'max' : 'min'].z))
  const poses = [], way = []
  let before
  for (let i = 0; i <= sweepTimes; i++) {
    const pose = poseAt(course.start + ((course.end - course.start) * i) / sweepTimes)
    const now = corners.map((c) => c.clone().applyMatrix4(pose))
    poses.push(pose)
    way.push(before ? way[i - 1] + Math.max(...now.map((p, k) => p.distanceTo(before[k]))) : 0)
    before = now
  }
  const whole = way[sweepTimes]
  const step = Math.max(box.getSize(new Vector3()).length() / 8, whole / (sweepPoses - 2))
  const out = [poses[0]]
  let next = step
  way.forEach((w, i) => {
    if (w < next) return
    out.push(poses[i])
    next = w + step
  })
  if (whole > 0) out.push(poses[sweepTimes])
  return out
}

// geometryOf returns what three draws of a mesh, undefined for an empty one.
function geometryOf(mesh) {
  if (!mesh.triangles.length) return undefined
  const g = new BufferGeometry()
  g.setAttribute('position', new BufferAttribute(mesh.vertices, 3))
  g.setIndex(new BufferAttribute(mesh.triangles, 1))
  const out = toCreasedNormals(g, crease)
  out.computeBoundingBox()
  out.computeBoundingSphere()
  return out
}

// Of bodies of more triangles than mostEdged, such as clouds of points, the lines would hide the faces.
const edgeOpacity = 0.4, mostEdged = 6000

// edges are lines where a surface has a crease, without which walls of one colour are one wall.
function edges(geometry) {
  return new LineSegments(new EdgesGeometry(geometry, 35), new LineBasicMaterial({ transparent: true, opacity: edgeOpacity }))
}

function solid(geometry, name, role, ghost) {
  const look = ghost ? { transparent: true, opacity: 0.28, depthWrite: false } : {}
  const mesh = new Mesh(geometry ?? new BufferGeometry(), new MeshStandardMaterial({ roughness: 0.75, metalness: 0.05, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, ...look }))
  if (!mesh.geometry.boundingBox) mesh.geometry.boundingBox = new Box3()
  mesh.name = name
  mesh.userData.role = role
  mesh.matrixAutoUpdate = false
  return mesh
}

// sized lets a mark have the size of marks: its own is 1.
function sized(mark) {
  mark.userData.sized = true
  return mark
}

// arrow is a line with a tip.
function arrow(from, direction, material) {
  const out = new Group(), length = 9
  const shaft = new Mesh(new CylinderGeometry(0.25, 0.25, length, 10), material)
  shaft.position.y = length / 2
  const tip = new Mesh(new ConeGeometry(0.8, 2.4, 14), material)
  tip.position.y = length
  out.add(shaft, tip)
  shaft.renderOrder = tip.renderOrder = 10
  out.position.copy(from)
  out.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), direction))
  return out
}
