// Plays a span of time: a button, a slider, a speed.
import { button, element, seconds } from './html.js'

export class Player {
  // show(t) is called for every time.
  constructor(show) {
    this.show = show
    this.time = this.start = this.end = 0
    this.speed = 1
    this.playButton = button('Play', () => this.toggle(), { class: 'play', title: 'Space' })
    this.slider = element('input', { type: 'range', class: 'time', min: 0, max: 1, step: 'any', 'aria-label': 'Time' })
    this.slider.addEventListener('input', () => {
      this.pause()
      this.seek(Number(this.slider.value))
    })
    this.slider.addEventListener('keydown', (e) => this.key(e))
    this.clock = element('output', { class: 'clock' })
    const speeds = element('select', { 'aria-label': 'Speed' }, [0.05, 0.1, 0.25, 0.5, 1, 2, 4].map((x) => element('option', { value: x }, `${x}x`)))
    speeds.value = '1'
    speeds.addEventListener('change', () => { this.speed = Number(speeds.value) })
    this.bar = element('div', { class: 'row player', role: 'group', 'aria-label': 'Playback' }, this.playButton, this.slider, this.clock, speeds)
  }

  enable(on, start, end) {
    this.start = start
    this.end = end
    this.slider.min = start
    this.slider.max = end
    this.slider.disabled = this.playButton.disabled = !on
  }

  // key moves by what a person means by a step: a step of the slider itself would be too fine.
  key(e) {
    const step = (e.shiftKey ? 0.1 : 0.01) * (this.end - this.start)
    const to = { ArrowLeft: this.time - step, ArrowDown: this.time - step, ArrowRight: this.time + step, ArrowUp: this.time + step, PageDown: this.time - 10 * step, PageUp: this.time + 10 * step, Home: this.start, End: this.end }[e.key]
    if (to === undefined) return
    this.pause()
    this.seek(to)
    e.preventDefault()
    e.stopPropagation()
  }

  seek(t) {
    this.time = Math.min(Math.max(t, this.start), this.end)
    this.slider.value = this.time
    const text = `${seconds(this.time)} of ${seconds(this.end)}`
    this.slider.setAttribute('aria-valuetext', text)
    this.clock.textContent = text
    this.clock.dataset.time = this.time
    this.show(this.time)
  }

  toggle() {
    if (this.playing) this.pause()
    else this.play()
  }

  play() {
    if (this.time >= this.end) this.seek(this.start)
    this.playing = true
    this.playButton.textContent = 'Pause'
    let before = performance.now()
    const tick = (now) => {
      if (!this.playing) return
      this.seek(this.time + (this.speed * Math.max(0, now - before)) / 1000)
      before = now
      if (this.time >= this.end) this.pause()
      else requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  }

  pause() {
    this.playing = false
    this.playButton.textContent = 'Play'
  }
}
