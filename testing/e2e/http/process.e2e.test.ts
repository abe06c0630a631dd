// `npm start` as a process: its output, its secrets, and how it stops. `stack/restarts.e2e.test.ts` ends it in every other
// way, and starts it again.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { send } from '@landfall/testkit';
import { dataFolder } from '@landfall/testkit/product';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { post } from '../calls.ts';
import { cleanUp, expectSentence, failedStart, installation, isAlive, postgresOf } from './process.ts';

// Each test continues from the state that the previous test left.
describe('one data folder', { timeout: 60_000 }, async () => {
  const one = await installation();
  const { folder, port, welcome, start, last, api, tap, create, underWay } = one;
  afterAll(one.cleanUp);

  it('starts, and prints a block that a newcomer can copy from', async () => {
    // A variable may be read from a file.
    const file = path.join(folder, 'port');
    writeFileSync(file, `${port}\n`);
    // Without this setting the start would build the web app, and no test here opens a page of it.
    await start({ PORT_FILE: file, WEB_APP_DIR: folder });
    expect(welcome()).toMatchObject({
      address: `http://localhost:${port}`,
      docs: `http://localhost:${port}/docs`,
      appId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      link: expect.stringMatching(new RegExp(`^http://[\\w-]+\\.localhost:${port}/\\d{13}-\\w+$`)),
      key: expect.stringMatching(/^ol_[0-9a-f]{32}$/),
    });
  });

  it('prints a curl line that works', async () => {
    const { method, url, headers, body } = welcome().curl;
    const answer = await send(port, {
      method,
      path: new URL(url).pathname,
      headers: { host: new URL(url).host, ...headers },
      body,
    });
    expect(answer.json).toMatchObject({ success: true, link: { destination: JSON.parse(body).destination } });
    expect(answer.json.link.url).toContain(`${new URL(welcome().link).origin}/`);
    expect((await tap(answer.json.link.url)).status).toBe(302);
  });

  it('prints an address with a code with which its first owner is made', async () => {
    const [, code = ''] = /\/setup#([\w-]{43})\n/.exec(last().stderr())!;
    expect(last().stderr()).toContain(`${welcome().address}/setup#${code}`);
    expect(last().stdout()).not.toContain(code);
    const password = randomUUID();
    const body = { code, email: 'you@example.com', password, name: 'You', teamName: 'Your team' };
    const headers = { 'x-landfall': '1' };
    expect((await api({ ...post('/api/manage/set-up', body), headers })).json).toMatchObject({ success: true });
    expect((await api({ ...post('/api/manage/set-up', body), headers })).json.code).toBe('SET_UP_DONE');
    expect((await api({ path: '/api/manage/set-up' })).json.needed).toBe(false);
  });

  it('prints a link that is ready, and serves its page', async () => {
    expect((await tap(welcome().link)).status).toBe(302);
    expect((await api({ path: '/docs/' })).status).toBe(200);
    expect((await api({ path: '/readyz' })).json).toMatchObject({
      status: 'ready',
      checks: { database: { ok: true } },
    });
    const found = await api({
      path: `/api/links/get-by-slug?slug=${welcome().link.split('/').at(-1)}&appId=${welcome().appId}`,
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
    expect(readFileSync(path.join(folder, 'demo-key'), 'utf8').trim()).toBe(welcome().key);
    const token = readFileSync(path.join(folder, 'owner-token'), 'utf8').trim();
    expect(last().stderr()).not.toContain(token);
    const apps = await api({ path: '/api/manage/apps', headers: { authorization: `Bearer ${token}` } });
    expect(apps.json.apps.map((app: { id: string }) => app.id)).toEqual([welcome().appId]);
  });

  it('refuses a second start on the folder, and a wrong setting before it starts a database, with one sentence', async () => {
    const another = dataFolder();
    onTestFinished(() => cleanUp(another));
    const [second, wrong] = await Promise.all([
      failedStart({ LANDFALL_DATA: folder }),
      failedStart({ LANDFALL_DATA: another, TRUST_PROXY: 'everybody' }),
    ]);
    expect(second.code).toBe(1);
    expectSentence(second.said, /already runs.*LANDFALL_DATA/);
    expect(second.said).toContain(folder);
    expect(wrong.code).toBe(1);
    expectSentence(wrong.said, /\bTRUST_PROXY\b/);
    expect(existsSync(path.join(another, 'postgres'))).toBe(false);
    expect((await create('/still-there')).status).toBe(200);
  });

  it('stops cleanly, with what is under way finished, and leaves nothing running and nothing half-written', async () => {
    const postgres = postgresOf(folder)!;
    const { answer, socketEnded } = await underWay();
    last().child.kill('SIGTERM');
    expect(await answer).toBe(200);
    await socketEnded;
    expect(await last().ended).toEqual({ code: 0, signal: null });
    expect(last().stderr().trimEnd()).toMatch(/Everything is kept for the next start\.$/);
    expect(isAlive(postgres)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
