// Reads what show.Encode writes: a robot, scenes, and motions with their answers.

const types = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array }

// decode returns the model in an ArrayBuffer, with typed arrays in place of references to them.
export async function decode(buffer) {
  const bytes = await inflate(buffer)
  if (String.fromCharCode(...new Uint8Array(bytes, 0, 4)) !== 'FCV1') {
    throw new Error('these are not the data of a firstcontact report')
  }
  const length = new DataView(bytes).getUint32(4, true)
  const model = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)))
  const array = (a) => new types[a.type](bytes, 8 + length + a.offset, a.count)
  const bodies = (list) => list.forEach((b) => {
    b.mesh.vertices = array(b.mesh.vertices)
    b.mesh.triangles = array(b.mesh.triangles)
  })
  bodies(model.robot.links)
  model.scenes.forEach((s) => bodies(s.objects))
  for (const m of model.motions) {
    for (const part of [m.course, m.profile]) {
      for (const key in part) if (part[key] && types[part[key].type]) part[key] = array(part[key])
    }
  }
  return model
}

// drawing says, in sentences, which bodies of the robot and of a scene are not drawn as they are
// checked.
export function drawing(model, scene) {
  const bodies = [...model.robot.links, ...(model.scenes[scene]?.objects ?? [])]
  const drawn = (b) => b.mesh.triangles.length / 3
  const out = []
  const thin = bodies.filter((b) => drawn(b) && b.mesh.of > drawn(b))
  const sum = (of) => thin.reduce((n, b) => n + of(b), 0).toLocaleString('en')
  if (thin.length) out.push(`For display only, ${thin.length} of ${bodies.length} bodies are drawn simplified: ${sum(drawn)} triangles for ${sum((b) => b.mesh.of)}. The answer is about the exact shapes.`)
  const bare = model.robot.links.filter((b) => !b.mesh.of)
  if (bare.length) out.push(`Only what is checked is drawn. Without collision geometry there is nothing to draw of ${some(bare)}.`)
  const lost = bodies.filter((b) => b.mesh.of && !drawn(b)).concat((model.scenes[scene]?.objects ?? []).filter((b) => !b.mesh.of))
  if (lost.length) out.push(`Not drawn: ${some(lost)}.`)
  return out
}

// some names bodies, of many the first ones and how many there are besides.
function some(bodies, most = 12) {
  const names = bodies.slice(0, most).map((b) => b.name).join(', ')
  return bodies.length > most ? `${names} and ${bodies.length - most} more` : names
}

async function inflate(buffer) {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('this browser is too old: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4 or later)')
  }
  const stream = new Blob([buffer]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).arrayBuffer()
}

// fromBase64 returns the ArrayBuffer that a text stands for.
export function fromBase64(text) {
  const raw = atob(text.trim())
  const out = new Uint8Array(raw.length)
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i)
  return out.buffer
}
