// Elements of pages. Text is always set as text.

export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name)
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v)
  e.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== ''))
  return e
}

export function button(text, click, attributes = {}) {
  const b = element('button', { type: 'button', ...attributes }, ...[text].flat())
  b.addEventListener('click', click)
  return b
}

// list shows lines, of many the first ones and the rest on request.
export function list(lines, kind, few = 6) {
  const items = (some) => element('ul', { class: kind }, some.map((l) => element('li', {}, l)))
  if (lines.length <= few + 2) return items(lines)
  return element('div', {}, items(lines.slice(0, few)), element('details', {}, element('summary', {}, `${lines.length - few} more`), items(lines.slice(few))))
}

// output shows a number in words and keeps all its digits for programs.
export function output(id, value, text) {
  return element('data', { 'data-id': id, value: String(value), title: String(value) }, text)
}

// metres prints a length with a unit that suits. A bound is rounded to its side, 'down' a lower one
// and 'up' an upper one, so that what is printed is a bound, too.
export function metres(x, side) {
  const a = Math.abs(x)
  if (!Number.isFinite(x)) return 'infinitely far'
  if (x === 0) return '0 mm'
  if (a >= 1) return `${fixed(x, 3, side)} m`
  if (a >= 1e-3) return `${fixed(x, 2, side, 3)} mm`
  return `${fixed(x, Math.min(14, 2 - Math.floor(Math.log10(a) + 6)), side, 6)} um`
}

// name is a name of a body that may break between lines after its separators.
export function name(text) {
  return text.split(/(?<=[_/#:.-])/).flatMap((part, i) => (i ? [document.createElement('wbr'), part] : [part]))
}

// pair is the names of two bodies, each on a line of its own where there is little room.
export function pair(names) {
  return [element('span', { class: 'body' }, name(`${names[0]},`)), ' ', element('span', { class: 'body' }, name(names[1]))]
}

// seconds prints a time, rounded as metres does.
export function seconds(t, side, digits = 3) {
  return `${fixed(t, digits, side)} s`
}

// fixed prints x times 10 to the power `up` with so many digits after the point.
export function fixed(x, digits, side, up = 0) {
  const scale = 10 ** (digits + up)
  let n = Math.round(x * scale)
  if (side === 'down' && n / scale > x) n--
  if (side === 'up' && n / scale < x) n++
  return (n / 10 ** digits).toFixed(digits)
}
