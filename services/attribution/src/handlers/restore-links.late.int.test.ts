// Tests restores while taps wait to be stored. Here a lock delays the taps. With Kafka there may be any cause.
import type { Backlog } from '@landfall/bus';
import { LinkClicked, RestoreLinks } from '@landfall/contracts';
import { openFixture } from '@landfall/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { attributionService } from '../service.ts';
import { clicked, hashOf, id, toRestore } from '../values.testing.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
let taps: Backlog;
beforeEach(async () => {
  fixture = await openFixture({
    service(deps) {
      attributionService(deps);
      taps = deps.bus.backlog('attribution', LinkClicked, { limitMs: 3_000 });
    },
  });
});
afterEach(() => fixture.close());

const restore = async (fingerprint: string, messageId: string) =>
  fixture.bus.ask(RestoreLinks, toRestore({ fingerprint: hashOf(fingerprint) }), { id: messageId });

it('are refused once a tap has waited for over 3 s, claim nothing, and find the tap when it is there', async () => {
  await fixture.bus.tell(LinkClicked, clicked({ linkId: id(0x1), address: hashOf('office') }));
  const given = await fixture.bus.ask(RestoreLinks, toRestore({ address: hashOf('office') }), { id: id(0x50) });
  expect(given).toMatchObject({ ok: true, reply: { matches: [{ linkId: id(0x1) }] } });

  const told = Promise.withResolvers<void>();
  const started = performance.now();
  await fixture.database.transaction(async (tx) => {
    await tx.rows('lock table attribution.pending_links in exclusive mode', []);
    fixture.bus.tell(LinkClicked, clicked({ linkId: id(0x2) }), { timeoutMs: 60_000 }).then(told.resolve, told.reject);
    const refused = { ok: false, refusal: { code: 'CATCHING_UP', facts: { seconds: 5 } } };
    await vi.waitFor(() => expect(taps.late()).toBe(true), { timeout: 10_000, interval: 20 });
    expect(performance.now() - started).toBeGreaterThan(3_000);
    expect(await restore('new phone', id(0x51))).toEqual(refused);
    // A message that was answered before keeps its answer.
    const again = await fixture.bus.ask(RestoreLinks, toRestore({ address: hashOf('office') }), { id: id(0x50) });
    expect(again).toEqual(given);
  });
  await told.promise;
  expect(await fixture.database.rows('select 1 from attribution.restores where message_id = $1', [id(0x51)])).toEqual(
    [],
  );
  expect(await restore('new phone', id(0x52))).toMatchObject({ ok: true, reply: { matches: [{ linkId: id(0x2) }] } });
});
