// `npm start` as a process: its output, how it stops, and which data it still has after a kill.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { ANDROID, freshIp, type Received, type Sent, send } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linksOf, newDevice, post } from '../calls.ts';
import {
  cleanUp,
  dataFolder,
  failedStart,
  freePort,
  isAlive,
  type Process,
  postgresOf,
  processesBelow,
  sendTo,
  startProcess,
} from './process.ts';

// The tests of this block share one data folder. Each test continues from the state that the previous test left.
describe('one data folder', { timeout: 60_000 }, () => {
  const folder = dataFolder();
  const processes: Process[] = [];
  let port: number;
  let welcome: ReturnType<typeof readWelcome>;
  let demo: { subdomain: string; key: string };

  async function start(more: Record<string, string> = {}): Promise<Process> {
    const started = startProcess({ LANDFALL_DATA: folder, ...(more.PORT_FILE ? {} : { PORT: String(port) }), ...more });
    processes.push(started);
    await started.ready;
    return started;
  }
  const last = () => processes.at(-1)!;

  const api = (sent: Sent, ip = freshIp()) =>
    send(port, {
      ...sent,
      headers: { host: `localhost:${port}`, 'x-forwarded-for': ip, 'x-service-sdk-key': demo.key, ...sent.headers },
    });
  const tap = (url: string, ip = freshIp()) =>
    send(port, {
      path: new URL(url).pathname,
      headers: { host: new URL(url).host, 'x-forwarded-for': ip, 'user-agent': ANDROID },
    });
  const create = (destination: string) => api(post('/api/links/create-sdk', { destination }));
  const restore = (ip: string) => api(post('/api/deferred-deep-linking/restore', newDevice().body), ip);

  beforeAll(async () => {
    port = await freePort();
  });
  afterAll(() => cleanUp(folder, processes));

  it('starts, and prints a block that a newcomer can copy from', async () => {
    // A variable may be read from a file.
    const file = path.join(folder, 'port');
    writeFileSync(file, `${port}\n`);
    const { stderr } = await start({ PORT_FILE: file });
    welcome = readWelcome(stderr());
    expect(welcome.address).toBe(`http://localhost:${port}`);
    expect(welcome.docs).toBe(`http://localhost:${port}/docs`);
    expect(welcome.appId).toMatch(/^[0-9a-f-]{36}$/);
    expect(welcome.link).toMatch(new RegExp(`^http://[\\w-]+\\.localhost:${port}/\\d{13}-\\w+$`));
    expect(welcome.key).toMatch(/^ol_[0-9a-f]{32}$/);
    demo = { key: welcome.key, subdomain: new URL(welcome.link).hostname.split('.')[0]! };
  });

  it('prints a curl line that works', async () => {
    const { method, url, headers, body } = welcome.curl;
    const answer = await send(port, {
      method,
      path: new URL(url).pathname,
      headers: { host: new URL(url).host, ...headers },
      body,
    });
    expect(answer.json).toMatchObject({ success: true, link: { destination: JSON.parse(body).destination } });
    expect(answer.json.link.url).toContain(`http://${demo.subdomain}.localhost:${port}/`);
    expect((await tap(answer.json.link.url)).status).toBe(302);
  });

  it('prints an address with a code with which its first owner is made', async () => {
    const [, code = ''] = /\/setup#([\w-]{43})\n/.exec(last().stderr())!;
    expect(last().stderr()).toContain(`${welcome.address}/setup#${code}`);
    expect(last().stdout()).not.toContain(code);
    const password = randomUUID();
    const body = { code, email: 'you@example.com', password, name: 'You', teamName: 'Your team' };
    const headers = { 'x-landfall': '1' };
    expect((await api({ ...post('/api/manage/set-up', body), headers })).json).toMatchObject({ success: true });
    expect((await api({ ...post('/api/manage/set-up', body), headers })).json.code).toBe('SET_UP_DONE');
    expect((await api({ path: '/api/manage/set-up' })).json.needed).toBe(false);
  });

  it('prints a link that is ready, and serves its page', async () => {
    expect((await tap(welcome.link)).status).toBe(302);
    expect((await api({ path: '/docs/' })).status).toBe(200);
    expect((await api({ path: '/readyz' })).json).toMatchObject({
      status: 'ready',
      checks: { database: { ok: true } },
    });
    const found = await api({
      path: `/api/links/get-by-slug?slug=${welcome.link.split('/').at(-1)}&appId=${welcome.appId}`,
    });
    expect(found.status).toBe(200);
  });

  it('keeps its secrets in files that only their owner reads, and logs none', async () => {
    const secrets = ['owner-token', 'demo-key', 'hash-secret', 'seal-secret', 'demo.json', 'postgres/password'];
    for (const name of secrets) {
      const file = path.join(folder, name);
      expect(statSync(file).mode & 0o777, name).toBe(0o600);
      if (name !== 'demo.json') expect(last().stdout()).not.toContain(readFileSync(file, 'utf8').trim());
    }
    expect(readFileSync(path.join(folder, 'demo-key'), 'utf8').trim()).toBe(demo.key);
    const token = readFileSync(path.join(folder, 'owner-token'), 'utf8').trim();
    expect(last().stderr()).not.toContain(token);
    const apps = await api({ path: '/api/manage/apps', headers: { authorization: `Bearer ${token}` } });
    expect(apps.json.apps.map((app: { id: string }) => app.id)).toEqual([welcome.appId]);
  });

  it('refuses a second start on the folder with a sentence, and goes on', async () => {
    const { code, said } = await failedStart({ LANDFALL_DATA: folder, PORT: String(await freePort()) });
    expect(code).toBe(1);
    expectSentence(said, /already runs.*LANDFALL_DATA/);
    expect(said).toContain(folder);
    expect((await create('/still-there')).status).toBe(200);
  });

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
      await cleanUp(other, []);
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
      links.map(({ slug }) => api({ path: `/api/links/get-by-slug?slug=${slug}&appId=${welcome.appId}` })),
    );
    const facts = ({ id, destination }: Received['json']) => ({ id, destination });
    expect(found.map(({ json }) => facts(json.link ?? json))).toEqual(links.map(facts));
    const restored = await Promise.all(tappedAt.map(restore));
    expect(restored.map(linksOf)).toEqual(tappedAt.map(() => [shared.id]));
    expect(linksOf(await restore(claimedAt))).toEqual([]);
  });

  it('has the same demo app, link and key after that', async () => {
    expect(readWelcome(last().stderr())).toEqual(welcome);
    expect((await tap(welcome.link)).status).toBe(302);
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
      expect(readWelcome(last().stderr())).toEqual(welcome);
      expect((await tap(welcome.link)).status).toBe(302);
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
    const { json } = await api({ path: `/api/manage/apps/${welcome.appId}/keys`, headers });
    await api({ method: 'DELETE', path: `/api/manage/apps/${welcome.appId}/keys/${json.keys[0].id}`, headers });
    expect((await create('/revoked')).status).toBe(401);
    last().child.kill('SIGTERM');
    await last().ended;
    // Nobody can open the set-up page here: the environment variables name the owner.
    const { stderr } = await start({
      LANDFALL_INIT_OWNER_EMAIL: 'ada@example.com',
      LANDFALL_INIT_OWNER_PASSWORD: 'correct horse battery',
    });
    expect(stderr()).not.toContain('/set-up');
    const found = await api({ path: `/api/manage/apps/${welcome.appId}`, headers });
    expect(found.json.app.teamId).toMatch(/^[0-9a-f-]{36}$/);
    expect(stderr()).not.toContain(demo.key);
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

  /**
   * Sends a request over a connection that stays open. Resolves when the server has read the request and is working on
   * it.
   */
  async function underWay() {
    const shared = (await create('/under-way')).json.link;
    const ip = freshIp();
    const { body } = newDevice();
    // After two heartbeats the fingerprint belongs to several phones, so the restore waits for a third heartbeat.
    for (const _ of [1, 2]) await api(post('/api/deferred-deep-linking/install-heartbeat', body));
    await tap(shared.url, ip);
    const agent = new Agent({ keepAlive: true });
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      'x-service-sdk-key': demo.key,
      expect: '100-continue',
    };
    const sent = request({ port, method: 'POST', path: '/api/deferred-deep-linking/restore', headers, agent });
    const answer = new Promise<number>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (res) => {
        res.resume();
        res.once('end', () => resolve(res.statusCode ?? 0));
      });
    });
    const socketEnded = new Promise<void>((resolve) =>
      sent.once('socket', (socket) => socket.once('close', () => resolve())),
    );
    await new Promise<void>((resolve) => {
      sent.once('continue', () => sent.end(JSON.stringify(body), () => resolve()));
      sent.flushHeaders();
    });
    return { answer, socketEnded };
  }
});

