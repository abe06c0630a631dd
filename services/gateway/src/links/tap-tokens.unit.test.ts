import { expect, it } from 'vitest';
import { tapTokenOf } from './tap-tokens.ts';

const PLAY = 'https://play.google.com/store/apps/details?id=com.example.shop&referrer=';

it.each([
  'lf_click=T-1_x&utm_source=a%26b',
  'utm_source=a&lf_click=T-1_x',
  'lf_click%3DT-1_x%26utm_source%3Da',
  'lf_click%253DT-1_x',
  'referrer=lf_click%3DT-1_x%26utm_source%3Da',
  'referrer=lf_click=T-1_x',
  `${PLAY}lf_click%3DT-1_x%26utm_source%3Da%2526b`,
  encodeURIComponent(`${PLAY}lf_click%3DT-1_x`),
  '?lf_click=T-1_x#',
  ' lf_click=T-1_x\n',
])('%j names the tap', (referrer) => {
  expect(tapTokenOf(referrer)).toBe('T-1_x');
});

it.each([
  '',
  'utm_source=google-play&utm_medium=organic',
  'xlf_click=T',
  'lf_click=',
  'lf_click=a b',
  '%zz',
  'lf_click%3',
])('%j names none', (referrer) => {
  expect(tapTokenOf(referrer)).toBeNull();
});

it('prefers the outermost token', () => {
  expect(tapTokenOf('utm_source=x%26lf_click%3DOTHER&lf_click=OWN')).toBe('OWN');
});
