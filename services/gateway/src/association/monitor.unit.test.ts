import { randomBytes } from 'node:crypto';
import { createInProcessBus, each } from '@landfall/bus';
import { type InputOf, StoreAssociationCheck, TakeAssociationChecks } from '@landfall/contracts';
import { testLogger } from '@landfall/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { gatewayConfig } from '../config.ts';
import { anApp } from '../link-host/samples.testing.ts';
import { appleAppSiteAssociation, assetLinks } from './association-files.ts';
import { checkDue, type MonitorParts, monitors } from './monitor.ts';

const configWith = (env: Record<string, string>) =>
  gatewayConfig({
    PUBLIC_URL: 'https://api.example',
    LINK_DOMAIN: 'go.example',
    HASH_SECRET: randomBytes(32).toString('hex'),
    SEAL_SECRET: randomBytes(32).toString('hex'),
    ...env,
  });

let stop = async (): Promise<void> => {};
afterEach(() => stop());

/** A monitor beside an account service with so many apps that are due. */
async function monitor(due: number, answer: MonitorParts['get'], env: Record<string, string> = {}) {
  const log = testLogger();
  const bus = createInProcessBus({ log });
  const app = anApp();
  const takes: InputOf<typeof TakeAssociationChecks>[] = [];
  const stored: InputOf<typeof StoreAssociationCheck>[] = [];
  let left = due;
  bus.answer(
    TakeAssociationChecks,
    each(async (input) => {
      takes.push(input);
      const apps = Array.from({ length: Math.min(left, input.limit) }, () => app);
      left -= apps.length;
      return { reply: { apps } };
    }),
  );
  bus.answer(
    StoreAssociationCheck,
    each(async (input) => {
      stored.push(input);
      const failing = input.findings.some(({ state }) => state === 'failed');
      return { reply: { check: { ...input, failing } } };
    }),
  );
  await bus.start();
  stop = () => bus.stop();
  const results: boolean[] = [];
  const now = () => new Date('2026-11-25T00:00:00.000Z');
  await checkDue({ bus, config: configWith(env), log, get: answer, checked: (failing) => results.push(failing), now });
  return { takes, stored, results };
}

const json = (value: unknown) => ({ status: 200, type: 'application/json', text: JSON.stringify(value) });
const served: MonitorParts['get'] = async (url) =>
  json(url.endsWith('assetlinks.json') ? assetLinks(anApp()) : appleAppSiteAssociation(anApp()));

describe('the regular check', () => {
  it('takes all apps that are due, some at a time, and stores each', async () => {
    const { takes, stored, results } = await monitor(23, served, { ASSOCIATION_CHECKS: 'hosts' });
    expect(takes).toHaveLength(3);
    for (const { againAfterSeconds } of takes) {
      expect(againAfterSeconds).toBeGreaterThanOrEqual(3_600);
      expect(againAfterSeconds).toBeLessThanOrEqual(4_320);
    }
    expect(stored).toHaveLength(23);
    expect(results).toEqual(Array(23).fill(false));
    expect(stored[0]).toMatchObject({ appId: anApp().id, checkedAt: '2026-11-25T00:00:00.000Z' });
    expect(stored[0]!.findings.map(({ check, host, state }) => [check, host, state])).toEqual([
      ['apple-file', 'shop.go.example', 'ok'],
      ['google-file', 'shop.go.example', 'ok'],
      ['apple-file', 'open-shop.go.example', 'ok'],
      ['google-file', 'open-shop.go.example', 'ok'],
    ]);
  });

  it('counts a failure', async () => {
    const { results } = await monitor(1, async () => ({ status: 502, type: 'text/html', text: '' }));
    expect(results).toEqual([true]);
  });

  it('asks Apple and Google, unless the operator does not want it', async () => {
    const asked = async (env: Record<string, string>) => {
      const hosts = new Set<string>();
      await monitor(
        1,
        (url, options) => {
          hosts.add(new URL(url).host);
          return served(url, options);
        },
        env,
      );
      return [...hosts].filter((host) => !host.endsWith('go.example')).sort();
    };
    expect(await asked({})).toEqual(['app-site-association.cdn-apple.com', 'digitalassetlinks.googleapis.com']);
    expect(await asked({ ASSOCIATION_CHECKS: 'hosts' })).toEqual([]);
  });

  it('survives an account service that does not answer', async () => {
    const log = testLogger();
    const bus = createInProcessBus({ log });
    await bus.start();
    stop = () => bus.stop();
    const parts = { bus, config: configWith({}), log, get: served, checked() {}, now: () => new Date() };
    await expect(checkDue(parts)).resolves.toBeUndefined();
  });

  it.each([
    [{}, true],
    [{ ASSOCIATION_CHECKS: 'off' }, false],
    [{ PUBLIC_URL: 'http://localhost:8080' }, false],
  ])('runs with %j: %s', (env, expected) => {
    expect(monitors(configWith(env))).toBe(expected);
  });
});
