// The second factor of a password: authenticator apps, recovery codes, passkeys.
import { newPasskey } from '@landfall/testkit';
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { type ConsoleFixture, callerIn, consoleSuite, newBrowser } from '../console.testing.ts';
import { choosePassword, resetPassword } from '../passwords/password-routes.ts';
import { listPeople, removeSecondFactor } from '../people/people.ts';
import { as, done, join, PASSWORD, refused, setUp } from '../people.testing.ts';
import { signIn as signInRoute } from '../sessions/session-routes.ts';
import {
  addPasskey,
  beginAuthenticatorApp,
  beginPasskey,
  confirmAuthenticatorApp,
  getSecondFactor,
  removeAuthenticatorApp,
  removePasskey,
  renewRecoveryCodes,
} from './factor-routes.ts';
import { beginPasskeySignIn, signInByPasskey, takeSecondStep } from './sign-in-routes.ts';

const ADA = 'ada@example.com';
const WRONG = '000000';

consoleSuite('a second factor', (fixture) => {
  const codeAt = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: fixture.clock() });
  const enter = (browser = newBrowser(), password = PASSWORD) =>
    fixture.ask(signInRoute, { email: ADA, password, browser });
  const stepOf = async (browser = newBrowser()) => (await done(enter(browser))).secondStep!;
  const show = (step: string, shown: object, browser = newBrowser()) =>
    fixture.ask(takeSecondStep, { step, ...shown, browser });

  /** Ada with an authenticator app. Its first code is used up. */
  async function withApp(of: ConsoleFixture = fixture) {
    const ada = await setUp(of);
    const { browser } = ada;
    const { secret, step } = await done(of.ask(beginAuthenticatorApp, { browser }));
    const confirmed = await done(of.ask(confirmAuthenticatorApp, { browser, step, code: codeAt(secret) }));
    of.clock.advance({ seconds: 30 });
    return { ...ada, secret, codes: confirmed.recoveryCodes! };
  }

  async function withPasskey(passkey = newPasskey()) {
    const ada = await setUp(fixture);
    const { step, options } = await done(fixture.ask(beginPasskey, { browser: ada.browser }));
    const wanted = { browser: ada.browser, step, name: 'Phone', passkey: passkey.make(options.challenge) };
    const added = await done(fixture.ask(addPasskey, wanted));
    return { ...ada, passkey, wanted, recoveryCodes: added.recoveryCodes };
  }

  it('of an app is asked for after the password, and a code is good once', async () => {
    const { userId, secret, sessionId } = await withApp();
    const browser = newBrowser();
    const first = await done(enter(browser));
    expect(first).toMatchObject({ person: null, session: null, secondStep: { authenticatorApp: true, passkey: null } });
    expect([...browser.cookies]).toEqual([]);
    const { step } = first.secondStep!;
    expect(await refused(show(step, { code: WRONG }))).toBe('SECOND_FACTOR_WRONG');
    const code = codeAt(secret);
    const { session } = await done(show(step, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` }, browser));
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId, sessionId: session.id, isStrong: true });
    // The code is used up, for this step and for another one.
    expect(await refused(show(step, { code }))).toBe('SECOND_FACTOR_WRONG');
    expect(await refused(show((await stepOf()).step, { code }))).toBe('SECOND_FACTOR_WRONG');
    fixture.clock.advance({ seconds: 30 });
    expect(await refused(show(step, { code: codeAt(secret) }))).toBe('SIGN_IN_USED');
    const audit = await fixture.database.rows(
      `select subject, after from account.audit where action = 'SignIn' order by at`,
    );
    expect(audit).toEqual([{ subject: session.id, after: { secondFactor: 'authenticator app' } }]);
    expect(session.id).not.toBe(sessionId);
  });

  it('lets in one of two who come with one code at once', async () => {
    const { secret } = await withApp();
    const steps = [await stepOf(), await stepOf()];
    const code = codeAt(secret);
    const answers = await Promise.all(steps.map(({ step }) => show(step, { code })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual({ ok: false, refusal: { code: 'SECOND_FACTOR_WRONG', facts: {} } });
  });

  it('is not guessed at, and a stranger without the password does not delay its person', async () => {
    const { secret } = await withApp();
    const { step } = await stepOf();
    const from = (at: number) => newBrowser(`10.0.0.${at}`);
    for (let i = 0; i < 5; i++) expect(await refused(show(step, { code: WRONG }, from(i)))).toBe('SECOND_FACTOR_WRONG');
    expect(await refused(show(step, { code: codeAt(secret) }, from(9)))).toBe('SIGN_IN_DELAYED');
    for (let hour = 0; hour < 10; hour++) {
      fixture.clock.advance({ minutes: 15 });
      expect(await refused(show((await stepOf()).step, { code: WRONG }, from(hour)))).toBe('SECOND_FACTOR_WRONG');
    }
    // Now the delay is a quarter of an hour, whoever asks from where.
    fixture.clock.advance({ minutes: 14 });
    expect(await refused(show((await stepOf()).step, { code: codeAt(secret) }, from(8)))).toBe('SIGN_IN_DELAYED');
    expect(await refused(enter(from(7), 'wrong horse battery'))).toBe('WRONG_CREDENTIALS');
  });

  it('does not go on after ten minutes, after a change of the password, or with the step of something else', async () => {
    const { secret, browser } = await withApp();
    const late = await stepOf();
    fixture.clock.advance({ minutes: 10 });
    expect(await refused(show(late.step, { code: codeAt(secret) }))).toBe('STEP_OVER');
    const { step: other } = await done(fixture.ask(beginPasskeySignIn));
    const { step: mine } = await done(fixture.ask(beginPasskey, { browser }));
    for (const step of [other, mine]) expect(await refused(show(step, { code: codeAt(secret) }))).toBe('STEP_OVER');
    const { step } = await stepOf();
    await fixture.database.rows(`update account.users set password_hash = password_hash || 'x'`);
    expect(await refused(show(step, { code: codeAt(secret) }))).toBe('STEP_OVER');
  });

  it('has recovery codes, each good once, until they are renewed or the last factor is gone', async () => {
    const { codes, userId, browser } = await withApp();
    expect(codes).toHaveLength(10);
    expect(codes[0]).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    await done(show((await stepOf()).step, { code: codes[0]!.toUpperCase().replaceAll('-', ' ') }));
    expect(await refused(show((await stepOf()).step, { code: codes[0] }))).toBe('SECOND_FACTOR_WRONG');
    const mine = () => done(fixture.ask(getSecondFactor, { browser }));
    expect(await mine()).toMatchObject({ recoveryCodes: 9, fresh: true });
    const { recoveryCodes } = await done(fixture.ask(renewRecoveryCodes, { browser }));
    expect(await refused(show((await stepOf()).step, { code: codes[1] }))).toBe('SECOND_FACTOR_WRONG');
    await done(show((await stepOf()).step, { code: recoveryCodes[1] }));
    const stored = await fixture.database.rows<{ dump: string }>(
      `select t::text as dump from account.recovery_codes t union all select t::text from account.authenticator_apps t
       union all select t::text from account.audit t`,
    );
    for (const { dump } of stored) for (const code of recoveryCodes) expect(dump).not.toContain(code);
    await done(fixture.ask(removeAuthenticatorApp, { browser }));
    expect(await mine()).toMatchObject({ authenticatorApp: null, recoveryCodes: 0 });
    expect((await done(enter())).person).toMatchObject({ id: userId });
    expect(await refused(fixture.ask(renewRecoveryCodes, { browser }))).toBe('SECOND_FACTOR_NOT_FOUND');
  });

  it('is changed only by a person who has just signed in', async () => {
    const { browser } = await withApp();
    fixture.clock.advance({ minutes: 15 });
    for (const [route, given] of [
      [beginAuthenticatorApp, {}],
      [confirmAuthenticatorApp, { step: `v1.${'a'.repeat(40)}`, code: WRONG }],
      [removeAuthenticatorApp, {}],
      [beginPasskey, {}],
      [removePasskey, { passkeyId: '00000000-0000-4000-8000-000000000000' }],
      [renewRecoveryCodes, {}],
    ] as const)
      expect(await refused(fixture.ask(route, { ...given, browser }))).toBe('SIGN_IN_AGAIN');
    expect(await done(fixture.ask(getSecondFactor, { browser }))).toMatchObject({ fresh: false });
  });

  it('of another person is set up by nobody', async () => {
    const { userId, teamId, browser } = await setUp(fixture);
    const { secret, step } = await done(fixture.ask(beginAuthenticatorApp, { browser }));
    await join(fixture, as(userId), teamId, 'bob@example.com', 'viewer');
    const bob = newBrowser();
    await done(fixture.ask(signInRoute, { email: 'bob@example.com', password: PASSWORD, browser: bob }));
    const confirm = (by: object, code: string) => fixture.ask(confirmAuthenticatorApp, { browser: by, step, code });
    expect(await refused(confirm(bob, codeAt(secret)))).toBe('STEP_OVER');
    expect(await refused(confirm(browser, WRONG))).toBe('SECOND_FACTOR_WRONG');
    await done(confirm(browser, codeAt(secret)));
    expect(await refused(confirm(browser, codeAt(secret)))).toBe('AUTHENTICATOR_APP_EXISTS');
  });

  it('is removed by an owner of the installation, and the password stays', async () => {
    const { userId } = await withApp();
    expect((await done(fixture.ask(listPeople))).people).toMatchObject([{ secondFactor: true }]);
    expect(await refused(fixture.ask(removeSecondFactor, { email: 'bob@example.com' }))).toBe('PERSON_NOT_FOUND');
    await done(fixture.ask(removeSecondFactor, { email: 'Ada@example.com' }));
    expect(await refused(fixture.ask(removeSecondFactor, { email: ADA }))).toBe('SECOND_FACTOR_NOT_FOUND');
    expect((await done(enter())).person).toMatchObject({ id: userId });
    const audit = await fixture.database.rows(
      `select actor_kind, subject, before from account.audit where action = 'RemoveSecondFactor'`,
    );
    const before = { authenticatorApp: true, passkeys: 0 };
    expect(audit).toEqual([{ actor_kind: 'operator', subject: userId, before }]);
  });

  it('is asked for after a new password, too', async () => {
    const { secret } = await withApp();
    const { code } = await done(fixture.ask(resetPassword, { email: ADA }));
    const browser = newBrowser();
    const chosen = await done(fixture.ask(choosePassword, { code, password: 'another horse battery', browser }));
    expect(chosen).toMatchObject({ person: null, session: null });
    expect([...browser.cookies]).toEqual([]);
    await done(show(chosen.secondStep!.step, { code: codeAt(secret) }, browser));
  });

  it('may be a passkey, which also signs in alone', async () => {
    const { passkey, userId, wanted, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    expect(await refused(fixture.ask(addPasskey, wanted))).toBe('PASSKEY_EXISTS');
    const { step, passkey: options } = await stepOf();
    const answer = passkey.use((options as { challenge: string }).challenge, { verified: false });
    await done(show(step, { passkey: answer }));
    expect(await refused(show(step, { passkey: answer }))).toBe('SIGN_IN_USED');

    const begun = await done(fixture.ask(beginPasskeySignIn));
    const alone = (given: object) => fixture.ask(signInByPasskey, { step: begun.step, passkey: given });
    const browser = newBrowser();
    const by = passkey.use(begun.options.challenge);
    const { person } = await done(fixture.ask(signInByPasskey, { step: begun.step, passkey: by, browser }));
    expect(person.id).toBe(userId);
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId });
    expect(await refused(alone(by))).toBe('SIGN_IN_USED');
  });

  it.each([
    ['a page of another host', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['a device that did not check its holder', { verified: false }],
    ['the handle of another person', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('that is a passkey does not sign in alone by the answer of %s', async (_, options) => {
    const { passkey } = await withPasskey();
    const { step, options: asked } = await done(fixture.ask(beginPasskeySignIn));
    const by = passkey.use(asked.challenge, options);
    expect(await refused(fixture.ask(signInByPasskey, { step, passkey: by }))).toBe('PASSKEY_WRONG');
  });

  it('that is a passkey signs for one step, and counts up', async () => {
    const { passkey } = await withPasskey();
    const begin = () => done(fixture.ask(beginPasskeySignIn));
    const [first, second, third] = [await begin(), await begin(), await begin()];
    const by = passkey.use(first.options.challenge, { counter: 5 });
    const use = (step: string, given: object) => fixture.ask(signInByPasskey, { step, passkey: given });
    expect(await refused(use(second.step, by))).toBe('PASSKEY_WRONG');
    expect(await refused(use(first.step, newPasskey().use(first.options.challenge)))).toBe('PASSKEY_WRONG');
    await done(use(first.step, by));
    // A copy of the authenticator has another count.
    const copy = passkey.use(third.options.challenge, { counter: 5 });
    expect(await refused(use(third.step, copy))).toBe('PASSKEY_WRONG');
  });

  it('that is a passkey ends with a reset by the operator, because it signs in alone', async () => {
    const { passkey } = await withPasskey();
    await done(fixture.ask(resetPassword, { email: ADA }));
    const { step, options } = await done(fixture.ask(beginPasskeySignIn));
    const by = passkey.use(options.challenge);
    expect(await refused(fixture.ask(signInByPasskey, { step, passkey: by }))).toBe('PASSKEY_WRONG');
    expect(await fixture.database.rows('select 1 from account.recovery_codes')).toEqual([]);
  });
});
