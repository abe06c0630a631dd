// A body with a number that JavaScript would silently change is refused, at any place in the body. The error names the
// field.
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { expectError, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp();

const JSON_TYPE = { 'content-type': 'application/json' };
const create = (metadata: string, headers: Record<string, string> = JSON_TYPE) =>
  calls.create(app, `{"destination":"/a","metadata":${metadata}}`, { headers });

it.each([
  ['{"orderId":9007199254740993}', 'metadata.orderId'],
  ['{"orderId":1e400}', 'metadata.orderId'],
  ['{"a":[{"b":-12345678901234567890}]}', 'metadata.a.0.b'],
  ['{"a":1e-400}', 'metadata.a'],
])('is refused, and named: %s', async (metadata, path) => {
  for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'transfer-encoding': 'chunked' }]) {
    const answer = await create(metadata, headers);
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toHaveLength(1);
    expect(answer.json.error).toBe(`${path} ${answer.json.details[0].message}`);
    expect(answer.json.error).toMatch(/send large numbers as strings$/);
  }
});

it('is refused in a body of any encoding', async () => {
  const text = '{"destination":"/a","metadata":{"orderId":9007199254740993}}';
  const encoded: [headers: Record<string, string>, body: Uint8Array][] = [
    [{ 'content-encoding': 'gzip' }, gzipSync(text)],
    [{ 'content-type': 'application/json; charset=utf-16le' }, Buffer.from(text, 'utf16le')],
    [{ 'content-type': 'application/json; charset="UTF-8"' }, Buffer.from(text)],
  ];
  for (const [headers, body] of encoded) {
    const answer = await calls.create(app, body, { headers: { ...JSON_TYPE, ...headers } });
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('metadata.orderId');
  }
});

it('is refused for its own row of many links alone', async () => {
  const { json } = await calls.change(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
  const body =
    '{"links":[{"destination":"/a","metadata":{"n":9007199254740993}},{"destination":"/b","metadata":{"n":1}}]}';
  const answer = await system.sdk(
    { app: app.app, key: json.plaintext },
    { method: 'POST', path: '/api/links/create-bulk', headers: JSON_TYPE, body },
  );
  expect(answer.json).toMatchObject({ created: 1, failed: 1 });
  expect(answer.json.outcomes[0]).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'metadata.n' }] });
});

it('is refused in edits, pushes and whatever an SDK sends besides', async () => {
  const link = await system.makeLink(app);
  const edited = await system.manage({
    method: 'PATCH',
    path: `/api/manage/links/${link.id}`,
    headers: JSON_TYPE,
    body: '{"metadata":{"n":9007199254740993}}',
  });
  const sent = await system.manage({
    method: 'POST',
    path: '/api/push/send',
    headers: JSON_TYPE,
    body: `{"appId":"${app.app.id}","title":"a","body":"b","target":{"all":true},"metadata":{"n":1e999}}`,
  });
  const restored = await calls.restore(app, '{"deviceFingerprint":"x","more":{"n":9007199254740993}}', {
    headers: JSON_TYPE,
  });
  for (const [answer, path] of [
    [edited, 'metadata.n'],
    [sent, 'metadata.n'],
    [restored, 'more.n'],
  ] as const) {
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(path);
  }
});

it('comes back as it was given, if it is kept', async () => {
  const metadata = '{"a":9007199254740992,"b":10000000000000000000,"c":0.1,"d":-0,"e":1e23,"f":"9007199254740993"}';
  const answer = await create(metadata);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.link.metadata).toMatchObject(JSON.parse(metadata.replace('-0', '0')));
  expect(answer.text).toContain('"a":9007199254740992,"b":10000000000000000000,"c":0.1,"d":0,"e":1e+23,');
});
