import { freshIp, type TestApp } from '@landfall/testkit';
import { beforeAll, expect, it } from 'vitest';
import { callsOf, linksOf, newDevice, post } from '../calls.ts';
import { IPHONE, IPHONE_IN_INSTAGRAM } from '../user-agents.ts';
import { describeWeb } from './web.ts';

describeWeb('a link on the clipboard', { isSetUp: false }, (site) => {
  let app: TestApp;
  let link: { id: string; url: string };
  let headers: { host: string };
  beforeAll(async () => {
    app = await site.web.system.makeApp({ clipboard: true, ios: { storeId: '1234567890' } });
    headers = { host: new URL(site.web.url).host };
    const made = post(`/api/manage/apps/${app.app.id}/links`, { destination: '/copied' });
    link = (await site.web.system.manage({ ...made, headers })).json.link;
  });

  /** Taps the link on an iPhone, and then the button to the App Store. Returns what is on the clipboard. */
  async function copied(userAgent: string): Promise<string> {
    const { page, context } = await site.web.open({ userAgent });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(link.url).origin });
    await page.route('https://apps.apple.com/**', (route) => route.fulfill({ body: 'the store' }));
    await page.goto(link.url);
    await page.getByText('The button copies a link').waitFor();
    await page.getByRole('link', { name: 'Get the app' }).click();
    await page.waitForURL('https://apps.apple.com/**');
    await page.goto(link.url);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await context.close();
    return text;
  }

  const restored = async (clipboard: string) =>
    linksOf(
      await callsOf(site.web.system).restore(app, { ...newDevice().body, clipboard }, { ip: freshIp(), headers }),
    );

  it.each([
    ['Safari', IPHONE],
    ['Instagram', IPHONE_IN_INSTAGRAM],
  ])('is put there by the button to the App Store in %s, and restores the link once', async (_, userAgent) => {
    const text = await copied(userAgent);
    expect(text).toMatch(/\?lf_clip=[\w-]{72}$/);
    await site.web.system.settled();
    expect(await restored(text)).toEqual([link.id]);
    // For 15 seconds the same answer is given again, in case that it was lost.
    site.web.system.clock.advance({ minutes: 1 });
    expect(await restored(text)).toEqual([]);
  });

  it('is forgotten after ten minutes', async () => {
    const text = await copied(IPHONE);
    site.web.system.clock.advance({ minutes: 10 });
    expect(await restored(text)).toEqual([]);
  });
});
