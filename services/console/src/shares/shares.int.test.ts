// Shares and saved views: who may change them, how many there are, and who learns of a change.
import { ShareChanged } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { consoleSuite, done, makeApp, refused, toldOf } from '../console.testing.ts';
import { as, hashOf, join, rules, setUp } from '../people.testing.ts';
import { deleteExpired } from '../retention.ts';
import { updateTeam } from '../teams/teams.ts';
import { changeView, createView, listViews, removeView } from '../views/views.ts';
import { changeShare, createShare, listShares, revokeShare } from './shares.ts';

consoleSuite(
  'shares and views',
  (fixture) => {
    async function people() {
      const { userId, teamId } = await setUp(fixture);
      const { id: appId } = await makeApp(fixture, { teamId });
      const [member, viewer] = [
        await join(fixture, as(userId), teamId, 'bob@example.com', 'member'),
        await join(fixture, as(userId), teamId, 'eve@example.com', 'viewer'),
      ];
      return { appId, member, viewer, owner: userId, teamId };
    }
    const share = (appId: string, userId: string, more: object = {}) =>
      fixture.ask(createShare, { actor: as(userId), appId, name: 'Autumn', view: {}, options: {}, ...more });

    it('are made, changed and revoked by members, also when their role changed a moment ago', async () => {
      const { appId, member, viewer } = await people();
      expect(await refused(share(appId, viewer))).toBe('FORBIDDEN');
      const { share: made } = await done(share(appId, member));
      const on = { appId, shareId: made.id };
      expect(await refused(fixture.ask(changeShare, { actor: as(viewer), ...on, name: 'x' }))).toBe('FORBIDDEN');
      expect(await refused(fixture.ask(revokeShare, { actor: as(viewer), ...on }))).toBe('FORBIDDEN');
      const { id: other } = await makeApp(fixture);
      expect(await refused(fixture.ask(revokeShare, { appId: other, shareId: made.id }))).toBe('SHARE_NOT_FOUND');
      const { shares } = await done(fixture.ask(listShares, { appId }));
      expect(shares).toMatchObject([
        { name: 'Autumn', createdBy: { userId: member, name: 'bob' }, hasPassword: false },
      ]);
    });

    it('are made by those whom the owners of the team let share', async () => {
      const { appId, member, owner, teamId } = await people();
      const allow = (sharing: string) => fixture.ask(updateTeam, { actor: as(owner), teamId, sharing });
      const { share: made } = await done(share(appId, member));
      await done(allow('admins'));
      expect(await refused(share(appId, member))).toBe('SHARING_OFF');
      await done(share(appId, owner));
      await done(allow('off'));
      expect(await refused(share(appId, owner))).toBe('SHARING_OFF');
      const on = { actor: as(member), appId, shareId: made.id };
      expect(await refused(fixture.ask(changeShare, { ...on, expiresAt: null }))).toBe('SHARING_OFF');
      await done(fixture.ask(revokeShare, on));
      await done(allow('members'));
      await done(share(appId, member));
    });

    it('leave the caches of every console when they are changed or revoked', async () => {
      const { appId, member } = await people();
      const { lookups } = fixture.parts;
      const { share: made, url } = await done(share(appId, member));
      const hash = hashOf(new URL(url).hash.slice(1));
      const on = { actor: as(member), appId, shareId: made.id };
      expect((await lookups.share(hash))?.name).toBe('Autumn');
      expect((await lookups.shareById(made.id))?.options.origins).toEqual([]);
      await done(fixture.ask(changeShare, { ...on, options: { origins: ['https://A.example'] } }));
      expect((await lookups.shareById(made.id))?.options.origins).toEqual(['https://a.example']);
      await lookups.share(hash);
      // Another console revokes it: this one hears of it.
      await fixture.database.rows('update account.shares set revoked_at = now()');
      expect(await lookups.share(hash)).not.toBeNull();
      await fixture.bus.tell(ShareChanged, { shareId: made.id, hash });
      await fixture.bus.idle();
      expect(await lookups.share(hash)).toBeNull();
      expect(await lookups.shareById(made.id)).toBeNull();
      expect(toldOf(fixture, ShareChanged)).toEqual(Array(2).fill({ shareId: made.id, hash }));
    });

    it('are 100 at most, without those that have ended, and ended ones are deleted later', async () => {
      const { appId, member } = await people();
      const inAnHour = new Date(fixture.clock() + 3_600_000).toISOString();
      for (let n = 0; n < 100; n++) await done(share(appId, member, { expiresAt: inAnHour }));
      expect(await refused(share(appId, member))).toBe('TOO_MANY_SHARES');
      fixture.clock.advance({ hours: 1 });
      const { share: made } = await done(share(appId, member, { expiresAt: null }));
      const clean = async () =>
        (await deleteExpired(fixture.database, new Date(fixture.clock()), { KEEP_AUDIT_DAYS: 400 })).shares;
      fixture.clock.advance({ days: 89 });
      expect(await clean()).toBe(0);
      fixture.clock.advance({ days: 2 });
      expect(await clean()).toBe(100);
      await done(fixture.ask(revokeShare, { appId, shareId: made.id }));
      fixture.clock.advance({ days: 8 });
      expect(await clean()).toBe(1);
    });

    it('of a person are of nobody else, and those of the team need a member', async () => {
      const { appId, member, viewer } = await people();
      const save = (userId: string, more: object = {}) =>
        fixture.ask(createView, { actor: as(userId), appId, name: 'Mine', page: 'links', query: 'a=1', ...more });
      const { view: own } = await done(save(viewer));
      expect(await refused(save(viewer, { shared: true }))).toBe('FORBIDDEN');
      const { view: ofTeam } = await done(save(member, { shared: true, name: 'Ours' }));
      const namesFor = async (userId: string) =>
        (await done(fixture.ask(listViews, { actor: as(userId), appId }))).views.map(({ name }) => name);
      expect(await namesFor(viewer)).toEqual(['Mine', 'Ours']);
      expect(await namesFor(member)).toEqual(['Ours']);
      const on = (userId: string, viewId: string) => ({ actor: as(userId), appId, viewId });
      expect(await refused(fixture.ask(changeView, { ...on(member, own.id), name: 'x' }))).toBe('VIEW_NOT_FOUND');
      expect(await refused(fixture.ask(removeView, on(member, own.id)))).toBe('VIEW_NOT_FOUND');
      expect(await refused(fixture.ask(removeView, on(viewer, ofTeam.id)))).toBe('FORBIDDEN');
      expect((await done(fixture.ask(changeView, { ...on(viewer, own.id), query: 'b=2' }))).view.query).toBe('b=2');
      await done(fixture.ask(removeView, on(viewer, own.id)));
      expect(await namesFor(viewer)).toEqual(['Ours']);
    });
  },
  rules,
);
