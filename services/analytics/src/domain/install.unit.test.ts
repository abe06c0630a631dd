import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uuidOf } from '../random-events.testing.ts';
import { type Fact, fact, kinds } from './fact.ts';
import { attributionOf, unknownInstall, withFact } from './install.ts';

const NOON = Date.parse('2026-11-23T12:00:00.000Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOON + hours * HOUR);
const device = uuidOf('device');
const appId = uuidOf('app');

const install = (hours: number, name = 'install') =>
  fact({ id: uuidOf(name), at: at(hours), kind: kinds.install, appId, device, country: name });
const restore = (hours: number, name: string, clickedHours = hours - 1) =>
  fact({
    id: uuidOf(name),
    at: at(hours),
    kind: kinds.restore,
    appId,
    device,
    linkId: uuidOf(`link ${name}`),
    clickId: uuidOf(`click ${name}`),
    clickedAt: at(clickedHours),
    matchType: 'address',
  });
const after = (facts: readonly Fact[]) => facts.reduce(withFact, unknownInstall(facts[0]!));
const linkOf = (facts: readonly Fact[]) => attributionOf(after(facts))?.linkId ?? null;

describe('an install is attributed to', () => {
  it.each([
    ['nothing, without a restore', [install(0)], null],
    ['nothing, as long as it is not known', [restore(0, 'a')], null],
    ['the restore of its first start', [install(0), restore(0, 'a')], 'a'],
    ['the first of several restores', [install(0), restore(2, 'b'), restore(1, 'a')], 'a'],
    ['nothing, when the restore came later than a day', [install(0), restore(25, 'a')], null],
    ['the restore near it, not to one long before', [restore(-30, 'a'), install(0), restore(1, 'b')], 'b'],
    [
      'of links of one restore, the one that was tapped last',
      [install(0), restore(0, 'a', -1), restore(0, 'b', -2)],
      'a',
    ],
    ['by its first install, when two phones are one device', [install(30, 'second'), install(0), restore(0, 'a')], 'a'],
  ] as const)('%s', (_, facts, name) => {
    expect(linkOf(facts)).toBe(name === null ? null : uuidOf(`link ${name}`));
  });
});

it('the order of the events does not matter', () => {
  const facts = [
    install(0),
    install(3, 'again'),
    restore(-1, 'a'),
    restore(1, 'b', 0),
    restore(1, 'c', -5),
    restore(40, 'd'),
  ];
  const wanted = after(facts);
  fc.assert(
    fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (shuffled) => {
      expect(after(shuffled)).toEqual(wanted);
    }),
  );
});
