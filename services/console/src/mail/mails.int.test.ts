// What people get by email: invitations, and codes for a new password.
import { type Mailbox, startMailbox } from '@landfall/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { callerIn, consoleSuite, newBrowser } from '../console.testing.ts';
import { forgotPassword } from '../passwords/forgotten-password.ts';
import { choosePassword } from '../passwords/password-routes.ts';
import { as, done, join, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';
import { newTotpSecret } from '../second-factor/totp.ts';
import { invite, join as joinRoute } from '../teams/invitations.ts';
import { createMailer } from './mailer.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const NEXT = 'another horse battery';

consoleSuite('an email', (fixture) => {
  async function withMail(options?: Parameters<typeof startMailbox>[0]): Promise<Mailbox> {
    const box = await startMailbox(options);
    const from = { name: 'Landfall', address: 'landfall@example.com' };
    const settings = { host: 'localhost', port: box.port, secure: false, plain: true, auth: undefined, from };
    const mailer = createMailer(settings, { host: 'api.test', log: fixture.parts.log });
    fixture.parts.mailer = mailer;
    onTestFinished(async () => {
      await mailer.stop();
      await box.close();
    });
    return box;
  }
  const codeOf = (box: Mailbox, page: 'join' | 'reset') =>
    new RegExp(`http://api\\.test/${page}#([\\w-]{43})`).exec(box.mails.at(-1)!.text)![1]!;
  async function forget(email: string) {
    expect(await done(fixture.ask(forgotPassword, { email }))).toEqual({});
    await fixture.parts.mailer!.idle();
  }
  const choose = (code: string, browser = newBrowser()) =>
    fixture.ask(choosePassword, { code, password: NEXT, browser });

  it('with an invitation goes to the person alone, who then owns the email', async () => {
    const { userId, teamId } = await setUp(fixture);
    const offer = () => fixture.ask(invite, { actor: as(userId), teamId, email: BOB, role: 'viewer', mail: true });
    expect(await refused(offer())).toBe('MAIL_OFF');
    const box = await withMail();
    expect(await done(offer())).toMatchObject({ code: null, curl: null, invitation: { email: BOB } });
    expect(box.mails).toMatchObject([{ to: [BOB] }]);
    const joined = await done(fixture.ask(joinRoute, { code: codeOf(box, 'join'), name: 'Bob', password: PASSWORD }));
    expect(joined.person).toMatchObject({ email: BOB, emailVerified: true });
  });

  it('that is not sent leaves no invitation that nobody knows', async () => {
    const { userId, teamId } = await setUp(fixture);
    await withMail({ onRcptTo: (_, __, refuse) => refuse(new Error('no such mailbox')) });
    const wanted = { actor: as(userId), teamId, email: BOB, role: 'viewer', mail: true };
    expect(await refused(fixture.ask(invite, wanted))).toBe('MAIL_FAILED');
    expect(await fixture.parts.account.invitations.list(teamId, fixture.parts.now())).toEqual([]);
  });

  it('is one of a hundred of a team in a day', async () => {
    const { userId, teamId } = await setUp(fixture);
    await withMail();
    const offer = () => fixture.ask(invite, { actor: as(userId), teamId, email: BOB, role: 'viewer', mail: true });
    await fixture.database.rows(
      `insert into account.invitations (id, team_id, email, role, code_hash, created_at, expires_at, mailed)
       select gen_random_uuid(), $1, 'x' || i, 'viewer', sha256(i::text::bytea), $2, $2, true
       from generate_series(1, 99) i`,
      [teamId, fixture.parts.now()],
    );
    await done(offer());
    expect(await refused(offer())).toBe('TOO_MANY_MAILS');
    fixture.clock.advance({ days: 1 });
    await done(offer());
  });

  it('with a code for a new password ends nothing before the code is used', async () => {
    const { userId, browser } = await setUp(fixture);
    expect(await refused(fixture.ask(forgotPassword, { email: ADA }))).toBe('MAIL_OFF');
    const box = await withMail();
    await forget('ADA@example.com');
    expect(box.mails).toMatchObject([{ to: [ADA] }]);
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId });
    await done(signIn(fixture, ADA));
    const code = codeOf(box, 'reset');
    await done(choose(code));
    expect(await callerIn(browser, fixture.parts)).toBeNull();
    expect(await refused(choose(code))).toBe('CODE_UNKNOWN');
    await done(signIn(fixture, ADA, NEXT));
    const audit = await fixture.database.rows(
      `select action, actor_user_id from account.audit where action ~ 'Password' order by at`,
    );
    expect(audit).toEqual([
      { action: 'AskForPasswordReset', actor_user_id: null },
      { action: 'ChoosePassword', actor_user_id: userId },
    ]);
    await forget(ADA);
    fixture.clock.advance({ hours: 1 });
    await forget(ADA);
    const late = codeOf(box, 'reset');
    fixture.clock.advance({ hours: 1 });
    expect(await refused(choose(late))).toBe('CODE_UNKNOWN');
  });

  it('goes to nobody for an email without an account, and seldom to a person whom strangers ask for', async () => {
    await setUp(fixture);
    const box = await withMail();
    await forget('nobody@example.com');
    expect(box.mails).toEqual([]);
    for (let minute = 0; minute < 240; minute++) {
      await fixture.ask(forgotPassword, { email: ADA });
      fixture.clock.advance({ minutes: 1 });
      await fixture.parts.mailer!.idle();
    }
    // After 0, 1, 3, 7, 15, 31, 63 and 127 minutes.
    expect(box.mails).toHaveLength(8);
  });

  it('does not take over the account of a person with a second factor and an email that nobody confirmed', async () => {
    const { userId, teamId } = await setUp(fixture);
    const box = await withMail();
    const bob = await join(fixture, as(userId), teamId, BOB, 'viewer');
    const secret = fixture.parts.sealer.seal('second factor', newTotpSecret());
    const app = () =>
      fixture.database.rows(
        `insert into account.authenticator_apps (user_id, secret, last_step, created_at) values ($1, $2, 1, now())`,
        [bob, secret],
      );
    await forget(BOB);
    const code = codeOf(box, 'reset');
    await app();
    fixture.clock.advance({ minutes: 5 });
    await forget(BOB);
    expect(box.mails.at(-1)!.text).toContain('ask the operator');
    // The owner of the mailbox was asked before: whatever the account had until now ends.
    const browser = newBrowser();
    expect((await done(choose(code, browser))).person).toMatchObject({ id: bob, emailVerified: true });
    expect(await fixture.database.rows('select 1 from account.authenticator_apps')).toEqual([]);
    // From now on the email is known to be theirs, and a second factor is asked for after a reset, too.
    await app();
    fixture.clock.advance({ hours: 1 });
    await forget(BOB);
    expect(await done(choose(codeOf(box, 'reset')))).toMatchObject({ person: null, secondStep: { passkey: null } });
  });

  it('tells a person without a password how they sign in', async () => {
    const { userId } = await setUp(fixture);
    const box = await withMail();
    await fixture.database.rows('update account.users set password_hash = null where id = $1', [userId]);
    await forget(ADA);
    expect(box.mails[0]!.text).toContain('Your account has no password');
    expect(await fixture.database.rows('select reset_code_hash from account.users')).toEqual([
      { reset_code_hash: null },
    ]);
  });
});
