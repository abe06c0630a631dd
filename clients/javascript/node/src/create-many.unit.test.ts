import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Asked, fakeServer, type Reply, refusal } from './fake-server.testing.ts';
import { Landfall } from './landfall.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Row {
  destination: string;
  idempotencyKey: string;
}
const rowsOf = ({ body }: Asked): Row[] => JSON.parse(body).links;
const linkOf = ({ destination, idempotencyKey }: Row) => ({ id: idempotencyKey, destination });

/** Makes all rows, except those whose destination names a code. */
const bulk: Reply = (asked) => ({
  status: 200,
  body: {
    success: true,
    outcomes: rowsOf(asked).map((row) =>
      row.destination.startsWith('/')
        ? { success: true, link: linkOf(row) }
        : { success: false, code: row.destination, error: 'no' },
    ),
  },
});

async function run(rows: Parameters<Landfall['links']['createMany']>[0], ...replies: Reply[]) {
  const { fetch, asked } = fakeServer(...replies);
  const { links } = new Landfall({ url: 'https://api.example', key: 'ol_1', fetch });
  const settled = links.createMany(rows).catch((threw: unknown) => ({ threw }));
  await vi.runAllTimersAsync();
  const outcomes = await settled;
  return {
    asked,
    outcomes: Array.isArray(outcomes) ? outcomes : [],
    threw: 'threw' in outcomes ? outcomes.threw : null,
  };
}
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ destination: `/${n}` }));

it('makes 2,500 links in three calls, and gives an outcome for each in order', async () => {
  const { asked, outcomes } = await run(many(2_500), bulk);
  expect(asked.map((one) => rowsOf(one).length)).toEqual([1_000, 1_000, 500]);
  expect(outcomes.map((one) => one.success && one.link.destination)).toEqual(many(2_500).map((row) => row.destination));
  expect(new Set(outcomes.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2_500);
});

it('keeps each call at 1 MB, counted in bytes', async () => {
  // An "ü" is one character and two bytes.
  const rows = many(200).map((row) => ({ ...row, metadata: { text: 'ü'.repeat(8_000) } }));
  const { asked, outcomes } = await run(rows, bulk);
  const sizes = asked.map(({ body }) => Buffer.byteLength(body));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_048_576);
  expect(sizes).toHaveLength(4);
  expect(outcomes.every(({ success }) => success)).toBe(true);
});

it('fills a call to the last byte', async () => {
  const row = (length: number) => ({ destination: '/', metadata: { t: 'x'.repeat(length) }, idempotencyKey: 'k' });
  const frame = Buffer.byteLength(JSON.stringify({ links: [row(0), row(0)] }));
  const half = (1_048_576 - frame) / 2;
  const lengths = [Math.floor(half), Math.ceil(half)] as const;
  const exact = await run([row(lengths[0]), row(lengths[1])], bulk);
  expect(exact.asked.map(({ body }) => body.length)).toEqual([1_048_576]);
  expect((await run([row(lengths[0]), row(lengths[1] + 1)], bulk)).asked).toHaveLength(2);
});

it('refuses a row that fits into no call, and makes the others', async () => {
  const { outcomes } = await run(
    [{ destination: '/1', metadata: { a: 'x'.repeat(1_048_576) } }, { destination: '/2' }],
    bulk,
  );
  expect(outcomes).toMatchObject([{ success: false, error: { code: 'BODY_TOO_LARGE' } }, { success: true }]);
});

it('repeats a call without an answer under the same keys', async () => {
  const { asked, outcomes } = await run(many(3), null, refusal(503, 'NO_ANSWER', { 'retry-after': '1' }), bulk);
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  expect(asked).toHaveLength(3);
  expect(outcomes.every(({ success }) => success)).toBe(true);
});

it('repeats only the rows without an answer, and takes refusals as they are', async () => {
  const half: Reply = (asked) => {
    const { status, body } = (bulk as (asked: Asked) => { status: number; body: { outcomes: unknown[] } })(asked);
    body.outcomes[2] = { success: false, code: 'BUSY', error: 'busy' };
    return { status, body };
  };
  const rows = [{ destination: '/1' }, { destination: 'INVALID_REQUEST' }, { destination: '/3', idempotencyKey: 'k3' }];
  const { asked, outcomes } = await run(rows, half, bulk);
  expect(asked.map(rowsOf).map((sent) => sent.map(({ destination }) => destination))).toEqual([
    ['/1', 'INVALID_REQUEST', '/3'],
    ['/3'],
  ]);
  expect(outcomes).toMatchObject([
    { success: true, link: { destination: '/1' } },
    { success: false, error: { name: 'LandfallError', code: 'INVALID_REQUEST', status: null } },
    { success: true, idempotencyKey: 'k3', link: { id: 'k3' } },
  ]);
});

it('gives a row up that never has an answer', async () => {
  const { asked, outcomes } = await run([{ destination: 'BUSY' }, { destination: '/2' }], bulk);
  expect(outcomes).toMatchObject([{ success: false, error: { code: 'BUSY' } }, { success: true }]);
  expect(asked).toHaveLength(5);
});

it('stops at a call that fails as a whole: what was made is told', async () => {
  const { asked, outcomes } = await run(many(2_500), bulk, refusal(401, 'UNAUTHORIZED'));
  expect(asked).toHaveLength(2);
  expect(outcomes.filter(({ success }) => success)).toHaveLength(1_000);
  expect(outcomes[2_499]).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED' } });
});

it('throws when nothing was made', async () => {
  const { outcomes, threw } = await run(many(1_001), refusal(401, 'SERVER_KEY_NEEDED'));
  expect([outcomes, threw]).toMatchObject([[], { code: 'SERVER_KEY_NEEDED', status: 401 }]);
});

it('asks nothing for no rows', async () => {
  expect(await run([], bulk)).toMatchObject({ asked: [], outcomes: [], threw: null });
});
