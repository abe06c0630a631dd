import { globSync, readFileSync } from 'node:fs';
import { MatchingSettings, text } from '@landfall/contracts';
import { expect, it } from 'vitest';
import words from '../../words/en.json' with { type: 'json' };
import { FIELD_SENTENCES } from './sentences.ts';

const root = new URL('../../../../../', import.meta.url).pathname;
const files = globSync('{packages/contracts,services/console,services/gateway}/src/**/*.ts', { cwd: root });
const sources = files.map((file) => readFileSync(root + file, 'utf8')).join('\n');

/** What the library of schemas says by itself. */
const { crowdTaps } = MatchingSettings.shape;
const said = [
  text(20).min(1).safeParse(''),
  text(20).min(10).safeParse(''),
  text(1).safeParse('ab'),
  crowdTaps.safeParse(0),
  crowdTaps.safeParse(51),
  crowdTaps.safeParse('a'),
  text(1).array().max(0).safeParse(['a']),
].map(({ error }) => error!.issues[0]!.message);

it('has words for every sentence of a field, each of which the API says', () => {
  expect(FIELD_SENTENCES.map(([, fault]) => fault).sort()).toEqual(Object.keys(words.errors.fields).sort());
  for (const [sentence] of FIELD_SENTENCES) {
    const expected = sentence.source.replace(/^\^|\$$|\\b$/g, '').replace(/\\(.)/g, '$1');
    expect(sources.includes(expected) || said.some((one) => sentence.test(one)), expected).toBe(true);
  }
});

it('has words for codes of the API alone', () => {
  const table = readFileSync(`${root}packages/http/src/answers/error-table.ts`, 'utf8');
  expect(Object.keys(words.errors.codes).filter((code) => !table.includes(`  ${code}: [`))).toEqual([]);
});
