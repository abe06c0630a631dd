import { expect, it } from 'vitest';
import { textOn } from './banner-style.ts';
import { isFitting, type Viewer } from './fitting.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const CHROME = SAFARI.replace('Version/26.0', 'CriOS/141.0');
const DAY = 86_400_000;
const viewer: Viewer = {
  userAgent: SAFARI,
  maxTouchPoints: 5,
  isInstalled: false,
  hasAppleBanner: false,
  closedAt: null,
  now: 1_000 * DAY,
};
const fits = (more: Partial<Viewer>) => isFitting({ ...viewer, ...more }, ['ios'], 30);

it.each<[string, Partial<Viewer>, boolean]>([
  ['a phone', {}, true],
  ['a phone of another kind', { userAgent: 'Mozilla/5.0 (Linux; Android 10; K) Chrome/141.0.0.0' }, false],
  ['a page inside an app', { userAgent: SAFARI.replace('Safari/604.1', 'Instagram 401') }, false],
  ['an installed page', { isInstalled: true }, false],
  ['Safari, which shows Apple’s banner', { hasAppleBanner: true }, false],
  ['Chrome, which shows none', { hasAppleBanner: true, userAgent: CHROME }, true],
  ['somebody who closed it yesterday', { closedAt: 999 * DAY }, false],
  ['somebody who closed it 30 days ago', { closedAt: 970 * DAY }, true],
  ['a clock that was set back by a year', { closedAt: 1_365 * DAY }, true],
])('on %s', (_, more, expected) => {
  expect(fits(more)).toBe(expected);
});

it('writes black on light colours, and white on dark ones', () => {
  expect(['#ffd400', '#ffffff', '#7fbf7f'].map(textOn)).toEqual(['#000', '#000', '#000']);
  expect(['#0b57d0', '#000000', '#1a7f5a'].map(textOn)).toEqual(['#fff', '#fff', '#fff']);
});
