// People, and what they see and change of themselves.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { consoleSuite } from '../console.testing.ts';
import { changePassword, resetPassword } from '../passwords/password-routes.ts';
import { as, done, join, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';
import { getMe, listPeople, renameMe } from './people.ts';

consoleSuite('people', (fixture) => {
  it('are listed for the operator, latest first, page by page', async () => {
    const { userId, teamId } = await setUp(fixture);
    const others: string[] = [];
    for (const name of ['bob', 'carol'])
      others.push(await join(fixture, as(userId), teamId, `${name}@example.com`, 'viewer'));
    const first = await done(fixture.ask(listPeople, { limit: 2 }));
    expect(first.people.map(({ id }) => id)).toEqual(others.toReversed());
    expect(first.people[1]).toMatchObject({ email: 'bob@example.com' });
    const rest = await done(fixture.ask(listPeople, { limit: 2, cursor: first.next }));
    expect(rest).toMatchObject({ people: [{ id: userId, instanceOwner: true }], next: null });
  });

  it('see who they are, and give themselves another name', async () => {
    const { userId, teamId, browser } = await setUp(fixture);
    expect((await done(fixture.ask(renameMe, { browser, name: 'Ada L.' }))).person.name).toBe('Ada L.');
    expect(await done(fixture.ask(getMe, { browser }))).toMatchObject({
      kind: 'person',
      person: { id: userId, name: 'Ada L.', email: 'ada@example.com' },
      teams: [{ id: teamId, name: 'First', role: 'owner' }],
      identities: [],
    });
    const audit = await fixture.database.rows(`select before, after from account.audit where action = 'RenamePerson'`);
    expect(audit).toEqual([{ before: { name: 'Ada' }, after: { name: 'Ada L.' } }]);
    for (const route of [renameMe, getMe])
      expect(await refused(fixture.ask(route, { actor: as(randomUUID()), name: 'Eve' }))).toBe('PERSON_NOT_FOUND');
  });

  it('have nothing stored with which anybody could sign in', async () => {
    const { browser } = await setUp(fixture);
    await done(signIn(fixture, 'ada@example.com', PASSWORD, browser));
    await done(fixture.ask(changePassword, { browser, current: PASSWORD, next: 'another horse battery' }));
    const { code } = await done(fixture.ask(resetPassword, { email: 'ada@example.com' }));
    const secrets = [code, ...[...browser.cookies.values()].flatMap((cookie) => cookie.split('.'))];
    const tables = ['users', 'sessions', 'outbox', 'audit', 'known_places', 'sign_in_failures', 'set_up_codes'];
    for (const table of tables) {
      const rows = await fixture.database.rows<{ dump: string }>(`select t::text as dump from account.${table} t`);
      for (const { dump } of rows) {
        expect(dump).not.toMatch(/horse|battery/);
        for (const secret of secrets) expect(dump).not.toContain(secret);
      }
    }
    // The audit log contains no hash of a secret either.
    const hashes = await fixture.database.rows<{ dump: string }>(
      `select concat(before::text, after::text) as dump from account.audit`,
    );
    for (const { dump } of hashes) expect(dump).not.toMatch(/argon2|[A-Za-z0-9_-]{43}/);
  });
});
