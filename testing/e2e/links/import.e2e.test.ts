import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestApp } from '@landfall/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { callsOf, post, put, systemOfFile } from '../calls.ts';

const { system } = await systemOfFile();

let app: TestApp;
beforeEach(async () => {
  app = await system.makeApp();
});

const importLinks = (body: object) => system.manage(post(`/api/manage/apps/${app.app.id}/links/import`, body));
const listed = async () => (await system.manage({ path: `/api/manage/apps/${app.app.id}/links` })).json.links;

const ROWS = [
  { destination: '/a', metadata: { campaign: 'spring' }, expiresAt: '2099-01-01T00:00:00+01:00' },
  { destination: 'no-path' },
  { destination: '/b', unknown: 1 },
  { destination: '/c', expiresAt: 'tomorrow' },
  { destination: '/d', metadata: [1] },
];

describe('an import of links', () => {
  it('checks every row in a dry run, and creates nothing', async () => {
    const { status, json } = await importLinks({ dryRun: true, links: ROWS });
    expect(status).toBe(200);
    expect(json).toMatchObject({ created: 1, failed: 4, left: null });
    expect(json.outcomes[0]).toEqual({ success: true, link: null });
    const places = json.outcomes.map(({ details }: { details?: { path: string }[] }) => details?.[0]?.path);
    expect(places).toEqual([undefined, 'destination', 'unknown', 'expiresAt', 'metadata']);
    expect(await listed()).toEqual([]);
  });

  it('creates the rows without a fault, and a second time none', async () => {
    const links = ROWS.map((row, n) => ({ ...row, idempotencyKey: `file-${n}` }));
    const first = await importLinks({ links });
    expect(first.json).toMatchObject({ created: 1, failed: 4 });
    expect(first.json.outcomes[0].link).toMatchObject({
      destination: '/a',
      metadata: { campaign: 'spring' },
      expiresAt: '2098-12-31T23:00:00.000Z',
    });
    const again = await importLinks({ links });
    expect(again.json.outcomes[0].link.id).toBe(first.json.outcomes[0].link.id);
    expect(await listed()).toHaveLength(1);
    expect(first.json.outcomes[0].existed).toBeUndefined();
    expect(again.json.outcomes[0].existed).toBe(true);
    expect((await importLinks({ dryRun: true, links })).json.outcomes[0]).toMatchObject({ link: null, existed: true });
  });

  it('creates none when the plan has not enough left for all', async () => {
    await callsOf(system).change(put(`/api/manage/apps/${app.app.id}/plan`, { name: 'small', linksPerMonth: 2 }));
    const links = ['/1', '/2', '/3'].map((destination) => ({ destination, idempotencyKey: destination }));
    expect((await importLinks({ dryRun: true, links })).json).toMatchObject({ created: 3, left: 2 });
    expect(await importLinks({ links })).toMatchObject({
      status: 403,
      json: { code: 'GENERATED_LINKS_LIMIT_REACHED', currentCount: 0, limit: 2 },
    });
    expect(await listed()).toEqual([]);
    for (const _ of ['new', 'there already'])
      expect((await importLinks({ links: links.slice(1) })).json).toMatchObject({ created: 2 });
  });

  it('takes archived and expired links, and warns of the expired ones', async () => {
    const links = [
      { destination: '/archived', archived: true },
      { destination: '/expired', expiresAt: '2020-01-31T00:00:00Z' },
      { destination: '/both', expiresAt: '2020-01-31T00:00:00Z', archived: true },
      { destination: '/live', expiresAt: '2099-01-31T00:00:00Z', archived: false },
    ];
    const warning = expect.stringContaining('the expiry has passed');
    const dry = await importLinks({ dryRun: true, links });
    const warned = { success: true, link: null, warning };
    const plain = { success: true, link: null };
    expect(dry.json.outcomes).toEqual([plain, warned, warned, plain]);
    expect((await importLinks({ links })).json.outcomes[1]).toMatchObject({ success: true, warning });
    const states = Object.fromEntries(
      (await listed()).map(({ destination, archivedAt, expiresAt }: Record<string, string | null>) => [
        destination,
        [archivedAt !== null, expiresAt],
      ]),
    );
    expect(states).toEqual({
      '/archived': [true, null],
      '/expired': [false, '2020-01-31T00:00:00.000Z'],
      '/both': [true, '2020-01-31T00:00:00.000Z'],
      '/live': [false, '2099-01-31T00:00:00.000Z'],
    });
  });

  it('is more patient than the call for one link, which refuses an expiry that has passed', async () => {
    const make = (expiresAt: string) =>
      system.manage(post(`/api/manage/apps/${app.app.id}/links`, { destination: '/x', expiresAt }));
    const details = [{ path: 'expiresAt', message: 'must be in the future' }];
    expect(await make(new Date(system.clock()).toISOString())).toMatchObject({ status: 400, json: { details } });
    expect((await make(new Date(system.clock() + 60_000).toISOString())).status).toBe(200);
  });

  it('refuses by row what no body may contain', async () => {
    const rows = ['{"__proto__":"x"}', '{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":12345678901234567890}', '{"a":1}'];
    const body = `{"dryRun":true,"links":[${rows.map((metadata) => `{"destination":"/a","metadata":${metadata}}`)}]}`;
    const path = `/api/manage/apps/${app.app.id}/links/import`;
    const { status, json } = await system.manage({
      method: 'POST',
      path,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ created: 1, failed: 4 });
  });

  it('takes 1 to 1,000 rows', async () => {
    for (const links of [[], Array(1_001).fill({ destination: '/a' }), 'links'])
      expect(await importLinks({ links })).toMatchObject({ status: 400, json: { details: [{ path: 'links' }] } });
  });

  it('is exported as CSV that the import takes again', async () => {
    await importLinks({
      links: [{ destination: '/a?b="c",d', metadata: { campaign: 'spring, "early"' } }, { destination: '/e' }],
    });
    const path = `/api/manage/apps/${app.app.id}/links/export`;
    const { text, bytes, headers } = await system.manage({ path: `${path}?search=${encodeURIComponent('/a')}` });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    const [names, row, ...rest] = text.trim().split('\r\n');
    expect(names).toBe(
      'destination,metadata,expiresAt,url,slug,createdAt,archivedAt,id,name,note,tags,webUrl,iosUrl,androidUrl,expiredUrl,createdBy,clicks30d,installs30d,lastTapAt',
    );
    expect(row).toMatch(/^"\/a\?b=""c"",d","\{""campaign"":""spring, \\""early\\""""\}",,http/);
    expect(rest).toEqual([]);
  });
});

async function programOfGuide(name: string): Promise<string> {
  const guide = await readFile(path.resolve(import.meta.dirname, '../../../docs/guides/move-from-others.md'), 'utf8');
  const programs = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, program]) => program!);
  return programs.find((program) => program.startsWith(`// ${name}:`))!;
}

it('of another product, by the program of the guide, gives pairs of old and new addresses, also a second time', async () => {
  const program = await programOfGuide('import.mjs');
  const folder = await mkdtemp(path.join(tmpdir(), 'landfall-import-'));
  try {
    const rows = ['/summer', '/wrong'].map((old, i) => ({
      old: `https://go.shop.example${old}`,
      destination: i === 0 ? '/sale?id=7' : 'https://shop.example',
    }));
    await writeFile(path.join(folder, 'import.mjs'), program);
    await writeFile(path.join(folder, 'old-links.json'), JSON.stringify(rows));
    const env = {
      ...process.env,
      LANDFALL_URL: `http://127.0.0.1:${system.consolePort}`,
      LANDFALL_TOKEN: system.ownerToken,
    };
    const run = () =>
      promisify(execFile)(process.execPath, ['import.mjs', app.app.id, 'old-links.json'], { cwd: folder, env });
    const { stdout, stderr } = await run();
    const [link] = await listed();
    expect(link).toMatchObject({ destination: '/sale?id=7' });
    expect(JSON.parse(stdout)).toEqual([{ old: rows[0]!.old, new: link.url }]);
    expect(stderr).toContain('https://go.shop.example/wrong');
    expect((await run()).stdout).toBe(stdout);
    expect(await listed()).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('in the web app gives the same pairs by the other program of the guide', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'landfall-import-'));
  try {
    await writeFile(path.join(folder, 'pairs.mjs'), await programOfGuide('pairs.mjs'));
    const lines = [
      'Title,Bitlink,new url,new slug,error',
      '"Sale, ""big""\r\nnow",go.shop.example/aB3,https://l.example/aB3,aB3,',
      'Other,https://go.shop.example/two,"https://l.example/two",two,',
      'Wrong,go.shop.example/three,,,"destination, is missing"',
    ];
    await writeFile(path.join(folder, 'links.csv'), `\ufeff${lines.join('\r\n')}\r\n`);
    const { stdout } = await promisify(execFile)(process.execPath, ['pairs.mjs', 'links.csv', 'Bitlink'], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual([
      { old: 'https://go.shop.example/aB3', new: 'https://l.example/aB3' },
      { old: 'https://go.shop.example/two', new: 'https://l.example/two' },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
