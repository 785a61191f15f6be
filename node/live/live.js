// The live view: shows what the server sends, and says when it is old.
'use strict';

(() => {
  const $ = (id) => document.getElementById(id);
  const { element, metres, pair, seconds } = firstcontact.html;
  const silence = 2000; // ms without a message: what is shown is old; Silence in view.go
  const span = 30; // s of the curve of distances
  const unreachable = 'The server does not answer.';

  let stage = null, model = 0, loading = false;
  let refused = 0, trouble = ''; // the model that cannot be drawn, and why
  let view = null; // as it came last; null while nothing comes
  let heard = 0, attempts = 0, why = unreachable;
  let curve = [];
  let positions = {}; // of joints, as measured last

  function connect() {
    const address = new URL('watch', location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.onmessage = (e) => {
      attempts = 0;
      heard = performance.now();
      view = JSON.parse(e.data);
      if (view.model && view.model !== model && view.model !== refused && !loading) load();
      show();
    };
    socket.onclose = (e) => {
      why = e.reason || unreachable;
      view = null;
      refused = 0;
      show();
      setTimeout(connect, Math.min(5000, 250 * 2 ** attempts++));
    };
  }

  // load fetches the robot and its world.
  async function load() {
    loading = true;
    refused = view.model;
    trouble = '';
    try {
      const answer = await fetch('model');
      if (!answer.ok) throw new Error(await answer.text());
      const number = Number(answer.headers.get('X-Model'));
      refused = number;
      const decoded = await firstcontact.decode(await answer.arrayBuffer());
      const old = stage;
      stage = null;
      if (old) {
        old.element.replaceChildren();
        old.renderer.dispose();
        old.renderer.forceContextLoss();
      }
      positions = {}; // another robot's joints may have the same names
      stage = new firstcontact.Stage($('stage'), decoded);
      stage.focusable();
      stage.canvas.setAttribute('aria-label', 'The robot as measured. Arrow keys turn the view, + and - come closer and go away.');
      stage.setTheme(theme());
      stage.setScene(decoded.scenes.length ? 0 : -1);
      model = number;
      $('drawn').textContent = firstcontact.drawing(decoded, 0).join(' '); // what is drawn with less than is checked
      refused = 0;
      $('robot').textContent = decoded.robot.name;
      show();
      stage.fit();
      if (old) { // only what is around the robot has changed
        stage.camera.position.copy(old.camera.position);
        stage.controls.target.copy(old.controls.target);
        stage.controls.update();
      }
      stage.render();
    } catch (e) {
      trouble = `The 3D view cannot be drawn: ${e.message}.`;
    } finally {
      loading = false;
    }
    show();
  }

  function level(name, reason) {
    const badge = $('level');
    if (badge.textContent !== name) {
      badge.textContent = name;
      badge.className = `badge level ${name}`;
    }
    $('reason').textContent = reason;
  }

  // show shows the newest view: nothing of it as current that is old.
  function show() {
    const s = view && view.state;
    const fresh = s && s.age * 1000 < silence ? s : null;
    document.querySelector('main').classList.toggle('old', !view);
    if (!view) level('NOT CONNECTED', `${why} What is shown is old. Trying again.`);
    else if (fresh) level(s.level, s.reason);
    else level('UNKNOWN', s ? `The node has said nothing for ${Math.floor(s.age)} s: what is shown is old.` : 'No state has come yet.');
    $('remark').textContent = [view && view.remark, view && unmeasured(view), trouble].filter(Boolean).join(' ');
    $('distance').textContent = fresh ? distance(s) : '';
    $('notes').replaceChildren(...(fresh ? s.notes : []).map((n) => element('li', {}, n)));
    $('pairs').replaceChildren(...(fresh ? s.pairs : []).map((p) => element('tr', {},
      element('td', {}, pair(p.names), p.remark ? element('div', { class: 'quiet' }, p.remark) : ''), element('td', { class: 'number' }, length(p.lower, 'down')), element('td', { class: 'number' }, length(p.upper, 'up')))));
    if (view) {
      $('none').hidden = view.verdicts.length > 0;
      $('verdicts').replaceChildren(...view.verdicts.slice().reverse().map(verdict));
    }
    $('verdicts').classList.toggle('old', !fresh); // nobody says what is around the robot now
    record(fresh);
    if (!stage) return;
    // A joint without a fresh measurement is drawn where it was, and the page says so.
    if (view && view.model === model) Object.assign(positions, view.positions);
    stage.setPositions(positions);
    $('stage').classList.toggle('old', !fresh || fresh.level === 'UNKNOWN' || view.unmeasured > 0 || view.model !== model);
    const marked = fresh && view.model === model ? s.decided || s.pairs[0] : null; // the closest need not decide the level
    stage.setWitnesses(marked ? [{ a: marked.a, b: marked.b, normal: marked.normal }] : []);
    stage.highlight(marked && (s.level === 'COLLISION' || s.level === 'STOP') ? marked.names : []);
  }

  function unmeasured(v) {
    return v.unmeasured ? `No measurement of ${v.unmeasured} joints is new: they are drawn where they were last, or at zero.` : '';
  }

  // verdict is a row of the table.
  function verdict(v) {
    const hit = v.toc !== null;
    const notes = [v.message, ...v.notes].filter(Boolean).map((n) => element('li', {}, n));
    return element('tr', { class: v.other ? 'other' : '' },
      element('td', {}, v.id),
      element('td', {}, element('span', { class: `status ${v.other ? '' : v.status}` }, v.status), hit ? [' ', pair(v.names)].flat() : '', v.other ? ' for another scene or model' : '',
        notes.length ? element('details', {}, element('summary', {}, 'Rests on'), element('ul', {}, notes)) : ''),
      element('td', { class: 'number' }, `${hit ? seconds(v.toc, 'up') : seconds(v.until, 'down')} of ${seconds(v.length)}`),
      element('td', { class: 'number' }, `${Math.round(v.age)} s ago`));
  }

  const length = (x, side) => (x === null ? 'not known' : metres(x, side));

  function distance(s) {
    let text = `At least ${length(s.lower, 'down')}, at most ${length(s.upper, 'up')}. `;
    if (s.until !== null) text += `A contact may come in ${seconds(s.until, 'down')}. `;
    else if (s.clear && s.horizon > 0) text += `No contact within ${seconds(s.horizon, 'down')}. `;
    return `${text}${s.checked} motions judged, ${s.unchecked} not.`;
  }

  // record draws the lower bound over the last half minute; gaps where nothing was proved. s is null
  // while there is no new state.
  function record(s) {
    const now = performance.now() / 1000;
    curve.push([now, s && s.level !== 'UNKNOWN' ? s.lower : null]);
    curve = curve.filter(([t]) => now - t < span);
    const most = Math.max(...curve.map(([, d]) => d ?? 0), 1e-3);
    let d = '', pen = 'M';
    for (const [t, x] of curve) {
      if (x === null) {
        pen = 'M';
        continue;
      }
      d += `${pen}${(300 * (1 - (now - t) / span)).toFixed(1)} ${(57 - 54 * x / most).toFixed(1)}`;
      pen = 'L';
    }
    $('curve').setAttribute('d', d);
    $('scale').textContent = d ? `Proved distance over the last ${span} s, from 0 to ${metres(most, 'up')}; a gap where there is none.` : `No distance was proved in the last ${span} s.`;
  }

  setInterval(() => {
    if (performance.now() - heard <= silence || !view) return;
    why = unreachable;
    view = null;
    show();
  }, 500);

  let chosen = '';
  const theme = () => chosen || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  function dress() {
    document.documentElement.dataset.theme = theme();
    $('theme').textContent = theme() === 'dark' ? 'Light' : 'Dark';
    if (stage) stage.setTheme(theme());
  }
  $('theme').onclick = () => { chosen = theme() === 'dark' ? 'light' : 'dark'; dress(); };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', dress);
  for (const b of document.querySelectorAll('[data-view]')) b.onclick = () => stage && stage.fit(b.dataset.view.split(',').map(Number));
  dress();
  connect();
  firstcontact.live = { stage: () => stage, view: () => view, curve: () => curve };
})();
