import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { World } from '../../client/src/world.testing.ts';
import { linkingOf } from './linking.ts';

const HOST = 'shop.links.example';
const URL = `https://${HOST}/1-a`;
const json = (body: object) => ({ status: 200, json: { success: true, ...body } });
const found = json({ link: { id: 'l1', destination: '/invite?code=7' } });

function phone(initialLink?: string) {
  const world = new World(Date.now(), { platform: 'ios' });
  world.initialLink = initialLink;
  const client = createClient(
    { url: 'https://api.example', key: `ol_${'0'.repeat(32)}`, hosts: [HOST] },
    world.system(),
  );
  const handlers = new Set<(event: { url: string }) => void>();
  const Linking = {
    getInitialURL: async () => initialLink ?? null,
    addEventListener: (_type: 'url', handler: (event: { url: string }) => void) => {
      handlers.add(handler);
      return { remove: () => handlers.delete(handler) };
    },
  };
  /** As the system does: the client and the navigation listen both. */
  const open = (url: string) => {
    world.openUrl(url);
    for (const handler of handlers) handler({ url });
  };
  const linking = linkingOf(client, Linking, [HOST], {
    prefixes: ['shop://'],
    config: { screens: { Invite: 'invite' } },
  });
  const urls: string[] = [];
  const leave = linking.subscribe((url) => urls.push(url));
  const answer = async (path: string, given: object) => {
    await world.settle();
    const asked = world.requests.find((request) => request.path.endsWith(path))!;
    world.requests = world.requests.filter((request) => request !== asked);
    asked.answer(given as typeof found);
    await world.settle();
  };
  return { world, client, linking, urls, open, answer, leave };
}

describe('the linking of React Navigation', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('has the prefixes of the links, and the config of the app', () => {
    const { linking } = phone();
    expect(linking.prefixes).toEqual([`https://${HOST}`, 'shop://']);
    expect(linking.config).toEqual({ screens: { Invite: 'invite' } });
  });

  it('begins with the link that opened the app, once, and ends it', async () => {
    const { world, linking, urls, answer } = phone(URL);
    const initial = linking.getInitialURL();
    await answer('/get-by-slug', found);
    expect(await initial).toBe(`https://${HOST}/invite?code=7`);
    expect(urls).toEqual([]);
    expect(JSON.parse(world.stored!).waiting).toEqual([]);
  });

  it('begins with a URL of others as it is', async () => {
    const { linking, answer } = phone('shop://oauth?code=1');
    const initial = linking.getInitialURL();
    await answer('/restore', json({ restoredLinks: [] }));
    expect(await initial).toBe('shop://oauth?code=1');
  });

  it('waits for half a second, and navigates to a deferred link that comes later', async () => {
    const { linking, urls, answer } = phone();
    const initial = linking.getInitialURL();
    await vi.advanceTimersByTimeAsync(500);
    expect(await initial).toBeNull();
    await answer('/restore', json({ restoredLinks: [{ destination: '/offers', matchType: 'token' }] }));
    expect(urls).toEqual([`https://${HOST}/offers`]);
  });

  it('navigates to links that are opened later, and to URLs of others', async () => {
    const { linking, urls, open, answer, leave } = phone();
    void linking.getInitialURL();
    await answer('/restore', json({ restoredLinks: [] }));
    open(URL);
    open('shop://profile');
    await answer('/get-by-slug', found);
    expect(urls).toEqual(['shop://profile', `https://${HOST}/invite?code=7`]);
    leave();
    open('shop://profile');
    expect(urls).toHaveLength(2);
  });
});
