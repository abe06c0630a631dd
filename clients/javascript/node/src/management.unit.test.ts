import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeServer, type Reply, refusal } from './fake-server.testing.ts';
import { Management } from './management.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function management(...replies: Reply[]) {
  const { asked, fetch } = fakeServer(...replies);
  return { asked, api: new Management({ url: 'https://api.example', token: 'lf_1', fetch }) };
}
async function settled<T>(call: Promise<T>) {
  const outcome = call.catch((threw: unknown) => ({ threw }));
  await vi.runAllTimersAsync();
  return outcome;
}
const ok: Reply = { status: 200, body: { success: true } };

it('fills the path in, and leaves empty parts of a query out', async () => {
  const { asked, api } = management(ok);
  const query = { search: 'a&b', state: undefined, limit: 5 };
  await api.request('GET', '/api/manage/apps/{appId}/links', { path: { appId: 'a/../b' }, query: query as never });
  expect(asked[0]).toMatchObject({
    method: 'GET',
    url: 'https://api.example/api/manage/apps/a%2F..%2Fb/links?search=a%26b&limit=5',
    headers: { authorization: 'Bearer lf_1' },
    body: '',
  });
  await expect(api.request('GET', '/api/manage/apps/{appId}', { path: { appId: '' } })).rejects.toThrow('path.appId');
});

it('repeats a change only if that does nothing twice', async () => {
  const change = (api: Management) =>
    api.request('POST', '/api/manage/apps', { body: { name: 'Shop', subdomain: 'shop' } as never });
  const fault = management(null, ok);
  expect(await settled(change(fault.api))).toMatchObject({ threw: { code: 'NO_ANSWER' } });
  expect(fault.asked).toHaveLength(1);
  const unknown = management(refusal(503, 'NO_ANSWER'), ok);
  expect(await settled(change(unknown.api))).toMatchObject({ threw: { code: 'NO_ANSWER', status: 503 } });
  for (const answer of [refusal(503, 'BUSY'), refusal(429, 'RATE_LIMITED')])
    expect(await settled(change(management(answer, ok).api))).toEqual({ success: true });

  const path = { appId: 'a' };
  const withKey = management(null, ok);
  const headers = { 'Idempotency-Key': 'k' };
  const create = withKey.api.request('POST', '/api/manage/apps/{appId}/links', {
    path,
    headers,
    body: { destination: '/a' },
  });
  expect(await settled(create)).toEqual({ success: true });
  const read = management(null, ok);
  expect(await settled(read.api.request('GET', '/api/manage/apps/{appId}', { path }))).toEqual({ success: true });
});

it('sends a push once, however often it must ask', async () => {
  const { asked, api } = management(null, ok);
  await settled(api.push.send('app', { title: 'Hello', target: { all: true } }));
  const [first, second] = asked.map(({ body }) => JSON.parse(body));
  expect(first).toEqual({ appId: 'app', title: 'Hello', target: { all: true }, idempotencyKey: expect.any(String) });
  expect(second).toEqual(first);
});

it('reads a list page by page, and only as far as it is asked', async () => {
  const pages: Reply = ({ url }) => {
    const page = Number(new URL(url).searchParams.get('cursor') ?? 0);
    return {
      status: 200,
      body: { success: true, links: [{ id: page }, { id: page + 0.5 }], next: page < 2 ? `${page + 1}` : null },
    };
  };
  const { asked, api } = management(pages);
  const list = () =>
    api.list('/api/manage/apps/{appId}/links', { path: { appId: 'a' }, query: { search: 'x' } as never });
  const ids: unknown[] = [];
  for await (const { id } of list()) ids.push(id);
  expect(ids).toEqual([0, 0.5, 1, 1.5, 2, 2.5]);
  expect(asked.map(({ url }) => new URL(url).search)).toEqual([
    '?limit=100&search=x',
    '?limit=100&search=x&cursor=1',
    '?limit=100&search=x&cursor=2',
  ]);
  for await (const _ of list()) break;
  expect(asked).toHaveLength(4);
});

it('returns the text of an export', async () => {
  const { api } = management({
    status: 200,
    body: 'id\r\n1\r\n',
    headers: { 'content-type': 'text/csv; charset=utf-8' },
  });
  expect(await api.request('GET', '/api/manage/apps/{appId}/links/export', { path: { appId: 'a' } })).toBe(
    'id\r\n1\r\n',
  );
});
