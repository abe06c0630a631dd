import { startDnsServer } from '@landfall/testkit';
import { afterAll, expect, it } from 'vitest';
import { expectAccessible, expectStill } from './checks.ts';
import { describeWeb } from './web.ts';

const dns = await startDnsServer({});
afterAll(() => dns.stop());

describeWeb('a custom domain', { settings: { DNS_SERVERS: dns.address } }, (site) => {
  it('shows its records and what is missing, and is verified by itself once the proof is in the DNS', async () => {
    const { page } = site;
    await page.clock.install();
    await page.goto(`${site.app}/domains`);
    const subdomain = page.getByRole('region', { name: /^cafe-notes\.localhost/ });
    await subdomain.getByText('Apple’s file: not set up yet').waitFor();
    await subdomain.getByText(/^open-cafe-notes\.localhost\S* belongs to the app, too\./).waitFor();
    await page.getByRole('textbox', { name: 'A domain of your own' }).fill('go.acme.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const domain = page.getByRole('region', { name: 'go.acme.example' });
    await domain.getByText('Proof: to do').waitFor();
    await domain.getByText('Certificate: not checked yet').waitFor();
    const records = domain.getByRole('table', { name: 'DNS records' });
    const name = '_landfall.go.acme.example';
    await records.getByText(name).waitFor();
    expect(await domain.getByText(/^Cloudflare: /).isVisible()).toBe(false);
    await domain.getByText('Where the common DNS hosts have these records').click();
    await domain.getByText(/^Cloudflare: /).waitFor();
    await expectStill(page);
    await expectAccessible(page, { whole: true });
    const value = /landfall-verify=[0-9a-f]{32}/.exec((await records.textContent()) ?? '')![0];
    dns.records[name] = { TXT: [value] };
    site.web.system.clock.advance({ ms: 11_000 });
    await page.clock.runFor(11_000);
    await domain.getByText('Proof: done').waitFor();
    await domain.getByRole('button', { name: 'Use it for new links' }).waitFor();
    expect(await domain.getByText('Address: to do').count()).toBe(1);
  });
});
