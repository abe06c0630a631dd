import { expect, it } from 'vitest';
import words from '../../words/en.json' with { type: 'json' };
import { resultOf } from './result.ts';

const link = { destination: '/shoes?size=42' };

it.each([
  [true, null, 'in-app', 'app', '/shoes?size=42'],
  [false, 'https://play.google.com/store/apps/details?id=x', null, 'play', ''],
  [false, 'market://details?id=x', null, 'play', ''],
  [false, 'https://apps.apple.com/app/id1', null, 'apple', ''],
  [false, 'https://shop.example/x', null, 'web', 'shop.example'],
  [false, 'https://shop.links.example/simulated-app?link=x', null, 'simulated', ''],
  [false, null, 'gone', 'gone', ''],
  [false, null, 'choose', 'buttons', ''],
  [false, null, null, 'nothing', ''],
])('opensApp %s, to %s, page %s: %s %s', (opensApp, url, page, word, place) => {
  expect(resultOf({ opensApp, link, answer: { url, page } })).toEqual({ word, place });
  expect(words.try.results).toHaveProperty(word);
});
