import { randomUUID } from 'node:crypto';
import {
  ChangePassword,
  ChoosePassword,
  EndSessions,
  FindPerson,
  FindSession,
  FindSetUp,
  ListPeople,
  ListSessions,
  OfferSetUp,
  RenamePerson,
  ResetPassword,
  SessionUsed,
  SetUp,
} from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { choosePassword } from './handlers/choose-password.ts';
import { createPasswords } from './passwords/passwords.ts';
import {
  as,
  browser,
  done,
  email,
  hashOf,
  join,
  opened,
  PASSWORD,
  password,
  refused,
  sealer,
  service,
  setUp,
  signIn,
} from './people.testing.ts';
import { accountRepository } from './repositories/account-repository.ts';

handlerSuite('people', { service }, (house) => {
  it('sets an instance up once, and only with a code that was offered', async () => {
    const wanted = {
      email: email(' Ada@Example.com '),
      password: password(),
      name: 'Ada',
      teamName: 'First',
      session: browser('first'),
      address: null,
    };
    expect(await done(house.bus.ask(FindSetUp, {}))).toEqual({ needed: true });
    expect(await refused(house.bus.ask(SetUp, { ...wanted, codeHash: hashOf('guessed') }))).toBe('CODE_UNKNOWN');
    for (const code of ['first start', 'second start']) {
      expect(await done(house.bus.ask(OfferSetUp, { codeHash: hashOf(code) }))).toEqual({ needed: true });
      house.clock.advance({ seconds: 1 });
    }
    expect(await refused(house.bus.ask(SetUp, { ...wanted, codeHash: hashOf('first start') }))).toBe('CODE_UNKNOWN');
    const codeHash = hashOf('second start');
    for (const [typed, code] of [
      ['too short', 'PASSWORD_TOO_SHORT'],
      ['password123', 'PASSWORD_COMMON'],
    ] as const)
      expect(await refused(house.bus.ask(SetUp, { ...wanted, codeHash, password: password(typed) }))).toBe(code);
    const { person, session } = await done(house.bus.ask(SetUp, { ...wanted, codeHash }));
    expect(person).toMatchObject({ name: 'Ada', instanceOwner: true, hasPassword: true });
    expect(opened(person.email)).toBe('ada@example.com');
    expect(await done(house.bus.ask(FindSession, { hash: hashOf('first') }))).toMatchObject({
      sessionId: session.id,
      userId: person.id,
      instanceOwner: true,
      memberships: [{ role: 'owner' }],
    });
    const { teams } = await done(house.bus.ask(FindPerson, { userId: person.id }));
    expect(teams).toMatchObject([{ name: 'First', role: 'owner' }]);

    expect(await done(house.bus.ask(FindSetUp, {}))).toEqual({ needed: false });
    expect(await done(house.bus.ask(OfferSetUp, { codeHash: hashOf('third start') }))).toEqual({ needed: false });
    for (const code of ['first start', 'second start', 'third start'])
      expect(await refused(house.bus.ask(SetUp, { ...wanted, codeHash: hashOf(code) }))).toBe('SET_UP_DONE');
  });

  it('gives one owner to an instance that two set up at once', async () => {
    const codes = ['one', 'two', 'three'];
    for (const code of codes) await house.bus.ask(OfferSetUp, { codeHash: hashOf(code) });
    const answers = await Promise.all(
      codes.map((code) =>
        house.bus.ask(SetUp, {
          codeHash: hashOf(code),
          email: email(`${code}@example.com`),
          password: password(),
          name: code,
          teamName: code,
          session: browser(code),
          address: null,
        }),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await house.database.rows('select 1 from account.users')).toHaveLength(1);
    expect(await house.database.rows('select 1 from account.teams')).toHaveLength(1);
  });

  it('signs in whoever knows the password, however their email is written', async () => {
    const { userId } = await setUp(house);
    const { session, person } = await done(signIn(house, 'ADA@example.com '));
    expect(session).toMatchObject({ userId, userAgent: 'Firefox' });
    expect(person.id).toBe(userId);
    expect(await refused(signIn(house, 'ada@example.com', 'wrong horse battery'))).toBe('WRONG_CREDENTIALS');
    expect(await refused(signIn(house, 'nobody@example.com'))).toBe('WRONG_CREDENTIALS');
  });

  it('lets a session end when it is not used for 14 days, and after 90 in any case', async () => {
    const { userId, sessionId } = await setUp(house);
    const find = () => house.bus.ask(FindSession, { hash: hashOf('first') });
    const { endsAt } = await done(find());
    for (let days = 0; days < 80; days += 10) {
      house.clock.advance({ days: 10 });
      await house.bus.tell(SessionUsed, { sessionId });
      const { idleUntil } = await done(find());
      expect(Date.parse(idleUntil) - house.clock()).toBeGreaterThan(13 * 86_400_000);
    }
    expect((await done(find())).endsAt).toBe(endsAt);
    house.clock.advance({ days: 9 });
    await house.bus.tell(SessionUsed, { sessionId });
    await done(find());
    house.clock.advance({ days: 1 });
    expect(await refused(find())).toBe('SESSION_UNKNOWN');
    // A late message does not revive the session.
    await house.bus.tell(SessionUsed, { sessionId });
    expect(await refused(find())).toBe('SESSION_UNKNOWN');

    const { session } = await done(signIn(house, 'ada@example.com'));
    house.clock.advance({ days: 14 });
    await house.bus.tell(SessionUsed, { sessionId: session.id });
    expect(await done(house.bus.ask(ListSessions, { userId }))).toEqual({ sessions: [] });
  });

  it('lists the sessions of a person, and ends one or all others', async () => {
    const { userId, sessionId: first } = await setUp(house);
    const { session: second } = await done(signIn(house, 'ada@example.com'));
    const { session: third } = await done(signIn(house, 'ada@example.com'));
    const ids = async () => (await done(house.bus.ask(ListSessions, { userId }))).sessions.map((session) => session.id);
    const end = (sessionId: string | null, except: string | null, actor = as(userId)) =>
      house.bus.ask(EndSessions, { actor, userId, sessionId, except });
    expect(await ids()).toEqual([third.id, second.id, first]);
    expect(await refused(end(second.id, null, as(randomUUID())))).toBe('SESSION_NOT_FOUND');
    expect(await done(end(second.id, null))).toEqual({ ended: 1 });
    expect(await refused(end(second.id, null))).toBe('SESSION_NOT_FOUND');
    expect(await done(end(null, third.id))).toEqual({ ended: 1 });
    expect(await ids()).toEqual([third.id]);
    expect(await refused(house.bus.ask(FindSession, { hash: hashOf('first') }))).toBe('SESSION_UNKNOWN');
  });

  it('ends every session with a change of the password, and makes one', async () => {
    const { userId } = await setUp(house);
    await done(signIn(house, 'ada@example.com'));
    const change = (current: string, next: string, actor = as(userId)) =>
      house.bus.ask(ChangePassword, {
        actor,
        userId,
        current: password(current),
        next: password(next),
        session: browser(next),
      });
    expect(await refused(change('wrong horse battery', 'another horse battery'))).toBe('WRONG_CREDENTIALS');
    expect(await refused(change(PASSWORD, 'password123'))).toBe('PASSWORD_COMMON');
    expect(await refused(change(PASSWORD, 'short'))).toBe('PASSWORD_TOO_SHORT');
    expect(await refused(change(PASSWORD, 'another horse battery', as(randomUUID())))).toBe('PERSON_NOT_FOUND');
    const { session } = await done(change(PASSWORD, 'another horse battery'));
    expect(await done(house.bus.ask(ListSessions, { userId }))).toEqual({ sessions: [session] });
    expect(await done(house.bus.ask(FindSession, { hash: hashOf('another horse battery') }))).toMatchObject({ userId });
    expect(await refused(signIn(house, 'ada@example.com'))).toBe('WRONG_CREDENTIALS');
    await done(signIn(house, 'ada@example.com', 'another horse battery'));
  });

  it('does not let the holder of a session guess at the password', async () => {
    const { userId } = await setUp(house);
    const change = (current: string) =>
      house.bus.ask(ChangePassword, {
        actor: as(userId),
        userId,
        current: password(current),
        next: password('another horse battery'),
        session: browser(),
      });
    for (let i = 0; i < 5; i++) expect(await refused(change(`wrong horse ${i}`))).toBe('WRONG_CREDENTIALS');
    expect(await refused(change(PASSWORD))).toBe('SIGN_IN_DELAYED');
    // Sign-ins elsewhere are not delayed by these failures.
    await done(signIn(house, 'ada@example.com'));
    house.clock.advance({ seconds: 2 });
    await done(change(PASSWORD));
  });

  describe('a password that the operator resets', () => {
    const reset = (code: string, who = 'ada@example.com', actor?: ReturnType<typeof as>) =>
      house.bus.ask(ResetPassword, { actor, email: email(who), codeHash: hashOf(code) });
    const choose = (code: string, next = 'another horse battery') =>
      house.bus.ask(ChoosePassword, {
        codeHash: hashOf(code),
        next: password(next),
        session: browser(),
        address: null,
      });

    it('is gone with the sessions, and its person chooses another, once', async () => {
      const { userId } = await setUp(house);
      expect(await refused(reset('code', 'ada@example.com', as(userId)))).toBe('FORBIDDEN');
      expect(await refused(reset('code', 'bob@example.com'))).toBe('PERSON_NOT_FOUND');
      const { person } = await done(reset('code', 'Ada@example.com'));
      expect(person.id).toBe(userId);
      expect(await done(house.bus.ask(ListSessions, { userId }))).toEqual({ sessions: [] });
      expect(await refused(signIn(house, 'ada@example.com'))).toBe('WRONG_CREDENTIALS');
      expect(await refused(choose('guess'))).toBe('CODE_UNKNOWN');
      expect(await refused(choose('code', 'short'))).toBe('PASSWORD_TOO_SHORT');
      const chosen = await done(choose('code'));
      expect(chosen.person).toMatchObject({ id: userId, hasPassword: true });
      expect((await done(house.bus.ask(ListSessions, { userId }))).sessions).toMatchObject([{ id: chosen.session.id }]);
      expect(await refused(choose('code', 'a third horse battery'))).toBe('CODE_UNKNOWN');
      house.clock.advance({ seconds: 2 });
      await done(signIn(house, 'ada@example.com', 'another horse battery'));
    });

    it('has one code, the last, for a day', async () => {
      await setUp(house);
      await done(reset('first'));
      await done(reset('second'));
      expect(await refused(choose('first'))).toBe('CODE_UNKNOWN');
      house.clock.advance({ hours: 24 });
      expect(await refused(choose('second'))).toBe('CODE_UNKNOWN');
    });

    it('is chosen by one of two at once', async () => {
      await setUp(house);
      await done(reset('code'));
      // Calls the handler directly, as two processes can at the same time. The bus of one process delivers two messages
      // one after the other.
      const account = accountRepository(house.database, sealer);
      const chooses = choosePassword(account, { sealer, passwords: createPasswords() });
      const at = { now: new Date(house.clock()), idFor: () => randomUUID(), expired: () => false };
      const wanted = { codeHash: hashOf('code'), address: null, newDeviceHash: null };
      const both = await Promise.all(
        ['another horse battery', 'a third horse battery'].map((next) =>
          chooses({ ...wanted, next: password(next), session: browser() }, { id: randomUUID(), ...at }),
        ),
      );
      expect(both.filter((outcome) => 'reply' in outcome)).toHaveLength(1);
      expect(both).toContainEqual({ refusal: { code: 'CODE_UNKNOWN', facts: {} } });
    });
  });

  it('lists everybody for the operator, latest first, page by page', async () => {
    const { userId, teamId } = await setUp(house);
    const others: string[] = [];
    for (const name of ['bob', 'carol'])
      others.push(await join(house, as(userId), teamId, `${name}@example.com`, 'viewer'));
    const first = await done(house.bus.ask(ListPeople, { limit: 2, cursor: null }));
    expect(first.people.map(({ id }) => id)).toEqual(others.toReversed());
    const rest = await done(house.bus.ask(ListPeople, { limit: 2, cursor: first.next }));
    expect(rest).toMatchObject({ people: [{ id: userId, instanceOwner: true }], next: null });
  });

  it('gives a person another name, if it is theirs', async () => {
    const { userId } = await setUp(house);
    const rename = (name: string, by: string) => house.bus.ask(RenamePerson, { actor: as(by), userId, name });
    expect((await done(rename('Ada L.', userId))).person.name).toBe('Ada L.');
    expect(await refused(rename('Eve', randomUUID()))).toBe('PERSON_NOT_FOUND');
    expect((await done(house.bus.ask(FindPerson, { userId }))).person.name).toBe('Ada L.');
  });

  it('stores nothing with which anybody could sign in', async () => {
    const { userId } = await setUp(house);
    await signIn(house, 'ada@example.com', PASSWORD, { newDevice: 'cookie' });
    await house.bus.ask(ChangePassword, {
      actor: as(userId),
      userId,
      current: password(),
      next: password('another horse battery'),
      session: browser(),
    });
    const tables = ['users', 'sessions', 'changes', 'audit', 'known_places', 'sign_in_failures', 'set_up_codes'];
    for (const table of tables) {
      const rows = await house.database.rows<{ dump: string }>(`select t::text as dump from account.${table} t`);
      for (const { dump } of rows) expect(dump).not.toMatch(/horse|battery|set-up|cookie/);
    }
    // The audit log contains no hash of a secret either.
    const hashes = await house.database.rows<{ dump: string }>(
      `select concat(before::text, after::text) as dump from account.audit`,
    );
    for (const { dump } of hashes) expect(dump).not.toMatch(/argon2|[A-Za-z0-9_-]{43}/);
  });
});
