// The page of a report.
import { Chart } from './chart.js'
import { Course, Profile } from './kinematics.js'
import { decode, drawing, fromBase64 } from './model.js'
import { Player } from './player.js'
import { Stage } from './stage.js'
import { button, element, list, metres, output, pair, seconds } from './html.js'
import { PairTable } from './pairs.js'
import { facts } from './facts.js'

const names = { contact: 'First contact', clearance: 'Margin violated', closest: 'Closest', proven: 'End of the proof' }

// report fills the page from the data in it. It resolves to the Report.
export async function report(page = document) {
  const root = page.getElementById('report')
  try {
    const model = await decode(fromBase64(page.getElementById('data').textContent))
    return new Report(root, model)
  } catch (e) {
    root.replaceChildren(element('p', { class: 'failed', role: 'alert' }, `This report cannot be shown: ${e.message}`))
    throw e
  }
}

// Report is the page: one motion of the model at a time.
export class Report {
  constructor(root, model) {
    this.root = root
    this.model = model
    this.build()
    this.theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
    const asked = Number(new URLSearchParams(location.hash.slice(1)).get('motion'))
    this.select(asked >= 1 && asked <= model.motions.length ? asked - 1 : 0)
    addEventListener('keydown', (e) => this.key(e))
  }

  build() {
    const { model } = this
    this.badge = element('span', { class: 'badge' })
    this.headline = element('p', { class: 'headline' })
    this.themeButton = button('Dark', () => this.theme(this.look === 'dark' ? 'light' : 'dark'), { class: 'theme' })
    this.title = element('h1', {})
    const head = element('header', {}, element('div', { class: 'top' }, this.title, this.badge, this.themeButton), this.headline)
    this.stageBox = element('div', { class: 'stage' })
    this.moments = element('div', { class: 'row moments', role: 'group', 'aria-label': 'Jump to' })
    this.player = new Player((t) => this.show(t))
    this.options = element('div', { class: 'row options', role: 'group', 'aria-label': 'What is drawn' })
    this.now = element('p', { class: 'now', 'aria-live': 'off' })
    const view = element('section', { class: 'view', 'aria-label': 'Robot and scene' }, this.stageBox, this.player.bar, this.moments, this.options)
    this.chartBox = element('div', { class: 'chart', role: 'img' })
    this.legend = element('p', { class: 'legend' })
    this.chartSection = element('section', { class: 'profile' }, element('h2', {}, 'Clearance over time'), this.now, this.chartBox, this.legend)
    this.words = element('section', { class: 'words' })
    this.pairs = new PairTable((p) => this.lookAtPair(p))
    this.facts = element('section', { class: 'facts' })
    const parts = [head]
    if (model.motions.length > 1) parts.push(this.motionList())
    parts.push(element('main', {},
      element('div', { class: 'column' }, view, this.chartSection, this.facts), element('div', { class: 'column' }, this.words, this.pairs.section)), help())
    this.root.replaceChildren(...parts)
    this.buildOptions()
    try {
      this.stage = new Stage(this.stageBox, model)
      this.focusable()
    } catch (e) {
      this.stageBox.append(element('p', { class: 'failed', role: 'alert' }, `The 3D view cannot be drawn: ${e.message}. The rest of this page does not need it.`))
    }
  }

  // focusable makes the canvas usable from the keyboard, and tells what is clicked.
  focusable() {
    const { canvas } = this.stage
    this.stage.focusable()
    this.picked = element('output', { class: 'picked', 'aria-live': 'polite' })
    this.stageBox.append(this.picked)
    canvas.addEventListener('click', (e) => { this.picked.textContent = this.stage.bodyAt(e.clientX, e.clientY) ?? '' })
  }

  motionList() {
    this.motionRows = this.model.motions.map((m, i) => element('tr', {},
      element('td', {}, button(m.name, () => this.select(i), { class: 'link' })),
      element('td', {}, element('span', { class: `badge small ${m.status}` }, m.status.toUpperCase())),
      element('td', { class: 'number' }, m.answer?.toc ? seconds(m.answer.toc[1]) : ''),
      element('td', {}, m.answer?.pair ? pair(m.answer.pair) : m.answer?.message ?? '')))
    const heads = ['motion', 'verdict', 'time of contact', 'pair or reason'].map((h) => element('th', { scope: 'col' }, h))
    return element('nav', { class: 'motions', 'aria-label': 'Motions' },
      element('div', { class: 'scroll' }, element('table', {}, element('thead', {}, element('tr', {}, heads)), element('tbody', {}, this.motionRows))))
  }

