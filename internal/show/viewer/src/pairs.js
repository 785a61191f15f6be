// The pairs that come closest, sortable.
import { button, element, metres, output, pair, seconds } from './html.js'

const columns = [
  ['pair', (p) => p.pair.join(', ')],
  ['scope', (p) => p.scope],
  ['at least', (p) => p.lower ?? -1],
  ['at most', (p) => p.upper],
  ['at time', (p) => p.time],
]

export class PairTable {
  // show(pair) is called for a pair that is pointed at.
  constructor(show) {
    this.show = show
    this.by = 3
    this.down = false
    this.body = element('tbody')
    this.heads = columns.map(([name], i) => element('th', { scope: 'col' }, button(name, () => this.sort(i), { class: 'link' })))
    this.about = element('p', { class: 'quiet' })
    const table = element('table', { class: 'pairs' }, element('thead', {}, element('tr', {}, this.heads)), this.body)
    this.section = element('section', { class: 'pairs' }, element('h2', {}, 'Closest pairs'), this.about, element('div', { class: 'scroll' }, table))
  }

  fill(motion) {
    this.list = motion.pairs
    this.section.hidden = !this.list.length
    const where = motion.pairs_at ? `at ${motion.pairs_at} configurations and on the curve of clearance` : 'on the curve of clearance'
    const bounds = motion.pairs_at ? '' : ' The root link moves: bounds of single pairs are not computed then.'
    const tube = motion.answer?.tube ? ' They are of the motion itself, without its tube: within the tube pairs may come closer.' : ''
    this.about.textContent = `The ${this.list.length} closest found ${where}, of ${motion.pairs_of} pairs that the question is about. A pair comes no closer than 'at least': that is proved, over the whole motion. It was found 'at most' so far apart, at that time. The verdict is about all pairs.${bounds}${tube}`
    this.rows()
  }

  sort(column) {
    this.down = this.by === column && !this.down
    this.by = column
    this.rows()
  }

  rows() {
    const key = columns[this.by][1]
    const order = (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (this.down ? -1 : 1)
    this.heads.forEach((h, i) => h.setAttribute('aria-sort', i !== this.by ? 'none' : this.down ? 'descending' : 'ascending'))
    this.body.replaceChildren(...[...this.list].sort(order).map((p) => element('tr', {},
      element('td', {}, button(pair(p.pair), () => this.show(p), { class: 'link' })),
      element('td', {}, p.scope),
      element('td', { class: p.lower === null ? 'quiet' : 'number' }, p.lower === null ? 'not computed' : output('pair-lower', p.lower, metres(p.lower, 'down'))),
      element('td', { class: 'number' }, output('pair-upper', p.upper, metres(p.upper, 'up'))),
      element('td', { class: 'number' }, output('pair-time', p.time, seconds(p.time))))))
  }
}
