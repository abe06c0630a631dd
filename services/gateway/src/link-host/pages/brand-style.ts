// The style of an app's own colour. The text on it and its edge follow from the colour, so that everybody can read them.
import { LRUCache } from 'lru-cache';
import { contrastOf } from '../qr/qr-code.ts';
import { type Html, html, ownMarkup } from './html.ts';

const COLOR = /^#[0-9a-f]{6}$/i;
const BLACK = '#000000';
const WHITE = '#ffffff';
/** The grounds of the card in `page-layout.ts`. */
const CARDS = { light: '#ffffff', dark: '#1d1c1b' };
/** WCAG 1.4.11: a button must differ that much from its surroundings. */
const EDGE_CONTRAST = 3;

/** A cache: apps keep their colours. */
const styles = new LRUCache<string, Html>({ max: 1_000, memoMethod: (color) => write(color) });

/** Returns the text of a style element. Null: the app has no colour. */
export function brandStyle(color: string | null): Html | null {
  return color === null || !COLOR.test(color) ? null : styles.memo(color.toLowerCase());
}

function write(color: string): Html {
  const onColor = textOn(color);
  const edge = (card: string) => (contrast(color, card) < EDGE_CONTRAST ? 'var(--edge)' : color);
  return html`:root { --strong: ${ownMarkup(color)}; --on-strong: ${ownMarkup(onColor)}; --strong-edge: ${ownMarkup(edge(CARDS.light))}; }
@media (prefers-color-scheme: dark) { :root { --strong: ${ownMarkup(color)}; --on-strong: ${ownMarkup(onColor)}; --strong-edge: ${ownMarkup(edge(CARDS.dark))}; } }
`;
}

/** Black or white, whichever is easier to read. One of them always has a contrast of 4.58 or more. */
export const textOn = (color: string): string => (contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK);

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const ratio = contrastOf(one, other);
  return Math.max(ratio, 1 / ratio);
}
