import {
  ListPushChanges,
  ListPushProviders,
  RemovePushProvider,
  ResumePushProvider,
  SetPushProvider,
} from '@landfall/contracts';
import { beforeEach, expect, it } from 'vitest';
import type { Checked } from './providers/provider.ts';
import { pushSuite } from './suite.testing.ts';
import { actor, id, sealer, teamId } from './values.testing.ts';

let verdict: Checked | null;
/** The credentials that the provider check was called with. */
let asked: string[];
let woken = 0;

const parts = {
  async check(credentials: string) {
    asked.push(credentials);
    return verdict;
  },
  wake() {
    woken++;
  },
};

pushSuite('providers', parts, (fixture) => {
  beforeEach(() => {
    verdict = { taken: true, reason: '' };
    asked = [];
    woken = 0;
  });

  const appId = id(0xa);
  const none = { projectId: null, clientEmail: null, keyId: null, teamId: null, bundleId: null };
  const facts = { ...none, projectId: 'shop' };
  const given = (credentials = 'a secret') => sealer.seal('push credentials', credentials);
  const set = (credentials?: string) =>
    fixture.bus.ask(SetPushProvider, { actor, teamId, appId, kind: 'fcm', credentials: given(credentials), facts });
  const list = async () => {
    const answer = await fixture.bus.ask(ListPushProviders, { appId });
    return answer.ok ? answer.reply.providers : expect.unreachable();
  };
  const stored = () => fixture.database.rows<{ credentials: string }>('select credentials from push.providers');
  const pause = () =>
    fixture.database.rows(
      `update push.providers set paused_at = set_at, pause_reason = 'invalid_grant', wait_until = set_at`,
    );
  const running = { pausedAt: null, pauseReason: null, waitUntil: null };

  it('are set when the provider takes them, and are never shown', async () => {
    expect(await set()).toMatchObject({
      reply: { checked: true, provider: { kind: 'fcm', facts, version: 1, ...running } },
    });
    expect(new Set(asked)).toEqual(new Set(['a secret']));
    const [row] = await stored();
    expect(sealer.open('push credentials', row!.credentials)).toBe('a secret');
    expect(JSON.stringify(await list())).not.toContain(row!.credentials);
    expect(woken).toBeGreaterThan(0);
  });

  it('are not set when the provider refuses them', async () => {
    await set();
    verdict = { taken: false, reason: 'invalid_grant' };
    expect(await set('another')).toEqual({
      ok: false,
      refusal: { code: 'PUSH_CREDENTIALS_REFUSED', facts: { reason: 'invalid_grant' } },
    });
    const [row] = await stored();
    expect(sealer.open('push credentials', row!.credentials)).toBe('a secret');
  });

  it('are set when it cannot be asked, which is said', async () => {
    verdict = null;
    expect(await set()).toMatchObject({ reply: { checked: false } });
  });

  it('take the place of those before, and end a pause', async () => {
    await set();
    await pause();
    expect(await list()).toMatchObject([{ pauseReason: 'invalid_grant' }]);
    expect(await set('another')).toMatchObject({ reply: { provider: { version: 2, ...running } } });
    expect(await list()).toMatchObject([{ version: 2, ...running }]);
    expect(await stored()).toHaveLength(1);
  });

  it('go on after a pause', async () => {
    await set();
    await pause();
    const resumed = await fixture.bus.ask(ResumePushProvider, { actor, teamId, appId, kind: 'fcm' });
    expect(resumed).toMatchObject({ reply: { provider: { version: 2, ...running } } });
    expect(await fixture.bus.ask(ResumePushProvider, { actor, teamId, appId, kind: 'apns' })).toMatchObject({
      refusal: { code: 'PROVIDER_NOT_FOUND' },
    });
  });

  it('are forgotten', async () => {
    await set();
    const remove = () => fixture.bus.ask(RemovePushProvider, { actor, teamId, appId, kind: 'fcm' });
    expect(await remove()).toEqual({ ok: true, reply: {} });
    expect(await list()).toEqual([]);
    expect(await remove()).toMatchObject({ refusal: { code: 'PROVIDER_NOT_FOUND' } });
  });

  it('leave in the audit log what may be shown of them', async () => {
    await set();
    await fixture.bus.ask(ResumePushProvider, { actor, teamId, appId, kind: 'fcm' });
    await fixture.bus.ask(RemovePushProvider, { actor, teamId, appId, kind: 'fcm' });
    const answer = await fixture.bus.ask(ListPushChanges, { teamId, appId, userId: null, limit: 10, cursor: null });
    if (!answer.ok) return expect.unreachable();
    expect(answer.reply.entries).toMatchObject([
      { action: 'RemovePushProvider', subject: appId, before: { kind: 'fcm', projectId: 'shop' }, after: null },
      { action: 'ResumePushProvider', after: { kind: 'fcm', pausedAt: null } },
      { action: 'SetPushProvider', before: null, after: { kind: 'fcm', projectId: 'shop' } },
    ]);
    expect(JSON.stringify(answer.reply)).not.toContain('v1.');
  });
});
