import { randomBytes } from 'node:crypto';
import { anApp } from '@landfall/contracts/testing';
import { appleAppSiteAssociation, assetLinks } from '@landfall/gateway';
import { testLogger } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { consoleConfig } from '../config.ts';
import type { AssociationCheck } from './association-repository.ts';
import { checkDue, type MonitorParts, monitors } from './monitor.ts';

const configWith = (env: Record<string, string>) =>
  consoleConfig({
    PUBLIC_URL: 'https://api.example',
    LINK_DOMAIN: 'go.example',
    HASH_SECRET: randomBytes(32).toString('hex'),
    SEAL_SECRET: randomBytes(32).toString('hex'),
    ...env,
  });

/** Looks at so many apps that are due. An error: the database throws it. */
async function monitor(due: number, answer: MonitorParts['get'], env: Record<string, string> = {}) {
  const app = anApp();
  const nextAts: Date[] = [];
  const stored: (AssociationCheck & { appId: string })[] = [];
  const results: boolean[] = [];
  let left = due;
  await checkDue({
    account: {
      association: {
        async take(_now, nextAt, limit) {
          nextAts.push(nextAt);
          const apps = Array.from({ length: Math.min(left, limit) }, () => app);
          left -= apps.length;
          return apps;
        },
        async store(_tx, appId, check) {
          stored.push({ appId, ...check });
          return { check, changed: false };
        },
        find: async () => null,
      },
    },
    telling: async (_parcel, run) => (await run(null as never)).done,
    config: configWith(env),
    log: testLogger(),
    get: answer,
    checked: (failing) => results.push(failing),
    now: () => NOW,
  });
  return { nextAts, stored, results };
}

const NOW = new Date('2026-11-25T00:00:00.000Z');
const json = (value: unknown) => ({ status: 200, type: 'application/json', text: JSON.stringify(value) });
const served: MonitorParts['get'] = async (url) =>
  json(url.endsWith('assetlinks.json') ? assetLinks(anApp()) : appleAppSiteAssociation(anApp()));

describe('the regular check', () => {
  it('takes all apps that are due, some at a time, and stores each', async () => {
    const { nextAts, stored, results } = await monitor(23, served, { ASSOCIATION_CHECKS: 'hosts' });
    expect(nextAts).toHaveLength(3);
    for (const nextAt of nextAts) {
      const seconds = (nextAt.getTime() - NOW.getTime()) / 1_000;
      expect(seconds).toBeGreaterThanOrEqual(3_600);
      expect(seconds).toBeLessThanOrEqual(4_320);
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

  it.each([
    [{}, true],
    [{ ASSOCIATION_CHECKS: 'off' }, false],
    [{ PUBLIC_URL: 'http://localhost:8080' }, false],
  ])('runs with %j: %s', (env, expected) => {
    expect(monitors(configWith(env))).toBe(expected);
  });
});
