import { expect, it } from 'vitest';
import { callAs, describeWeb } from './web.ts';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36';

describeWeb('a phone whose browser hides its model', {}, (site) => {
  const taps = async () => {
    await site.web.system.settled();
    return site.database.rows<{ os_major: number | null; model: Buffer | null }>(
      'select os_major, model from attribution.pending_links order by tapped_at',
    );
  };

  const linkTo = async (destination: string): Promise<string> =>
    (await callAs(site.tab, 'POST', `/api/manage${site.app}/links`, { destination })).link.url;

  /** Opens a new browser of a Pixel. */
  async function pixel() {
    const { page, context } = await site.web.open();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setUserAgentOverride', {
      userAgent: ANDROID,
      userAgentMetadata: {
        platform: 'Android',
        platformVersion: '14.0.0',
        architecture: '',
        model: 'Pixel 8',
        mobile: true,
        brands: [{ brand: 'Chromium', version: '145' }],
        fullVersionList: [{ brand: 'Chromium', version: '145.0.0.0' }],
      },
    });
    return { page, context };
  }

  async function tapOnPixel(): Promise<void> {
    const { page, context } = await pixel();
    await page.goto(await linkTo('/hints'));
    await context.close();
  }

  it('is not asked while the app keeps to what browsers tell by themselves', async () => {
    await tapOnPixel();
    expect(await taps()).toMatchObject([{ os_major: null, model: null }]);
  });

  it('is asked for its model when the app wants it, and taps once', async () => {
    await callAs(site.tab, 'PATCH', `/api/manage${site.app}`, { matching: { evidence: 'device' } });
    await tapOnPixel();
    expect(await taps()).toMatchObject([{}, { os_major: 14, model: expect.any(Buffer) }]);
    // The browser asked twice. It was one tap, for the readers of clicks, too.
    const { total } = await callAs(site.tab, 'GET', `/api/manage${site.app}/analytics?metric=clicks`);
    expect(total).toBe(2);
  });

  it('is asked once: the browser sends its model with the next tap by itself', async () => {
    const before = (await taps()).length;
    const { page, context } = await pixel();
    for (const destination of ['/first', '/second']) await page.goto(await linkTo(destination));
    await context.close();
    expect((await taps()).slice(before)).toMatchObject([{ os_major: 14 }, { os_major: 14 }]);
  });
});
