// The QR code on the page for computers.
import { LRUCache } from 'lru-cache';
import { layoutOf, qrSvg } from '../qr/qr-code.ts';
import { type Html, html, ownMarkup } from './html.ts';

/**
 * The longest address in the code, in bytes. A longer one makes modules that a phone cannot read from a screen, and a
 * page over 15 KB.
 */
const MAX_BYTES = 150;
const PIXELS = 176;

/** Everyone who loads the page starts this work, so a new code is a quick one. About 6 KB each. */
const codes = new LRUCache<string, Html>({
  max: 200,
  memoMethod: (address) => ownMarkup(qrSvg(layoutOf(address, { quick: true }), { size: PIXELS })),
});

/** Returns the code. A query that makes the address too long is left out. Null: the link itself is too long. */
export function pageQr(linkUrl: string, label: string): Html | null {
  const address = [linkUrl, linkUrl.replace(/\?.*$/s, '')]
    .map((url) => `${url}${url.includes('?') ? '&' : '?'}qr`)
    .find((url) => Buffer.byteLength(url) <= MAX_BYTES);
  if (address === undefined) return null;
  return html`<div class="qr" role="img" aria-label="${label}">${codes.memo(address)}</div>`;
}
