// Requests that a page sends without a tap are not taps, if the browser sends Fetch Metadata.
import { freshIp, IPHONE } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { linksOf, newDevice, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp({ ios: { storeId: '1234567890' } });

/**
 * Taps a link with these headers. Returns the answer's location, and whether an install at the same address gets the
 * link.
 */
async function asked(headers: Record<string, string>) {
  const link = await system.makeLink(app);
  const ip = freshIp();
  const answer = await calls.tap(link.url, { ip, userAgent: IPHONE, headers });
  const restored = linksOf(await calls.restore(app, newDevice().body, { ip }));
  return { location: answer.headers.location, stored: restored.includes(link.id) };
}

const STORE = 'https://apps.apple.com/app/id1234567890';
const as = (dest: string, mode: string, more = {}) => ({ 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, ...more });

describe('is answered as a tap, and stored as none:', () => {
  it.each([
    ['an image', as('image', 'no-cors', { 'sec-fetch-site': 'cross-site' })],
    ['a frame', as('iframe', 'navigate', { 'sec-fetch-site': 'cross-site' })],
    ['a fetch', as('empty', 'cors', { 'sec-fetch-site': 'same-origin' })],
    ['a script', as('script', 'no-cors')],
    ['a frame of a browser that names no destination', { 'sec-fetch-mode': 'nested-navigate' }],
    ['a destination alone', { 'sec-fetch-dest': 'image' }],
  ])('%s', async (_, headers) => {
    expect(await asked(headers)).toEqual({ location: STORE, stored: false });
  });
});

describe('is a tap:', () => {
  it.each([
    ['a link', as('document', 'navigate', { 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' })],
    ['a browser that names no destination', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }],
    ['a browser that says nothing', {}],
  ])('%s', async (_, headers) => {
    expect(await asked(headers)).toEqual({ location: STORE, stored: true });
  });
});
