// Tests restores in parallel transactions, as in several processes. Each message is its own batch on its own
// connection.
import { createInProcessBus } from '@landfall/bus';
import { type Match, RestoreLinks } from '@landfall/contracts';
import { isTransient } from '@landfall/db';
import { createLogger } from '@landfall/runtime';
import { eachDatabase } from '@landfall/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Facts, shortId } from '../domain/what-if/facts.ts';
import { restorerOf } from '../people.testing.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';
import { attributionService } from '../service.ts';
import { aTap, CHROME, hashOf, id, matching, NOON, toRestore } from '../values.testing.ts';

const log = createLogger({ service: 'test', level: 'silent' });

describe('restores in parallel', () => {
  // One after the other they get the lock, and each waits at most two seconds for it.
  const fixture = eachDatabase(12);
  let ask: ReturnType<typeof restorerOf>;
  beforeEach(() => {
    ask = restorerOf(fixture.database);
  });
  /** So many phones that start at once are a crowd, if they are not allowed. */
  const fromPhone = (n: number) =>
    toRestore({ fingerprint: hashOf(`phone ${n}`), matching: matching({ crowdDevices: 50 }) });
  const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
  const store = (taps: Parameters<typeof aTap>[0][]) =>
    fixture.database.transaction(async (tx) => pendingLinkRepository(tx).insert(taps.map(aTap)));

  const somebodyWaits = async () => {
    while ((await fixture.database.rows('select 1 from pg_locks where not granted')).length === 0);
  };

  it('give five taps of five browsers to five of ten devices, each to one', async () => {
    await store(times(5, (i) => ({ id: id(0x100 + i), userAgent: hashOf(`browser ${i}`) })));
    const answers = await Promise.all(times(10, (i) => ask(id(i), fromPhone(i))));
    const given = answers.flat().map((match) => match.pendingLinkId);
    expect(given.sort()).toEqual(times(5, (i) => id(0x100 + i)));
  });

  it('wait for a tap that another one holds, rather than take the one beside it for the only one', async () => {
    await store([
      { id: id(0x100), linkId: id(1) },
      { id: id(0x101), linkId: id(2), userAgent: CHROME },
    ]);
    let answer = Promise.resolve<Match[]>([]);
    await fixture.database.transaction(async (tx) => {
      await tx.rows('select 1 from attribution.pending_links where id = $1 for update', [id(0x100)]);
      answer = ask(id(1), fromPhone(1));
      await Promise.race([answer, somebodyWaits()]);
    });
    expect(await answer).toEqual([]);
  });

  it('remember a tap that another one closed while they waited for it', async () => {
    await store([{ id: id(0x100) }]);
    let answer = Promise.resolve<Match[]>([]);
    await fixture.database.transaction(async (tx) => {
      await tx.rows('update attribution.pending_links set closed_by = $1, closed_at = $2', [id(9), NOON]);
      answer = ask(id(1), fromPhone(1));
      await Promise.race([answer, somebodyWaits()]);
    });
    expect(await answer).toEqual([]);
    const rows = await fixture.database.rows<{ facts: Facts }>('select facts from attribution.restores');
    expect(rows.map(({ facts }) => facts.t?.map((tap) => tap.at(-1)))).toEqual([[shortId(id(9))]]);
  });

  it('give one claimant the same answer each time', async () => {
    await store([{}]);
    const answers = await Promise.all(times(10, (i) => ask(id(i), fromPhone(1))));
    expect(new Set(answers.map((matches) => JSON.stringify(matches))).size).toBe(1);
    expect(answers[0]).toHaveLength(1);
  });

  it('give one message one answer', async () => {
    await store([{}, { id: id(0x101), userAgent: CHROME }]);
    const answers = await Promise.all(times(10, () => ask(id(1), fromPhone(1))));
    expect(new Set(answers.map((matches) => JSON.stringify(matches))).size).toBe(1);
    expect(await fixture.database.rows('select 1 from attribution.restores')).toHaveLength(1);
  });

  it('give a token whose tap is not stored yet to one claimant', async () => {
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: NOON.toISOString() };
    const answers = await Promise.all(times(10, (i) => ask(id(i), toRestore({ token, fingerprint: hashOf(`${i}`) }))));
    expect(answers.flat().map(({ pendingLinkId }) => pendingLinkId)).toEqual([id(0x100)]);
    const same = await Promise.all(times(10, (i) => ask(id(0x100 + i), toRestore({ token, fingerprint: null }))));
    expect(same.every((matches) => matches[0]?.pendingLinkId === id(0x100))).toBe(true);
  });

  it('give nothing to an asker that has gone, and remember that', async () => {
    await store([{}]);
    expect(await ask(id(1), fromPhone(1), true)).toEqual([]);
    const rows = await fixture.database.rows('select summary, match_type from attribution.restores');
    expect(rows).toEqual([{ summary: 'nothing: nobody waited for the answer any more', match_type: null }]);
    expect(await ask(id(2), fromPhone(2))).toHaveLength(1);
  });

  it('give one tap to one of 50 devices that ask two processes', async () => {
    await store([{}]);
    const buses = times(2, () => createInProcessBus({ log, isTransient, clock: () => NOON.getTime() }));
    for (const bus of buses) {
      attributionService({ bus, database: fixture.database, log });
      await bus.start();
    }
    const answers = await Promise.all(times(50, (i) => buses[i % 2]!.ask(RestoreLinks, fromPhone(i))));
    expect(answers.filter((answer) => answer.ok && answer.reply.matches.length > 0)).toHaveLength(1);
    await Promise.all(buses.map((bus) => bus.stop()));
  });
});
