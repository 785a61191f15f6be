// The smallest distance over time, between its bounds.
import uPlot from 'uplot'

// Chart draws a profile into an element. onSeek(t) is called for the time that is pointed at.
export class Chart {
  constructor(element, { motion, moments, onSeek }) {
    this.element = element
    this.motion = motion
    this.moments = moments
    this.time = 0
    this.onSeek = onSeek
    this.data = dataOf(motion.profile)
    this.build()
    new ResizeObserver(() => this.resize()).observe(element)
  }

  build() {
    const css = getComputedStyle(this.element)
    const colour = (name) => css.getPropertyValue(name).trim()
    this.colour = colour
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line'), width: 1 }, font: '12px system-ui, sans-serif' }
    const most = Math.max(1e-3, this.motion.clearance * 1.2, ...highest(this.data))
    const wide = this.element.clientWidth || 600
    const [unit, scale] = most < 0.1 ? ['mm', 1e3] : ['m', 1]
    this.element.replaceChildren()
    this.plot = new uPlot({
      width: wide,
      height: this.element.clientHeight || 220,
      legend: { show: false },
      scales: { x: { time: false }, y: { range: [0, most * 1.06] } },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      axes: [
        { ...axis, label: 'time (s)', labelSize: 18, labelFont: '12px system-ui, sans-serif', size: 34 },
        {
          ...axis, label: `distance (${unit})`, labelSize: 18, labelFont: '12px system-ui, sans-serif', size: 44,
          values: (_, ticks) => ticks.map((x) => String(Number((x * scale).toPrecision(6)))),
        },
      ],
      series: [
        {},
        { label: 'no closer than', stroke: colour('--known'), width: 1.5, points: { show: false } },
        { label: 'no farther than', stroke: colour('--known'), width: 1, points: { show: false } },
      ],
      bands: [{ series: [2, 1], fill: colour('--band') }],
      hooks: { draw: [(u) => this.overlay(u)] },
    }, this.data, this.element)
    const over = this.plot.over
    const seek = (e) => this.onSeek(this.plot.posToVal(e.clientX - over.getBoundingClientRect().left, 'x'))
    over.addEventListener('pointerdown', (e) => {
      over.setPointerCapture(e.pointerId)
      seek(e)
    })
    over.addEventListener('pointermove', (e) => e.buttons && seek(e))
  }

  // overlay draws the margin, contact, moments and the time of the player.
  overlay(u) {
    const c = u.ctx, { left, top, width, height } = u.bbox
    const ratio = window.devicePixelRatio || 1
    c.save()
    c.lineWidth = 1.5 * ratio
    const across = (y, colour, dash) => {
      c.strokeStyle = colour
      c.setLineDash(dash.map((d) => d * ratio))
      c.beginPath()
      c.moveTo(left, y)
      c.lineTo(left + width, y)
      c.stroke()
    }
    const down = (t, colour, dash) => {
      const x = u.valToPos(t, 'x', true)
      if (x < left - 1 || x > left + width + 1) return
      c.strokeStyle = colour
      c.setLineDash(dash.map((d) => d * ratio))
      c.beginPath()
      c.moveTo(x, top)
      c.lineTo(x, top + height)
      c.stroke()
    }
    const p = this.motion.profile
    for (let i = 0; i < p.start.length; i++) {
      if (!(p.flags[i] & 2)) continue
      c.fillStyle = this.colour('--line')
      const x0 = u.valToPos(p.start[i], 'x', true)
      c.fillRect(x0, top, u.valToPos(p.end[i], 'x', true) - x0, height)
    }
    across(u.valToPos(0, 'y', true), this.colour('--contact'), [])
    if (this.motion.clearance > 0) across(u.valToPos(this.motion.clearance, 'y', true), this.colour('--clearance'), [6, 4])
    for (const m of this.moments) down(m.time, this.colour(`--${m.kind}`), [2, 3])
    down(this.time, this.colour('--text'), [])
    c.restore()
  }

  setTime(t) {
    this.time = t
    this.plot.redraw(false, false)
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element
    if (width && height) this.plot.setSize({ width, height })
  }
}

// dataOf lists times, lower and upper bounds: two of each for a span.
function dataOf(p) {
  const times = [], lower = [], upper = []
  for (let i = 0; i < p.start.length; i++) {
    const unknown = p.flags[i] & 2
    for (const k of [0, 1]) {
      times.push(k ? p.end[i] : p.start[i])
      const lo = p.lower[2 * i + k], hi = p.upper[2 * i + k]
      lower.push(unknown ? null : lo)
      upper.push(unknown || !Number.isFinite(hi) ? null : hi)
    }
  }
  return [times, lower, upper]
}

function highest([, lower, upper]) {
  let most = 0
  for (const list of [lower, upper]) for (const x of list) if (x !== null && x > most) most = x
  return [most]
}