  buildOptions() {
    const check = (label, on, change) => {
      const box = element('input', { type: 'checkbox' })
      box.checked = on
      box.addEventListener('change', () => change(box.checked))
      return { box, label: element('label', {}, box, label) }
    }
    this.ghost = check('ghost at contact', true, () => this.drawGhost())
    this.points = check('witness points', true, () => this.drawPoints())
    this.sweep = element('select', { 'aria-label': 'Swept volume of a link' }, element('option', { value: '' }, 'none'))
    this.model.robot.links.forEach((l, i) => l.mesh.triangles.length && this.sweep.append(element('option', { value: i }, l.name)))
    this.sweep.addEventListener('change', () => this.drawSweep())
    this.swept = element('output', { class: 'quiet' })
    const opacity = element('input', { type: 'range', min: 0, max: 1, step: 0.05, value: 1, 'aria-label': 'Opacity of the scene' })
    opacity.addEventListener('input', () => this.stage?.setSceneOpacity(Number(opacity.value)))
    const views = [['corner', [1, -1.1, 0.55]], ['front', [1, 0, 0.02]], ['side', [0, -1, 0.02]], ['top', [0.001, 0, 1]]]
    const looks = element('span', { class: 'row', role: 'group', 'aria-label': 'View from' }, views.map(([name, d]) => button(name, () => this.stage?.fit(d))))
    this.options.append(this.ghost.label, this.points.label, element('label', {}, 'swept volume ', this.sweep), this.swept, element('label', {}, 'scene ', opacity), looks)
  }

  // select shows a motion.
  select(index) {
    const m = this.model.motions[index]
    this.index = index
    this.chosen = undefined
    this.motion = m
    this.player.pause()
    this.title.textContent = m.name
    document.title = `${m.name}: ${m.status.toUpperCase()} - firstcontact`
    this.badge.textContent = m.status.toUpperCase()
    this.badge.className = `badge ${m.status}`
    this.headline.textContent = m.headline
    this.motionRows?.forEach((row, i) => row.toggleAttribute('aria-current', i === index))
    this.course = m.course && new Course(m)
    this.profile = m.profile && new Profile(m.profile)
    this.buildWords()
    this.buildMoments()
    this.pairs.fill(m)
    this.facts.replaceChildren(...facts(this.model, m))
    this.chartSection.hidden = !this.profile
    this.chart = undefined
    this.player.enable(!!this.course, this.course?.start ?? 0, this.course?.end ?? 0)
    if (this.stage) {
      this.stage.setScene(m.scene)
      this.stage.setSweep(null)
      this.stage.canvas.setAttribute('aria-label', `3D view of ${this.model.robot.name} during ${m.name}; arrow keys turn it, plus and minus move closer and away`)
      this.sweep.value = this.swept.textContent = ''
    }
    const first = m.moments[0]
    const at = first ? first.time : this.course?.start ?? 0
    if (this.course) {
      this.stage?.setPositions(this.course.positions(at), this.course.root(at))
      this.stage?.fit(undefined, first?.witnesses[0]?.a)
    }
    this.drawGhost()
    if (this.profile) {
      this.chartBox.setAttribute('aria-label', this.profileWords())
      this.legend.replaceChildren(...legend(this.profile, m))
      this.chart = new Chart(this.chartBox, { motion: { ...m, profile: this.profile }, moments: m.moments, onSeek: (t) => this.player.seek(t) })
    }
    if (this.course) this.player.seek(at)
    if (this.model.motions.length > 1) remember(index)
  }

  buildWords() {
    const m = this.motion
    const part = (title, lines, kind) => (lines.length ? [element('h2', {}, title), list(lines, kind)] : [])
    this.words.replaceChildren(
      ...part('What is proved', m.proved, 'proved'), ...part('Not covered', m.open, 'open'), ...part('Warnings', m.warnings, 'warning'),
      ...part('What it rests on', m.rests, 'rests'), ...part('Notes', [...m.notes, ...this.drawing()], 'notes'),
    )
  }

  // drawing says what is drawn otherwise than it is checked.
  drawing() {
    const out = drawing(this.model, this.motion.scene)
    if (this.motion.course?.sampled) out.push(`For display only, the motion is drawn through ${this.motion.course.sampled} of its configurations. The answer is about the whole motion.`)
    return out
  }

  buildMoments() {
    const start = button('Start', () => this.player.seek(this.course.start), { title: 'Home' })
    const { toc, tolerances } = this.motion.answer ?? {}
    const first = !toc || toc[1] - toc[0] <= tolerances.time_tolerance
    const name = (kind) => (kind === 'contact' && !first ? 'Contact' : names[kind])
    const jumps = this.motion.moments.map((m) => button(`${name(m.kind)} ${seconds(m.time)}`, () => this.jump(m), { class: `moment ${m.kind}`, 'data-kind': m.kind, 'data-time': m.time }))
    this.moments.replaceChildren(...(this.course ? [start, ...jumps] : []))
  }

  // jump goes to a moment and looks at its points.
  jump(moment) {
    this.player.pause()
    this.player.seek(moment.time)
    if (moment.witnesses.length) this.stage?.lookAt(moment.witnesses[0].a)
  }

  // lookAtPair goes to where a pair is closest.
  lookAtPair(pair) {
    this.player.pause()
    this.chosen = pair.pair
    this.player.seek(pair.time)
  }

  // show draws the robot at a time.
  show(t) {
    this.time = t
    if (this.course) {
      this.positions = this.course.positions(t)
      this.stage?.setPositions(this.positions, this.course.root(t))
    }
    this.chart?.setTime(t)
    this.tell(t)
    this.drawPoints()
  }

