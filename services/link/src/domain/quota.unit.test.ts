import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCreates, type LinkRequest, monthOf, usageKey } from './quota.ts';

const asked = (id: string, over: Partial<LinkRequest> = {}): LinkRequest => ({
  id,
  appId: 'app',
  month: '2026-11',
  inputHash: 'hash',
  earlierHashes: ['hash'],
  plan: { name: 'starter', linksPerMonth: 2 },
  ...over,
});
const kinds = (list: LinkRequest[], existing: [string, string][] = [], used = 0) =>
  decideCreates(list, new Map(existing), new Map([['app/2026-11', used]])).map((d) => d.kind);

describe('decideCreates', () => {
  it('makes links until the limit, in order', () => {
    expect(kinds([asked('a'), asked('b'), asked('c')])).toEqual(['make', 'make', 'limit reached']);
  });

  it('says how many there are and how many there may be', () => {
    const [decision] = decideCreates([asked('a')], new Map(), new Map([['app/2026-11', 2]]));
    expect(decision).toEqual({ kind: 'limit reached', currentCount: 2, limit: 2, plan: 'starter' });
  });

  it('answers for a link that exists, also at the limit, and does not count it again', () => {
    expect(kinds([asked('a'), asked('b')], [['a', 'hash']], 1)).toEqual(['made already', 'make']);
  });

  it('refuses an id with another input, in the same batch too', () => {
    expect(kinds([asked('a'), asked('a'), asked('a', { inputHash: 'other', earlierHashes: ['other'] })])).toEqual([
      'make',
      'made already',
      'id reused',
    ]);
  });

  it('counts each app and each month for itself', () => {
    const list = [asked('a'), asked('b', { appId: 'other' }), asked('c', { month: '2026-12' })];
    expect(kinds(list, [], 1)).toEqual(['make', 'make', 'make']);
  });

  it('never makes more than are left, whatever is asked', () => {
    const one = fc.record({
      id: fc.nat(30).map(String),
      appId: fc.constantFrom('app', 'other'),
      limit: fc.option(fc.nat(9)),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), fc.nat(12), (list, before) => {
        // A plan belongs to an app: all requests for the app in one batch have the same plan.
        const limits = new Map(list.map((o) => [o.appId, o.limit]));
        const batch = list.map((o) =>
          asked(o.id, { appId: o.appId, plan: { name: 'p', linksPerMonth: limits.get(o.appId)! } }),
        );
        const used = new Map([
          ['app/2026-11', before],
          ['other/2026-11', before],
        ]);
        const decisions = decideCreates(batch, new Map(), used);
        for (const [appId, limit] of limits) {
          const made = decisions.filter((d, i) => d.kind === 'make' && batch[i]!.appId === appId).length;
          if (limit !== null) expect(made).toBeLessThanOrEqual(Math.max(0, limit - before));
        }
      }),
    );
  });
});

it('takes the month in UTC', () => {
  expect(monthOf(new Date('2026-11-30T23:59:59.999-01:00'))).toBe('2026-12');
  expect(usageKey('a', '2026-12')).toBe('a/2026-12');
});
