// The audit log: who did what, from where, and what it was before.
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Bus } from '@landfall/bus';
import { type AuditEntry, FindUsage, ListLinkEdits } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { checkHostsNow } from '../association/checks.ts';
import { ask, type ConsoleFixture, consoleSuite, done, makeApp } from '../console.testing.ts';
import { replayDeadLetters } from '../instance/dead-letters.ts';
import { createKey } from '../keys/keys.ts';
import { importLinks } from '../links/import-links.ts';
import type { ConsoleParts } from '../parts.ts';
import { as, hashOf, join, setUp } from '../people.testing.ts';
import { setRole } from '../teams/teams.ts';
import { exportAudit, getLinkHistory, listAudit, listInstanceAudit } from './audit.ts';

const operator = { kind: 'operator', userId: null, tokenId: null };

/** The parts with other services that know these edits of links, and nothing else. */
function partsWith(fixture: ConsoleFixture, edits: AuditEntry[] = []): ConsoleParts {
  const replies = new Map<unknown, object>([
    [ListLinkEdits, { entries: edits, next: null }],
    [FindUsage, { linksCreated: 0 }],
  ]);
  const forward = async (message: unknown) => replies.get(message) ?? { entries: [], next: null };
  const answer = async (message: unknown) => ({ ok: true, reply: await forward(message) });
  const bus = { ...fixture.bus, ask: answer as unknown as Bus['ask'] };
  return { ...fixture.parts, bus, forward: forward as unknown as ConsoleParts['forward'] };
}

const actionsOf = (entries: { action: string }[]) => entries.map(({ action }) => action);

consoleSuite('the audit log', (fixture) => {
  it('says who did what, from where, and what it was before', async () => {
    const { userId: owner, teamId } = await setUp(fixture);
    const bob = await join(fixture, as(owner), teamId, 'bob@example.com', 'member');
    await done(fixture.ask(setRole, { actor: as(owner), teamId, userId: bob, role: 'viewer' }));
    const { id: appId } = await makeApp(fixture, { teamId });
    const { key } = await done(fixture.ask(createKey, { actor: as(owner), appId, label: 'first' }));
    const read = async (of: object = {}) => done(ask(listAudit, { teamId, ...of }, partsWith(fixture)));
    const { entries } = await read();
    expect(actionsOf(entries)).toEqual(['CreateKey', 'CreateApp', 'SetRole', 'JoinByInvitation', 'Invite', 'SetUp']);
    expect(entries[0]).toMatchObject({ appId, subject: key.id, before: null, after: { label: 'first' } });
    expect(entries[1]).toMatchObject({ actor: operator, actorEmail: null, address: null });
    expect(entries[2]).toMatchObject({
      actor: { kind: 'person', userId: owner, tokenId: null },
      actorEmail: 'ada@example.com',
      address: hashOf('home'),
      subject: bob,
      before: { role: 'member' },
      after: { role: 'viewer' },
    });
    expect(entries[3]).toMatchObject({ actor: { kind: 'person', userId: bob }, actorEmail: 'bob@example.com' });
    expect(entries[4]).toMatchObject({ after: { email: 'bob@example.com', role: 'member' } });
    expect(actionsOf((await read({ userId: bob })).entries)).toEqual(['JoinByInvitation']);
    expect(actionsOf((await read({ appId })).entries)).toEqual(['CreateKey', 'CreateApp']);
    const first = await read({ limit: '4' });
    const rest = await read({ limit: '4', cursor: first.next });
    expect([...first.entries, ...rest.entries]).toEqual(entries);
    expect(rest.next).toBeNull();
    const file = await done(ask(exportAudit, { teamId, format: 'jsonl' }, partsWith(fixture)));
    const res = Object.assign(new PassThrough(), { locals: { headers: {} }, writeHead() {} });
    const [lines] = await Promise.all([text(res), file.send(res as never, () => ({}) as never)]);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(entries);
  });

  it('contains the edits of links, with the current emails of those who made them', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { id: appId } = await makeApp(fixture, { teamId });
    const linkId = randomUUID();
    const by = (userId: string): AuditEntry => ({
      id: randomUUID(),
      at: new Date(fixture.clock() + 1_000).toISOString(),
      actor: { kind: 'person', userId, tokenId: null },
      address: null,
      action: 'EditLink',
      teamId,
      appId,
      subject: linkId,
      before: { destination: '/a' },
      after: { destination: '/b' },
    });
    const edits = [by(userId), by(randomUUID())];
    const parts = partsWith(fixture, edits);
    const { entries } = await done(ask(listAudit, { teamId }, parts));
    expect(actionsOf(entries)).toEqual(['EditLink', 'EditLink', 'CreateApp', 'SetUp']);
    const emailOf = new Map(entries.map(({ id, actorEmail }) => [id, actorEmail]));
    expect(edits.map(({ id }) => emailOf.get(id))).toEqual(['ada@example.com', null]);
    const app = await parts.lookups.existingApp(appId);
    parts.lookups = { ...parts.lookups, existingLink: async () => ({ app, link: {} as never }) };
    const history = await done(ask(getLinkHistory, { linkId }, parts));
    expect(history.entries).toEqual(
      edits.map((edit) => ({ ...edit, actorEmail: emailOf.get(edit.id), subjectName: null })),
    );
  });

  it('contains actions that change no row of their own, and those of the instance are in no team', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { id: appId } = await makeApp(fixture, { teamId });
    const actor = as(userId);
    const parts = partsWith(fixture);
    await ask(importLinks, { actor, appId, links: [{ destination: '/a' }, { destination: '/b' }] }, parts);
    await ask(importLinks, { actor, appId, links: [{ destination: '/c' }], dryRun: true }, parts);
    parts.checks = { stored: { of: async () => ({ checkedAt: 'now', findings: [] }) } } as never;
    await done(ask(checkHostsNow, { actor, appId }, parts));
    const replay = async () => ({ replayed: 2, running: 0 });
    parts.deadLetters = { groups: async () => ['push'], list: async () => [], replay } as never;
    await done(ask(replayDeadLetters, { actor, group: 'push' }, parts));

    const about = { actor: { kind: 'person', userId, tokenId: null }, address: hashOf('home'), before: null };
    const { entries } = await done(ask(listAudit, { teamId, appId }, parts));
    expect(entries).toMatchObject([
      { ...about, action: 'CheckHosts', subject: appId, after: null },
      { ...about, action: 'ImportLinks', subject: appId, after: { links: 2 } },
      { action: 'CreateApp' },
    ]);
    const ofNone = await done(ask(listInstanceAudit, { teamId: 'none' }, parts));
    const { id } = ofNone.entries[0]!;
    expect(ofNone.entries).toMatchObject([
      { ...about, action: 'ReplayDeadLetters', teamId: null, subject: id, after: { group: 'push', letters: 'all' } },
    ]);
    const all = await done(ask(listInstanceAudit, { limit: '3' }, parts));
    expect(actionsOf(all.entries)).toEqual(['ReplayDeadLetters', 'CheckHosts', 'ImportLinks']);
    const imports = await done(ask(listInstanceAudit, { action: 'ImportLinks' }, parts));
    expect(actionsOf(imports.entries)).toEqual(['ImportLinks']);
    const from = new Date(Date.parse(all.entries[0]!.at) + 1).toISOString();
    expect((await done(ask(listInstanceAudit, { from }, parts))).entries).toEqual([]);
  });
});
