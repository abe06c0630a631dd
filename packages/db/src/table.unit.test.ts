import { expect, it } from 'vitest';
import { tableOf, toBytes } from './table.ts';

interface Tap {
  readonly id: string;
  readonly tappedAt: Date;
  readonly userAgent: string | null;
  readonly builds: readonly string[] | null;
  readonly facts: object | null;
  readonly archivedAt: string | null;
}

const taps = tableOf<Tap>({
  id: ['message_id', 'uuid'],
  tappedAt: 'timestamptz',
  userAgent: 'hash',
  builds: 'hashes',
  facts: 'json',
  archivedAt: 'instant',
});
const [agent, one, two] = ['a'.repeat(43), 'b25lIG1vZGU', 'dHdvIG1vZGU'] as const;
const known: Tap = {
  id: 'i',
  tappedAt: new Date(0),
  userAgent: `${agent.slice(1)}A`,
  builds: [one, two],
  facts: { a: 1 },
  archivedAt: '2026-11-21T15:04:05.000Z',
};
const unknown: Tap = { id: 'j', tappedAt: new Date(1), userAgent: null, builds: null, facts: null, archivedAt: null };

it('names the columns after the fields, and writes what is stored', () => {
  expect(taps.unnest('t')).toBe(
    'unnest($1::uuid[], $2::timestamptz[], $3::bytea[], $4::bytea[], $5::json[], $6::timestamptz[]) as t(message_id, tapped_at, user_agent, builds, facts, archived_at)',
  );
  expect(taps.valuesOf([known, unknown])).toEqual([
    ['i', 'j'],
    [new Date(0), new Date(1)],
    [toBytes(known.userAgent), null],
    [Buffer.concat([toBytes(one)!, toBytes(two)!]), null],
    ['{"a":1}', null],
    [known.archivedAt, null],
  ]);
});

it('reads what it wrote', () => {
  const rows = [known, unknown].map((tap) => {
    const [message_id, tapped_at, user_agent, builds] = taps.valuesOf([tap]).flat();
    const archived_at = tap.archivedAt && new Date(tap.archivedAt);
    return { message_id, tapped_at, user_agent, builds, facts: tap.facts, archived_at, more: 1 };
  });
  expect(rows.map(taps.of)).toEqual([known, unknown]);
});
