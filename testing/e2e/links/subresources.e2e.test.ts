// Requests that a page sends without a tap are not taps, if the browser sends Fetch Metadata.
import { freshIp, IPHONE, type System, startSystem, type TestApp } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, linksOf, newDevice } from '../calls.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
let app: TestApp;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
  app = await system.makeApp({ ios: { storeId: '1234567890' } });
});
afterAll(() => system.stop());

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
    ['an old frame', as('frame', 'navigate')],
    ['an object', as('object', 'navigate')],
    ['an embedded document', as('embed', 'navigate')],
    ['a fenced frame', as('fencedframe', 'navigate')],
    ['a fetch', as('empty', 'cors', { 'sec-fetch-site': 'same-origin' })],
    ['a fetch that may not read', as('empty', 'no-cors')],
    ['a script', as('script', 'no-cors')],
    ['a style sheet', as('style', 'no-cors')],
    ['a video', as('video', 'no-cors')],
    ['a service worker', as('serviceworker', 'same-origin')],
    ['a frame of a browser that names no destination', { 'sec-fetch-mode': 'nested-navigate' }],
    ['a destination alone', { 'sec-fetch-dest': 'image' }],
    ['two destinations', as('document, image', 'navigate')],
  ])('%s', async (_, headers) => {
    expect(await asked(headers)).toEqual({ location: STORE, stored: false });
  });
});

describe('is a tap:', () => {
  it.each([
    ['a link', as('document', 'navigate', { 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' })],
    ['the address bar', as('document', 'navigate', { 'sec-fetch-site': 'none', 'sec-fetch-user': '?1' })],
    ['a script that leads on', as('document', 'navigate', { 'sec-fetch-site': 'same-site' })],
    ['a browser that names no destination', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }],
    ['a browser that says nothing', {}],
  ])('%s', async (_, headers) => {
    expect(await asked(headers)).toEqual({ location: STORE, stored: true });
  });
});
