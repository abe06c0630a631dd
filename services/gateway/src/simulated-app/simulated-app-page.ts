// The page that plays an app. Its script is the app: it has a fingerprint, sends the calls of an SDK, and shows the
// replies.

import type { App } from '@landfall/contracts';
import { cspHash } from '@landfall/http';
import { html, ownMarkup } from '../link-host/pages/html.ts';
import { SIMULATED_APP_SCRIPT } from './simulated-app-script.ts';

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f3f0; --card: #fff; --text: #1d1c1a; --quiet: #5c5850; --line: #dedbd4; --edge: #8b867c; --focus: #1a5fd0; }
@media (prefers-color-scheme: dark) { :root { --ground: #131312; --card: #1d1c1b; --text: #f3f1ed; --quiet: #b5b0a6; --line: #383633; --edge: #7d7970; --focus: #8ab4ff; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 36rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { margin: .5rem 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .5rem; font-size: 1.0625rem; }
p { margin: 0 0 .75rem; }
section { margin: 1rem 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
section > :last-child { margin-bottom: 0; }
.quiet, dt { color: var(--quiet); }
.result { font-size: 1.25rem; font-weight: 650; line-height: 1.3; }
dl { margin: 0 0 .75rem; } dd { margin: 0 0 .5rem; font-family: ui-monospace, monospace; font-size: .9375rem; }
ul { margin: 0 0 .75rem; padding-left: 1.25rem; }
pre { margin: 0; white-space: pre-wrap; font-size: .875rem; }
summary { cursor: pointer; }
button { display: block; width: 100%; min-height: 3rem; margin: .75rem 0 0; padding: .5rem 1rem; border: 1px solid var(--edge); border-radius: .75rem; background: var(--card); color: var(--text); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

const CSP = [
  "default-src 'none'",
  `style-src ${cspHash(STYLE)}`,
  `script-src ${cspHash(SIMULATED_APP_SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the page and its Content-Security-Policy. It is in English, because developers read it. */
export function simulatedAppPage({ name }: Pick<App, 'name'>): { body: string; csp: string } {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Simulated app: ${name}</title>
<style>${ownMarkup(STYLE)}</style>
</head>
<body>
<main>
<h1>Simulated app: ${name}</h1>
<p class="quiet">Here a real link leads to a store. This page plays the app after its install: it sends the calls of the SDK and shows the replies.</p>
<noscript><p>The page needs JavaScript to play the app.</p></noscript>
<section aria-labelledby="result-title" aria-live="polite">
<h2 id="result-title">Result</h2>
<p class="result" id="result">The app starts …</p>
<dl id="facts" hidden></dl>
</section>
<section aria-labelledby="reason-title" id="reason" hidden>
<h2 id="reason-title">Reason</h2>
<p id="summary"></p>
<ul id="considered"></ul>
</section>
<section aria-labelledby="phone-title">
<h2 id="phone-title">This phone</h2>
<p id="phone"></p>
<p class="quiet">The app keeps its fingerprint in this browser. Forget it to be a new phone, then tap the link again.</p>
<button type="button" id="again">Start the app again</button>
<button type="button" id="forget">Forget this phone</button>
</section>
<section>
<details><summary>Calls and replies</summary><pre id="calls"></pre></details>
</section>
</main>
<script>${ownMarkup(SIMULATED_APP_SCRIPT)}</script>
</body>
</html>
`;
  return { body: body.toString(), csp: CSP };
}
