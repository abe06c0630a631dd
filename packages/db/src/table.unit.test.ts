import { expect, it } from 'vitest';
import { arrayOf } from './binary-array.ts';
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
const [agent, one, two] = [`${'a'.repeat(42)}A`, 'b25lIG1vZGU', 'dHdvIG1vZGU'] as const;
const known: Tap = {
  id: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11',
  tappedAt: new Date(0),
  userAgent: agent,
  builds: [one, two],
  facts: { a: 1 },
  archivedAt: '2026-11-21T15:04:05.000Z',
};
const unknown: Tap = {
  id: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c12',
  tappedAt: new Date(1),
  userAgent: null,
  builds: null,
  facts: null,
  archivedAt: null,
};

it('names the columns after the fields, and writes what is stored', () => {
  expect(taps.unnest('t')).toBe(
    'unnest($1::uuid[], $2::timestamptz[], $3::bytea[], $4::bytea[], $5::json[], $6::timestamptz[]) as t(message_id, tapped_at, user_agent, builds, facts, archived_at)',
  );
  expect(taps.valuesOf([known, unknown])).toEqual([
    arrayOf('uuid', [known.id, unknown.id]),
    arrayOf('timestamptz', [known.tappedAt, unknown.tappedAt]),
    arrayOf('bytea', [toBytes(agent), null]),
    arrayOf('bytea', [Buffer.concat([toBytes(one)!, toBytes(two)!]), null]),
    arrayOf('json', ['{"a":1}', null]),
    arrayOf('timestamptz', [new Date(known.archivedAt!), null]),
  ]);
});

it('reads the fields from the columns', () => {
  const rows = [known, unknown].map((tap) => ({
    message_id: tap.id,
    tapped_at: tap.tappedAt,
    user_agent: toBytes(tap.userAgent),
    builds: tap.builds && Buffer.concat(tap.builds.map((build) => toBytes(build)!)),
    facts: tap.facts,
    archived_at: tap.archivedAt && new Date(tap.archivedAt),
    more: 1,
  }));
  expect(rows.map(taps.of)).toEqual([known, unknown]);
});
