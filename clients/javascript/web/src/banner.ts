import { STYLE, textOn } from './banner-style.ts';
import type { Platform } from './device.ts';
import { closedAt, isFitting, rememberClosed } from './fitting.ts';
import { type LinkOptions, urlFor, withQuery } from './url-for.ts';

export interface BannerOptions extends LinkOptions {
  /** The name of the app. */
  title: string;
  /** A sentence below it. */
  text?: string;
  /** The address of the app's icon, a square of at least 96 pixels. */
  icon?: string;
  /** The words on the button, in the language of the page. */
  button: string;
  /** The name of the button that closes the banner, for people who hear the page. Default: `Close`. */
  close?: string;
  /** The colour of the button, as `#rrggbb`. Its text is black or white. */
  color?: string;
  /** Default: `bottom`. */
  position?: 'bottom' | 'top';
  /** Default: `auto`, as the system of the person is set. */
  theme?: 'auto' | 'light' | 'dark';
  /** Days for which a banner stays away that was closed. Default: 30. */
  hideForDays?: number;
  /** Where it is shown. Default: `['ios', 'android']`. */
  platforms?: readonly Platform[];
}

export interface Banner {
  /** The element in the page. It has an open shadow root. */
  readonly element: HTMLElement;
  /** Takes the banner away, without remembering it. */
  remove(): void;
}

/** The banner of the page. */
let shown: Banner | undefined;

/**
 * Shows a banner with a button that opens the app, or leads to its store. It lies over the page at its bottom or top, so
 * nothing moves. A second call replaces the first one's banner.
 * @returns null if the banner makes no sense here: on a computer, inside another app, beside Apple's own banner, in an
 *   installed page, after the person has closed it, and on a server
 * @throws TypeError if `link` is no web address, or `openHost` no host
 */
export function banner(options: BannerOptions): Banner | null {
  if (typeof document === 'undefined') return null;
  const { platforms = ['ios', 'android'], hideForDays = 30, position = 'bottom' } = options;
  const { userAgent, maxTouchPoints } = navigator;
  const viewer = {
    userAgent,
    maxTouchPoints,
    isInstalled: matchMedia('(display-mode:standalone)').matches,
    hasAppleBanner: document.querySelector('meta[name="apple-itunes-app"]') !== null,
    closedAt: closedAt(),
    now: Date.now(),
  };
  shown?.remove();
  if (!isFitting(viewer, platforms, hideForDays)) return null;

  const element = document.createElement('div');
  element.id = 'landfall-banner';
  const section = sectionOf(options, () => {
    rememberClosed(Date.now());
    remove();
  });
  const root = element.attachShadow({ mode: 'open' });
  style(root);
  root.append(section);
  // People who hear the page, or go through it with the keyboard, meet it where others see it.
  if (position === 'top') document.body.prepend(element);
  else document.body.append(element);
  const { style: page } = document.documentElement;
  const side = position === 'top' ? 'scrollPaddingTop' : 'scrollPaddingBottom';
  const before = page[side];
  // What gets the focus is not hidden by the banner.
  page[side] = `${section.offsetHeight}px`;
  shown = { element, remove };
  return shown;

  function remove() {
    if (!element.isConnected) return;
    element.remove();
    page[side] = before;
  }
}

function sectionOf(options: BannerOptions, close: () => void): HTMLElement {
  const { title, text, icon, button, color, position, theme = 'auto' } = options;
  const section = make('section');
  section.className = position ?? '';
  section.setAttribute('aria-label', title);
  section.style.colorScheme = theme === 'auto' ? 'light dark' : theme;
  if (icon) {
    const image = make('img');
    image.src = icon;
    // The title beside it says the same.
    image.alt = '';
    // An icon that is not there would look like a fault of the page.
    image.onerror = () => image.remove();
    section.append(image);
  }
  const words = make('p');
  words.append(make('b', title), ...(text ? [make('span', text)] : []));
  const open = make('a', button);
  open.href = withQuery(new URL(urlFor(options)), ['lf_via=banner']).href;
  if (color) Object.assign(open.style, { background: color, color: textOn(color) });
  const end = make('button', '×');
  end.type = 'button';
  end.setAttribute('aria-label', options.close ?? 'Close');
  end.onclick = close;
  section.append(words, open, end);
  return section;
}

function make<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** A style sheet that is made by a script breaks no Content-Security-Policy. Old browsers know only an element. */
function style(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(make('style', STYLE));
  }
}