  // tell says how close the robot is at a time.
  tell(t) {
    const now = this.profile?.bounds(t)
    if (!now) return
    const at = `At ${seconds(t)}: `
    if (now.unknown) this.now.textContent = at + 'not known'
    else if (now.beyond && !Number.isFinite(now.upper)) this.now.textContent = `${at}all pairs farther apart than ${metres(now.lower, 'down')}`
    else this.now.replaceChildren(at, output('now-lower', now.lower, metres(now.lower, 'down')), ' to ', output('now-upper', now.upper, metres(now.upper, 'up')), now.pair ? `, closest found: ${now.pair.join(', ')}` : '')
  }

  // moment returns the moment that is shown now, if one is.
  moment() {
    return this.motion.moments.find((m) => Math.abs(m.time - this.time) <= 1e-9 * Math.max(1, this.time))
  }

  drawPoints() {
    if (!this.stage) return
    const m = this.moment()
    this.stage.setWitnesses(m && this.points.box.checked ? m.witnesses : [])
    const touching = m?.kind === 'contact' ? 'hit' : m?.kind === 'clearance' ? 'close' : 'near'
    this.stage.highlight(m ? m.witnesses.flatMap((w) => w.pair) : this.chosen ?? [], touching)
    this.stage.showGhost(m?.kind !== 'contact' && m?.kind !== 'clearance') // there it would hide the robot
  }

  drawGhost() {
    if (!this.stage) return
    const m = this.motion.moments.find((x) => x.kind === 'contact' || x.kind === 'clearance')
    this.ghost.box.disabled = !m
    if (m && this.course && this.ghost.box.checked) this.stage.setGhost(this.course.positions(m.time), this.course.root(m.time))
    else this.stage.setGhost(null)
  }

  drawSweep() {
    if (!this.stage || !this.course) return
    this.swept.textContent = ''
    if (this.sweep.value === '') {
      this.stage.setSweep(null)
      return
    }
    const n = this.stage.setSweep(Number(this.sweep.value), this.course)
    this.swept.textContent = `drawn at ${n} times`
  }

  profileWords() {
    const p = this.profile
    let least = Infinity, when = 0
    p.upper.forEach((x, i) => {
      if (x < least) [least, when] = [x, i % 2 ? p.end[i >> 1] : p.start[i >> 1]]
    })
    return `Bounds of the smallest distance from ${seconds(p.start[0])} to ${seconds(p.end[p.end.length - 1])}; smallest, ${metres(least, 'up')}, at ${seconds(when)}`
  }

  theme(name) {
    this.look = name
    document.documentElement.dataset.theme = name
    this.themeButton.textContent = name === 'dark' ? 'Light' : 'Dark'
    this.stage?.setTheme(name)
    this.chart?.build()
  }

  // key handles the shortcuts of the page.
  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || !this.course) return
    const busy = e.target.closest?.('button, select, input, summary, canvas')
    const span = this.course.end - this.course.start
    const step = (e.shiftKey ? 0.1 : 0.01) * span
    const jump = (kinds) => () => {
      const m = this.motion.moments.find((x) => kinds.includes(x.kind))
      if (m) this.jump(m)
    }
    const actions = {
      ' ': () => this.player.toggle(), ArrowLeft: () => this.player.seek(this.time - step), ArrowRight: () => this.player.seek(this.time + step),
      Home: () => this.player.seek(this.course.start), End: () => this.player.seek(this.course.end),
      c: jump(['contact', 'clearance', 'proven']), m: jump(['closest', 'contact']), g: () => this.ghost.box.click(), w: () => this.points.box.click(),
    }
    const letter = e.key.length === 1 && e.key !== ' '
    if (!actions[e.key] || (busy && !letter) || (letter && e.target.closest?.('select'))) return
    actions[e.key]()
    e.preventDefault()
  }
}

// remember keeps the motion in the address, so that loading the page again shows it. A page in a
// frame may not be allowed to.
function remember(index) {
  try {
    history.replaceState(null, '', `#motion=${index + 1}`)
  } catch { /* then the first motion is shown */ }
}

// legend explains what there is in a chart.
function legend(profile, motion) {
  const item = (kind, text) => element('span', {}, element('i', { class: `key ${kind}`, 'aria-hidden': 'true' }), text)
  const out = [item('band', 'smallest distance: proved lower bound, measured upper bound'), item('contact', 'contact')]
  if (motion.clearance > 0) out.push(item('clearance', 'wanted margin'))
  if (profile.flags.some((f) => f & 2)) out.push(item('grey', 'not known'))
  return out
}

function help() {
  const keys = [['Space', 'play, pause'], ['←, →', 'a hundredth of the motion; with Shift a tenth'], ['Home, End', 'start, end'], ['c', 'time of contact'], ['m', 'closest'], ['g', 'ghost'], ['w', 'witness points'],
    ['in the 3D view', 'arrow keys turn it, + and - move closer and away']]
  return element('footer', {}, element('details', {}, element('summary', {}, 'Keyboard'),
    element('dl', { class: 'keys' }, keys.flatMap(([k, what]) => [element('dt', {}, element('kbd', {}, k)), element('dd', {}, what)]))))
}