describe('a wrong setting', () => {
  const folder = dataFolder();
  afterAll(() => cleanUp(folder, []));

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
      PORT: String(await freePort()),
      [name]: value,
      ...(name === 'PORT_FILE' && { PORT: '' }),
    });
    expect(code).toBe(1);
    expectSentence(said, new RegExp(`\\b${name}\\b`));
    if (name.endsWith('_SECRET')) expect(said).not.toContain(value);
    expect(existsSync(path.join(folder, 'postgres'))).toBe(false);
  });

  it('is one that is given twice', async () => {
    const { code, said } = await failedStart({ LANDFALL_DATA: folder, PORT: '8080', PORT_FILE: '/etc/hostname' });
    expect(code).toBe(1);
    expectSentence(said, /PORT.*PORT_FILE/);
  });

  it('is a database that does not answer', async () => {
    const url = `postgresql://landfall:a-password@127.0.0.1:${await freePort()}/landfall`;
    const { code, said } = await failedStart({
      LANDFALL_DATA: folder,
      PORT: String(await freePort()),
      DATABASE_URL: url,
    });
    expect(code).toBe(1);
    expectSentence(said, /DATABASE_URL/);
    expect(said).not.toContain('a-password');
  });
});

/** Checks that the output is one sentence for people, without a stack trace. */
function expectSentence(said: string, pattern: RegExp): void {
  expect(said.trim().split('\n'), said).toHaveLength(1);
  expect(said).toMatch(pattern);
  expect(said.trim()).toMatch(/\.$/);
}

/** Returns the facts of the block that a start prints at its end. */
function readWelcome(text: string) {
  const one = (pattern: RegExp) => pattern.exec(text)?.[1] ?? expect.unreachable(`${pattern} is not in ${text}`);
  const command = one(/(curl [\s\S]*?)\n\n/).replace(/\\\n\s*/g, '');
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name!, value!]);
  return {
    address: one(/Landfall is running at (\S+)/),
    docs: one(/Try the API +(\S+)/),
    appId: one(/Demo app +(\S+)/),
    link: one(/Its link +(\S+)/),
    key: one(/Its key +(\S+)/),
    curl: {
      method: /-X (\w+)/.exec(command)?.[1] ?? 'GET',
      url: /https?:\/\/\S+/.exec(command)![0],
      headers: Object.fromEntries(headers),
      body: /-d '([^']*)'/.exec(command)![1]!,
    },
  };
}
