// The layout of every page on a link host: one document with inline style that loads nothing, light and dark.
import { cspHash, onceFor } from '@landfall/http';
import { logoPath } from '../../logos/serve-logo.ts';
import type { Language } from '../languages/languages.ts';
import { brandStyle } from './brand-style.ts';
import { type Html, html } from './html.ts';
import type { Shown } from './page.ts';

export type PageContent = {
  title: string;
  head?: Html | null;
  /** The logo of the app, or a letter for it, is at the top. */
  app: Shown | null;
  heading: Html;
  /** A sentence of the app's owner, below the heading. */
  sentence?: string | null;
  body: readonly (Html | null)[];
  script?: Html | null;
  /** True when the browser reports the use of a button. */
  reports?: boolean;
};

export type RenderedPage = { body: string; csp: string };

export function layOut(content: PageContent, { tag, direction }: Language): RenderedPage {
  const { title, head = null, app, heading, sentence = null, body, script = null, reports = false } = content;
  const brand = app && brandStyle(app.branding.color);
  const document = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}<style>${STYLE}</style>
${brand && html`<style>${brand}</style>`}
</head>
<body>
<main>
${app && sign(app)}
<h1>${heading}</h1>
${sentence === null ? null : html`<p dir="auto">${sentence}</p>`}
${body.filter((part) => part !== null)}
</main>
${script && html`<script>${script}</script>`}
</body>
</html>
`;
  const csp = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}${brand ? ` ${hashOf(brand)}` : ''}`,
    ...(app?.branding.logo ? ["img-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(reports ? ["connect-src 'self'"] : []),
    ...(script ? [`script-src ${hashOf(script)}`] : []),
  ];
  return { body: document.toString(), csp: csp.join('; ') };
}

/** The name of the app is in the heading, so that screen readers need no second one. */
function sign({ name, branding }: Shown): Html {
  if (branding.logo !== null)
    return html`<img class="sign" src="${logoPath(branding.logo)}" width="64" height="64" alt="">`;
  return html`<div class="sign letter" aria-hidden="true">${[...name.trim()][0] ?? null}</div>`;
}

const STYLE = html`
:root { color-scheme: light dark; --ground: #f4f3f0; --card: #ffffff; --text: #1d1c1a; --quiet: #5c5850; --line: #dedbd4; --edge: #8b867c; --strong: #1d1c1a; --on-strong: #ffffff; --strong-edge: #1d1c1a; --focus: #1a5fd0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #131312; --card: #1d1c1b; --text: #f3f1ed; --quiet: #b5b0a6; --line: #383633; --edge: #7d7970; --strong: #f3f1ed; --on-strong: #1d1c1a; --strong-edge: #f3f1ed; --focus: #8ab4ff; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; align-items: center; justify-items: center; padding: 1.25rem; background: var(--ground); color: var(--text); font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100%; }
main { width: 100%; max-width: 27rem; padding: 2.25rem 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; text-align: center; overflow-wrap: anywhere; }
.sign { display: block; width: 4rem; height: 4rem; margin: 0 auto 1.25rem; border-radius: 1rem; }
.letter { display: grid; place-items: center; background: var(--strong); color: var(--on-strong); border: 1px solid var(--strong-edge); font-size: 1.75rem; font-weight: 600; line-height: 1; text-transform: uppercase; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0 0 1rem; color: var(--quiet); text-wrap: pretty; }
main > :last-child { margin-bottom: 0; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .75rem; }
a { color: inherit; }
a:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
.button { display: flex; align-items: center; justify-content: center; min-height: 3.25rem; padding: .6rem 1.25rem; border: 1px solid var(--edge); border-radius: .875rem; font-weight: 600; line-height: 1.3; text-wrap: balance; text-decoration: none; }
li:first-child .button { background: var(--strong); color: var(--on-strong); border-color: var(--strong-edge); }
.button:hover { text-decoration: underline; }
.link { padding: .75rem 1rem; border: 1px dashed var(--edge); border-radius: .75rem; color: var(--text); font-size: .9375rem; user-select: all; -webkit-user-select: all; }
.note { font-size: .9375rem; }
.note:focus { outline: 3px solid var(--focus); outline-offset: 6px; border-radius: .25rem; }
.qr { width: 11rem; margin: 1.25rem auto; padding: .25rem; background: #ffffff; border-radius: .75rem; }
.qr svg { display: block; width: 100%; height: auto; }
`;

/** Styles and scripts never change, and those of a colour are kept with it. */
const hashOf = onceFor((text: Html) => cspHash(text.toString()));
