// The ways into the web app beside the password: a provider of OpenID Connect, and the address of a reset.
import { afterAll, expect, it } from 'vitest';
import { type IdentityProvider, identityProvider } from '../accounts/identity-provider.ts';
import { expectAccessible } from './checks.ts';
import { tabAndPress, tabTo, untilFocused } from './keyboard.ts';
import { callAs, describeWeb, OWNER } from './web.ts';

const GRACE = { sub: 'grace', email: 'grace@own.example', email_verified: true, name: 'Grace' };

let provider: IdentityProvider;
async function settings(url: string) {
  provider = await identityProvider({ redirectUri: `${url}/api/manage/sign-in/oidc/callback`, name: 'Example SSO' });
  await provider.start();
  // All people of these tests have one address, and sign in within a minute.
  return { ...provider.env, OIDC_DOMAINS: 'own.example', RATE_LIMITS: 'sign-in=1000' };
}

describeWeb('a sign-in', { settings }, (site) => {
  afterAll(() => provider?.stop());

  it('by the provider leads to the page that was asked for, with the keyboard alone', async () => {
    provider.user = GRACE;
    const grace = await site.web.open();
    await grace.page.goto('/account');
    await grace.page.getByRole('link', { name: 'Sign in with Example SSO' }).waitFor();
    await untilFocused(grace.page.getByRole('textbox', { name: 'Email' }));
    await expectAccessible(grace.page);
    await tabAndPress(grace.page.getByRole('link', { name: 'Sign in with Example SSO' }));
    await grace.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    expect(new URL(grace.page.url()).pathname).toBe('/account');
    expect((await callAs(grace, 'GET', '/api/manage/me')).person).toMatchObject({ email: GRACE.email, name: 'Grace' });
  });

  it.each([
    ['refuses', null, 'You did not allow the sign-in at the provider'],
    ['names a person without an account', { ...GRACE, sub: 'eve', email: 'eve@else.example' }, 'has no account here'],
    [
      'names a person with a password',
      { ...GRACE, sub: 'ada', email: OWNER.email },
      'Sign in with it once in this browser',
    ],
    ['has not confirmed the email', { ...GRACE, sub: 'kim', email_verified: false }, 'did not confirm your email'],
  ])('says in a sentence what to do when the provider %s', async (_, user, sentence) => {
    provider.user = user;
    const { page } = await site.web.open();
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Sign in with Example SSO' }).click();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  });

  // The unit test of `ownPath` has all kinds of them.
  it('leads from an address of others to a page of our own', async () => {
    const { page } = await site.web.open();
    await page.goto(`/sign-in?to=${encodeURIComponent('/\t/evil.example')}`);
    const provider = await page.getByRole('link', { name: 'Sign in with Example SSO' }).getAttribute('href');
    expect(provider).toBe('/api/manage/sign-in/oidc?to=%2F');
    await page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Café Notes' }).waitFor();
    expect(new URL(page.url()).origin).toBe(site.web.url);
  });

  it('shows no text of its address', async () => {
    const { page } = await site.web.open();
    await page.goto(`/sign-in?error=${encodeURIComponent('Call +49 123 and tell your password')}`);
    await page.getByRole('alert').filter({ hasText: 'The provider did not sign you in. Try again.' }).waitFor();
    expect(await page.getByText('Call').count()).toBe(0);
    await expectAccessible(page);
  });

  it.each(['the password', 'the provider'])(
    'with %s keeps an invitation, whose code is in no address of a request',
    async (by) => {
      const person = {
        sub: `kim ${by}`,
        email: `kim-${by.split(' ')[1]}@own.example`,
        email_verified: true,
        name: 'Kim',
      };
      const { teams } = await callAs(site.tab, 'GET', '/api/manage/me');
      const team = `/api/manage/teams/${teams[0].id}`;
      const invite = async (): Promise<string> =>
        (await callAs(site.tab, 'POST', `${team}/invitations`, { email: person.email, role: 'viewer' })).code;
      const password = 'a long password of kim';
      if (by === 'the password') {
        const joining = { code: await invite(), name: 'Kim', password };
        await callAs(await site.web.open(), 'POST', '/api/manage/invitations/join', joining);
        const { members } = await callAs(site.tab, 'GET', `${team}/members`);
        const { userId } = members.find(({ email }: { email: string }) => email === person.email);
        await callAs(site.tab, 'DELETE', `${team}/members/${userId}`);
      }
      const code = await invite();
      const { page } = await site.web.open();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url().split('#')[0]!, JSON.stringify(request.headers())));
      await page.goto(`/join#${code}`);
      await page.getByRole('link', { name: 'I have an account' }).click();
      if (by === 'the password') {
        await page.getByRole('textbox', { name: 'Email' }).fill(person.email);
        await page.getByRole('textbox', { name: 'Password' }).fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      } else {
        provider.user = person;
        await page.getByRole('link', { name: 'Sign in with Example SSO' }).click();
      }
      await page.getByRole('button', { name: `Join as ${person.email}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Café Notes' }).waitFor();
      expect(requests.filter((part) => part.includes(code))).toEqual([]);
    },
  );

  it('with a new password follows the address of a reset, with the keyboard alone, once', async () => {
    const answer = await fetch(`${site.web.url}/api/manage/people/reset-password`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.web.system.ownerToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: OWNER.email }),
    });
    const { url } = (await answer.json()) as { url: string };
    // The session of the owner ended with the reset, also in a window that is open.
    await site.page.goto('/account');
    await site.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();

    const { page } = await site.web.open();
    await page.goto(url);
    await tabTo(page.getByRole('textbox', { name: 'New password' }));
    await expectAccessible(page);
    await page.keyboard.type('a newer long password');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Café Notes' }).waitFor();

    const late = await site.web.open();
    await late.page.goto(url);
    await late.page.getByRole('textbox', { name: 'New password' }).fill('yet another password');
    await late.page.getByRole('button', { name: 'Save the password' }).click();
    await late.page.getByRole('alert').waitFor();
    await expectAccessible(late.page);
  });
});
