import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../languages/languages.ts';
import { readQr } from '../qr/read-qr.testing.ts';
import { contrast, textOn } from './brand-style.ts';
import type { Page, Shown } from './page.ts';
import { renderPage } from './page-contents.ts';

type Words = { name: string; title: string; description: string | null; url: string; inApp: string | null };

const plain: Words = {
  name: 'Shop',
  title: 'A title',
  description: 'Words',
  url: 'https://a.example/x?y=1',
  inApp: 'Instagram',
};

const shown = (name: string): Shown => ({ name, branding: { color: null, sentence: null, logo: null } });

function pagesOf({ name, title, description, url, inApp }: Words): Page[] {
  const app = shown(name);
  const social = { title, description, imageUrl: url, url };
  const ways = {
    openUrl: url,
    stores: [{ store: 'apple', url } as const, { store: 'play', url } as const],
    webUrl: url,
  };
  return [
    { kind: 'choose', app, social, banner: { appId: '1', argument: url, appClipBundleId: null }, ...ways },
    { kind: 'in-app', app, inApp, platform: 'ios', banner: null, exit: anExit, ...ways },
    { kind: 'in-app', app, inApp, platform: 'android', banner: null, exit: null, ...ways },
    { kind: 'desktop', app, linkUrl: url, stores: ways.stores, social },
    { kind: 'ask-touch', app, touchUrl: url, otherUrl: url },
    { kind: 'preview', app, social, ...ways },
    { kind: 'gone', app },
    { kind: 'unknown-link', app },
    { kind: 'unknown-host' },
    { kind: 'method-not-allowed' },
    { kind: 'busy' },
  ];
}

const anExit = {
  url: 'instagram://extbrowser/?url=https%3A%2F%2Fa.example%2Fx',
  mayFail: true,
  reportPath: '/x?lf_exit=instagram-extbrowser',
};

const choose = pagesOf(plain)[0] as Extract<Page, { kind: 'choose' }>;

const bodyOf = (kind: Page['kind'], words: Partial<Words> = {}) =>
  renderPage(pagesOf({ ...plain, ...words }).find((page) => page.kind === kind)!).body;

type Parsed = { shape: string[]; values: string[] };

/** Parses a page strictly. It accepts only our tags, quoted attributes and clean text. */
function parse(body: string): Parsed {
  const shape: string[] = [];
  const values: string[] = [];
  let rest = body;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  while (rest !== '') {
    const raw = take(/^<(style|script)>([^<]*)<\/\1>/);
    if (raw) {
      shape.push(`${raw[1]} ${raw[2]}`);
      continue;
    }
    const tag = take(/^<(\/?[a-z0-9]+|!doctype html)((?: [a-zA-Z:-]+="[^"<>]*")*)\/?>/);
    if (tag) {
      const attributes = [...(tag[2] ?? '').matchAll(/ ([a-zA-Z:-]+)="([^"]*)"/g)];
      shape.push(`${tag[1]} ${attributes.map(([, attribute]) => attribute).join(' ')}`);
      for (const [, , value] of attributes) values.push(decode(value ?? ''));
      continue;
    }
    const text = take(/^[^<>"]+/);
    if (!text) throw new Error(`not clean: ${rest.slice(0, 80)}`);
    values.push(decode(text[0]));
  }
  return { shape, values };
}

function decode(text: string): string {
  expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
  return text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
  );
}

const PIECES = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '</title>',
  '</style>',
  '<script>',
  '<!--',
  '-->',
  'on=',
  '`',
  '&lt;',
  ' ',
  '\0',
  '\ud800',
];
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES)).map((parts) => parts.join('')),
);

