import { randomUUID } from 'node:crypto';
import { ClientCalled, type ClientCallKind } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { type ConsoleFixture, consoleSuite, done } from '../console.testing.ts';
import { MOST_CALLS } from './client-repository.ts';
import { listClients } from './clients.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

consoleSuite('the clients of an app', (fixture: ConsoleFixture) => {
  const appId = randomUUID();
  const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString();
  const tell = (secondsAgo: number, call: ClientCallKind, more: object = {}) =>
    fixture.bus.tell(
      ClientCalled,
      { appId, platform: 'ios', client: 'a/1', call, ...more },
      { now: new Date(at(secondsAgo)) },
    );
  const restore = (found: number) => ({ restore: { sent: { model: true }, found, matchType: null } });
  const listed = async () => {
    await fixture.bus.idle();
    return (await done(fixture.ask(listClients, { appId }))).clients;
  };

  it('are listed with their latest calls, in whatever order they arrive', async () => {
    await Promise.all([
      tell(9, 'restore', restore(9)),
      tell(5, 'restore', restore(5)),
      tell(7, 'restore', restore(7)),
      tell(6, 'heartbeat'),
      tell(8, 'clipboard'),
      tell(10, 'lookUp'),
      // It is the same client, although its look-up names no platform.
      tell(4, 'lookUp', { platform: null }),
      // Which of the two phones it was is unknown.
      tell(14, 'heartbeat', { client: 'b/1' }),
      tell(13, 'heartbeat', { client: 'b/1', platform: 'android' }),
      tell(12, 'lookUp', { client: 'b/1', platform: null }),
      tell(3, 'push', { appId: randomUUID() }),
    ]);
    await tell(8, 'restore', restore(8));
    expect(await listed()).toMatchObject([
      {
        platform: 'ios',
        client: 'a/1',
        calls: { lookUp: at(4), restore: at(5), heartbeat: at(6), clipboard: at(8) },
        restore: { sent: { model: true, clipboard: false }, found: 5, matchType: null },
      },
      { platform: null, client: 'b/1', calls: { lookUp: at(12) }, restore: null },
      { platform: 'android', client: 'b/1', calls: { heartbeat: at(13) } },
      { platform: 'ios', client: 'b/1', calls: { heartbeat: at(14) } },
    ]);
  });

  it('are few: new ones take the places of those that called first', async () => {
    for (let n = 0; n < MOST_CALLS + 5; n++) await tell(100 - n, 'push', { client: `x/${n}` });
    const clients = await listed();
    expect(clients).toHaveLength(MOST_CALLS);
    expect([clients[0]?.client, clients.at(-1)?.client]).toEqual([`x/${MOST_CALLS + 4}`, 'x/5']);
  });
});
