// The program of `npm run stack` as a process: its output, Ctrl-C, and its messages when something is missing.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { freePorts, systemEnv } from '@landfall/local';
import { describeScaledOut, send } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, '../../../apps/stack/src/main.ts');
const LANDFALL = path.resolve(import.meta.dirname, '../../../tools/cli/src/main.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'landfall-stack-test-'));
chmodSync(folder, 0o755);
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  stdout: string;
  stderr: string;
}

function start(args: readonly string[], env: Record<string, string>, program = MAIN): Started {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const started: Started = { child, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    started.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    started.stderr += text;
  });
  return started;
}

describe('npm run stack', () => {
  const nothing = path.join(folder, 'no programs');

  it.each([
    ['Java', {}, /^Kafka needs Java 17 or newer: install it, .*\n$/],
    ['redis-server', { KAFKA_BROKERS: 'localhost:1' }, /^There is no redis-server: install it, .*\n$/],
  ])('ends with one sentence when there is no %s', async (_, env, sentence) => {
    const started = start([], { PATH: nothing, LANDFALL_DATA: folder, ...env });
    expect(await once(started.child, 'close')).toEqual([1, null]);
    expect(started.stderr).toMatch(sentence);
  });

  it('shows how it is used', async () => {
    const started = start(['--links', 'many'], { LANDFALL_DATA: folder });
    expect(await once(started.child, 'close')).toEqual([1, null]);
    expect(started.stderr).toMatch(/^--links is from 1 to 16\. It is used like this: npm run stack -- .*\n$/);
  });
});

describeScaledOut('npm run stack, with its servers', (brokers, redisUrl) => {
  let own: TestDatabase;
  beforeAll(async () => {
    own = await createTestDatabase(inject('databaseServerUrl'));
  });
  afterAll(() => own?.drop());

  it('prints what to copy, which works, and stops all of it on Ctrl-C', async () => {
    const [port = 0] = await freePorts(1);
    const started = start(['--gateways', '1', '--links', '1'], {
      ...systemEnv(),
      LANDFALL_DATA: folder,
      PORT: String(port),
      DATABASE_URL: own.url,
      KAFKA_BROKERS: brokers.join(),
      KAFKA_PREFIX: `process-${randomBytes(4).toString('hex')}.`,
      REDIS_URL: redisUrl,
    });
    const { child } = started;
    await Promise.race([
      vi.waitFor(() => expect(started.stderr).toContain('Stop with Ctrl-C.'), { timeout: 50_000 }),
      once(child, 'close').then(() => Promise.reject(new Error(`it ended: ${started.stderr}`))),
    ]);
    expect(started.stderr).toContain(`Gateways       http://localhost:${port + 1}`);
    expect(started.stderr).not.toContain(own.url);
    expect(started.stdout).toMatch(/^gateway-1 {6}\d\d:\d\d:\d\d\.\d{3} {2}info {2}ready {2}port=\d+$/m);

    const made = await send(port, {
      method: 'POST',
      path: '/api/links/create-sdk',
      headers: { 'x-service-sdk-key': /ol_[0-9a-f]{32}/.exec(started.stderr)![0] },
      body: { destination: '/invite?code=42' },
    });
    expect(made).toMatchObject({ status: 200 });
    const ownerToken = readFileSync(path.join(folder, 'stack/owner-token'), 'utf8').trim();
    const managed = await send(port, { path: '/api/manage/apps', headers: { authorization: `Bearer ${ownerToken}` } });
    expect(managed).toMatchObject({ status: 200, json: { apps: [{ name: 'Demo' }] } });

    // The doctor finds everything from the files in the folder while the stack runs.
    const doctor = start(['doctor', '--patience', '4'], { LANDFALL_DATA: folder }, LANDFALL);
    expect(await once(doctor.child, 'close')).toEqual([0, null]);
    expect(doctor.stdout).toMatch(/^ok {7}landfall .*the processes of npm run stack$/m);
    expect(doctor.stdout).toMatch(
      /^ok {7}processes +(the gateway at http:\S+, ){2}console-1, link-1, attribution-1, push-1, analytics-1 are ready$/m,
    );
    expect(doctor.stdout).toMatch(/^0 FAIL, 0 warn, \d+ ok, \d+ skipped\.$/m);

    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(existsSync(path.join(folder, 'stack/running.json'))).toBe(false);
    await expect(send(port, { path: '/livez' })).rejects.toThrow('ECONNREFUSED');
  });
});
