// What pages use, as the global `firstcontact`.
import './style.css'

export { decode, drawing, fromBase64 } from './model.js'
export { Kinematics, Course, Profile } from './kinematics.js'
export { Stage } from './stage.js'
export { Chart } from './chart.js'
export { Player } from './player.js'
export { PairTable } from './pairs.js'
export { Report, report } from './report.js'
export * as html from './html.js'
