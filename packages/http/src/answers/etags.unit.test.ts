import { expect, it } from 'vitest';
import { askIfMatch, ifMatch, ifMatchHeader, wantedVersions } from './etags.ts';

const versionsOf = (given: string | undefined) => wantedVersions({ 'if-match': given });

it.each([
  [undefined, null],
  ['*', null],
  [' * ', null],
  ['"3"', [3]],
  ['"3", "1"', [1, 3]],
  ['"1","2","1"', [1, 2]],
  [', "1" ,, "2",', [1, 2]],
  // A weak tag matches nothing in If-Match. An unknown tag does not either.
  ['W/"3"', []],
  ['W/"3", "4"', [4]],
  ['"abc"', []],
  ['""', []],
  ['"03", "-1", "1.0", "9999999999"', []],
  ['"1,2"', []],
])('reads %j', (given, versions) => {
  expect(versionsOf(given)).toEqual(versions);
  if (given !== undefined) expect(given).toMatch(new RegExp(ifMatchHeader['If-Match'].pattern));
});

it.each([['3'], ['"3'], ['"3" "4"'], ['"3"; "4"'], ['w/"3"'], ['*, "3"'], ['"3", *'], [''], [' '], [','], ['"a b"']])(
  'refuses %j',
  (given) => {
    expect(() => versionsOf(given)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    expect(given).not.toMatch(new RegExp(ifMatchHeader['If-Match'].pattern));
  },
);

it('refuses more versions than it would try, and does so fast', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `"${i}"`).join(',');
  expect(versionsOf(many(10))).toHaveLength(10);
  expect(() => versionsOf(many(11))).toThrow(/at most 10/);
  expect(() => versionsOf(`${' \t'.repeat(7_000)}x`)).toThrow(/ETags/);
});

it('tries each version, and stops at any other refusal', async () => {
  const mismatch = { ok: false, refusal: { code: 'VERSION_MISMATCH' } } as const;
  const tried: (number | null)[] = [];
  const at = (current: number) => async (version: number | null) => {
    tried.push(version);
    return version === null || version === current ? ({ ok: true } as const) : mismatch;
  };
  expect(await askIfMatch({ 'if-match': '"3", "1", "2"' }, at(2))).toEqual({ ok: true });
  expect(tried.splice(0)).toEqual([1, 2]);
  expect(await askIfMatch({}, at(2))).toEqual({ ok: true });
  expect(tried.splice(0)).toEqual([null]);
  await expect(askIfMatch({ 'if-match': '"7", W/"2"' }, at(2))).rejects.toThrow(/changed since/);
  await expect(askIfMatch({ 'if-match': 'W/"2"' }, at(2))).rejects.toThrow(/changed since/);
  expect(tried).toEqual([7]);
  const gone = { ok: false, refusal: { code: 'TEAM_NOT_FOUND' } } as const;
  expect(await askIfMatch({ 'if-match': '"1", "2"' }, async () => gone)).toBe(gone);
});

it('accepts any of the versions, and the one of the thing must be among them', () => {
  const accepts = (given: string | undefined, version: number) => () => ifMatch({ 'if-match': given })({ version });
  for (const given of [undefined, '*', '"2"', '"1", "2"']) expect(accepts(given, 2)).not.toThrow();
  for (const given of ['"1"', 'W/"2"', '"x"']) expect(accepts(given, 2)).toThrow(/changed since/);
  expect(() => ifMatch({ 'if-match': '2' })).toThrow(/ETags/);
});