describe('every page', () => {
  it('has the same elements and attributes for all texts, and shows the texts unchanged', () => {
    const shapes = pagesOf(plain).map((page) => parse(renderPage(page).body).shape);
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (name, title, description, query) => {
        const url = new URL('https://a.example/');
        url.search = query;
        const words = { name: `N${name}`, title, description, url: url.href, inApp: name };
        pagesOf(words).forEach((page, index) => {
          const { shape, values } = parse(renderPage(page).body);
          expect(shape).toEqual(shapes[index]);
          if ('app' in page && page.kind !== 'gone' && page.kind !== 'unknown-link' && page.kind !== 'preview') {
            const shown = words.name.toWellFormed();
            // biome-ignore lint/suspicious/noControlCharactersInRegex: these are shown as spaces
            expect(values.join('')).toContain(shown.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' '));
          }
        });
      }),
    );
  });

  it.each(pagesOf(plain))('is a complete document: $kind', (page) => {
    const { body, csp } = renderPage(page);
    expect(body).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    expect(body).not.toMatch(/<(?:img|link|iframe|form)\b| src=| style=| on[a-z]+=/);
    expect(csp).not.toContain('unsafe');
    expect(csp).toContain("default-src 'none'");
  });

  it.each(pagesOf(plain))('allows only its own style and script: $kind', (page) => {
    const { body, csp } = renderPage(page);
    const inline = [...body.matchAll(/<(style|script)>([^<]*)<\/\1>/g)].map(([, kind, text]) => {
      return `${kind}-src 'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`;
    });
    const allowed = csp.split('; ').filter((directive) => /^(?:style|script)-src/.test(directive));
    expect(allowed).toEqual(inline);
    const scripted = page.kind === 'ask-touch' || (page.kind === 'in-app' && page.exit !== null);
    expect(allowed.length).toBe(scripted ? 2 : 1);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'intent://x#Intent;end',
    '//evil.example/x',
    'x',
  ])('has no link to %j', (url) => {
    for (const page of pagesOf({ ...plain, url })) {
      const hrefs = [...renderPage(page).body.matchAll(/ href="([^"]*)"/g)].map(([, to]) => to);
      const exit = page.kind === 'in-app' && page.exit ? [anExit.url] : [];
      expect(hrefs).toEqual(page.kind === 'busy' ? [''] : exit);
    }
  });
});

describe('a page in each language', () => {
  const most = { ...plain, name: 'W'.repeat(200), url: `https://a.example/${'x'.repeat(130)}?y=1` };

  it.each(LANGUAGES.map((language) => [language.tag, language] as const))('is whole and small: %s', (tag, language) => {
    for (const page of pagesOf(most)) {
      const { body } = renderPage(page, language);
      expect(body).toContain(`<html lang="${tag}" dir="${language.direction}">`);
      expect(body).not.toMatch(/[{]\w+[}]/);
      expect(Buffer.byteLength(body)).toBeLessThan(15 * 1024);
    }
  });
});

describe("the app's branding", () => {
  const logo = 'ab'.repeat(32);
  const branded = (branding: Partial<Shown['branding']>) =>
    renderPage({ ...choose, app: { ...choose.app, branding: { ...choose.app.branding, ...branding } } });
  const styles = (body: string) => [...body.matchAll(/<style>([^<]*)<\/style>/g)].map(([, text]) => text!);

  it('has its own style, allowed by its hash', () => {
    const { body, csp } = branded({ color: '#1A7F5A' });
    const [, own] = styles(body);
    expect(own).toContain('--strong: #1a7f5a; --on-strong: #ffffff; --strong-edge: #1a7f5a;');
    for (const text of styles(body))
      expect(csp).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(csp).not.toContain('unsafe');
  });

  it('gives a color that is nearly that of the card an edge', () => {
    expect(styles(branded({ color: '#fefefe' }).body)[1]).toMatch(
      /^:root \{[^}]*#000000; --strong-edge: var\(--edge\)/,
    );
    expect(styles(branded({ color: '#111111' }).body)[1]).toMatch(/dark\)[^}]*--strong-edge: var\(--edge\)/);
  });

  it.each(['red', '#123', '#1234567', '#12345g', '#fff;}*{', 'url(x)'])('uses no color that is none: %s', (color) => {
    expect(styles(branded({ color }).body)).toHaveLength(1);
  });

  it('writes with a readable color on every color', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xff_ff_ff }), (number) => {
        const color = `#${number.toString(16).padStart(6, '0')}`;
        expect(contrast(textOn(color), color)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('shows the logo in place of the letter, and allows images of its own host only', () => {
    const { body, csp } = branded({ logo });
    expect(body).toContain(`<img class="sign" src="/logos/${logo}.png" width="64" height="64" alt="">`);
    expect(body).not.toContain('class="sign letter"');
    expect(csp).toContain("; img-src 'self';");
    expect(branded({}).csp).not.toContain('img-src');
  });

  it('shows the sentence', () => {
    expect(branded({ sentence: 'Tea & <b>' }).body).toContain('<p dir="auto">Tea &amp; &lt;b&gt;</p>');
  });
});

