// `npm start` as a process that ends in every way and is started again: which data it still has, and what it says where
// it cannot start. Each start takes seconds, so these tests are no part of `npm test`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { freePorts } from '@landfall/local';
import { freshIp, type Received } from '@landfall/testkit';
import { dataFolder } from '@landfall/testkit/product';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linksOf, newDevice, post } from '../calls.ts';
import {
  cleanUp,
  expectSentence,
  failedStart,
  installation,
  isAlive,
  postgresOf,
  processesBelow,
  readWelcome,
  sendTo,
} from '../http/process.ts';

// Each test continues from the state that the previous test left.
describe('one data folder', { timeout: 60_000 }, async () => {
  const one = await installation();
  const { folder, port, welcome, start, last, api, tap, create, underWay } = one;
  beforeAll(() => start());
  afterAll(one.cleanUp);

  const restore = (ip: string) => api(post('/api/deferred-deep-linking/restore', newDevice().body), ip);

  it('refuses a taken port with a sentence, before it starts a database', async () => {
    const other = dataFolder();
    try {
      const { code, said } = await failedStart({ LANDFALL_DATA: other, PORT: String(port) });
      expect(code).toBe(1);
      expectSentence(said, new RegExp(`Port ${port} is taken.*PORT`));
      expect(existsSync(path.join(other, 'postgres'))).toBe(false);
      // The folder is free for the next attempt.
      expect((await failedStart({ LANDFALL_DATA: other, PORT: String(port) })).said).toBe(said);
    } finally {
      await cleanUp(other);
    }
  });

  it('loses nothing that was answered when it is killed in the middle of creates and taps', async () => {
    const shared = (await create('/shared')).json.link;
    const claimedAt = freshIp();
    await tap(shared.url, claimedAt);
    expect(linksOf(await restore(claimedAt))).toEqual([shared.id]);

    const links: Received['json'][] = [];
    const tappedAt: string[] = [];
    const { child, ended } = last();
    const enough = () => links.length >= 60 && tappedAt.length >= 60;
    const createOn = async () => {
      for (let n = 0; ; n++) {
        const answer = await create(`/killed/${n}`);
        if (answer.status === 200) links.push(answer.json.link);
        if (enough()) child.kill('SIGKILL');
      }
    };
    const tapOn = async () => {
      for (;;) {
        const ip = freshIp();
        const sentAt = performance.now();
        const { status } = await tap(shared.url, ip);
        // After half a second the server redirects the person even if the tap is not stored yet.
        if (status === 302 && performance.now() - sentAt < 450) tappedAt.push(ip);
        if (enough()) child.kill('SIGKILL');
      }
    };
    // Each loop ends when its connection breaks.
    await Promise.allSettled([...Array.from({ length: 8 }, createOn), ...Array.from({ length: 8 }, tapOn)]);
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    expect(postgresOf(folder)).toBeTypeOf('number');

    await start();
    const found = await Promise.all(
      links.map(({ slug }) => api({ path: `/api/links/get-by-slug?slug=${slug}&appId=${welcome().appId}` })),
    );
    const facts = ({ id, destination }: Received['json']) => ({ id, destination });
    expect(found.map(({ json }) => facts(json.link ?? json))).toEqual(links.map(facts));
    const restored = await Promise.all(tappedAt.map(restore));
    expect(restored.map(linksOf)).toEqual(tappedAt.map(() => [shared.id]));
    expect(linksOf(await restore(claimedAt))).toEqual([]);
  });

  it('has the same demo app, link and key after that', async () => {
    expect(readWelcome(last().stderr())).toEqual(welcome());
    expect((await tap(welcome().link)).status).toBe(302);
    expect((await create('/again')).status).toBe(200);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops cleanly on %s, with what is under way finished, and starts again',
    async (signal) => {
      const { child, ended } = last();
      const postgres = postgresOf(folder)!;
      const stuck = signal === 'SIGINT' ? await halfSent() : undefined;
      const { answer, socketEnded } = await underWay();
      const before = performance.now();
      child.kill(signal);
      expect(await answer).toBe(200);
      await socketEnded;
      await stuck?.ended;
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - before).toBeLessThan(9_000);
      expect(isAlive(postgres)).toBe(false);
      expect(last().stderr().trimEnd()).toMatch(/Everything is kept for the next start\.$/);

      await start();
      expect(readWelcome(last().stderr())).toEqual(welcome());
      expect((await tap(welcome().link)).status).toBe(302);
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'logs nothing when a supervisor sends %s to every process, those of PostgreSQL first',
    async (signal) => {
      const { child, ended, stdout, stderr } = last();
      const processes = [...processesBelow(postgresOf(folder)!), child.pid!];
      expect(processes.length).toBeGreaterThan(4);
      const said = [stdout(), stderr()];
      for (const pid of processes) sendTo(pid, signal);
      expect(await ended).toEqual({ code: 0, signal: null });
      expect([stdout(), stderr()]).toEqual(said);
      await start();
    },
  );

  it('does not print a key that was revoked', async () => {
    const token = readFileSync(path.join(folder, 'owner-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await api({ path: `/api/manage/apps/${welcome().appId}/keys`, headers });
    await api({ method: 'DELETE', path: `/api/manage/apps/${welcome().appId}/keys/${json.keys[0].id}`, headers });
    expect((await create('/revoked')).status).toBe(401);
    last().child.kill('SIGTERM');
    await last().ended;
    // Nobody can open the set-up page here: the environment variables name the owner.
    const { stderr } = await start({
      LANDFALL_INIT_OWNER_EMAIL: 'ada@example.com',
      LANDFALL_INIT_OWNER_PASSWORD: 'correct horse battery',
    });
    expect(stderr()).not.toContain('/set-up');
    const found = await api({ path: `/api/manage/apps/${welcome().appId}`, headers });
    expect(found.json.app.teamId).toMatch(/^[0-9a-f-]{36}$/);
    expect(stderr()).not.toContain(welcome().key);
    expect(stderr()).toContain('revoked');
    expect((await create('/revoked')).status).toBe(401);
  });

  it('leaves nothing running and nothing half-written', async () => {
    const postgres = postgresOf(folder)!;
    last().child.kill('SIGTERM');
    expect(await last().ended).toEqual({ code: 0, signal: null });
    expect(isAlive(postgres)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  /** Opens a client connection that never sends the rest of its request. */
  async function halfSent(): Promise<{ ended: Promise<void> }> {
    const socket = connect(port, '127.0.0.1');
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.once('error', () => {});
    await new Promise<void>((resolve) => socket.write('GET /livez HTTP/1.1\r\nHost: localh', () => resolve()));
    return { ended };
  }
});

describe('a wrong setting', () => {
  const folder = dataFolder();
  afterAll(() => cleanUp(folder));

  const wrong: [name: string, value: string][] = [
    ['TRUST_PROXY', 'everybody'],
    ['LANDFALL_INIT_OWNER_EMAIL', 'nobody'],
    ['DATABASE_URL', 'mysql://localhost/landfall'],
    ['PORT_FILE', '/nowhere/port'],
    ['LANDFALL_DATA', '/dev/null/folder'],
  ];

  it.each(wrong)('ends the start with one sentence that names it: %s=%s', async (name, value) => {
    const { code, said } = await failedStart({
      LANDFALL_DATA: folder,
      [name]: value,
      ...(name === 'PORT_FILE' && { PORT: '' }),
    });
    expect(code).toBe(1);
    expectSentence(said, new RegExp(`\\b${name}\\b`));
    expect(existsSync(path.join(folder, 'postgres'))).toBe(false);
  });

  it('is one that is given twice', async () => {
    const { code, said } = await failedStart({ LANDFALL_DATA: folder, PORT: '8080', PORT_FILE: '/etc/hostname' });
    expect(code).toBe(1);
    expectSentence(said, /PORT.*PORT_FILE/);
  });

  it('is a database that does not answer', async () => {
    const [port] = await freePorts(1);
    const url = `postgresql://landfall:a-password@127.0.0.1:${port}/landfall`;
    const { code, said } = await failedStart({ LANDFALL_DATA: folder, DATABASE_URL: url });
    expect(code).toBe(1);
    expectSentence(said, /DATABASE_URL/);
    expect(said).not.toContain('a-password');
  });
});
