import { expect, it } from 'vitest';
import { consoleSuite } from '../console.testing.ts';
import { createPasswords } from '../passwords/passwords.ts';
import { PASSWORD } from '../people.testing.ts';
import { ensureFirstOwner } from './first-owner.ts';

consoleSuite('the first owner', (fixture) => {
  const ensure = (password = PASSWORD, who = 'ada@example.com') =>
    ensureFirstOwner(fixture.database, { email: who, password }, new Date());
  const countOf = async (table: string) => (await fixture.database.rows(`select 1 from account.${table}`)).length;

  it('is made once, however many processes start at once, and their password is never reset', async () => {
    await Promise.all(Array.from({ length: 6 }, () => ensure()));
    await ensure('another horse battery');
    await ensure('another horse battery', 'bob@example.com');
    expect([await countOf('users'), await countOf('teams'), await countOf('members')]).toEqual([1, 1, 1]);
    const known = await fixture.parts.account.people.findByEmail('ada@example.com');
    expect(known?.person.instanceOwner).toBe(true);
    expect(await createPasswords().verify(PASSWORD, known!.passwordHash)).toBe(true);
    const audit = await fixture.database.rows<{ action: string; actor: string; after: object }>(
      'select action, actor_kind as actor, after from account.audit',
    );
    expect(audit).toEqual([
      { action: 'SetUp', actor: 'operator', after: { email: 'ada@example.com', team: 'First team', apps: [] } },
    ]);
  });

  it('has a password that nobody tries first', async () => {
    await expect(ensure('short')).rejects.toThrow(/^LANDFALL_INIT_OWNER_PASSWORD must have at least 10 characters\.$/);
    await expect(ensure('password123')).rejects.toThrow(/^LANDFALL_INIT_OWNER_PASSWORD is among the most common/);
    expect(await countOf('users')).toBe(0);
  });
});
