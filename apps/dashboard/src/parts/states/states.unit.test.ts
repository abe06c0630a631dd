import { describe, expect, it } from 'vitest';
import words from '../../words/en.json' with { type: 'json' };
import { stateOf, states } from './states.ts';

/** All combinations of these values. */
const every = <T extends Record<string, readonly unknown[]>>(values: T): { [K in keyof T]: T[K][number] }[] =>
  Object.entries(values).reduce<object[]>(
    (before, [name, list]) => before.flatMap((one) => list.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as never;

const COUNT = [0, 1, 5] as const;
const counts = every({
  sent: COUNT,
  failed: COUNT,
  unknown: [0, 1],
  logged: [0, 1],
  queued: [0],
  opened: [0],
  stopped: [0],
});
const past = '2026-01-01T00:00:00.000Z';
const future = '9999-01-01T00:00:00.000Z';
const FINDINGS = ['ok', 'warn', 'failed', 'skipped'] as const;

interface Kind {
  /** Facts of every kind that there is. */
  facts: readonly unknown[];
  /** The texts of the words. */
  texts: Readonly<Record<string, string>>;
  /** What must be true when a word says that all is well. It is written apart from the table of words. */
  needs: Readonly<Record<string, (facts: never) => boolean>>;
}

const kinds: Record<keyof typeof states, Kind> = {
  push: {
    facts: every({
      status: ['scheduled', 'sending', 'sent', 'cancelled', 'stopped'],
      counts,
    }).map((push) => ({ ...push, targeted: push.counts.sent + push.counts.failed + push.counts.unknown })),
    texts: words.push.statuses,
    needs: {
      sent: ({ counts }: { counts: { sent: number; failed: number } }) => counts.sent >= Math.max(1, counts.failed),
    },
  },
  delivery: {
    facts: ['queued', 'sent', 'logged', 'failed', 'unknown', 'stopped', 'none'],
    texts: words.deliveries.states,
    needs: { sent: (state: string) => state === 'sent' },
  },
  device: {
    facts: every({
      state: ['live', 'signed-out', 'dropped'],
      credentials: ['set', 'paused', 'missing', null],
    }),
    texts: words.devices.states,
    needs: { live: (device: object) => JSON.stringify(device) === '{"state":"live","credentials":"set"}' },
  },
  credentials: {
    facts: [undefined, { pausedAt: null }, { pausedAt: past }],
    texts: words.credentials.states,
    needs: { set: (provider: { pausedAt: string | null } | undefined) => provider !== undefined && !provider.pausedAt },
  },
  finding: {
    facts: FINDINGS,
    texts: words.setUpApp.states,
    needs: { ok: (finding: string) => finding === 'ok' },
  },
  regular: {
    facts: [null, [], ...FINDINGS.map((one) => [one]), ...FINDINGS.flatMap((a) => FINDINGS.map((b) => [a, b]))],
    texts: words.setUpApp.regularStates,
    needs: { ok: (all: string[]) => all.length > 0 && all.every((one) => one === 'ok' || one === 'skipped') },
  },
  key: {
    facts: every({ revokedAt: [null, past], expiresAt: [null, past, future] }),
    texts: words.keys.states,
    needs: { live: (key: object) => Object.values(key).every((time) => time === null) },
  },
  channel: {
    facts: every({ state: ['ready', 'unconfirmed', 'unsubscribed'], failingSince: [null, past] }),
    texts: words.channels.states,
    needs: { ready: (channel: object) => JSON.stringify(channel) === '{"state":"ready","failingSince":null}' },
  },
  message: {
    facts: ['waiting', 'sent', 'failed'],
    texts: words.messages.states,
    needs: { sent: (state: string) => state === 'sent' },
  },
  sent: {
    facts: [
      null,
      ...every({ sent: [0, 2], waiting: [0, 1], failed: [0, 1], retried: [false, true] }).filter(
        ({ sent, waiting, failed, retried }) => sent + waiting + failed > 0 && (!retried || waiting > 0),
      ),
    ],
    texts: words.reportList.states,
    needs: { sent: (last: object) => JSON.stringify(last) === '{"sent":2,"waiting":0,"failed":0,"retried":false}' },
  },
  alert: {
    facts: every({ paused: [false, true], state: ['ok', 'firing', 'unknown', 'snoozed'] }),
    texts: words.alerts.states,
    needs: { ok: (alert: object) => JSON.stringify(alert) === '{"paused":false,"state":"ok"}' },
  },
  group: {
    facts: every({ members: [0, 1], waitedMs: [0, 90_000] }),
    texts: words.instance.groupStates,
    needs: { well: ({ members, waitedMs }: { members: number; waitedMs: number }) => members > 0 && waitedMs === 0 },
  },
};

it('has one colour for a push that is only logged, in its list and of its devices', () => {
  expect(states.push.logged[0]).toBe(states.delivery.logged[0]);
});

describe.each(Object.entries(kinds))('%s', (kind, { facts, texts, needs }) => {
  const table = states[kind as keyof typeof states] as Parameters<typeof stateOf<unknown, string>>[0];

  it('shows each of its words for some facts, and has a text for it', () => {
    const shown = new Set(facts.map((one) => stateOf(table, one).word));
    expect([...shown].sort()).toEqual(Object.keys(table).sort());
    for (const word of shown) expect(texts[word], word).toBeTruthy();
  });

  it('says that all is well only with the fact for it', () => {
    const good = Object.keys(table).filter((word) => table[word]![0] === 'good');
    expect(Object.keys(needs).sort()).toEqual(good.sort());
    for (const one of facts) {
      const { word, tone } = stateOf(table, one);
      if (tone === 'good') expect(needs[word]!(one as never), JSON.stringify(one)).toBe(true);
    }
  });
});
