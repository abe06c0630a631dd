import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Judged, MOST_ATTEMPTS, pauseMs, verdictOf } from './verdict.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const first = { attempts: 1, inDoubt: false, expiresAt: inMs(86_400_000) };
const half = () => 0.5;
const of = (attempt: Partial<typeof first>, outcome: Judged) => verdictOf({ ...first, ...attempt }, outcome, NOW, half);

const retry = { kind: 'retry', reason: 'INTERNAL', retryAfterMs: null } as const;
const quota = { kind: 'wait', whom: 'all', reason: 'QUOTA', retryAfterMs: 5_000 } as const;
const unknown = { kind: 'unknown', reason: 'reset' } as const;

describe('verdictOf', () => {
  it.each<[string, Partial<typeof first>, Judged, object]>([
    ['sent', {}, { kind: 'sent', providerId: 'p', logged: false }, { state: 'sent', providerId: 'p', reason: null }],
    ['logged', {}, { kind: 'sent', providerId: null, logged: true }, { state: 'logged', reason: null }],
    ['a dead token', {}, { kind: 'drop', reason: 'GONE', asOf: null }, { state: 'failed', reason: 'GONE' }],
    ['a bad message', {}, { kind: 'fail', reason: 'TooLarge' }, { state: 'failed', reason: 'TooLarge' }],
    ['bad credentials', {}, { kind: 'pause', reason: 'NO' }, { state: 'queued', counted: false, nextAt: NOW }],
    ['a quota', {}, quota, { state: 'queued', counted: false, nextAt: inMs(5_500), reason: 'QUOTA' }],
    ['a busy device', {}, { ...quota, whom: 'device' }, { state: 'queued', counted: true }],
    ['a quota for longer than it lives', { expiresAt: inMs(5_000) }, quota, { state: 'failed', reason: 'QUOTA' }],
    ['a passing fault', {}, retry, { state: 'queued', counted: true, inDoubt: false, nextAt: inMs(1_000) }],
    ['another one', { attempts: 4 }, retry, { state: 'queued', nextAt: inMs(8_000) }],
    ['the last one', { attempts: MOST_ATTEMPTS }, retry, { state: 'failed', reason: 'INTERNAL' }],
    ['the last one, after a doubt', { attempts: MOST_ATTEMPTS, inDoubt: true }, retry, { state: 'unknown' }],
    ['a fault after a doubt', { inDoubt: true }, retry, { state: 'queued', inDoubt: true }],
    ['a doubt', {}, unknown, { state: 'queued', inDoubt: true, nextAt: inMs(15_000) }],
    ['a second doubt', { inDoubt: true }, unknown, { state: 'unknown', reason: 'reset' }],
    ['a doubt at the end of its life', { expiresAt: inMs(9_000) }, unknown, { state: 'unknown' }],
  ])('%s', (_, attempt, outcome, expected) => {
    expect(of(attempt, outcome)).toMatchObject(expected);
  });

  it('takes words as PostgreSQL and events can hold them', () => {
    const { reason } = of({}, { kind: 'fail', reason: `\u0000a\ud800${'b'.repeat(300)}` });
    expect(reason).toHaveLength(200);
    expect(reason).toMatch(/^a\ufffdb/);
  });

  it('ends, whatever is said, and sends at most once more after a doubt', () => {
    const outcome = fc.constantFrom<Judged>(retry, unknown, { ...quota, whom: 'device' });
    fc.assert(
      fc.property(
        fc.array(outcome, { minLength: 30, maxLength: 30 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (said, chance) => {
          let attempt = { ...first, expiresAt: inMs(1e12) };
          let doubts = 0;
          for (const [n, one] of said.entries()) {
            if (one.kind === 'unknown') doubts++;
            const verdict = verdictOf(attempt, one, NOW, () => chance);
            if (verdict.state !== 'queued') {
              expect(n + 1).toBeLessThanOrEqual(MOST_ATTEMPTS);
              expect(verdict.state).toBe(doubts > 0 ? 'unknown' : 'failed');
              return;
            }
            expect(verdict.nextAt.getTime()).toBeGreaterThanOrEqual(NOW.getTime());
            expect(doubts).toBeLessThan(2);
            attempt = { ...attempt, attempts: attempt.attempts + 1, inDoubt: verdict.inDoubt };
          }
          expect.unreachable('it never ended');
        },
      ),
    );
  });
});

describe('pauseMs', () => {
  it('grows to a quarter of an hour, and never waits longer than an hour for anybody', () => {
    const almostOne = () => 0.999;
    expect(pauseMs(1, null, almostOne)).toBeLessThan(2_000);
    expect(pauseMs(30, null, almostOne)).toBeLessThan(900_000);
    expect(pauseMs(30, null, () => 0)).toBe(0);
    expect(pauseMs(1, 86_400_000, half)).toBe(3_600_500);
  });
});
