// The numbers of an answer, its inputs and versions.
import { element, metres, output, seconds } from './html.js'

export function facts(model, motion) {
  const a = motion.answer
  if (!a) return []
  const rows = []
  const row = (name, ...values) => rows.push(element('dt', {}, name), element('dd', {}, ...values))
  const point = (id, p) => p.flatMap((x, i) => [i ? ' ' : '', output(`${id}-${'xyz'[i]}`, x, x.toFixed(6))])
  if (a.toc) row('time of contact', 'after ', output('toc-lower', a.toc[0], seconds(a.toc[0], 'down', 9)), ', at ', output('toc-upper', a.toc[1], seconds(a.toc[1], 'up', 9)))
  if (a.pair) row('pair', element('span', { 'data-id': 'pair' }, a.pair.join(', ')), ` (${a.scope})`)
  if (a.witness) {
    row('witness points (m)', ...point('witness-a', a.witness.a), ' and ', ...point('witness-b', a.witness.b))
    row('normal', ...point('normal', a.witness.normal))
    row('distance', output('witness-distance', a.witness.distance, metres(a.witness.distance, 'up')))
    if (a.witness.features) row('features', a.witness.features.join(' against '))
  }
  const c = a.min_clearance
  if (c) row('smallest distance', output('min-lower', c.lower, metres(c.lower, 'down')), c.upper === null || c.upper === undefined ? '' : ' to ', c.upper === null || c.upper === undefined ? '' : output('min-upper', c.upper, metres(c.upper, 'up')), c.pair ? ` between ${c.pair.join(', ')}` : '')
  row('checked', `${a.start} s to ${a.duration} s`)
  row('proved until', output('proven-until', a.proven_until, `${a.proven_until} s`))
  row('wanted margin', output('clearance', a.clearance, metres(a.clearance)))
  if (a.tolerances) row('tolerances', `touching within ${metres(a.tolerances.tolerance)}, time of contact within ${Number((1e6 * a.tolerances.time_tolerance).toPrecision(3))} us`)
  if (a.method) row('method', a.interpolation ? `${a.method}, interpolation ${a.interpolation}` : a.method)
  row('pairs left out', `${a.assumed_pairs} assumed to be allowed, ${a.proven_pairs} proved never to touch`)
  row('computing time', `${Number((1e3 * a.compute_s).toPrecision(3))} ms`)
  row('program', a.program)
  for (const [name, input] of Object.entries(a.inputs ?? {})) {
    row(name, (input.files ?? []).join(', '), input.sha256 ? element('code', { class: 'hash', 'data-id': `sha256-${name}` }, `SHA-256 ${input.sha256}`) : '')
  }
  return [element('h2', {}, 'Numbers, inputs, versions'), element('dl', { class: 'numbers' }, rows),
    element('details', {}, element('summary', {}, 'The answer as --json prints it'), element('pre', { tabindex: 0 }, JSON.stringify(a, null, 2)))]
}