describe('the QR code of a page', () => {
  const desktop = (url: string) => bodyOf('desktop', { url });
  const codeOf = (body: string) => /<div class="qr"[^>]*>(.*?)<\/div>/.exec(body)?.[1] ?? null;

  it('is the link with its query, marked as scanned', async () => {
    expect(await readQr(codeOf(desktop('https://a.example/x?y=1'))!, 176)).toBe('https://a.example/x?y=1&qr');
    expect(await readQr(codeOf(desktop('https://a.example/x'))!, 176)).toBe('https://a.example/x?qr');
  });
  it('is without a query that makes it too dense, and missing for a link that is too long', async () => {
    const long = desktop(`https://a.example/x?y=${'1'.repeat(200)}`);
    expect(await readQr(codeOf(long)!, 176)).toBe('https://a.example/x?qr');
    expect(codeOf(desktop(`https://a.example/${'x'.repeat(200)}`))).toBeNull();
  });
  it('has a name for screen readers', () => {
    expect(desktop('https://a.example/x')).toContain('role="img" aria-label="QR code of this link"');
  });
});

describe('the text of a page', () => {
  it('names the surrounding app if it is known', () => {
    expect(bodyOf('in-app')).toContain('You are inside <bdi>Instagram</bdi>,');
    expect(bodyOf('in-app', { inApp: null })).toContain('You are inside another app');
  });

  it('has a button out of the other app, which the browser reports by itself', () => {
    const { body, csp } = renderPage(pagesOf(plain)[1]!);
    expect(body).toContain(
      `<li><a class="button" id="exit" href="${anExit.url}" ping="/x?lf_exit=instagram-extbrowser">Open in browser</a></li></ul>`,
    );
    expect(body.indexOf('id="exit"')).toBeLessThan(body.indexOf('id="menu"'));
    expect(csp).toContain("; connect-src 'self';");
    for (const other of pagesOf(plain).filter((one) => !('exit' in one) || one.exit === null)) {
      expect(renderPage(other).body).not.toContain('ping=');
      expect(renderPage(other).csp).not.toContain('connect-src');
    }
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'tel:1'])('leads nowhere by %s', (url) => {
    const page = { ...pagesOf(plain)[1]!, exit: { ...anExit, url } } as Page;
    expect(renderPage(page).body).not.toContain('id="exit"');
  });

  it('never navigates by itself, except for the touch check', () => {
    for (const one of pagesOf(plain)) expect(renderPage(one).body.includes('location')).toBe(one.kind === 'ask-touch');
    for (const one of pagesOf(plain)) expect(renderPage(one).body).not.toContain('http-equiv');
  });

  it("gives Safari's banner the whole link, without its separator", () => {
    expect(bodyOf('choose', { url: 'https://a.example/x?y=1,2&z=3' })).toContain(
      '<meta name="apple-itunes-app" content="app-id=1, app-argument=https://a.example/x?y=1%2C2&amp;z=3">',
    );
  });

  it("gives Safari's banner the App Clip", () => {
    const banner = { appId: '1', argument: plain.url, appClipBundleId: 'com.example.Clip' };
    const { body } = renderPage({ ...choose, banner });
    expect(body).toContain(
      'content="app-id=1, app-clip-bundle-id=com.example.Clip, app-clip-display=card, app-argument=https://a.example/x?y=1"',
    );
  });

  it('gives previews their tags', () => {
    const body = bodyOf('preview');
    const tags = { title: 'A title', description: 'Words', image: 'https://a.example/x?y=1', site_name: 'Shop' };
    for (const [property, content] of Object.entries(tags))
      expect(body).toContain(`<meta property="og:${property}" content="${content}">`);
    expect(body).toContain('<meta name="twitter:card" content="summary_large_image">');
  });

  it('shows only images from the web', () => {
    const body = bodyOf('desktop', { url: 'javascript:x' });
    expect(body).not.toContain('og:image');
    expect(body).toContain('<meta name="twitter:card" content="summary">');
  });
});
