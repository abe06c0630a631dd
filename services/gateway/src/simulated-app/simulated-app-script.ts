// The script of the simulated app. It writes every value as text, so no link can add markup to the page.

/**
 * `crypto.randomUUID` needs https, and in a local network there is none. The version of the system is left out: Chrome
 * always says Android 10.
 */
export const SIMULATED_APP_SCRIPT = `
'use strict';
const KEY = 'landfall-simulated-app';
const byId = (id) => document.getElementById(id);
let kept = null;
/** The number of the latest start. An earlier one that is still under way shows nothing more. */
let latest = 0;

function phone() {
  try { kept = JSON.parse(localStorage.getItem(KEY)) || kept; } catch { /* Without storage the phone lasts as long as the page. */ }
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  kept = { fingerprint: 'simulated-' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''), installedAt: Date.now() };
  try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* As above. */ }
  return kept;
}

const referrer = () => new URLSearchParams(location.search).get('referrer') || undefined;

function platform() {
  const agent = navigator.userAgent;
  if (/android/i.test(agent)) return 'android';
  const isIpad = /macintosh/i.test(agent) && navigator.maxTouchPoints > 1;
  // Only Google Play passes a referrer: a computer plays an Android phone.
  if (referrer() !== undefined && !isIpad && !/iphone|ipad|ipod/i.test(agent)) return 'android';
  return /iphone|ipad|ipod/i.test(agent) || isIpad ? 'ios' : undefined;
}

async function call(name, body) {
  const log = byId('calls');
  log.textContent += 'POST ' + name + '\\n' + JSON.stringify(body, null, 2) + '\\n';
  const answer = await fetch('/simulated-app/' + name, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const reply = await answer.json();
  log.textContent += answer.status + '\\n' + JSON.stringify(reply, null, 2) + '\\n\\n';
  if (!answer.ok) throw new Error(answer.status === 429 ? 'too many calls in a minute, try again later' : reply.error || 'status ' + answer.status);
  return reply;
}

function fact(name, value) {
  const term = document.createElement('dt');
  const text = document.createElement('dd');
  term.textContent = name;
  text.textContent = value;
  byId('facts').append(term, text);
}

function showLinks(links) {
  byId('facts').hidden = links.length === 0;
  byId('result').textContent = links.length === 0 ? 'Nothing was restored.' : 'Restored ' + links[links.length - 1].destination;
  for (const link of links) {
    fact('destination', link.destination);
    fact('matched by', link.matchType);
    fact('tapped URL', link.originalUrl);
    for (const [name, value] of Object.entries(link.metadata)) fact('metadata: ' + name, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

function showReason(decision, count) {
  byId('reason').hidden = decision === null && count > 0;
  // A later start that finds no tap leaves no decision.
  byId('considered').hidden = decision === null;
  byId('summary').textContent = 'There was no tap that could belong to this phone. Tap the link on this phone first, at most some minutes before.';
  if (decision === null) return;
  byId('summary').textContent = decision.summary;
  byId('considered').hidden = decision.considered.length === 0;
  for (const tap of decision.considered) {
    const item = document.createElement('li');
    item.textContent = 'Tap at ' + new Date(tap.tappedAt).toLocaleTimeString() + (tap.taken ? ', taken: ' : ', not taken: ') + tap.reason;
    byId('considered').append(item);
  }
}

async function start() {
  for (const id of ['facts', 'considered', 'calls']) byId(id).textContent = '';
  byId('reason').hidden = true;
  byId('result').textContent = 'The app starts …';
  const { fingerprint, installedAt } = phone();
  const facts = { deviceFingerprint: fingerprint, platform: platform(), language: navigator.language };
  const mine = ++latest;
  const installReferrer = referrer();
  try {
    const { isFirstLaunch } = await call('heartbeat', facts);
    if (mine !== latest) return;
    byId('phone').textContent = isFirstLaunch ? 'The app is new on this phone.' : 'The app was started on this phone before.';
    const seconds = Math.max(0, Math.round((Date.now() - installedAt) / 1000));
    const { restoredLinks, decision } = await call('restore', { ...facts, installReferrer, installedSecondsAgo: seconds });
    if (mine !== latest) return;
    showLinks(restoredLinks);
    showReason(decision, restoredLinks.length);
  } catch (error) {
    if (mine !== latest) return;
    byId('result').textContent = 'The app got no answer: ' + error.message + '.';
  }
}

byId('again').addEventListener('click', start);
byId('forget').addEventListener('click', () => {
  kept = null;
  latest++;
  try { localStorage.removeItem(KEY); } catch { /* Nothing was kept. */ }
  // The referrer belongs to the install that is forgotten.
  history.replaceState(null, '', location.pathname);
  for (const id of ['facts', 'considered', 'calls']) byId(id).textContent = '';
  byId('facts').hidden = byId('reason').hidden = true;
  byId('phone').textContent = '';
  byId('result').textContent = 'This phone is forgotten. Tap the link again.';
});
start();
`;
